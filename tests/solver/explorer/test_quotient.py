"""The quotient graph, checked by hand and against playing."""

from collections import Counter
from types import MappingProxyType
from typing import Any

import pytest

from model.language import Game, between
from model.language.expression import choose
from solver.explorer.frozen import thawed
from solver.explorer.quotient import Folding
from solver.explorer.search import Exploration, Limits, search
from tests.language import toy
from tests.solver.explorer import small


def by_phase(state: Any) -> dict[str, Any]:
    return {"phase": state.phase, "turn": state.turn, "greedy": state.greedy[0]}


def folded(projection: Any, names: Any = MappingProxyType({}), **how: Any) -> Any:
    """The graph of the toy, folded while it is searched."""
    exploration = Exploration(thawed(toy.GAME, small.SETUP))
    folding = Folding(exploration, projection, names)
    search(exploration, observers=[folding], **how)
    return folding.graph()


def counted(game: Game, projection: Any) -> tuple[Counter[Any], Counter[Any]]:
    """States a class and moves between classes, by playing."""
    model = game.model(small.SETUP)
    stack = [model.initial()]
    seen = {stack[0].key()}
    nodes: Counter[Any] = Counter()
    edges: Counter[Any] = Counter()
    while stack:
        state = stack.pop()
        here = tuple(int(value) for value in projection(state).values())
        nodes[here] += 1
        for move in model.legal(state):
            after = state.copy()
            model.apply(after, move)
            edges[here, tuple(int(value) for value in projection(after).values()), move.action.name] += 1
            if after.key() not in seen:
                seen.add(after.key())
                stack.append(after)
    return nodes, edges


def name(values: tuple[int, ...]) -> str:
    phase, turn, greedy = values
    return f"{toy.Phase(phase).name}, {['first', 'second'][turn]}, {'greedy' if greedy else 'not greedy'}"


def test_counts_are_those_of_playing() -> None:
    graph = folded(by_phase, {"turn": ("first", "second")}, block=200)
    nodes, edges = counted(toy.GAME, by_phase)
    assert {node: data["count"] for node, data in graph.nodes(data=True)} == {
        name(values): count for values, count in nodes.items()
    }
    assert {(a, b, key): data["count"] for a, b, key, data in graph.edges(keys=True, data=True)} == {
        (name(source), name(target), action): count for (source, target, action), count in edges.items()
    }
    assert graph.graph["complete"]


def test_the_phases_by_hand() -> None:
    graph = folded(lambda state: {"phase": state.phase})
    assert {(a, b, data["label"]) for a, b, data in graph.edges(data=True)} == {
        ("DRAW", "DECIDE", "draw"), ("DECIDE", "DRAW", "bank"), ("DECIDE", "END", "bank")
    }  # fmt: skip
    assert [node for node, data in graph.nodes(data=True) if data["terminal"]] == ["END"]
    assert [node for node, data in graph.nodes(data=True) if data["initial"]] == ["DRAW"]
    assert {data["group"] for _, data in graph.nodes(data=True)} == {"DRAW", "DECIDE", "END"}
    lengths = {(a, b): len(data["witness"]) for a, b, data in graph.edges(data=True)}
    assert lengths == {("DRAW", "DECIDE"): 1, ("DECIDE", "DRAW"): 2, ("DECIDE", "END"): 6}
    assert graph.edges["DECIDE", "DRAW", "bank"]["witness"][-1].startswith("bank Player 1 ")


def test_a_computed_part_and_the_empty_projection() -> None:
    graph = folded(lambda state: {"lead": choose(state.banked[0] < state.banked[1], -1, 1)})
    assert sum(data["count"] for _, data in graph.nodes(data=True)) == 5476
    assert set(graph) == {"lead -1", "lead 1"}
    whole = folded(lambda state: {})
    assert whole.nodes["all states"]["count"] == 5476 and not whole.nodes["all states"]["terminal"]
    assert {action: data["count"] for _, _, action, data in whole.edges(keys=True, data=True)} == {
        "draw": 5060, "bank": 8411
    }  # fmt: skip


def test_an_incomplete_exploration_says_so() -> None:
    graph = folded(lambda state: {"phase": state.phase}, limits=Limits(states=100))
    assert not graph.graph["complete"]


def test_too_fine_a_projection_is_refused() -> None:
    exploration = Exploration(thawed(small.with_banked(between(0, 2**40)), small.SETUP))
    with pytest.raises(ValueError, match="too many values at `banked`"):
        Folding(exploration, lambda state: {"phase": state.phase, "banked": state.banked[0]})
