"""Endings: loops, traps and what stays reachable, against a second count by networkx and on planted faults."""

from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.language import Game, action, require
from solver.explorer.endings import TRIED, Endings, Graph, Moves, endings
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, ExplorationError, search
from tests.language.toy import GAME, Phase, Place, Stones
from tests.solver.explorer.small import put_back, with_action


def explored(game: Game, block: int = 2**16) -> tuple[Endings, Exploration]:
    exploration, moves = Exploration(thawed(game, Stones())), Moves()
    search(exploration, block=block, observers=[moves])
    return endings(exploration, moves), exploration


@action(clauses=("end.three",), phases=(Phase.DRAW,))
def dawdle(state: Any) -> None:
    """Gives the turn away and nothing else: two of them are a loop."""
    require(state.banked[0] + state.banked[1] == 2, "end.three")
    state.turn = 1 - state.turn


@action(clauses=("end.three",), phases=(Phase.DECIDE,))
def lock(state: Any) -> None:
    """Leads where only `dawdle` is left."""
    require(state.banked[0] + state.banked[1] == 2, "end.three")
    for stone in range(6):
        state.place[stone] = Place.BANK
    state.phase = Phase.DRAW


def test_a_game_in_which_stones_only_leave_the_bag_always_ends() -> None:
    found, _ = explored(GAME)
    assert (found.trapped, found.trap, found.endless, found.within) == (0, None, None, {})


@pytest.mark.parametrize("block", [2**16, 7])
def test_a_move_that_leads_back_makes_a_loop_through_two_phases(block: int) -> None:
    found, _ = explored(with_action(put_back), block)
    assert found.endless is not None and found.endless.loop == 2
    assert [move.action.name for move in found.endless.game.moves] == ["draw", "put_back"]
    assert found.within == {} and found.trapped == 0


def test_a_loop_inside_one_phase_is_told_with_the_shortest_way_into_it() -> None:
    found, _ = explored(with_action(dawdle))
    lasso = found.within["DRAW"]
    assert list(found.within) == ["DRAW"]
    assert lasso.loop == 2 and lasso.game.log[-2:] == ("dawdle", "dawdle")
    assert len(lasso.game.moves) == 2 + 2 + 2  # draw, bank nothing or one, draw, bank: two banked at the earliest


def test_a_state_without_a_way_to_the_end_is_a_trap() -> None:
    found, exploration = explored(replace(GAME, actions=(*GAME.actions, dawdle, lock)))
    assert found.trapped > 0 and found.trap is not None
    assert found.trap.log[-1] == "lock"
    model = exploration.plain
    state = model.initial()
    for move in found.trap.moves:
        model.apply(state, move)
    assert {move.action.name for move in model.legal(state)} == {"dawdle"}


graphs = st.integers(1, 9).flatmap(
    lambda states: st.tuples(
        st.just(states),
        st.lists(st.tuples(st.integers(0, states - 1), st.integers(0, states - 1)), max_size=20),
        st.lists(st.booleans(), min_size=states, max_size=states),
    )
)


def graph_of(states: int, moves: list[tuple[int, int]]) -> Graph:
    sources, targets = (np.array([move[end] for move in moves], np.int64) for end in (0, 1))
    return Graph(np.array([0, states]), sources, targets, np.arange(len(moves)))


@given(graphs)
def test_what_reaches_a_goal_is_what_networkx_says(drawn: tuple[int, list[tuple[int, int]], list[bool]]) -> None:
    states, moves, goals = drawn
    other: nx.DiGraph[int] = nx.DiGraph(moves)
    other.add_nodes_from(range(states))
    expected = {state for goal in range(states) if goals[goal] for state in (goal, *nx.ancestors(other, goal))}
    assert set(np.flatnonzero(graph_of(states, moves).reaching(np.array(goals)))) == expected


@given(graphs)
def test_what_remains_is_what_can_reach_a_cycle_inside(drawn: tuple[int, list[tuple[int, int]], list[bool]]) -> None:
    states, moves, among = drawn
    inside: nx.DiGraph[int] = nx.DiGraph()
    inside.add_nodes_from(state for state in range(states) if among[state])
    inside.add_edges_from(move for move in moves if among[move[0]] and among[move[1]])
    cyclic = {state for cycle in nx.simple_cycles(inside) for state in cycle}
    expected = {state for goal in cyclic for state in (goal, *nx.ancestors(inside, goal))}
    graph = graph_of(states, moves)
    remaining = graph.remaining(np.array(among))
    assert set(np.flatnonzero(remaining)) == expected
    if expected:
        loop = graph.loop(remaining)
        ends = [(int(graph.sources[move]), int(graph.targets[move])) for move in loop]
        assert all(ends[number - 1][1] == ends[number][0] for number in range(len(ends)))
        assert {state for end in ends for state in end} <= expected


def test_the_loop_is_the_one_reached_first_and_a_shortest_there() -> None:
    moves = [(0, 4), (4, 5), (5, 4), (0, 1), (1, 2), (2, 3), (3, 1), (2, 1)]
    graph = graph_of(6, moves)
    loop = graph.loop(graph.remaining(np.ones(6, bool)))
    assert [moves[number] for number in loop] == [(1, 2), (2, 1)]


def test_beyond_many_states_on_the_way_any_loop_will_do() -> None:
    states = TRIED + 3
    moves = [(state, state + 1) for state in range(states - 1)] + [(states - 1, states - 2)]
    graph = graph_of(states, moves)
    loop = graph.loop(graph.remaining(np.ones(states, bool)))
    assert {moves[number] for number in loop} == {(states - 2, states - 1), (states - 1, states - 2)}


def test_a_move_to_a_state_that_was_not_kept_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    arrived = Moves.arrived
    monkeypatch.setattr(Moves, "arrived", lambda self, depth, parents, paths, keys: arrived(
        self, depth, parents, paths, keys + np.uint64(2**40)
    ))  # fmt: skip
    with pytest.raises(ExplorationError, match="not kept"):
        explored(GAME)


def test_a_loop_that_is_none_by_the_rules_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def straight(self: Graph, remaining: Any) -> list[int]:
        return [int(np.argmax(self.sources == int(np.argmax(remaining))))]

    monkeypatch.setattr(Graph, "loop", straight)
    with pytest.raises(ExplorationError, match="does not come back"):
        explored(with_action(put_back))


