"""Proofs that an answer makes no difference: at once, by an invariant that is proved too, and not when it does."""

import time
from dataclasses import replace

from solver.sameness import Sameness, proved_same
from tests.solver.explorer.questions import GAME, few, setup, unpaid


def same(answers: dict[str, str], *properties: object) -> Sameness:
    return proved_same(GAME, setup(), setup(readings=answers), properties, time.monotonic() + 30)  # type: ignore[arg-type]


def test_no_rule_asks_for_it() -> None:
    assert same({"R-UNASKED": "otherwise"}) == Sameness(True, "no rule depends on it")


def test_an_invariant_rules_the_difference_out() -> None:
    found = same({"R-MOOT": "right"}, few)
    assert found.proved and "given few, proved as well" in found.detail


def test_without_the_invariant_there_is_no_proof() -> None:
    assert not same({"R-MOOT": "right"}).proved
    assert not same({"R-MOOT": "right"}, unpaid).proved


def test_an_invariant_that_does_not_hold_proves_nothing() -> None:
    """Counted up to four, `three at most` would rule out what R-LIMIT decides, but is not kept."""
    lying = replace(few, id="lying", function=lambda state: state.counted <= 2)
    found = same({"R-LIMIT": "three"}, lying)
    assert not found.proved and "lying, which is not proved" in found.detail


def test_what_tells_them_apart_is_never_proved_the_same() -> None:
    for answers in ({"R-LIMIT": "three"}, {"R-BONUS": "one"}, {"R-MEMORY": "twice"}):
        assert not same(answers, few, unpaid).proved
