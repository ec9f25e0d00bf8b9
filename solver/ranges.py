"""The claims that come with every declaration: each cell of a variable stays inside its domain.

Expressions are folded, and proofs made, on the assumption that the domains hold. Playing checks each write, so a state
outside its domain is never entered: it is an error of the rule. Hence any proof speaks of every state that play can
reach, and `range.<variable>` adds that no play runs into that error.
"""

from __future__ import annotations

from typing import Any

from model.language.branchfree import all_of
from model.language.expression import INFINITY, Term, less, negation
from model.language.game import Model
from model.language.state import Cell, Domain, State, Variable
from properties.declaration import Property

PREFIX = "range."


def range_properties(model: Model) -> list[Property]:
    """One invariant for each declared variable, over all its cells at once."""
    cells: dict[str, list[Cell]] = {}
    for cell in model.layout.cells:
        cells.setdefault(cell.variable.name, []).append(cell)
    return [_range_of(variable, cells.get(variable.name, [])) for variable in model.layout.variables]


def _range_of(variable: Variable, cells: list[Cell]) -> Property:
    domains = [_held(cell) for cell in cells]

    def inside(state: State) -> Any:
        row = getattr(state, variable.name)
        return all_of(_inside(read(row, cell.indices), domain) for cell, domain in zip(cells, domains, strict=True))

    allowed = " or ".join(sorted({_written(domain) for domain in domains}))
    return Property(f"{PREFIX}{variable.name}", "invariant", f"{variable.name} stays within {allowed}.", (), inside)


def _held(cell: Cell) -> Domain:
    """What the cell may hold; one without a slot is a constant, whatever its domain."""
    if cell.slot is not None:
        return cell.domain
    return Domain(int(cell.initial), int(cell.initial), cell.domain.boolean)


def _written(domain: Domain) -> str:
    if domain.names:
        return ", ".join(domain.names)
    return f"{domain.low}..{domain.high}" if domain.high != INFINITY else f"{domain.low} and up"


def _inside(value: Term, domain: Domain) -> Term:
    not_below = True if domain.low == -INFINITY else negation(less(value, domain.low))
    return all_of(not_below, True if domain.high == INFINITY else negation(less(domain.high, value)))


def read(row: Any, indices: tuple[Any, ...]) -> Term:
    """The cell at the indices, in what the state's attribute holds."""
    for index in indices:
        row = row[index]
    return row
