"""What statements keep speaking of: where the round stands, what a move chose, when a location gives."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import LOOKOUT, Phase, Table, Zone
from model.fiftyfirst.vocabulary import Ability, Kind
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


def produces(state: Table, card: int) -> Any:
    """Whether it is a production location."""
    kind = state.setup.deck.kind[card]
    return any_of(kind == Kind.OPEN, kind == Kind.CLOSED)


def produces_each_round(state: Table, card: int) -> Any:
    """Whether it is a production location that gives in every Production, not only once."""
    return all_of(produces(state, card), state.setup.deck.ability[card] != Ability.ONCE)


def gives_on_arrival(state: Table, card: int, everything: bool = False) -> Any:
    """Whether a location gives what it makes when it is played (R-AT-ONCE).

    Args:
        everything: what is asked about is given under each answer to R-AT-ONCE, as goods are.
    """
    at_once = True if everything else state.under("R-AT-ONCE", "everything")
    return any_of(state.setup.deck.ability[card] == Ability.ONCE, all_of(produces(state, card), at_once))
