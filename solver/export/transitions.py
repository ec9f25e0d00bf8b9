"""A set-up as a transition system: named variables with their first values, and guarded steps. What all formats share.

Other model checkers are asked for a second count of the same states, so nothing is translated twice: the steps are the
paths that the explorer runs, over the cells that can change. What a rule may do wrong is carried along: a new value
that may leave its domain comes with the bounds it must keep, since a checker whose variables wrap round silently would
count the states of some other game.

Names are those that people know the cells by, as far as an identifier allows: `base[Player 1, gun]` becomes
`base_Player_1_gun`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from model.language.expression import Term, bounds
from model.language.game import Move
from model.language.state import Cell
from model.language.trace import Path, Requirement
from solver.explorer.frozen import Thawed
from solver.explorer.packing import explored

_UNFIT = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Variable:
    """A cell that can change: how the text calls it, how reports do, its domain, its first value.

    Attributes:
        number: of its node in expressions. names: of its values, where they are an enumeration.
    """

    identifier: str
    label: str
    number: int
    low: int
    high: int
    boolean: bool
    initial: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kept:
    """What a step must keep: a new value inside the bounds of a cell."""

    label: str
    value: Term
    low: int
    high: int


@dataclass(frozen=True)
class Step:
    """One path: where its guard holds, all changes are made at once.

    Attributes:
        title: the move as a line of a log. clauses: what it implements. place: of its rule, as file:line.
        changes: variables with their new values.
    """

    identifier: str
    title: str
    clauses: tuple[str, ...]
    place: str
    guard: tuple[Requirement, ...]
    changes: tuple[tuple[Variable, Term], ...]
    kept: tuple[Kept, ...]


@dataclass(frozen=True)
class Transitions:
    """A whole system. `shared` begins the names of what is written once and used more than once."""

    heading: tuple[str, ...]
    variables: tuple[Variable, ...]
    steps: tuple[Step, ...]
    shared: str


def transitions(thawed: Thawed, heading: Iterable[str], reserved: Iterable[str]) -> Transitions:
    """The transition system of a set-up.

    Args:
        heading: lines that say what it is.
        reserved: words that the format does not allow as names.
    """
    names = Names(reserved)
    model = thawed.model
    variables = [
        _variable(cell, node, names)
        for cell, node in zip(model.layout.slots, model.layout.symbols(), strict=True)
    ]
    steps = [
        Step(
            names.fresh(f"{path.action.name}_{number}"), model.describe(Move(path.action, path.values)),
            tuple(sorted(path.clauses)), path.action.place, path.guard,
            tuple((variables[slot], value) for slot, value in sorted(path.updates.items())),
            tuple(_kept(thawed, path)),
        )
        for number, path in enumerate(thawed.paths, 1)
    ]  # fmt: skip
    return Transitions(tuple(heading), tuple(variables), tuple(steps), names.prefix("shared"))


def _variable(cell: Cell, node: Term, names: Names) -> Variable:
    low, high = explored(cell.domain)
    return Variable(
        names.fresh(cell.label), cell.label, node.number, low, high, cell.domain.boolean, int(cell.initial),
        () if cell.domain.boolean else cell.domain.names,
    )  # fmt: skip


def _kept(thawed: Thawed, path: Path) -> Iterator[Kept]:
    """The new values that their own bounds do not keep inside their domain."""
    layout = thawed.model.layout
    fixed = {cell.label: cell for cell in layout.cells if cell.slot is None} if path.unfrozen else {}
    values = [(layout.slots[slot], value) for slot, value in sorted(path.updates.items())]
    values += [(fixed[label], value) for label, value in path.unfrozen.items()]
    for cell, value in values:
        low, high = explored(cell.domain)
        lowest, highest = bounds(value)
        if lowest < low or highest > high:
            yield Kept(cell.label, value, low, high)


class Names:
    """Identifiers, each used once."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = set(reserved)

    def fresh(self, wanted: str) -> str:
        """An identifier that nothing else has, as near to the wanted name as letters, digits and `_` allow."""
        plain = unicodedata.normalize("NFKD", wanted).replace("'", "")
        plain = _UNFIT.sub("_", plain.encode("ascii", "ignore").decode()).strip("_") or "cell"
        if plain[0].isdigit():
            plain = f"n_{plain}"
        name, number = plain, 1
        while name in self._taken:
            number += 1
            name = f"{plain}_{number}"
        self._taken.add(name)
        return name

    def prefix(self, wanted: str) -> str:
        """A beginning, ended by `_`, that no identifier has."""
        while any(name.startswith(f"{wanted}_") for name in self._taken):
            wanted += "_"
        return f"{wanted}_"


def comment(lines: Sequence[str]) -> list[str]:
    """The lines, each still one line, in plain ASCII and without what begins or ends a comment in some format."""
    plain = [" ".join(line.split()).encode("ascii", "backslashreplace").decode() for line in lines]
    return [re.sub(r"\*(?=[/)])|(?<=[/(])\*", "+", part).rstrip("\\") for part in plain]
