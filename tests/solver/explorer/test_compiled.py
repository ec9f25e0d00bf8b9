"""Compiled code gives what columns give, array by array, whatever is compiled when and on how many cores."""

import ctypes
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.fiftyfirst.game import GAME
from model.language import action, require
from model.language import expression as ex
from model.language.evaluate import evaluate
from model.language.state import NATURAL
from properties.fiftyfirst import PROPERTIES
from solver.explorer import compiled as compiled_module
from solver.explorer import search
from solver.explorer.frozen import thawed, whole
from solver.explorer.native import Library, Writer
from solver.explorer.packing import Field
from solver.explorer.search import Exploration, ExplorationError, Limits, Result, explore
from tests.language import toy
from tests.solver.explorer import small
from tests.solver.explorer.test_columns import TERMS, rows

NEVER = float("inf")
GAMES = [
    thawed(toy.GAME, small.SETUP),
    whole(toy.GAME, small.SETUP),
    thawed(small.with_action(small.put_back), small.SETUP),
    thawed(small.with_action(small.tax), small.SETUP),
    thawed(small.with_banked(NATURAL), small.SETUP),
]
TIME_AND_SPACE = {"seconds", "nbytes"}


class Fields:
    """Stands in for a program: where the variables of an expression stand, each in a word of its own."""

    def __init__(self, terms: list[ex.Term]) -> None:
        self.variables = list(ex.variables_of(terms).values())
        self.words = {node.number: word for word, node in enumerate(self.variables)}

    def place(self, node: ex.Symbolic) -> Field:
        low = 0 if node.boolean else int(node.low)
        return Field(self.words[node.number], 7, 2**40 - 1, low, np.dtype(np.int64))


def evaluated(terms: list[ex.Term], state: dict[Any, Any]) -> list[int]:
    """The terms on one state, by machine code."""
    place = Fields(terms)
    writer = Writer(place)  # type: ignore[arg-type]
    for position, term in enumerate(terms):
        value = writer.integer(term)
        writer.line(f"%to{position} = getelementptr i64, ptr %out, i64 {position}")
        writer.line(f"store i64 {value}, ptr %to{position}")
    words = "".join(f", i64 %w{word}" for word in range(len(place.variables)))
    text = f"define i64 @f(ptr %out{words}) {{\n" + "\n".join(writer.lines) + "\nret i64 0\n}\n"
    run = Library(text, optimised=False).function("f", ctypes.c_void_p, *[ctypes.c_int64] * len(place.variables))
    out = np.zeros(len(terms), np.int64)
    run(out.ctypes.data, *[(int(state[v.detail[0]]) - place.place(v).low) << 7 for v in place.variables])
    return [int(value) for value in out]


@given(TERMS, rows())
@settings(max_examples=60, deadline=None)
def test_machine_code_means_what_integers_mean(terms: list[ex.Term], states: list[dict[Any, Any]]) -> None:
    assert evaluated(terms, states[0]) == [int(value) for value in evaluate(terms, states[0])]


def same(one: tuple[Result, Exploration], other: tuple[Result, Exploration]) -> None:
    for each in fields(Result):
        if each.name not in TIME_AND_SPACE:
            np.testing.assert_equal(getattr(one[0], each.name), getattr(other[0], each.name), each.name)
    assert len(one[1].levels) == len(other[1].levels)
    for left, right in zip(one[1].levels, other[1].levels, strict=True):
        for name in ("words", "parents", "paths"):
            np.testing.assert_array_equal(getattr(left, name), getattr(right, name))


@pytest.fixture(autouse=True)
def many_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cores share even the smallest blocks."""
    monkeypatch.setattr(compiled_module, "SHARE", 1)


@given(
    st.integers(0, len(GAMES) - 1), st.sets(st.integers(0, len(small.PROPERTIES) - 1)), st.booleans(),
    st.sampled_from([1, 7, 300, 2**16]), st.sampled_from([0, 1, 500, 3000]), st.integers(1, 3),
    st.sampled_from([NEVER, 2000, 4000]), st.booleans(),
)  # fmt: skip
@settings(max_examples=25, deadline=None)
def test_the_same_states_in_the_same_order(
    game: int, chosen: set[int], exact: bool, block: int, compiled_from: int, cores: int, states: float, decided: bool
) -> None:
    properties = [small.PROPERTIES[number] for number in sorted(chosen)]
    limits = Limits(states=states, decided=decided)

    def explored(compiled_from: float) -> tuple[Result, Exploration]:
        return explore(
            GAMES[game], properties, limits, exact=exact, block=max(block, 7), compiled_from=compiled_from, cores=cores
        )

    same(explored(NEVER), explored(compiled_from))


def test_optimised_code_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "OPTIMISED_FROM", 2000)
    qualities = []
    compile = compiled_module.Compiled.__init__

    def noting(self: Any, *arguments: Any) -> None:
        qualities.append(arguments[-1])
        compile(self, *arguments)

    monkeypatch.setattr(compiled_module.Compiled, "__init__", noting)
    same(
        explore(GAMES[0], small.PROPERTIES, compiled_from=NEVER, block=100),
        explore(GAMES[0], small.PROPERTIES, compiled_from=500, block=100),
    )
    assert qualities == [False, True]


def test_a_value_outside_its_domain_is_told_in_the_same_words() -> None:
    @action(clauses=("bank.colour",), phases=(toy.Phase.DECIDE,))
    def lose(state: Any) -> None:
        """Takes from who has nothing, late in the game."""
        require(state.banked[0] + state.banked[1] == 4, "bank.colour")
        state.banked[0] = state.banked[0] - 3

    model = thawed(small.with_action(lose), small.SETUP)
    told = []
    for compiled_from in (NEVER, 0):
        with pytest.raises(ExplorationError, match="outside its domain") as error:
            explore(model, compiled_from=compiled_from)
        told.append((str(error.value), error.value.found.log))
    assert told[0] == told[1]


class Arrivals(search.Observer):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def arrived(self, depth: int, parents: Any, paths: Any, keys: Any) -> None:
        self.told.append((np.full(len(keys), depth), parents, paths, keys))


@pytest.mark.parametrize("cores", [1, 3])
def test_observers_of_arrivals_are_told_the_same(cores: int) -> None:
    told = []
    for compiled_from in (NEVER, 0):
        observer = Arrivals()
        search.search(
            Exploration(GAMES[2]), observers=[observer], compiled_from=compiled_from, cores=cores, block=500
        )
        told.append([np.concatenate(columns) for columns in zip(*observer.told, strict=True)])
    for one, other in zip(*told, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["factions", "hand-limit"])
def test_the_same_in_a_game_with_all_its_properties(name: str) -> None:
    model = thawed(GAME, GAME.setup(name))
    same(explore(model, PROPERTIES, compiled_from=NEVER), explore(model, PROPERTIES, compiled_from=0, cores=2))
