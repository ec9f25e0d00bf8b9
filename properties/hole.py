"""How a hole of a rulebook is declared: a situation that the text leaves open or may not intend, and what shows it.

Data, with at most one property: a witness, which a game shows that reaches it, or a property of moves, which a game
shows that breaks it. A hole that is an open question refers to its readings instead, and is shown by the game that
tells them apart. What is a matter of the text alone says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from properties.declaration import Property


@dataclass(frozen=True)
class Hole:
    """A hole of the rulebook.

    Attributes:
        situation: in plain words, for the rules' author. consequence: what the model does there, or what follows.
        clauses: those that leave it open. readings: the open questions it touches.
        shown: a witness, or a property of moves that is broken, with which a game shows it.
        under: answers under which it shows, where the standing ones don't let it.
        textual: why no game can show it, where that is so.
    """

    id: str
    situation: str
    clauses: tuple[str, ...]
    consequence: str = ""
    readings: tuple[str, ...] = ()
    shown: Property | None = None
    under: Mapping[str, str] = field(default_factory=dict)
    textual: str = ""
