"""Numbers of move sequences, against enumerating them by plain play."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from model.language import Game, State
from solver.explorer.endings import Graph, Moves
from solver.explorer.frozen import thawed
from solver.explorer.perft import perft
from solver.explorer.search import Exploration, search
from tests.language.toy import GAME, Stones
from tests.solver.explorer.small import put_back, with_action


def graph_of(game: Game) -> tuple[Graph, Exploration]:
    exploration, moves = Exploration(thawed(game, Stones())), Moves()
    search(exploration, observers=[moves])
    return moves.graph(exploration), exploration


def enumerated(game: Game, length: int) -> tuple[list[int], Counter[str]]:
    """How many sequences of each length there are, and of the greatest length by the first move."""
    model = game.model(Stones())
    counts = [0] * (length + 1)
    divide: Counter[str] = Counter()

    def go(state: State, made: int, first: str) -> None:
        counts[made] += 1
        if made == length:
            divide[first] += 1
            return
        for move in model.legal(state):
            after = state.copy()
            model.apply(after, move)
            go(after, made + 1, first or model.describe(move))

    go(model.initial(), 0, "")
    return counts, divide


@pytest.mark.parametrize("game", [GAME, with_action(put_back)], ids=["ends", "goes round"])
def test_sequences_are_counted_as_by_enumerating_them(game: Game) -> None:
    found = perft(*graph_of(game), 4)
    counts, divide = enumerated(game, 4)
    assert list(found.counts) == counts and dict(found.divide) == dict(divide)
    assert sum(found.divide.values()) == found.counts[-1]


def test_no_moves_are_one_sequence() -> None:
    found = perft(*graph_of(GAME), 0)
    assert (list(found.counts), dict(found.divide)) == ([1], {})


def test_a_game_that_is_over_goes_no_further() -> None:
    assert perft(*graph_of(GAME), 20).counts[-1] == 0


def test_numbers_beyond_64_bits_are_exact() -> None:
    """Two states that each lead to both: 2 to the power of the length."""
    _, exploration = graph_of(GAME)
    first, two = np.array([0, 1, 2]), np.array([0, 0, 1, 1])
    graph = Graph(first, two, np.array([0, 1, 0, 1]), np.zeros(4, np.int64))
    assert list(perft(graph, exploration, 100).counts) == [2**length for length in range(101)]


def test_the_moves_named_are_those_of_the_start() -> None:
    graph, exploration = graph_of(GAME)
    plain: Any = exploration.plain
    assert set(perft(graph, exploration, 2).divide) == {plain.describe(move) for move in plain.legal(plain.initial())}
