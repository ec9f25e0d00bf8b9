"""Strongly connected components, against networkx on random graphs."""

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.explorer.components import components
from solver.explorer.endings import Graph


@given(st.data(), st.integers(1, 12))
def test_components_are_those_of_networkx(data: st.DataObject, states: int) -> None:
    edge = st.tuples(st.integers(0, states - 1), st.integers(0, states - 1))
    edges = data.draw(st.lists(edge, max_size=30))
    sources, targets = (np.array([one[side] for one in edges], np.int64) for side in (0, 1))
    found = components(Graph(np.array([0, states]), sources, targets, np.zeros(len(edges), np.int64)))
    plain = nx.DiGraph(edges)
    plain.add_nodes_from(range(states))
    parts = list(nx.strongly_connected_components(plain))
    cyclic = {state for part in parts if len(part) > 1 for state in part}
    cyclic |= {one for one, other in edges if one == other}
    assert (found.number, found.largest, found.on_cycles) == (len(parts), max(map(len, parts)), len(cyclic))
