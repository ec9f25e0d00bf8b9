"""Moves of one rule that may be made in either order: what a game declares of such a pair.

The order in which players do the same thing is often only a convention. That it makes no difference is a claim about
two runs, so it is no property of a state or a move; the solver composes the two moves in both orders.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Commuting:
    """A claim that two moves of an action, alike but for one choice, lead to the same state in either order.

    Attributes:
        id, statement: what reports show; the statement is plain English.
        clauses: the rulebook clauses it follows from or speaks of.
        action: its name. choice: the name of the choice in which the two moves differ.
        left_out: the names of variables of which it is not claimed, such as whose turn it is; what the rule requires of
            them is left out too.
    """

    id: str
    statement: str
    clauses: tuple[str, ...]
    action: str
    choice: str
    left_out: frozenset[str] = frozenset()
