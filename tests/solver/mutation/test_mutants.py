"""Mutants: found wherever a rule's source is, numbered for good, planted and taken back without a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from model.language import InputError, Refused
from solver.mutation.mutants import Mutant, Planted, mutant, mutants
from solver.mutation.operators import KINDS
from tests.language import toy
from tests.solver.mutation import coins

MUTANTS = mutants(coins.GAME)


def named(old: str, new: str) -> Mutant:
    return next(each for each in MUTANTS if each.mutation == f"{old} -> {new}")


def play(*moves: Any) -> Any:
    """The state after some moves, each an action's name and its values."""
    model = coins.GAME.model(coins.Setup())
    state = model.initial()
    for name, *values in moves:
        legal = [move for move in model.legal(state) if move.action.name == name and list(move.values) == values]
        if not legal:
            raise Refused("not listed")
        model.apply(state, legal[0])
    return state


def test_every_kind_of_mistake_is_made() -> None:
    assert {each.kind for each in MUTANTS} == set(KINDS)


def test_numbers_are_in_order_and_for_good() -> None:
    assert [each.number for each in MUTANTS] == list(range(1, len(MUTANTS) + 1))
    assert [(each.id, each.place, each.mutation) for each in mutants(coins.GAME)] == [
        (each.id, each.place, each.mutation) for each in MUTANTS
    ]
    assert mutant(coins.GAME, 7).mutation == MUTANTS[6].mutation


def test_an_unknown_number_is_told() -> None:
    with pytest.raises(InputError, match=r"there is no mutant 0: coins has mutants 1 to \d+"):
        mutant(coins.GAME, 0)


def test_place_and_clause_are_those_of_the_source() -> None:
    source = Path(coins.__file__).read_text(encoding="utf-8").splitlines()
    dropped = named("require(held(state, player) < HOLDS, 'take.room')", "(nothing)")
    assert dropped.clause == "take.room" and dropped.file == "coins.py"
    assert "held(state, player) < HOLDS" in source[dropped.line - 1]
    assert named("when=lambda state: state.turn == 0", "when=None").clause == "end.count"


@pytest.mark.parametrize("each", MUTANTS, ids=lambda each: each.id)
def test_a_mutant_is_planted_and_taken_back(each: Mutant) -> None:
    function = coins.take.function
    before = (function.__code__, coins.held.__code__, coins.in_pot.wanted, coins.take.phases, coins.count_up.when)
    planted = Planted(each)
    with planted:
        pass
    with pytest.raises(ZeroDivisionError), planted:
        raise ZeroDivisionError
    after = (function.__code__, coins.held.__code__, coins.in_pot.wanted, coins.take.phases, coins.count_up.when)
    assert all(one is other for one, other in zip(before, after, strict=True))


def test_an_effect_is_changed_where_it_is_used() -> None:
    with Planted(named("state.owner[coin] = player", "(nothing)")):
        assert play(("take", 0, 0)).owner[0] == 2
    assert play(("take", 0, 0)).owner[0] == 0


def test_a_function_that_others_call_is_changed_for_all_of_them() -> None:
    with Planted(named("state.turn = 1 - player", "(nothing)")):
        assert play(("take", 0, 0), ("lose", 0, 1)).turn == 0


def test_the_code_of_a_closure_is_changed() -> None:
    with Planted(named("return state.place[coin] == place", "return state.place[coin] != place")):
        with pytest.raises(Refused):
            play(("lose", 0, 0))
        assert play(("take", 0, 0), ("lose", 1, 0)).place[0] == coins.Place.LOST


def test_the_argument_of_a_function_that_makes_conditions_is_changed() -> None:
    wrong = next(e for e in MUTANTS if "within(Place.POT)" in e.mutation and "Place.PURSE" in e.mutation)
    with Planted(wrong):
        assert play(("take", 0, 0), ("lose", 1, 0)).place[0] == coins.Place.LOST
        with pytest.raises(Refused):
            play(("lose", 0, 0))
    assert play(("lose", 0, 0)).place[0] == coins.Place.LOST


def test_a_condition_on_cells_is_changed_for_models_made_before() -> None:
    model = coins.GAME.model(coins.Setup())
    with Planted(named("in_pot = Having(place=Place.POT)", "in_pot = Having(place=Place.PURSE)")):
        assert {move.action.name for move in model.legal(model.initial())} == {"lose"}
    assert {move.action.name for move in model.legal(model.initial())} == {"take", "lose"}


def test_a_condition_of_a_declaration_is_dropped() -> None:
    model = coins.GAME.model(coins.Setup())
    dropped = [e for e in MUTANTS if e.kind == "guard dropped" and "One('player', None, 'take.turn')" in e.mutation]
    assert len(dropped) == 2
    with Planted(dropped[0]):
        assert {move.values[0] for move in model.legal(model.initial()) if move.action.name == "take"} == {0, 1}


def test_any_game_has_mutants() -> None:
    made = mutants(toy.GAME)
    assert {each.file for each in made} == {"toy.py"}
    for each in made:
        with Planted(each):
            pass
