"""Perft: how many sequences of so many legal moves there are, in all and by their first move.

Chess programmers check a move generator by these numbers: they are one line, a wrong rule changes them, and `divide`
says below which first move. Enumerating the sequences takes time in proportion to the numbers, which grow without
bound. Here they are carried from state to state: the sequences of n moves from a state are those of n - 1 moves from
each state that a move leads to. One pass over the moves of the graph a step, whatever the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.explorer.endings import Graph
from solver.explorer.search import Exploration

_SAFE = 2**62  # beyond it, Python's own integers


@dataclass(frozen=True)
class Perft:
    """`counts`: sequences of 0, 1, 2 ... moves; `divide`: those of the greatest length, by the first move as text."""

    counts: Sequence[int]
    divide: Mapping[str, int]


def perft(graph: Graph, exploration: Exploration, length: int) -> Perft:
    """The numbers of sequences of up to so many moves from the initial state; a game that is over goes no further.

    Args:
        graph: with every move of the first `length` levels.
    """
    order = np.argsort(graph.sources, kind="stable")
    sources, targets = graph.sources[order], graph.targets[order]
    begin = np.flatnonzero(np.diff(sources, prepend=-1))
    widest = int(np.diff(begin, append=len(sources)).max(initial=0))
    ahead: NDArray[Any] = np.ones(graph.states, np.int64)  # sequences from each state
    before, counts = ahead, [1]
    for _ in range(length):
        before = ahead if ahead.dtype == np.object_ or int(ahead.max()) * widest < _SAFE else ahead.astype(np.object_)
        ahead = np.zeros(graph.states, before.dtype)
        if len(begin):
            ahead[sources[begin]] = np.add.reduceat(before[targets], begin)
        counts.append(int(ahead[0]))
    first = np.flatnonzero(graph.sources == 0)
    moves = [exploration.program.moves[int(graph.paths[move])] for move in first]
    divide = {
        exploration.plain.describe(move): int(before[graph.targets[number]])
        for move, number in zip(moves, first, strict=True)
    }
    return Perft(counts, divide if length else {})
