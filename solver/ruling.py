"""What was decided about the rules as a whole, where no single property of a state says it.

That players can be renamed, that a decision is always open, that a phase ends: such claims are about all rules
together, or about pairs of runs. Each has its own way of being decided; what comes out is the same for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.language.game import Move

Decision = Literal["PROVED", "REFUTED", "HOLDS", "UNDETERMINED"]


@dataclass(frozen=True)
class Ruling:
    """One claim about the rules as a whole and what became of it.

    Attributes:
        id, statement: what reports show; the statement is plain English.
        clauses: the rulebook clauses it follows from or speaks of.
        verdict: HOLDS where it was checked for every state of a small set-up, and is no proof for the printed size.
        scope: what it was decided about. detail: how it was decided; undetermined: why it was not.
        places: where the rules in question stand, as file and line.
        counterexample: a position and what happens there, as lines.
        setup, moves: for REFUTED, a shortest game that shows it, and the name of the set-up it is played in.
        hypotheses: the invariants that a proof used.
    """

    id: str
    statement: str
    clauses: tuple[str, ...]
    verdict: Decision
    scope: str = ""
    detail: str = ""
    places: tuple[str, ...] = ()
    counterexample: tuple[str, ...] = ()
    setup: str = ""
    moves: tuple[Move, ...] = ()
    hypotheses: frozenset[str] = frozenset()
    seconds: float = 0.0
