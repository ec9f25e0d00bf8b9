"""State variables, and the state that rules read and write.

A game declares its variables with a name, the families they are indexed by and a domain. The declaration yields the
flat layout (one *slot* a cell that can vary), the range invariants to prove, and pretty printing. One class serves
every way of running: its cells hold ints when playing and expression nodes when tracing, and a rule can't tell.

Reads are plain attribute and list access, since playing lives on them. Writes go through checks: the variable must be
declared, the value inside its domain. They are journalled, so that a refused move leaves no trace, and a guard
can be probed by stopping at the first write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NoReturn

from model.language.errors import OutsideDomain, RuleError
from model.language.expression import INFINITY, Symbolic, Term, as_integer, equal, variable
from model.language.family import Family


@dataclass(frozen=True)
class Domain:
    """The values a cell may take: low..high, or a truth value; `names` spells out an enumeration.

    `high` may be infinite: such a cell can be played and proved about; exploration needs a bound.
    """

    low: int
    high: float
    boolean: bool = False
    names: tuple[str, ...] = ()

    @property
    def size(self) -> float:
        return self.high - self.low + 1


FLAG = Domain(0, 1, boolean=True, names=("no", "yes"))


def one_of(enumeration: type[IntEnum]) -> Domain:
    """The members of an enumeration numbered 0, 1, 2 ..."""
    return Domain(0, len(enumeration) - 1, names=tuple(member.name for member in enumeration))


def between(low: int, high: float) -> Domain:
    """low..high, both included."""
    return Domain(low, high)


NATURAL = Domain(0, INFINITY)


@dataclass(frozen=True)
class Variable:
    """A declared state variable.

    Args:
        name: the attribute of the state.
        domain: what each cell may hold; a function of the indices where cells differ.
        over: the families it is indexed by, none for a single cell.
        initial: its value at the start; a function of the indices where cells differ.
        meaning: one line for reports.
        holds: the symmetric family whose members its values are, besides values that are no member.
    """

    name: str
    domain: Domain | Callable[..., Domain]
    over: tuple[Family, ...] = ()
    initial: Any = 0
    meaning: str = ""
    holds: Family | None = None


@dataclass(frozen=True)
class Cell:
    """One cell of a variable: its indices, its domain, its value at the start, and its slot if it can vary."""

    variable: Variable
    indices: tuple[Any, ...]
    domain: Domain
    initial: Term
    slot: int | None

    @property
    def label(self) -> str:
        """As reports write it: `base[Player 1, gun]`."""
        if not self.indices:
            return self.variable.name
        members = zip(self.variable.over, self.indices, strict=True)
        return f"{self.variable.name}[{', '.join(family.label[index] for family, index in members)}]"


class Layout:
    """Where every cell lives in the flat vector. Cells whose domain has one value are constants and have no slot.

    `frozen` names further cells to be taken as constants at their initial value (found by the explorer to be out of
    reach in a small set-up).
    """

    def __init__(self, variables: Sequence[Variable], frozen: frozenset[str] = frozenset()) -> None:
        self.variables = tuple(variables)
        self.cells: list[Cell] = []
        self.slots: list[Cell] = []
        for declared in variables:
            for indices in _product(declared.over):
                domain = declared.domain(*indices) if callable(declared.domain) else declared.domain
                initial = declared.initial(*indices) if callable(declared.initial) else declared.initial
                cell = Cell(declared, indices, domain, initial, None)
                if domain.size > 1 and not (frozen and cell.label in frozen):
                    cell = Cell(declared, indices, domain, initial, len(self.slots))
                    self.slots.append(cell)
                self.cells.append(cell)
        self._symbols: list[Term] | None = None

    def symbols(self) -> list[Term]:
        """A variable node for each slot: the state before a rule."""
        if self._symbols is None:
            self._symbols = [
                variable(("state", cell.label), cell.domain.low, cell.domain.high, cell.domain.boolean)
                for cell in self.slots
            ]
        return self._symbols


def _product(families: tuple[Family, ...]) -> Iterator[tuple[Any, ...]]:
    if not families:
        yield ()
        return
    for member in families[0]:
        for rest in _product(families[1:]):
            yield (member, *rest)


class GuardPassed(Exception):
    """Raised at the first write while a guard is being probed: every `require` before it has passed."""


class Row(list[Any]):
    """The cells of a variable along its last family. Reading is a list's; writing is checked and journalled."""

    __slots__ = ("cells", "state")
    state: State
    cells: list[Cell]

    def __setitem__(self, index: Any, value: Any) -> None:
        try:
            cell = self.cells[index.__index__()]
        except AttributeError:  # a slice, or a row of rows
            raise RuleError("several cells are assigned at once", "Assign to one cell at a time, in a loop") from None
        self.state._record(self, index, list.__getitem__(self, index))
        list.__setitem__(self, index, checked(cell, value))

    def _resized(self, *_: Any) -> NoReturn:
        raise RuleError("the cells of a variable are changed as a list", "Assign to one cell: `row[i] = value`")

    append = extend = insert = pop = remove = clear = sort = reverse = _resized  # type: ignore[assignment]
    __delitem__ = __iadd__ = __imul__ = _resized


