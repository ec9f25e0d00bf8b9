"""What the known invariants rule out: no more than they say, with the names of those that it took."""

from typing import Any

from model.language import count
from model.language.expression import Term, equal, less, variable
from solver.hypotheses import Hypotheses
from solver.steps import Before
from tests.language.toy import Phase, Place
from tests.solver import stones


def hypotheses(*invariants: Any) -> tuple[Hypotheses, Any]:
    before = Before(stones.any_stones())
    return Hypotheses(before, invariants), before.plain


def banked_more_than_there_is(state: Any) -> Term:
    banked = count(place == Place.BANK for place in state.place)
    return less(banked, state.banked[0])  # type: ignore[no-any-return]


def test_a_condition_that_contradicts_an_invariant_is_ruled_out_and_the_invariant_named() -> None:
    known, state = hypotheses(stones.counted, stones.kept)
    ruled = known.rule_out(banked_more_than_there_is(state))
    assert ruled.shown and ruled.used == {"counted"}


def test_without_the_invariant_it_is_not() -> None:
    known, state = hypotheses(stones.kept)
    ruled = known.rule_out(banked_more_than_there_is(state))
    assert not ruled.shown and "a position that meets every known invariant" in ruled.reason


def test_what_is_impossible_needs_no_help() -> None:
    known, state = hypotheses(stones.counted)
    both = less(state.banked[0], 0)
    assert known.rule_out(both).shown and not known.rule_out(both).used


def test_what_may_be_is_never_ruled_out() -> None:
    known, state = hypotheses(stones.counted, stones.kept, stones.drawn)
    assert not known.rule_out(equal(state.phase, Phase.END)).shown


def test_a_question_too_hard_in_its_time_is_not_ruled_out() -> None:
    """Whether a cube is the sum of two cubes: no model is found, nor a reason why there is none, in no time at all."""
    known, _ = hypotheses()
    a, b, c = (variable(("choice", name), 1, 10**6) for name in "abc")
    ruled = known.rule_out(equal(a * a * a + b * b * b, c * c * c), deadline=0.0)
    assert not ruled.shown and ruled.reason
