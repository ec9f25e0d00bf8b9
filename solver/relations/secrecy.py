"""Non-interference: what a player can't see makes no difference to what that player may do.

Two games may differ only in cards that a player does not know. If a move is then open to the player in one and not in
the other, the rules have told what nobody was shown, and no table could play by them. Reached states are sorted by
what a player sees in them (`Game.observe`); where states look alike, the same moves must be open. Two that differ are
a leak, told with the move, the clause that forbids it in one of them, and a shortest game to each.

Outcomes of chance and what the rules do by themselves are left out: a card that is drawn was hidden before.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from model.language.expression import INFINITY
from model.language.game import PLAYERS, Model, Move
from model.language.rule import PLAYER
from model.language.state import State
from solver.explorer.search import Exploration, Found

Place = tuple[int, int]  # of a reached state: its level, and its row there


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
    seen: dict[tuple[Any, str], tuple[set[Move], Place]] = {}
    for number, place in enumerate(_places(exploration)):
        if number >= most or time.monotonic() > deadline:
            return Secrecy(views, alike, None, False)
        state = exploration.state(*place)
        if model.over(state):
            continue
        offered = _offered(model, state)
        for player in model.families[PLAYERS]:
            views += 1
            key = (player, repr(model.game.observe(state, player)))
            mine = offered.get(player, set())
            known, earlier = seen.setdefault(key, (mine, place))
            alike += earlier != place
            if mine != known:
                leak = _leak(exploration, player, (known, earlier), (mine, place))
                return Secrecy(views, alike, leak, exploration.complete)
    return Secrecy(views, alike, None, exploration.complete)


def _places(exploration: Exploration) -> Iterator[Place]:
    for depth, level in enumerate(exploration.levels):
        for row in range(level.states):
            yield depth, row


def _offered(model: Model, state: State) -> dict[Any, set[Move]]:
    """The moves that each player may make."""
    found: dict[Any, set[Move]] = {}
    for move in model.legal(state):
        if move.action.by == PLAYER:
            found.setdefault(move.player, set()).add(move)
    return found


def _leak(exploration: Exploration, player: Any, one: tuple[set[Move], Place], other: tuple[set[Move], Place]) -> Leak:
    model = exploration.model
    move = min(one[0] ^ other[0], key=model.describe)
    (_, is_open), (_, closed) = (one, other) if move in one[0] else (other, one)
    clause = model.refusal(exploration.state(*closed), move) or ""
    label = str(model.families[PLAYERS].label[player])
    return Leak(label, model.describe(move), clause, exploration.game(*is_open), exploration.game(*closed))
