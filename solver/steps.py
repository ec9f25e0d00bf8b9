"""What proving needs to see of the states: the one before any rule, and the one after each path.

A property is a function of a state; before a rule the state is variables, after it the path's new values. Building a
state of a thousand cells costs, so each is built once for all properties. The state before notes which variables
a property reads: a deterministic function that reads nothing a path changes has the same result after it, so that
the path need not be looked at for that property at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from model.language.errors import RuleError
from model.language.expression import Symbolic, Term, _deciders
from model.language.family import Element
from model.language.game import Model, Move
from model.language.state import Cell, State, held, put
from model.language.trace import Path, around
from properties.declaration import Property


@dataclass(frozen=True)
class Step:
    """A path ready to be reasoned about.

    Attributes:
        before, after: the states around it, with the values that its guard fixes.
        changed: the names of the variables it may change.
        acted: the elements it chooses, which are their own representatives.
    """

    path: Path
    move: Move
    before: State
    after: State
    changed: frozenset[str]
    acted: tuple[Any, ...]


@dataclass(frozen=True)
class Claim:
    """One thing to prove of a step: with `before` assumed, `after` holds."""

    members: tuple[Any, ...]
    before: Term
    after: Term


def step_of(model: Model, path: Path) -> Step:
    """The path with the state it leads to."""
    before, after = around(model, path)
    changed = {model.layout.slots[slot].variable.name for slot in path.updates}
    if path.unfrozen:
        for cell in model.layout.cells:
            if cell.slot is None and cell.label in path.unfrozen:
                _put(after, cell, path.unfrozen[cell.label])
                changed.add(cell.variable.name)
    acted = tuple(element for value in path.values for element in _elements(value))
    return Step(path, Move(path.action, path.values), before, after, frozenset(changed), acted)


def _put(state: State, cell: Cell, value: Term) -> None:
    """Give a constant cell the value that a path may wrongly give it, past the checks, so that properties see it."""
    owner, index = state, cell.variable.name
    for further in cell.indices:
        owner, index = held(owner, index), further
    put(owner, index, value)


def _elements(value: Any) -> Iterator[Element]:
    if isinstance(value, Element):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _elements(part)


class Before:
    """The state before any rule, with every invariant stated on it once and the variables that each reads."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.plain = model.state(model.layout.symbols())
        self._noting, self._noted = _noting(model)
        self._terms: dict[tuple[str, tuple[Any, ...]], Term] = {}
        self._reads: dict[str, set[str]] = {}

    def term(self, prop: Property, members: tuple[Any, ...]) -> Term:
        """What the invariant says of these members."""
        key = (prop.id, members)
        if key not in self._terms:
            self._noted.clear()
            self._terms[key] = stated(prop, lambda: prop.function(self._noting, *members))
            self._reads.setdefault(prop.id, set()).update(self._noted)
        return self._terms[key]

    def unaffected(self, prop: Property, step: Step) -> bool:
        """Whether the invariant, stated before of all members in question, reads nothing that the step changes."""
        return step.changed.isdisjoint(self._reads[prop.id])


def _noting(model: Model) -> tuple[State, set[str]]:
    """A state that notes the variables read from it, and its notes. Reading the state as a whole reads them all."""
    names = frozenset(variable.name for variable in model.layout.variables)
    noted: set[str] = set()

    class Noting(model.game.state):  # type: ignore[name-defined, misc]
        def __getattribute__(self, name: str) -> Any:
            if name in names:
                noted.add(name)
            elif name == "__dict__":
                noted.update(names)
            return object.__getattribute__(self, name)

    return Noting(model.layout, model.setup, model.layout.symbols()), noted


def stated(prop: Property, state_it: Callable[[], Any]) -> Term:
    """The property as a term.

    Raises:
        RuleError: it branches on the state, or is no condition; names the property.
    """
    with _branchless(prop):
        term = state_it()
    if not (isinstance(term, bool) or (term.__class__ is Symbolic and term.boolean)):
        raise RuleError(f"property {prop.id} yields {term!r}", "A property yields a condition")
    return term


@contextmanager
def _branchless(prop: Property) -> Iterator[None]:
    def refuse(condition: Symbolic) -> bool:
        raise RuleError(
            f"property {prop.id} branches on the state", "Use `where`, `all_of`, `any_of`, `implies`, `negate` in it"
        )

    _deciders.append(refuse)
    try:
        yield
    finally:
        _deciders.pop()
