"""Strongly connected components: which positions can play come back to?

Two states are in one component when each can be reached from the other. A game in which something is used up for good
has as many components as states; where there are fewer, play can go in circles, and the largest component says how far
such a circle reaches. Tarjan's algorithm, as SciPy has it, on the moves that the search gathered.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from solver.explorer.endings import Graph


@dataclass(frozen=True)
class Components:
    """The components of all reached states: how many, the states of the largest, and the states that lie on a cycle."""

    number: int
    largest: int
    on_cycles: int


def components(graph: Graph) -> Components:
    """The strongly connected components of the states, a state without a move included."""
    moves = coo_array((np.ones(len(graph.sources), np.int8), (graph.sources, graph.targets)), shape=(graph.states,) * 2)
    number, of_state = connected_components(moves, connection="strong")
    sizes = np.bincount(of_state, minlength=number)
    cyclic = sizes[of_state] > 1
    cyclic[graph.sources[graph.sources == graph.targets]] = True
    return Components(int(number), int(sizes.max()), int(np.count_nonzero(cyclic)))
