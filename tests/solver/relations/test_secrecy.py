"""Leaks of what a player can't see: a planted one is found with its clause; without it nothing is."""

from dataclasses import replace
from typing import Any

import pytest

from model.fiftyfirst.game import GAME as FIFTYFIRST
from model.fiftyfirst.presets import setup
from model.language import Game, action, require
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, Limits, search
from solver.relations.secrecy import Secrecy, secrecy
from tests.language.toy import GAME, Phase, Place, Stones, bank

# Nobody sees which stones are in the bag or in the bank: only how many lie where, and those on the table.
SECRET = replace(
    GAME,
    observe=lambda state, player: {
        "phase": state.phase, "turn": state.turn, "banked": list(state.banked),
        "table": [place == Place.TABLE for place in state.place],
    },
)  # fmt: skip


@action(
    clauses=("bank.colour",), phases=(Phase.DECIDE,), player=bank.choices["player"], stones=bank.choices["stones"],
)  # fmt: skip
def bank_while_the_first_is_hidden(state: Any, player: int, stones: Any) -> None:
    """May not be done while the first stone lies in the bank, which nobody can see."""
    require(state.place[0] != Place.BANK, "end.three")
    bank.function(state, player, stones)


LEAKING = replace(SECRET, actions=(GAME.actions[0], bank_while_the_first_is_hidden))


def looked_at(game: Game, parameters: Any, **how: Any) -> tuple[Secrecy, Exploration]:
    exploration = Exploration(thawed(game, parameters))
    search(exploration, limits=Limits(states=20_000))
    return secrecy(exploration, **how), exploration


def test_rules_that_ask_only_for_what_is_seen_leak_nothing() -> None:
    found, _ = looked_at(SECRET, Stones())
    assert found.leak is None and found.complete
    assert 0 < found.alike < found.views


def test_a_leak_is_found_with_its_move_its_clause_and_two_games() -> None:
    found, exploration = looked_at(LEAKING, Stones())
    leak = found.leak
    assert leak is not None and leak.clause == "end.three"
    model = exploration.plain
    views, offers = [], []
    for game in (leak.open, leak.closed):
        state = model.initial()
        for move in game.moves:
            model.apply(state, move)
        views.append(SECRET.observe(state, 0))
        offers.append({model.describe(move) for move in model.legal(state)})
    assert views[0] == views[1]
    assert leak.move in offers[0] and leak.move not in offers[1]


def test_a_limit_is_told() -> None:
    assert not looked_at(SECRET, Stones(), most=50)[0].complete
    assert not looked_at(SECRET, Stones(), deadline=0.0)[0].complete


@pytest.mark.parametrize("name", ["hand-limit", "two-leftovers", "short-deal"])
def test_51st_state_leaks_nothing_in_small_set_ups(name: str) -> None:
    found, _ = looked_at(FIFTYFIRST, setup(name), most=1500)
    assert found.leak is None and found.alike > 0
