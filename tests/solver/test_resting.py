"""What a claim rests on is proved, and what that rests on too; a lie, or what hangs on one, carries nothing."""

from typing import Any

import pytest

from model.language import total
from properties.declaration import invariant
from solver.hypotheses import DECK
from solver.induction import Prover
from solver.ranges import range_properties
from solver.resting import Resting, Unproved
from tests.solver import stones
from tests.solver.stones import any_stones


@invariant("together", "No more stones are banked than there are.", ())
def together(state: Any) -> Any:
    return total(state.banked) <= 6


RANGES = range_properties(any_stones())



def resting(*properties: Any) -> Resting:
    return Resting(Prover(any_stones(), properties), properties)


def test_help_is_followed_to_its_end() -> None:
    """That a player banks six stones at most rests on the count of what is banked."""
    assert resting(stones.counted, *RANGES).on({"range.banked"}) == {"range.banked", "counted"}


def test_the_deck_needs_no_proof() -> None:
    assert resting(stones.counted).on({DECK, "counted"}) == {"counted"}
    assert resting().on(()) == frozenset()


def test_a_lie_carries_nothing() -> None:
    with pytest.raises(Unproved, match="would follow from idle, which is not proved"):
        resting(stones.counted, stones.idle).on({"counted", "idle"})


def test_what_hangs_on_a_lie_carries_nothing() -> None:
    """Whoever says that nobody banks anything may conclude that no more than all stones are banked."""
    with pytest.raises(Unproved, match="would follow from idle"):
        resting(stones.idle, together).on({"together"})


def test_what_is_not_to_be_relied_on_carries_nothing() -> None:
    properties = (stones.counted, *RANGES)
    kept_back = [prop for prop in properties if prop.id != "counted"]
    with pytest.raises(Unproved):
        Resting(Prover(any_stones(), properties), kept_back).on({"range.banked"})
    with pytest.raises(Unproved, match="not to be relied on"):
        Resting(Prover(any_stones(), properties), kept_back).on({"counted"})


def test_time_that_is_up_leaves_it_unproved() -> None:
    with pytest.raises(Unproved):
        Resting(Prover(any_stones(), [stones.counted]), [stones.counted], deadline=0.0).on({"counted"})
