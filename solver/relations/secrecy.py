"""Non-interference: what a player can't see makes no difference to what that player may do.

Two games may differ only in cards that a player does not know. If a move is then open to the player in one and not in
the other, the rules have told what nobody was shown, and no table could play by them. Reached states are sorted by
what a player sees in them (`Game.observe`); where states look alike, the same moves must be open. Two that differ are
a leak, told with the move, the clause that forbids it in one of them, and a shortest game to each.

Outcomes of chance and what the rules do by themselves are left out: a card that is drawn was hidden before.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from model.language.expression import INFINITY
from model.language.game import Model, Move
from model.language.rule import PLAYER, One
from model.language.state import State
from solver.explorer.search import Exploration, Found

PLAYERS = "player"


@dataclass(frozen=True)
class Leak:
    """Two games that look the same to a player, who may make a move in one and not in the other.

    Attributes:
        player, move: how they are called. clause: what forbids the move in the game `closed`.
    """

    player: str
    move: str
    clause: str
    open: Found
    closed: Found


@dataclass(frozen=True)
class Secrecy:
    """What was looked at: pairs of a state and a player, how many of them look like another one; the first leak."""

    views: int
    alike: int
    leak: Leak | None
    complete: bool


def secrecy(exploration: Exploration, most: float = INFINITY, deadline: float = INFINITY) -> Secrecy:
    """Compare reached states that look the same to a player.

    Args:
        most: states to look at, those reached first. deadline: on `time.monotonic`.
    """
    model, views, alike = exploration.model, 0, 0
    seen: dict[tuple[Any, str], tuple[dict[str, Move], int, int]] = {}
    for number, (depth, row) in enumerate(_places(exploration)):
        if number >= most or time.monotonic() > deadline:
            return Secrecy(views, alike, None, False)
        state = exploration.state(depth, row)
        if model.over(state):
            continue
        offered = _offered(model, state)
        for player in model.families[PLAYERS]:
            views += 1
            key = (player, repr(model.game.observe(state, player)))
            known, *place = seen.setdefault(key, (offered.get(player, {}), depth, row))
            if place == [depth, row]:
                continue
            alike += 1
            mine = offered.get(player, {})
            if mine.keys() != known.keys():
                leak = _leak(exploration, player, known, (place[0], place[1]), mine, (depth, row))
                return Secrecy(views, alike, leak, True)
    return Secrecy(views, alike, None, exploration.complete)


def _places(exploration: Exploration) -> Iterator[tuple[int, int]]:
    for depth, level in enumerate(exploration.levels):
        for row in range(level.states):
            yield depth, row


def _offered(model: Model, state: State) -> dict[Any, dict[str, Move]]:
    """The moves that each player may make, by how they read."""
    found: dict[Any, dict[str, Move]] = {}
    for move in model.legal(state):
        if move.action.by == PLAYER:
            found.setdefault(_actor(move), {})[model.describe(move)] = move
    return found


def _actor(move: Move) -> Any:
    """The player who decides: the one chosen first."""
    for choice, value in zip(move.action.choices.values(), move.values, strict=True):
        if choice.family == PLAYERS and isinstance(choice, One):
            return value
    return None


def _leak(
    exploration: Exploration, player: Any, known: Mapping[str, Move], place: tuple[int, int],
    mine: Mapping[str, Move], here: tuple[int, int],
) -> Leak:  # fmt: skip
    model = exploration.model
    text = min(known.keys() ^ mine.keys())
    is_open, closed = (place, here) if text in known else (here, place)
    move = known.get(text) or mine[text]
    clause = model.refusal(exploration.state(*closed), move) or ""
    label = str(model.families[PLAYERS].label[player])
    return Leak(label, text, clause, exploration.game(*is_open), exploration.game(*closed))
