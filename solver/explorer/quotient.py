"""The graph of the reachable states, folded to what a reader asks about: phase, whose turn, who has passed.

States with equal projections become one node, and their moves one edge an action, each with its count and a shortest
game that takes it. Nobody can read a million states; a dozen phases with the moves between them can be checked by hand
against the rulebook.

The projection of a state is computed as one number, a mixed-radix code, and so is that of the state *after* each
path: an expression over the state before. So the graph needs no look-up of successors, and no pass of its own: it is
folded while the search expands the states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from model.language.expression import INFINITY, Symbolic, Term, bounds, is_boolean, linear
from model.language.game import Model
from model.language.state import Cell
from model.language.trace import around
from solver.explorer.columns import Columns
from solver.explorer.search import Exploration, Observer

Projection = Callable[[Any], Mapping[str, Term]]
LARGEST = 2**31  # codes fit into an int64 pair


@dataclass(frozen=True)
class _Code:
    """A projection as one number: for each part its name, lowest value, number of values and how they read."""

    parts: tuple[tuple[str, int, int, tuple[str, ...]], ...]
    size: int

    def of(self, terms: Mapping[str, Term]) -> Term:
        stride, summands = 1, []
        constant = 0
        for name, low, size, _ in self.parts:
            summands.append((stride, terms[name]))
            constant -= stride * low
            stride *= size
        return linear(summands, constant)

    def values(self, code: int) -> dict[str, int]:
        values = {}
        for name, low, size, _ in self.parts:
            code, digit = divmod(code, size)
            values[name] = digit + low
        return values

    def texts(self, code: int) -> dict[str, str]:
        values = self.values(code)
        return {name: names[values[name] - low] for name, low, _, names in self.parts}


def _code(model: Model, terms: Mapping[str, Term], given: Mapping[str, Sequence[str]]) -> _Code:
    cells = {node.number: cell for node, cell in zip(model.layout.symbols(), model.layout.slots, strict=True)}
    parts, whole = [], 1
    for name, term in terms.items():
        low, high = (0, 1) if is_boolean(term) else bounds(term)
        if INFINITY in (-low, high) or whole * (high - low + 1) >= LARGEST:
            raise ValueError(f"the projection has too many values at `{name}`; leave it out or make it coarser")
        low, size = int(low), int(high - low) + 1
        parts.append((name, low, size, _readings(name, term, low, size, cells, given)))
        whole *= size
    return _Code(tuple(parts), whole)


def _readings(
    name: str, term: Term, low: int, size: int, cells: Mapping[int, Cell], given: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """How each value of a part reads."""
    if name in given:
        return tuple(given[name])
    if is_boolean(term):
        return (f"not {name}", name)
    declared = cells[term.number].domain.names if term.__class__ is Symbolic and term.number in cells else ()
    return declared or tuple(f"{name} {low + step}" for step in range(size))


class Folding(Observer):
    """Folds the states that a search expands while it goes (it is an `Observer`).

    Args:
        exploration: the one that is searched.
        projection: from a state to named terms; the first names the groups.
        names: how the values of a part read, from its lowest; else an enumeration's names, or name and number.

    Raises:
        ValueError: the projection has no bounds, or too many values to be worth a graph.
    """

    def __init__(
        self,
        exploration: Exploration,
        projection: Projection,
        names: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self.exploration, self.program = exploration, exploration.program
        model = exploration.model
        before = model.state(model.layout.symbols())
        self.over: Term = model.game.over(before)
        self.code = _code(model, projection(before), names)
        self.before = self.code.of(projection(before))
        self.after = [self.code.of(projection(around(model, path)[1])) for path in self.program.paths]
        self.codes: NDArray[np.int64] = np.empty(0, np.int64)  # of the block seen last
        self.counts: dict[int, int] = {}
        self.open: set[int] = set()  # the nodes with a state in which the game goes on
        self.initial: int | None = None
        self.edges: dict[tuple[int, int, str], int] = {}
        self.first: dict[tuple[int, int, str], tuple[int, int, int]] = {}  # depth, row, path

    def seen(self, depth: int, start: int, columns: Columns) -> None:
        """A block of states, of a level from a row on, is expanded."""
        codes = self.codes = columns(self.before).astype(np.int64)
        if self.initial is None:
            self.initial = int(codes[0])
        for code, count in _counted(codes):
            self.counts[code] = self.counts.get(code, 0) + count
        self.open.update(np.unique(codes[~columns(self.over)]).tolist())

    def taken(self, depth: int, start: int, path: int, rows: Columns) -> None:
        """A path is taken from some rows of the block seen last."""
        sources = self.codes if rows.origin is None else self.codes[rows.origin]
        pairs = sources * self.code.size + rows(self.after[path])
        for pair, count in _counted(pairs):
            source, target = divmod(pair, self.code.size)
            edge = (source, target, self.program.paths[path].action.name)
            if edge not in self.edges:
                row = int(np.argmax(pairs == pair))
                self.first[edge] = (depth, start + (row if rows.origin is None else int(rows.origin[row])), path)
            self.edges[edge] = self.edges.get(edge, 0) + count

    def graph(self) -> nx.MultiDiGraph[str]:
        """The quotient of the states seen so far.

        Nodes, keyed by their text, have `label`, `group` (the value of the first part), `count`, `initial`, `terminal`
        (the game is over in all of their states), and each part of the projection under its name. Edges, keyed by
        action, have `label`, `count` (moves) and `witness`, the log of a shortest game whose last move it is.
        """
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(complete=self.exploration.complete)
        reached = sorted({*self.counts, *(target for _, target, _ in self.edges)})
        texts = {code: self.code.texts(code) for code in reached}
        names = {code: ", ".join(text.values()) or "all states" for code, text in texts.items()}
        for code in reached:
            graph.add_node(
                names[code],
                **{
                    **texts[code],
                    "label": names[code],
                    "group": next(iter(texts[code].values()), ""),
                    "count": self.counts.get(code, 0),
                    "initial": code == self.initial,
                    "terminal": code in self.counts and code not in self.open,
                },
            )
        for (source, target, action), count in sorted(self.edges.items()):
            depth, row, path = self.first[source, target, action]
            witness = list(self.exploration.log(depth, row, self.program.moves[path]))
            graph.add_edge(names[source], names[target], key=action, label=action, count=count, witness=witness)
        return graph


def _counted(values: NDArray[np.int64]) -> list[tuple[int, int]]:
    found, counts = np.unique(values, return_counts=True)
    return list(zip(found.tolist(), counts.tolist(), strict=True))
