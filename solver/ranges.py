"""The claims that come with every declaration: each cell of a variable stays inside its domain.

Expressions are folded, and proofs made, on the assumption that the domains hold. Playing checks each write, so a state
outside its domain is never entered: it is an error of the rule. Hence any proof speaks of every state that play can
reach, and `range.<variable>` adds that no play runs into that error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.language.branchfree import all_of
from model.language.expression import INFINITY, Term, less, negation
from model.language.family import Family
from model.language.game import Model
from model.language.state import Cell, Domain, State, Variable
from properties.declaration import Property

PREFIX = "range."


def range_properties(model: Model) -> list[Property]:
    """One invariant for each declared variable, over all its cells at once."""
    cells: dict[str, list[Cell]] = {}
    for cell in model.layout.cells:
        cells.setdefault(cell.variable.name, []).append(cell)
    return [_range_of(model, variable, cells.get(variable.name, [])) for variable in model.layout.variables]


def _range_of(model: Model, variable: Variable, cells: list[Cell]) -> Property:
    """The claim for one member of the variable's first family where that says it all; else for the variable as a whole.

    Members of one kind stand for each other in a proof; where their domains differ, they must not.
    """
    by_member: dict[Any, list[tuple[tuple[Any, ...], Domain]]] = {}
    for cell in cells:
        by_member.setdefault(cell.indices[:1], []).append((cell.indices[1:], _held(cell)))
    over = tuple(family.name for family in variable.over[:1] if _alike(model, family, by_member))

    def inside(state: State, *members: Any) -> Any:
        row, chosen = getattr(state, variable.name), [members] if over else by_member
        return all_of(
            _inside(read(row, (*member, *rest)), domain) for member in chosen for rest, domain in by_member[member]
        )

    allowed = " or ".join(sorted({_written(_held(cell)) for cell in cells}))
    statement = f"{variable.name} stays within {allowed}."
    return Property(f"{PREFIX}{variable.name}", "invariant", statement, (), inside, over=over)


def _alike(model: Model, family: Family, held: Mapping[Any, list[tuple[Any, Domain]]]) -> bool:
    """Whether members of one kind have equal domains, and the model knows the family."""
    if model.families.get(family.name) is not family:
        return False
    of_kind: dict[Any, Any] = {}
    domains = {member: [domain for _, domain in held[member,]] for member in family.kind}
    return all(
        kind is None or of_kind.setdefault(kind, domains[member]) == domains[member]
        for member, kind in family.kind.items()
    )


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
