"""States survive packing, keys tell states apart, and the set of visited keys is a set."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from model.language import FLAG, NATURAL, Variable, between
from model.language.state import Domain, Layout
from solver.explorer.packing import UNBOUNDED, Packing, explored
from solver.explorer.visited import Visited

DOMAINS = [FLAG, NATURAL, between(0, 1), between(-3, 9), between(5, 7), between(0, 2**33), between(-2**40, 2**40)]


@st.composite
def layouts(draw: Any) -> tuple[Layout, list[list[int]]]:
    domains: list[Domain] = draw(st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=30))
    layout = Layout([Variable(f"v{i}", domain, initial=domain.low) for i, domain in enumerate(domains)])
    ends = [explored(domain) for domain in domains]
    state = st.tuples(*[st.one_of(st.sampled_from(end), st.integers(*end)) for end in ends]).map(list)
    return layout, draw(st.lists(state, min_size=1, max_size=5))


@given(layouts())
@settings(deadline=None)
def test_states_survive_packing(sample: tuple[Layout, list[list[int]]]) -> None:
    layout, states = sample
    packing = Packing(layout)
    words = np.concatenate([packing.pack(state) for state in states], axis=1)
    assert [packing.vector(words, row) for row in range(len(states))] == states
    for slot, cell in enumerate(layout.slots):
        column = packing.column(words, slot)
        assert column.tolist() == [state[slot] for state in states]
        assert (column.dtype == np.bool_) == cell.domain.boolean
        assert packing.column(words, slot, np.array([len(states) - 1])).tolist() == [states[-1][slot]]


@given(layouts(), st.booleans())
@settings(deadline=None)
def test_keys_are_equal_exactly_for_equal_states(sample: tuple[Layout, list[list[int]]], exact: bool) -> None:
    layout, states = sample
    packing = Packing(layout, exact)
    keys = packing.keys(np.concatenate([packing.pack(state) for state in states], axis=1)).tolist()
    for state, key in zip(states, keys, strict=True):
        assert [other == key for other in keys] == [other == state for other in states]
        assert key < 2**63


def test_fingerprints_of_neighbours_are_spread() -> None:
    packing = Packing(Layout([Variable("v", between(0, 2**50)), Variable("w", between(0, 2**50))]))
    assert packing.words == 2 and not packing.exact
    words = np.zeros((2, 2**16), np.uint64)
    words[1] = np.arange(2**16)
    keys = packing.keys(words)
    assert len(np.unique(keys)) == 2**16
    # 64 bins by the top six bits, 1,024 expected in each, standard deviation 32
    assert np.abs(np.bincount((keys >> np.uint64(57)).astype(np.int64), minlength=64) - 1024).max() < 6 * 32


def test_the_collision_probability_is_reported() -> None:
    layout = Layout([Variable("v", between(0, 3))])
    assert Packing(layout).collision_probability(10**9) == 0
    assert Packing(layout, exact=False).collision_probability(10**6) == 10**6 * (10**6 - 1) / 2**64
    assert Packing(layout, exact=False).collision_probability(10**11) == 1


def test_a_variable_without_bound_is_explored_up_to_a_bound() -> None:
    assert explored(NATURAL) == (0, UNBOUNDED)


keys = st.one_of(st.integers(0, 20), st.integers(0, 2**63 - 1), st.integers(0, 30).map(lambda k: k << 56))


@given(st.lists(st.lists(keys, max_size=60), max_size=6))
@settings(deadline=None)
def test_visited_is_a_set(batches: list[list[int]]) -> None:
    visited, plain = Visited(capacity=4), set[int]()
    for batch in batches:
        first = []
        for index, key in enumerate(batch):
            if key not in plain:
                plain.add(key)
                first.append(index)
        most = visited.nbytes_for(len(batch))
        assert visited.insert(np.array(batch, np.uint64)).tolist() == first
        assert visited.count == len(plain)
        assert visited.nbytes <= most


def test_visited_grows() -> None:
    visited = Visited(capacity=4)
    every = np.arange(100_000, dtype=np.uint64) * np.uint64(2**20)
    assert len(visited.insert(every)) == 100_000
    assert len(visited.insert(every[::-1].copy())) == 0
    assert visited.nbytes <= 8 * 4 * 200_000  # room for all that were given, known or not
