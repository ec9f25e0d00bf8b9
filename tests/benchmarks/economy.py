"""51st State as an economy of tokens: cards, workers, goods and points are numbers, and nothing is printed on a card.

What is left of the game is what makes its states many: two players who take turns until both have passed, and each of
whom turns cards into locations, locations into goods, goods into points. A million states are few enough for every
model checker to count, and its rules are shaped as those of the game are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from model.language import (
    FLAG,
    PLAYER,
    RULES,
    Catalogue,
    Clause,
    Family,
    Game,
    One,
    Preset,
    State,
    Variable,
    action,
    all_of,
    any_of,
    between,
    minimum,
    one_of,
    require,
    where,
)  # fmt: skip

Phase = IntEnum("Phase", ["LOOKOUT", "PRODUCTION", "ACTION", "VICTORY_POINTS", "CLEANUP", "END"], start=0)

RULEBOOK = Catalogue(
    {
        clause: Clause(clause, (1,), text)
        for clause, text in {
            "turns": "Players take turns, the first player first.",
            "lookout.card": "Each player takes a card if there is one and the hand is not full.",
            "produce": "Each player takes workers, and a good for the base and for each location.",
            "act.build": "A card from the hand becomes a location for a good.",
            "act.work": "A worker brings a good.",
            "act.trade": "Goods are turned into a point.",
            "act.pass": "A player who passes takes no more actions in this round.",
            "points": "The game ends in the round in which a player has enough points, tokens and locations together.",
            "clean": "Workers and goods are discarded; the other player becomes first player.",
        }.items()
    },
    {},
)


@dataclass(frozen=True)
class Economy:
    """The scale: cards in the deck, and limits to what a player can have."""

    cards: int = 8
    hand: int = 3
    workers: int = 3
    goods: int = 4
    price: int = 2
    end: int = 6
    players: int = 2
    catalogue: Catalogue = RULEBOOK
    readings: Mapping[str, Any] = field(default_factory=dict)


class Table(State):
    phase: int
    first: int
    player: int
    passed: list[bool]
    deck: int
    hand: list[int]
    locations: list[int]
    workers: list[int]
    goods: list[int]
    points: list[int]


def families(setup: Economy) -> dict[str, Family]:
    return {"player": Family("player", range(2), ["Ann", "Bob"])}


def variables(setup: Economy, family: dict[str, Family]) -> list[Variable]:
    each = (family["player"],)
    return [
        Variable("phase", one_of(Phase)), Variable("first", between(0, 1)), Variable("player", between(0, 1)),
        Variable("passed", FLAG, each), Variable("deck", between(0, setup.cards), initial=setup.cards),
        Variable("hand", between(0, setup.hand), each), Variable("locations", between(0, setup.cards), each),
        Variable("workers", between(0, setup.workers), each), Variable("goods", between(0, setup.goods), each),
        Variable("points", between(0, setup.end), each),
    ]  # fmt: skip


def in_turn(state: Table, player: int) -> Any:
    return state.player == player


@action(
    clauses=("lookout.card", "turns"), phases=(Phase.LOOKOUT,), by=PLAYER, player=One("player", in_turn, "turns"),
    log="{player} takes a card, if possible",
)  # fmt: skip
def take_card(state: Table, player: int) -> None:
    if all_of(state.deck > 0, state.hand[player] < state.setup.hand):
        state.deck = state.deck - 1
        state.hand[player] = state.hand[player] + 1
    state.phase = where(state.first == player, Phase.LOOKOUT, Phase.PRODUCTION)
    state.player = 1 - player


@action(clauses=("produce",), phases=(Phase.PRODUCTION,), by=RULES, log="production")
def produce(state: Table) -> None:
    for player in range(2):
        state.workers[player] = state.setup.workers
        state.goods[player] = minimum(1 + state.locations[player], state.setup.goods)
    state.phase = Phase.ACTION


@action(
    clauses=("act.build",), phases=(Phase.ACTION,), by=PLAYER, player=One("player", in_turn, "turns"),
    log="{player} builds a location",
)  # fmt: skip
def build(state: Table, player: int) -> None:
    require(state.hand[player] > 0, "act.build")
    require(state.goods[player] > 0, "act.build")
    state.hand[player] = state.hand[player] - 1
    state.goods[player] = state.goods[player] - 1
    state.locations[player] = state.locations[player] + 1
    next_turn(state, player)


@action(
    clauses=("act.work",), phases=(Phase.ACTION,), by=PLAYER, player=One("player", in_turn, "turns"),
    log="{player} sends a worker for a good",
)  # fmt: skip
def work(state: Table, player: int) -> None:
    require(state.workers[player] > 0, "act.work")
    require(state.goods[player] < state.setup.goods, "act.work")
    state.workers[player] = state.workers[player] - 1
    state.goods[player] = state.goods[player] + 1
    next_turn(state, player)


@action(
    clauses=("act.trade",), phases=(Phase.ACTION,), by=PLAYER, player=One("player", in_turn, "turns"),
    log="{player} trades goods for a point",
)  # fmt: skip
def trade(state: Table, player: int) -> None:
    require(state.goods[player] >= state.setup.price, "act.trade")
    require(state.points[player] < state.setup.end, "act.trade")
    state.goods[player] = state.goods[player] - state.setup.price
    state.points[player] = state.points[player] + 1
    next_turn(state, player)


@action(
    clauses=("act.pass",), phases=(Phase.ACTION,), by=PLAYER, player=One("player", in_turn, "turns"),
    log="{player} passes",
)  # fmt: skip
def give_up_turn(state: Table, player: int) -> None:
    state.phase = where(state.passed[1 - player], Phase.VICTORY_POINTS, Phase.ACTION)
    state.passed[player] = True
    state.player = 1 - player


def next_turn(state: Table, player: int) -> None:
    """The other player's turn, unless that one has passed."""
    state.player = where(state.passed[1 - player], player, 1 - player)


@action(clauses=("points",), phases=(Phase.VICTORY_POINTS,), by=RULES, log="victory points are counted")
def count_points(state: Table) -> None:
    enough = any_of(state.points[player] + state.locations[player] >= state.setup.end for player in range(2))
    state.phase = where(enough, Phase.END, Phase.CLEANUP)


@action(clauses=("clean",), phases=(Phase.CLEANUP,), by=RULES, log="the round ends")
def clean_up(state: Table) -> None:
    for player in range(2):
        state.passed[player] = False
        state.workers[player] = 0
        state.goods[player] = 0
    state.first = 1 - state.first
    state.player = state.first
    state.phase = Phase.LOOKOUT


GAME = Game(
    id="economy", title="51st State as an economy", version="1", catalogue=RULEBOOK,
    actions=(take_card, produce, build, work, trade, give_up_turn, count_points, clean_up),
    phases=[phase.name for phase in Phase], presets={"tiny": Preset("tiny", ("economy",), "a million states")},
    player_counts=(2,), setup=lambda *_: Economy(), families=families, variables=variables, state=Table,
    over=lambda state: state.phase == Phase.END, observe=lambda state, player: {}, turn_clause="turns",
)  # fmt: skip
