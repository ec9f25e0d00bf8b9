"""A counterexample as people read it: the cells that matter, the move, what it changes, what breaks.

A position of the printed game has over a thousand cells and a handful of them make the property fail. Which these are
is a question for Z3 as well: the cells' values together contradict the claim, and the unsatisfiable core names those
that are needed for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from model.language.evaluate import evaluate
from model.language.expression import Symbolic, Term, conjunction, equal, negation, variables_of
from model.language.game import Model, Move
from model.language.rule import Selection
from model.language.state import Cell
from properties.declaration import Property
from solver.steps import Claim, Step
from solver.terms import Query, Terms, readable

SHOWN = 24  # lines of one sort; a reader gives up long before
SECONDS = 3.0


def described(
    model: Model, prop: Property, step: Step, claim: Claim, position: Mapping[Any, Any], terms: Terms
) -> list[str]:
    """The lines for a move that loses a property."""
    guard = [requirement.condition for requirement in step.path.guard]
    fails = conjunction([*guard, claim.before, negation(claim.after)])
    if not evaluate([fails], position)[0]:
        raise RuntimeError(f"Z3 and the reference evaluator disagree about {prop.id} on {step.path.action.name}")
    return [
        *_cells(model, fails, position, terms),
        f"Move: {model.describe(Move(step.path.action, _chosen(step.path.values, position)))}",
        *_changes(model, step, position),
        _broken(model, prop, claim.members),
    ]


def at_start(
    model: Model, prop: Property, members: tuple[Any, ...], term: Term, position: Mapping[Any, Any], terms: Terms
) -> list[str]:
    """The lines for a property that does not hold at the start."""
    return [*_cells(model, negation(term), position, terms), "At the start of the game", _broken(model, prop, members)]


def _cells(model: Model, fails: Term, position: Mapping[Any, Any], terms: Terms) -> list[str]:
    """The values that make it fail: of the deck's parameters and of the cells before."""
    of_label = {cell.label: cell for cell in model.layout.slots}
    given: list[str] = []
    unlike: list[str] = []
    alike: list[str] = []
    for node in _needed(fails, position, terms):
        sort, *rest = node.detail[0]
        value = position[node.detail[0]]
        if sort == "parameter":
            given.append(f"Given: {readable(node).removeprefix('parameter ')} = {int(value)}")
        elif sort == "state":
            cell = of_label[rest[0]]
            started = cell.initial.__class__ is not Symbolic and cell.initial == value
            (alike if started else unlike).append(f"Before: {cell.label} = {_written(cell, value)}")
    if len(unlike) + len(alike) > SHOWN:
        alike = [f"Before: {len(alike)} cells as at the start"] if alike else []
    return [*_shortened(given), *_shortened(unlike), *alike]


def _needed(fails: Term, position: Mapping[Any, Any], terms: Terms) -> list[Symbolic]:
    """The variables whose values alone make the claim fail; all that occur if Z3 can't tell soon."""
    variables = sorted(variables_of([fails]).values(), key=lambda node: node.number)
    query = Query(terms, small_cores=True)
    query.add(negation(fails))
    values = [(equal(node, position[node.detail[0]]), str(node.number)) for node in variables]
    answer = query.check(values, time.monotonic() + SECONDS)
    if answer.status != "unsat":
        return variables
    return [node for node in variables if str(node.number) in answer.used]


def _chosen(values: Iterable[Any], position: Mapping[Any, Any]) -> tuple[Any, ...]:
    """The choices of a path with its free variables given their values: as a player would make them."""

    def settled(value: Any) -> Any:
        if not isinstance(value, Selection):
            return value
        amounts = zip(value, evaluate(value.values(), position), strict=True)
        return Selection({member: amount for member, amount in amounts if amount})

    return tuple(settled(value) for value in values)


def _changes(model: Model, step: Step, position: Mapping[Any, Any]) -> list[str]:
    """The cells that the move gives another value."""
    cells = [model.layout.slots[slot] for slot in step.path.updates]
    lines = []
    for cell, after in zip(cells, evaluate(step.path.updates.values(), position), strict=True):
        before = position["state", cell.label]
        if after != before:
            lines.append(f"Change: {cell.label}: {_written(cell, before)} -> {_written(cell, after)}")
    return _shortened(lines)


def _written(cell: Cell, value: Any) -> str:
    names, number = cell.domain.names, int(value)
    return names[number - cell.domain.low] if names and 0 <= number - cell.domain.low < len(names) else str(number)


def _broken(model: Model, prop: Property, members: tuple[Any, ...]) -> str:
    about = ", ".join(model.families[name].label[member] for name, member in zip(prop.over, members, strict=True))
    return f"Breaks: {prop.statement}" + (f" ({about})" if about else "")


def _shortened(lines: list[str]) -> list[str]:
    left_out = len(lines) - SHOWN
    return lines if left_out <= 0 else [*lines[:SHOWN], f"... and {left_out} more"]
