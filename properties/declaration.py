"""How a property of a game is declared: a plain function in the rule language, with its statement and clauses.

An *invariant* holds in every reachable state; a *step* property relates the states before and after a move; a *witness*
is a situation that some game should reach. The same function is evaluated on ints while playing, on columns while
exploring and as a Z3 term when proving; therefore it uses the branch-free helpers and no `if` on state.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from model.language.game import Model, Move
from model.language.trace import _representatives

PropertyKind = Literal["invariant", "step", "witness"]


@dataclass(frozen=True)
class Property:
    """A declared property.

    Attributes:
        id, statement: what reports show; the statement is plain English.
        clauses: the rulebook clauses it follows from.
        function: (state, *members) for invariants and witnesses, (before, after, move, *members) for steps.
        over: families; the property is claimed for every combination of their members.
        actions: for steps, the names of the actions it speaks of; none: all.
        expected: REFUTED where the rulebook itself lets it fail (a hole), with the explanation.
        readings: readings under which it is claimed; others are left as they are.
        prove: whether the solver should try it (False: decided by exploration and tests only, with the reason given).
        thorough: whether it is left to runs that have more than two minutes.
    """

    id: str
    kind: PropertyKind
    statement: str
    clauses: tuple[str, ...]
    function: Callable[..., Any]
    over: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    expected: Literal["PROVED", "REFUTED"] = "PROVED"
    explanation: str = ""
    prove: bool = True
    thorough: bool = False

    def members(self, model: Model, symbolic: bool = False, used: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """The combinations of members it is claimed for; `symbolic`: symmetric members by representatives.

        Args:
            used: members that are to be their own representatives (those an action touches).
        """
        if not symbolic:
            yield from itertools.product(*(model.families[name] for name in self.over))
            return

        def extend(chosen: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
            if len(chosen) == len(self.over):
                yield chosen
                return
            for member in _representatives(model.families[self.over[len(chosen)]], (*used, *chosen)):
                yield from extend((*chosen, member))

        yield from extend(())

    def concerns(self, move: Move) -> bool:
        """Whether a step property speaks of this move."""
        return not self.actions or move.action.name in self.actions

    def holds(self, model: Model, state: Any) -> bool:
        """Whether an invariant (or witness) holds in a plain state, for all (for a witness: some) members."""
        results = (bool(self.function(state, *members)) for members in self.members(model))
        return any(results) if self.kind == "witness" else all(results)

    def holds_for(self, model: Model, before: Any, after: Any, move: Move) -> bool:
        """Whether a step property holds for one move between plain states."""
        return not self.concerns(move) or all(
            bool(self.function(before, after, move, *members)) for members in self.members(model)
        )


def _declare(kind: PropertyKind, id: str, statement: str, clauses: tuple[str, ...], **more: Any) -> Any:
    def decorate(function: Callable[..., Any]) -> Property:
        return Property(id, kind, statement, clauses, function, **more)

    return decorate


def invariant(id: str, statement: str, clauses: tuple[str, ...], **more: Any) -> Callable[[Any], Property]:
    """Declare an invariant; see `Property` for the arguments."""
    return _declare("invariant", id, statement, clauses, **more)  # type: ignore[no-any-return]


def step(id: str, statement: str, clauses: tuple[str, ...], **more: Any) -> Callable[[Any], Property]:
    """Declare a property of moves; see `Property` for the arguments."""
    return _declare("step", id, statement, clauses, **more)  # type: ignore[no-any-return]


def witness(id: str, statement: str, clauses: tuple[str, ...], **more: Any) -> Callable[[Any], Property]:
    """Declare a situation that should be reachable; see `Property` for the arguments."""
    return _declare("witness", id, statement, clauses, **more)  # type: ignore[no-any-return]
