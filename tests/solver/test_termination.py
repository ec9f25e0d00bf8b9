"""Ranking functions: phases with a measure are proved to end, and planted loops remain, by name."""

from dataclasses import replace
from typing import Any

import pytest

from model.language import Game, One, RuleError, Subset, action, between, require, where
from model.language.expression import INFINITY
from properties.measure import Measure
from solver.induction import Prover
from solver.ruling import Ruling
from solver.termination import Scope, phases, rule
from tests.language.toy import GAME, Phase, Place, Stones, in_bag, on_table
from tests.solver.explorer.small import put_back, with_action, with_banked

PLAY = Scope("ends.game", "Every game ends.", lambda before, after: True, ("end.three",))


def ruled(game: Game, given: tuple[Measure, ...] = ()) -> dict[str, Ruling]:
    model = game.model(Stones())
    prover = Prover(model, [])
    return {scope.id: rule(prover, scope, given) for scope in [*phases(model), PLAY]}


@action(clauses=("end.three",), phases=(Phase.DRAW,))
def dawdle(state: Any) -> None:
    """Gives the turn away and nothing else: two of them are a loop."""
    state.turn = 1 - state.turn


@action(clauses=("end.three",), phases=(Phase.DECIDE,), stone=One("stone", on_table))
def toss(state: Any, stone: int) -> None:
    """Stays in the phase, and can only be done as often as stones are on the table."""
    state.place[stone] = Place.BAG
    state.turn = 1 - state.turn


@action(clauses=("end.three",), phases=(Phase.DECIDE,), stones=Subset("stone", on_table))
def toss_some(state: Any, stones: Any) -> None:
    """Only what it requires says that it tosses a stone at all."""
    require(stones.size() >= 1, "end.three")
    for stone, chosen in stones.items():
        state.place[stone] = (1 - chosen) * state.place[stone]


@action(clauses=("end.three",), phases=(Phase.DECIDE,), stones=Subset("stone", on_table))
def toss_any(state: Any, stones: Any) -> None:
    """May toss none, again and again."""
    for stone, chosen in stones.items():
        state.place[stone] = (1 - chosen) * state.place[stone]


@action(clauses=("end.three",), phases=(Phase.DECIDE,), stones=Subset("stone", in_bag))
def take_some(state: Any, stones: Any) -> None:
    """The way back from `toss_some`."""
    require(stones.size() >= 1, "end.three")
    for stone, chosen in stones.items():
        state.place[stone] = where(chosen, Place.TABLE, state.place[stone])


@action(clauses=("end.three",), phases=(Phase.DECIDE,))
def spend(state: Any) -> None:
    """Pays a stone of the first player for one of the second's: they are no fewer."""
    require(state.banked[0] >= 1, "end.three")
    require(state.banked[1] <= 5, "end.three")
    state.banked[0] = state.banked[0] - 1
    state.banked[1] = state.banked[1] + 1


def test_the_toy_ends_and_the_ranking_function_says_why() -> None:
    found = ruled(GAME)
    assert {ruling.verdict for ruling in found.values()} == {"PROVED"}
    assert found["ends.draw"].detail == "no move stays"
    assert "(draw)" in found["ends.game"].detail and "(bank)" in found["ends.game"].detail


def test_a_measure_falls_while_the_phase_stays() -> None:
    ruling = ruled(with_action(toss))["ends.decide"]
    assert ruling.verdict == "PROVED" and ruling.detail.endswith("(toss)")


def test_what_only_the_guard_says_is_proved() -> None:
    assert ruled(with_action(toss_some))["ends.decide"].verdict == "PROVED"


@pytest.mark.parametrize("planted, phase", [(dawdle, "draw"), (toss_any, "decide")])
def test_a_loop_inside_a_phase_remains(planted: Any, phase: str) -> None:
    found = ruled(with_action(planted))
    assert found[f"ends.{phase}"].verdict == found["ends.game"].verdict == "UNDETERMINED"
    assert found[f"ends.{phase}"].counterexample == (f"May go on for ever: {planted.name}",)
    assert found[f"ends.{phase}"].places == (planted.place,)


def test_what_one_move_lowers_and_another_raises_is_no_measure() -> None:
    both = replace(GAME, actions=(*GAME.actions, toss_some, take_some))
    assert ruled(both)["ends.decide"].counterexample == tuple(
        f"May go on for ever: {name}" for name in ("toss_some", "take_some")
    )


def test_a_loop_through_phases_leaves_each_phase_its_end() -> None:
    found = ruled(with_action(put_back))
    assert found["ends.draw"].verdict == found["ends.decide"].verdict == "PROVED"
    assert {f"May go on for ever: {name}" for name in ("draw", "put_back")} <= set(found["ends.game"].counterexample)


def test_a_given_measure_proves_what_no_sum_does() -> None:
    weighted = Measure("stones, the first player's twice", lambda state: 2 * state.banked[0] + state.banked[1])
    assert ruled(with_action(spend))["ends.decide"].verdict == "UNDETERMINED"
    assert ruled(with_action(spend), (weighted,))["ends.decide"].verdict == "PROVED"


def test_what_has_no_bound_proves_no_end() -> None:
    model = with_banked(between(0, INFINITY)).model(Stones())
    debt = Measure("what the first player has not banked", lambda state: -state.banked[0])
    with pytest.raises(RuleError, match="no lower bound"):
        rule(Prover(model, []), next(phases(model)), (debt,))
