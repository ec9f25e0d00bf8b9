"""The parameters of a game of 51st State: how many play, with which deck, under which readings, at what scale.

The printed scale is the default of every field. Small set-ups for exploration scale it down and say so in `scaled`;
each is focused on a few rules, and together they reach every clause (see `presets.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from model.fiftyfirst.deck import Deck, Factions
from model.language import Catalogue
from model.language.expression import INFINITY


@dataclass(frozen=True, eq=False)
class Setup:
    """One set-up.

    Attributes:
        players: 2..4. deck: the 94 printed cards, or others; entries may be symbolic. readings: answers in force.
        seats: the faction of each seat where it is not drawn.
        deal: cards dealt to each player. end_score: VP that end the game. hand_limit: of Lookout.
        workers: that a base gives. display: face-up cards for the first player, for the others, in the second part,
            and for the last player (no refill).
        most: the greatest number of tokens of a kind on one base, and of VP (a bound for exploration, not a rule).
        most_contacts: the same for contact and redevelopment tokens.
        assumptions: conditions on symbolic entries of the deck that make it a well-formed one.
    """

    name: str
    players: int
    deck: Deck
    factions: Factions
    catalogue: Catalogue
    readings: Mapping[str, Any]
    seats: tuple[int, ...] | None = None
    deal: int = 4
    end_score: int = 30
    hand_limit: int = 10
    workers: int = 3
    display: tuple[int, int, int] = (5, 4, 3)
    most: float = INFINITY
    most_contacts: float = INFINITY
    purpose: str = ""
    scaled: tuple[str, ...] = ()
    assumptions: Sequence[Any] = field(default=())

    def settled(self, reading: str, value: str) -> bool:
        """Whether the reading is known to be other than `value`, so that its variables are not needed."""
        chosen = self.readings[reading]
        return isinstance(chosen, str) and chosen != value
