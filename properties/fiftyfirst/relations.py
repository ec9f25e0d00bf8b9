"""What may be done in either order in 51st State, and what falls until a part of the round ends."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import Pending, Table
from model.language import all_of, total, where
from properties.commuting import Commuting
from properties.measure import Measure

COMMUTING = (
    Commuting(
        "prod.commutes",
        "In whichever order two players take production, each ends with the same (cards to be drawn apart).",
        ("prod.order",), "produce", "player", frozenset({"player", "phase", "draws", "drawer"}),
    ),
)  # fmt: skip


def still_to_act(state: Table) -> Any:
    """How many players come after the one in turn, counted double, less the decision that one is already making."""
    players = state.setup.players
    after = total(
        where(all_of(state.player == now, state.first == first), 2 * (players - 1 - (now - first) % players), 0)
        for now in range(players)
        for first in range(players)
    )
    return after - where(state.pending != Pending.NOTHING, 1, 0)


MEASURES = (Measure("players still to act, and half a step for a decision begun", still_to_act),)
