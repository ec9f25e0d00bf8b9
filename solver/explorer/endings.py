"""Does play end? Which states can still reach the end of the game, and where play can go round for ever.

Both are questions about all moves between reached states, not about states. So the moves are gathered while the search
makes them: for each the state it comes from, its path, and the key of the state it leads to, which is looked up when
all states are known. What is asked then needs no rule any more, only the graph: the states from which a goal can be
reached (a search backwards), and the states from which play need never leave a set (those that remain when states
without a way on inside it are taken away, again and again).

A lasso is a game that enters a loop: the moves of the loop lead from a state back to itself. It is replayed on the
plain model before it is believed, like every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.language.expression import Term
from solver.explorer.packing import Keys
from solver.explorer.search import Exploration, ExplorationError, Found, Observer

TRIED = 20  # states, in the order in which they are reached; beyond that any loop will do
Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Lasso:
    """A game into a loop: `loop` are the last moves of the game, how many; they can be repeated for ever."""

    game: Found
    loop: int


@dataclass(frozen=True)
class Endings:
    """What an exploration to its end says of endings.

    Attributes:
        trapped: from how many the end is out of reach; `trap`: a shortest game to one.
        endless: a game into a loop, if play need not end. within: by phase, one into a loop that never leaves it.
    """

    trapped: int
    trap: Found | None
    endless: Lasso | None
    within: Mapping[str, Lasso]


@dataclass(frozen=True)
class Arrivals:
    """Moves from rows of one level: their paths, and the keys of where they lead."""

    depth: int
    parents: NDArray[np.uint32]
    paths: NDArray[np.uint32]
    keys: Keys

    @property
    def nbytes(self) -> int:
        return self.parents.nbytes + self.paths.nbytes + self.keys.nbytes


class Moves(Observer):
    """All moves of a search: from which state, by which path, to which.

    Args:
        most: how many bytes to keep; with more moves than that, `parts` is None and nothing is kept any more.
    """

    def __init__(self, most: float = float("inf")) -> None:
        self.most = most
        self.nbytes = 0
        self.parts: list[Arrivals] | None = []

    def arrived(
        self, depth: int, parents: NDArray[np.uint32], paths: NDArray[np.uint32], keys: Keys
    ) -> None:
        if self.parts is None:
            return
        self.parts.append(Arrivals(depth, parents, paths, keys))
        self.nbytes += self.parts[-1].nbytes
        if self.nbytes > self.most:
            self.nbytes, self.parts = 0, None

    def forget(self, depth: int, start: int) -> None:
        if self.parts is not None:
            self.parts = [
                part for part in self.parts if part.depth < depth or not len(part.parents) or part.parents[0] < start
            ]
            self.nbytes = sum(part.nbytes for part in self.parts)

    def graph(self, exploration: Exploration) -> Graph:
        """The moves, between states numbered level by level.

        Raises:
            ValueError: there were too many to keep.
        """
        if self.parts is None:
            raise ValueError("there were too many moves to keep")
        counts = [level.states for level in exploration.levels]
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        known = np.concatenate([exploration.packing.keys(level.words) for level in exploration.levels])
        order = np.argsort(known, kind="stable")
        sought = np.concatenate([*(part.keys for part in self.parts), np.empty(0, known.dtype)])
        places = np.searchsorted(known, sought, sorter=order)
        targets = order[np.minimum(places, len(known) - 1)]
        if (known[targets] != sought).any():
            raise ExplorationError("the explorer is wrong: a move leads to a state it has not kept", Found((), ()))
        sources = [part.parents.astype(np.int64) + first[part.depth] for part in self.parts]
        none = np.empty(0, np.int64)
        paths = np.concatenate([*(part.paths for part in self.parts), none])
        return Graph(first, np.concatenate([*sources, none]), targets, paths)


@dataclass(frozen=True)
class Graph:
    """States and moves: `first` is the number of the first state of each level, and how many there are."""

    first: Rows
    sources: Rows
    targets: Rows
    paths: Rows

    @property
    def states(self) -> int:
        return int(self.first[-1])

    def reaching(self, goals: Flags) -> Flags:
        """The states from which one of the goals can be reached, the goals themselves included."""
        into = _Adjacency(self.targets, self.sources, self.states)
        found = goals.copy()
        frontier = np.flatnonzero(goals)
        while len(frontier):
            before = into.neighbours(frontier)
            frontier = np.unique(before[~found[before]])
            found[frontier] = True
        return found

    def remaining(self, among: Flags) -> Flags:
        """The states from which play need never leave the set."""
        inside = among[self.sources] & among[self.targets]
        into = _Adjacency(self.targets[inside], self.sources[inside], self.states)
        ways = np.bincount(self.sources[inside], minlength=self.states)
        left = among.copy()
        frontier = np.flatnonzero(left & (ways == 0))
        while len(frontier):
            left[frontier] = False
            lost, times = np.unique(into.neighbours(frontier), return_counts=True)
            ways[lost] -= times
            frontier = lost[left[lost] & (ways[lost] == 0)]
        return left

    def loop(self, remaining: Flags) -> list[int]:
        """The numbers of moves that lead in a loop, from the state at which one is reached first.

        Args:
            remaining: what `remaining` found, not empty. It holds states on the way into loops too.
        """
        inside = np.flatnonzero(remaining[self.sources] & remaining[self.targets])
        onward = _Adjacency(self.sources[inside], inside, self.states)
        for state in np.flatnonzero(remaining)[:TRIED]:
            found = self._loop_through(int(state), onward)
            if found:
                return found
        return self._some_loop(int(np.argmax(remaining)), onward)

    def _loop_through(self, state: int, onward: _Adjacency) -> list[int]:
        """A shortest loop from the state back to itself; nothing where there is none."""
        by = np.full(self.states, -1, np.int64)  # of each state reached, a move that first led there
        frontier = np.array([state])
        while len(frontier) and by[state] < 0:
            moves = onward.neighbours(frontier)
            fresh = moves[by[self.targets[moves]] < 0]
            by[self.targets[fresh]] = fresh
            frontier = np.unique(self.targets[fresh])
        if by[state] < 0:
            return []
        loop = [int(by[state])]
        while int(self.sources[loop[-1]]) != state:
            loop.append(int(by[self.sources[loop[-1]]]))
        return loop[::-1]

    def _some_loop(self, state: int, onward: _Adjacency) -> list[int]:
        """Any loop: walk on until a state comes again."""
        walked: dict[int, int] = {}
        while state not in walked:
            walked[state] = int(onward.neighbours(np.array([state]))[0])
            state = int(self.targets[walked[state]])
        loop = [walked[state]]
        while int(self.targets[loop[-1]]) != state:
            loop.append(walked[int(self.targets[loop[-1]])])
        begin = min(range(len(loop)), key=lambda number: int(self.sources[loop[number]]))
        return loop[begin:] + loop[:begin]

    def place(self, state: int) -> tuple[int, int]:
        """The level and the row of a state."""
        depth = int(np.searchsorted(self.first, state, side="right")) - 1
        return depth, state - int(self.first[depth])


class _Adjacency:
    """For each state, what is listed beside it: the other ends of its moves, or the moves."""

    def __init__(self, here: Rows, there: Rows, states: int) -> None:
        order = np.argsort(here, kind="stable")
        self._there = there[order]
        self._begin = np.searchsorted(here[order], np.arange(states + 1))

    def neighbours(self, states: Rows) -> Rows:
        """One for each move, so with repetitions."""
        begin = self._begin[states]
        lengths = self._begin[states + 1] - begin
        shift = np.repeat(begin - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        found: Rows = self._there[np.arange(int(lengths.sum())) + shift]
        return found


def endings(exploration: Exploration, moves: Moves) -> Endings:
    """What the finished exploration says of endings.

    Args:
        moves: what observed the search.

    Raises:
        ExplorationError: a loop is none on the plain model: a fault of the explorer.
    """
    graph = moves.graph(exploration)
    model = exploration.model
    state = model.state(model.layout.symbols())
    over = _column(exploration, model.game.over(state)).astype(np.bool_)
    phase = _column(exploration, state.phase)
    trapped = ~graph.reaching(over)
    trap = int(np.argmax(trapped))
    within = {}
    for number, name in enumerate(model.game.phases):
        lasso = _lasso(exploration, graph, ~over & (phase == number))
        if lasso is not None:
            within[name] = lasso
    return Endings(
        int(trapped.sum()),
        exploration.game(*graph.place(trap)) if trapped[trap] else None,
        _lasso(exploration, graph, ~over), within,
    )  # fmt: skip


def _column(exploration: Exploration, term: Term) -> NDArray[np.int64]:
    """The value of a term in every state."""
    parts = [
        exploration.program.columns(words)(term).astype(np.int64)
        for depth in range(len(exploration.levels)) for _, words in exploration.blocks(depth)
    ]  # fmt: skip
    whole: NDArray[np.int64] = np.concatenate(parts)
    return whole


def _lasso(exploration: Exploration, graph: Graph, among: Flags) -> Lasso | None:
    remaining = graph.remaining(among)
    if not remaining.any():
        return None
    loop = graph.loop(remaining)
    begin = graph.place(int(graph.sources[loop[0]]))
    turn = [exploration.program.moves[int(graph.paths[move])] for move in loop]
    game = exploration.game(*begin, *turn)
    plain = exploration.plain
    played = plain.initial()
    for number, move in enumerate(game.moves):
        if number == len(game.moves) - len(loop):
            entered = played.vector()
        plain.apply(played, move)
    if played.vector() != entered:
        raise ExplorationError("the explorer is wrong: a loop does not come back to where it began", game)
    return Lasso(game, len(loop))