class State:
    """A game's state; a game subclasses it and annotates its variables.

    Attributes are the declared variables (nested rows for indexed ones), `setup`, the parameters of the game being
    played (players, deck, readings), and `plain`: no cell has ever held an expression.
    """

    setup: Any
    plain: bool

    def __init__(self, layout: Layout, setup: Any, values: Sequence[Term] | None = None) -> None:
        fill = object.__setattr__
        fill(self, "_layout", layout)
        fill(self, "_journal", None)
        fill(self, "_probing", False)
        initials = (cell.initial for cell in layout.cells) if values is None else values
        fill(self, "plain", not any(value.__class__ is Symbolic for value in initials))
        fill(self, "setup", setup)
        scalars: dict[str, Cell] = {}
        fill(self, "_scalars", scalars)
        cells = iter(layout.cells)

        def value_of(cell: Cell) -> Term:
            value = cell.initial if values is None or cell.slot is None else values[cell.slot]
            return value if value.__class__ is Symbolic else (bool(value) if cell.domain.boolean else int(value))

        def rows(families: tuple[Family, ...]) -> Row:
            row = Row()
            row.state = self
            if len(families) == 1:
                row.cells = [next(cells) for _ in families[0]]
                list.extend(row, [value_of(cell) for cell in row.cells])
            else:
                list.extend(row, [rows(families[1:]) for _ in families[0]])
            return row

        for declared in layout.variables:
            if declared.over:
                fill(self, declared.name, rows(declared.over))
            else:
                cell = next(cells)
                scalars[declared.name] = cell
                fill(self, declared.name, value_of(cell))

    def __setattr__(self, name: str, value: Any) -> None:
        cell = self._scalars.get(name)
        if cell is None:
            raise RuleError(
                f"`{name}` is assigned but is not a declared variable without index",
                "Declare it with Variable(...), or assign to one of its cells",
            )
        self._record(self, name, self.__dict__[name])
        object.__setattr__(self, name, checked(cell, value))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuleError(f"`{name}` is read but is not a declared variable", "Declare it with Variable(...)")

    def under(self, reading: str, value: str) -> Any:
        """Whether the open question `reading` is answered by `value` in this game."""
        readings: Mapping[str, Any] = self.setup.readings
        chosen = readings.get(reading)
        allowed = self.setup.catalogue.readings.get(reading)
        if chosen is None or allowed is None or value not in allowed.values:
            raise RuleError(f"the reading {reading}={value} is not in the catalogue", "Add it there, or mend the name")
        if chosen.__class__ is Symbolic:
            return equal(chosen, allowed.values.index(value))
        return chosen == value

    # -- the journal ---------------------------------------------------------------------------------------------
    def _record(self, owner: Any, index: Any, old: Term) -> None:
        if self._probing:
            raise GuardPassed
        if self._journal is not None:
            self._journal.append((owner, index, old))

    def _undo(self, journal: list[tuple[Any, Any, Term]]) -> None:
        for owner, index, old in reversed(journal):
            put(owner, index, old)

    # -- as expressions ------------------------------------------------------------------------------------------
    def holders(self) -> Mapping[int, tuple[Any, Any]]:
        """Of a state of variables: by the number of each variable, what holds it (the state or a row) and where."""
        found: dict[int, tuple[Any, Any]] = {}
        for declared in self._layout.variables:
            for owner, index in _holders(self, declared.name, self.__dict__[declared.name]):
                value = held(owner, index)
                if value.__class__ is Symbolic:
                    found[value.number] = (owner, index)
        return found

    # -- as a flat vector ----------------------------------------------------------------------------------------
    def all_values(self) -> list[Term]:
        """The value of every cell, constants included, in the order of the layout's cells."""
        values: list[Term] = []
        for declared in self._layout.variables:
            _flatten(self.__dict__[declared.name], len(declared.over), values)
        return values

    def vector(self) -> list[Term]:
        """The value of every slot, in order."""
        return [
            value for cell, value in zip(self._layout.cells, self.all_values(), strict=True) if cell.slot is not None
        ]

    def key(self) -> bytes | tuple[int, ...]:
        """A hashable fingerprint without collisions; equal exactly for equal states of one layout."""
        vector = self.vector()
        try:
            return bytes(vector)
        except ValueError:
            return tuple(vector)

    def copy(self) -> State:
        """An independent state with the same values."""
        return type(self)(self._layout, self.setup, self.vector())


