"""Freezing what can't change makes states small and changes nothing else."""

from dataclasses import replace
from typing import Any

from model.language import Variable, between
from solver.explorer.frozen import thawed, whole
from solver.explorer.search import explore
from tests.language import toy
from tests.solver.explorer import small


def with_extras() -> Any:
    """The toy with variables that no rule changes, one with one that a rule only seems to change."""

    def variables(setup: toy.Stones, family: dict[str, Any]) -> list[Variable]:
        return [*toy.variables(setup, family), Variable("unused", between(0, 9), (family["stone"],), 4)]

    return replace(toy.GAME, variables=variables)


def test_cells_that_cannot_change_take_no_room() -> None:
    frozen, declared = thawed(with_extras(), small.SETUP), whole(with_extras(), small.SETUP)
    assert len(declared.model.layout.slots) == 18
    assert [cell.label for cell in frozen.model.layout.slots] == [
        cell.label for cell in toy.GAME.model(small.SETUP).layout.slots
    ]
    assert frozen.model.initial().unused == [4] * 6
    assert explore(frozen)[0].depth_histogram == explore(declared)[0].depth_histogram


def test_what_a_smaller_setup_cannot_reach_is_frozen() -> None:
    """Without the action that banks, only the stones and the phase can change, once."""
    drawing = replace(toy.GAME, actions=(toy.draw,))
    frozen = thawed(drawing, small.SETUP)
    assert {cell.label for cell in frozen.model.layout.slots} == {
        "phase", *(f"place[stone {number}]" for number in range(1, 7))
    }
    assert explore(frozen)[0].states == explore(whole(drawing, small.SETUP))[0].states == 7


def test_few_rounds() -> None:
    """Placing thaws, then deciding, then what banking changes, then nothing."""
    frozen = thawed(toy.GAME, small.SETUP)
    assert frozen.rounds == 4
    assert all(not path.unfrozen for path in frozen.paths)


def test_one_round_where_nothing_happens() -> None:
    frozen = thawed(replace(toy.GAME, actions=(toy.bank,)), small.SETUP)
    assert frozen.rounds == 1 and not frozen.model.layout.slots and not frozen.paths
    result, _ = explore(frozen)
    assert (result.states, result.transitions, result.deadlocks) == (1, 0, 1)
    assert result.never_enabled == ("bank",) and result.complete


def test_a_value_outside_its_domain_only_because_a_cell_is_frozen() -> None:
    """`tax` would give -1 while the banked stones are frozen at 0; it is never allowed, so that is no error."""
    taxed = small.with_action(small.tax)
    frozen = thawed(taxed, small.SETUP)
    result, _ = explore(frozen)
    assert (result.states, result.transitions) == (5476, 13471)
    assert result.never_enabled == ("tax",) and result.action_counts["tax"] == 0
