"""Rules in conflict: planted ones are found by exploring and keep the proof from succeeding; the toy has none."""

from dataclasses import replace
from typing import Any

import pytest

from model.language import RULES, Game, Subset, action, require
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, Limits, search
from solver.induction import Prover
from solver.relations.conflict import NONE, Openings, pairs, properties, prove, rulings
from solver.ruling import Ruling
from tests.language.toy import GAME, Phase, Stones, on_table
from tests.solver import stones
from tests.solver.explorer.small import SETUP, with_action


def explored(game: Game, limits: Limits | None = None, block: int = 2**16) -> list[Ruling]:
    exploration = Exploration(thawed(game, SETUP))
    openings = Openings(exploration)
    search(exploration, limits=limits or Limits(), block=block, observers=[openings])
    return rulings(openings, "six")


def proved(game: Game, *helping: Any) -> dict[str, bool]:
    model = game.model(Stones())
    asked, _ = properties(model)
    prover = Prover(model, [*asked, *helping])
    return {prop.id: prover.examine(prop).proved for prop in asked}


@action(clauses=("end.three",), phases=(Phase.DECIDE,), by=RULES)
def declare(state: Any) -> None:
    """Ends the game where a player of two stones may still decide."""
    require(state.banked[0] == 2, "end.three")
    state.phase = Phase.END


@action(clauses=("end.three",), phases=(Phase.DRAW,), by=RULES)
def close(state: Any) -> None:
    """Ends the game where chance may still draw."""
    require(state.banked[0] + state.banked[1] == 2, "end.three")
    state.phase = Phase.END


@action(clauses=("end.three",), phases=(Phase.DECIDE,), by=RULES, stones=Subset("stone", on_table))
def sweep(state: Any, stones: Any) -> None:
    """Could only happen where no stone is on the table, though a stone is there whenever a player decides."""
    require(stones.size() == 0, "end.three")
    require(sum(place == 1 for place in state.place) == 0, "end.three")
    state.phase = Phase.DRAW


def test_the_toy_has_no_conflict() -> None:
    (ruling,) = explored(GAME)
    assert (ruling.id, ruling.verdict, ruling.moves) == (NONE, "HOLDS", ())


def test_what_is_not_explored_to_the_end_is_undetermined() -> None:
    (ruling,) = explored(GAME, Limits(states=10))
    assert ruling.verdict == "UNDETERMINED"


@pytest.mark.parametrize("block", [2**16, 7])
def test_a_rule_beside_a_players_move_is_found_with_a_shortest_game(block: int) -> None:
    (ruling,) = explored(with_action(declare), block=block)
    assert (ruling.id, ruling.verdict) == ("conflict.declare.bank", "REFUTED")
    assert [move.action.name for move in ruling.moves] == ["draw", "bank"] * 3 + ["draw"]
    assert ruling.clauses == ("end.three", "bank.colour") and len(ruling.places) == 2


def test_two_rules_by_nobody_are_found() -> None:
    (ruling,) = explored(with_action(close))
    assert (ruling.id, ruling.verdict) == ("conflict.draw.close", "REFUTED")
    assert ruling.counterexample[-1] == "Then draw is open, and so is close"


def test_one_move_with_two_outcomes_is_found() -> None:
    found = thawed(GAME, SETUP)
    again = next(path for path in found.paths if path.action.name == "draw")
    exploration = Exploration(replace(found, paths=(*found.paths, again)))
    openings = Openings(exploration)
    search(exploration, observers=[openings])
    (ruling,) = rulings(openings, "six")
    assert (ruling.id, ruling.verdict, ruling.moves) == ("conflict.draw.draw", "REFUTED", ())


def test_pairs_of_other_phases_need_no_question_and_moves_of_players_are_no_pair() -> None:
    model = GAME.model(Stones())
    assert [(one.name, other.name) for one, other in pairs(model)] == [("draw", "bank")]
    assert properties(model) == ([], 1)


def test_a_planted_conflict_is_not_proved_away() -> None:
    assert proved(with_action(declare)) == {"conflict.declare.bank": False}
    assert proved(with_action(close)) == {"conflict.draw.close": False}


def test_an_invariant_helps_to_exclude_a_pair() -> None:
    assert proved(with_action(sweep)) == {"conflict.sweep.bank": False}
    assert proved(with_action(sweep), stones.drawn) == {"conflict.sweep.bank": True}


def test_proving_rules_on_each_pair_that_its_declaration_does_not_exclude() -> None:
    model = with_action(sweep).model(Stones())
    (ruling,) = prove(Prover(model, [stones.drawn]))
    assert (ruling.id, ruling.verdict) == ("conflict.sweep.bank", "PROVED") and ruling.hypotheses == {"drawn"}
    (ruling,) = prove(Prover(with_action(declare).model(Stones()), []))
    assert ruling.verdict == "UNDETERMINED" and any("banked" in line for line in ruling.counterexample)
    assert len(ruling.places) == 2
