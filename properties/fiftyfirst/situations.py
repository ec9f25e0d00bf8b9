"""What the statements of the game keep speaking of: where the round stands, and what a move chose."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import (
    LOOKOUT,
    Phase,
    Table,
    Zone,
)  # fmt: skip
from model.language import Move, all_of, any_of

PILES = (Zone.DECK, Zone.DISCARD, Zone.DISPLAY)


def in_lookout(state: Table) -> Any:
    """The round is in a part of Lookout."""
    return any_of(state.phase == phase for phase in LOOKOUT)


def before_production(state: Table) -> Any:
    """The game is being set up, or the round is in Lookout."""
    return any_of(state.phase == Phase.FACTIONS, state.phase == Phase.DEAL, in_lookout(state))


def chosen(move: Move, name: str) -> Any:
    """What was chosen under that name in the move."""
    return dict(zip(move.action.choices, move.values, strict=True))[name]


def same(before: Any, after: Any) -> Any:
    """Whether a row of cells is unchanged."""
    return all_of(old == new for old, new in zip(before, after, strict=True))