def _holders(owner: Any, index: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, Row):
        for position, part in enumerate(value):
            yield from _holders(value, position, part)
    else:
        yield owner, index


def held(owner: Any, index: Any) -> Term:
    """What a state holds in an attribute, or a row at an index."""
    found: Term = owner.__dict__[index] if isinstance(owner, State) else list.__getitem__(owner, index)
    return found


def put(owner: Any, index: Any, value: Term) -> None:
    """Change a cell past all checks: to undo, or to say what is known of it."""
    if isinstance(owner, State):
        object.__setattr__(owner, index, value)
    else:
        list.__setitem__(owner, index, value)


def _flatten(value: Any, depth: int, into: list[Term]) -> None:
    if depth == 0:
        into.append(value)
    elif depth == 1:
        into.extend(value)
    else:
        for part in value:
            _flatten(part, depth - 1, into)


def checked(cell: Cell, value: Any) -> Term:
    """The value in the form the cell stores it.

    Raises:
        RuleError: the value can't be in the cell's domain.
    """
    domain = cell.domain
    if value.__class__ is Symbolic:
        if domain.boolean != value.boolean:
            value = _converted(cell, value)
        if value.high < domain.low or value.low > domain.high:
            raise _outside(cell, f"{value.low}..{value.high}")
        return value
    if domain.boolean:
        if value not in (0, 1):
            raise _outside(cell, value)
        return bool(value)
    if value.__class__ is not int:
        if not isinstance(value, int):
            raise _outside(cell, repr(value))
        value = int(value)
    if not domain.low <= value <= domain.high:
        raise _outside(cell, value)
    return value


def _converted(cell: Cell, value: Symbolic) -> Term:
    if value.boolean:
        return as_integer(value)
    raise RuleError(f"{cell.label} is a flag but is given a number", "Assign a condition")


def _outside(cell: Cell, value: Any) -> OutsideDomain:
    allowed = " or ".join(cell.domain.names) if cell.domain.names else f"{cell.domain.low}..{cell.domain.high}"
    return OutsideDomain(
        cell.label,
        f"{cell.label} is given {value}, outside its domain ({allowed})",
        "Require what keeps it inside, cap it with `minimum`, or widen the domain",
    )


@dataclass
class Journal:
    """Records the writes to a state while open, so that they can be undone."""

    state: State
    writes: list[tuple[Any, Any, Term]] = field(default_factory=list)

    def __enter__(self) -> Journal:
        object.__setattr__(self.state, "_journal", self.writes)
        return self

    def __exit__(self, *exception: object) -> None:
        object.__setattr__(self.state, "_journal", None)

    def undo(self) -> None:
        self.state._undo(self.writes)

    def slots(self) -> set[int]:
        """The slots that have another value than when the journal was opened."""
        first: dict[int, bool] = {}
        for owner, index, old in self.writes:
            scalar = owner is self.state
            slot = owner._scalars[index].slot if scalar else owner.cells[index].slot
            if slot is not None and slot not in first:
                first[slot] = old != (owner.__dict__[index] if scalar else owner[index])
        return {slot for slot, differs in first.items() if differs}
