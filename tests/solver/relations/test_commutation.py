"""Commuting moves: players that touch cells of their own do, players that take from one bank do not."""

from dataclasses import replace
from typing import Any

import pytest

from model.language import One, RuleError, action, any_of, require, where
from properties.commuting import Commuting
from solver.induction import Prover
from solver.relations.commutation import NEVER, rule
from solver.ruling import Ruling
from tests.language.toy import Phase, Place, Stones, in_turn
from tests.solver.explorer.small import with_action


@action(clauses=("bank.colour",), phases=(Phase.DRAW,), player=One("player", in_turn))
def gain(state: Any, player: int) -> None:
    """Everybody gets a stone, in turn."""
    require(state.banked[player] <= 5, "bank.colour")
    state.banked[player] = state.banked[player] + 1
    state.turn = 1 - player


@action(clauses=("bank.colour",), phases=(Phase.DRAW,), player=One("player", in_turn))
def follow(state: Any, player: int) -> None:
    """Gets as many stones as the other has: who comes second sees what the first has got."""
    require(state.banked[player] <= 5, "bank.colour")
    state.banked[player] = where(state.banked[1 - player] >= 3, state.banked[player] + 1, state.banked[player])
    state.turn = 1 - player


@action(clauses=("bank.colour",), phases=(Phase.DRAW,), player=One("player", in_turn))
def snatch(state: Any, player: int) -> None:
    """There is one stone for both: the second finds it gone."""
    require(state.place[0] == Place.BAG, "bank.colour")
    state.place[0] = Place.BANK
    state.turn = 1 - player


@action(clauses=("bank.colour",), phases=(Phase.DRAW,), player=One("player", in_turn))
def pour(state: Any, player: int) -> None:
    """Both set one flag, each for a reason of its own, and neither minds that it is set already."""
    state.greedy[0] = any_of(state.greedy[0], state.banked[player] == 0)
    state.turn = 1 - player


def ruled(planted: Any, **other: Any) -> Ruling:
    claim = Commuting("commutes", "The order is the same.", (), planted.name, "player", frozenset({"turn"}))
    return rule(Prover(with_action(planted).model(Stones()), []), replace(claim, **other))


def test_what_touches_cells_of_its_own_commutes() -> None:
    ruling = ruled(gain)
    assert ruling.verdict == "PROVED" and ruling.detail.startswith("1 pairs")


def test_what_sets_one_flag_commutes() -> None:
    assert ruled(pour).verdict == "PROVED"


def test_what_reads_what_the_other_writes_does_not() -> None:
    ruling = ruled(follow)
    assert ruling.verdict == "UNDETERMINED" and any("banked" in line for line in ruling.counterexample)


def test_the_second_must_still_be_possible() -> None:
    assert ruled(snatch).verdict == "UNDETERMINED"


def test_whose_turn_it_is_must_be_left_out_by_name() -> None:
    ruling = ruled(gain, left_out=frozenset())
    assert ruling.verdict == "UNDETERMINED" and ruling.detail == NEVER


@pytest.mark.parametrize(
    "wrong", [{"action": "steal"}, {"choice": "stone"}, {"left_out": frozenset({"clock"})}]
)  # fmt: skip
def test_a_claim_about_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="speaks of the choice"):
        ruled(gain, **wrong)
