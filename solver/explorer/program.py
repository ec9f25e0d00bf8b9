"""All rules of a model compiled for exploring: a tree of guards, and what each path does to a packed state.

Guards are conjunctions, and rules have most of them in common: the phase, whose turn it is, which card is where. Their
conjuncts are put in one order, the most shared first, and merged into a tree; a block of states runs down it, split
at each branch into the rows that pass, so that a shared condition is evaluated once and a rare one on few rows.

What a path does is a few fields of a few words. A new value whose bounds are not inside the domain of its cell is
checked row by row: wrapping round silently would explore states of some other game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from model.language.expression import Symbolic, Term, bounds
from model.language.game import Model, Move
from model.language.state import Cell
from model.language.trace import Path
from solver.explorer.columns import Columns, Rows
from solver.explorer.packing import Field, Packing, Words, explored

_WORD = 2**64 - 1


@dataclass
class Branch:
    """A place in the tree of guards: the paths whose guard ends here, and the conditions that lead further."""

    paths: list[int] = field(default_factory=list)
    further: dict[int, tuple[Symbolic, Branch]] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """What a path does to one word: the fields it clears, the constant bits it sets, the fields it computes."""

    word: int
    keep: np.uint64
    bits: np.uint64
    computed: tuple[tuple[Field, Term], ...]


@dataclass(frozen=True)
class Outside:
    """A value outside its domain: which cell, what, and in which row of the path's rows."""

    cell: Cell
    value: int
    row: int


class Program:
    """The rules of a model, ready to run on packed blocks."""

    def __init__(self, model: Model, paths: Sequence[Path], packing: Packing) -> None:
        self.model = model
        self.paths = paths
        self.packing = packing
        self.moves = [Move(path.action, path.values) for path in paths]
        self.guards = _tree(paths)
        self.deciding: set[int] = set()  # the numbers of the conditions that have kept some row out
        self._slots = {node.number: slot for slot, node in enumerate(model.layout.symbols())}
        self._changes = [_changes(path, packing) for path in paths]
        self._doubtful = [_doubtful(model, path) for path in paths]

    def columns(self, words: Words) -> Columns:
        """A block of packed states as columns, each unpacked when it is first needed."""

        def read(node: Symbolic, rows: Rows | None) -> Any:
            return self.packing.column(words, self._slots[node.number], rows)

        return Columns(words.shape[1], read)

    def place(self, node: Symbolic) -> Field:
        """Where a variable stands in a packed state."""
        return self.packing.fields[self._slots[node.number]]

    def changes(self, path: int) -> tuple[Change, ...]:
        """What a path does to each word that it changes."""
        return self._changes[path]

    def doubtful(self, path: int) -> list[tuple[Cell, Term]]:
        """The new values of a path that may leave their domain, with their cells."""
        return self._doubtful[path]

    def firings(self, columns: Columns) -> Iterator[tuple[int, Columns]]:
        """Each path that some rows of the block allow, with those rows."""
        stack = [(self.guards, columns)]
        while stack:
            branch, columns = stack.pop()
            for path in branch.paths:
                yield path, columns
            for condition, child in branch.further.values():
                index = np.flatnonzero(columns(condition))
                if len(index) == columns.rows:
                    stack.append((child, columns))
                    continue
                self.deciding.add(condition.number)
                if len(index):
                    stack.append((child, columns.narrowed(index)))

    def outside(self, path: int, columns: Columns) -> Outside | None:
        """The first new value of the path that leaves its domain."""
        for cell, term in self._doubtful[path]:
            column = columns(term)
            low, high = explored(cell.domain)
            wrong = np.flatnonzero((column < low) | (column > high))
            if len(wrong):
                return Outside(cell, int(column[wrong[0]]), int(wrong[0]))
        return None

    def after(self, path: int, columns: Columns, words: Words) -> Words:
        """The packed states after the path's move, for the rows of `columns` in the block `words`."""
        result = words.copy() if columns.origin is None else words[:, columns.origin]
        for change in self._changes[path]:
            word = result[change.word]
            word &= change.keep
            if change.bits:
                word |= change.bits
            for place, term in change.computed:
                value = columns(term).astype(np.uint64)
                if place.low:
                    value -= np.uint64(place.low & _WORD)
                if place.shift:
                    value <<= np.uint64(place.shift)
                word |= value
        return result


def _tree(paths: Sequence[Path]) -> Branch:
    guards = [{requirement.condition.number: requirement.condition for requirement in path.guard} for path in paths]
    shared = Counter(number for guard in guards for number in guard)
    root = Branch()
    for index, guard in enumerate(guards):
        branch = root
        for number in sorted(guard, key=lambda number: (-shared[number], number)):
            branch = branch.further.setdefault(number, (guard[number], Branch()))[1]
        branch.paths.append(index)
    return root


def _changes(path: Path, packing: Packing) -> tuple[Change, ...]:
    keep: dict[int, int] = {}
    bits: dict[int, int] = {}
    computed: dict[int, list[tuple[Field, Term]]] = {}
    for slot, term in path.updates.items():
        place = packing.fields[slot]
        keep[place.word] = keep.get(place.word, _WORD) & ~(place.mask << place.shift)
        if term.__class__ is Symbolic:
            computed.setdefault(place.word, []).append((place, term))
        else:
            bits[place.word] = bits.get(place.word, 0) | (int(term) - place.low) << place.shift
    return tuple(
        Change(word, np.uint64(kept), np.uint64(bits.get(word, 0)), tuple(computed.get(word, ())))
        for word, kept in keep.items()
    )


def _doubtful(model: Model, path: Path) -> list[tuple[Cell, Term]]:
    """The new values that may leave their domain, with their cells."""
    constants = {cell.label: cell for cell in model.layout.cells if cell.slot is None} if path.unfrozen else {}
    values = [(model.layout.slots[slot], term) for slot, term in path.updates.items()]
    values += [(constants[label], term) for label, term in path.unfrozen.items()]
    return [(cell, term) for cell, term in values if not _inside(cell, term)]


def _inside(cell: Cell, term: Term) -> bool:
    (low, high), (lowest, highest) = explored(cell.domain), bounds(term)
    return low <= lowest and highest <= high
