"""An expression on columns means what it means on plain integers, whatever the widths."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from model.language import expression as ex
from model.language.evaluate import evaluate
from solver.explorer import columns as columns_module
from solver.explorer.columns import Columns, dtype_of, reading

RANGES = [(0, 1), (0, 2), (-3, 5), (0, 255), (-200, 200), (0, 32767), (-32768, 32767), (0, 40000), (-70000, 3)]
NUMBERS = [ex.variable(("state", f"n{i}"), low, high) for i, (low, high) in enumerate(RANGES)]
FLAGS = [ex.variable(("state", f"f{i}"), 0, 1, boolean=True) for i in range(3)]
# Drawn by index: a symbolic value can't be hashed, and strategies hash what they sample from.
variables = st.integers(0, len(NUMBERS) - 1).map(NUMBERS.__getitem__)
flags = st.integers(0, len(FLAGS) - 1).map(FLAGS.__getitem__)
CONSTANTS = st.one_of(st.integers(-4, 4), st.integers(-40000, 40000))
SMALL = st.builds(lambda a, b: a + b, variables, variables)


def _sum(a: ex.Term, b: ex.Term, p: int, q: int, constant: int) -> ex.Term:
    term = ex.linear(((p, a), (q, b)), constant)
    return term if max(map(abs, ex.bounds(term))) < 2**60 else a  # the widest column has 64 bits


def numbers(depth: int) -> st.SearchStrategy[Any]:
    if depth == 0:
        return variables
    number, condition = numbers(depth - 1), conditions(depth - 1)
    return st.one_of(
        variables,
        st.builds(_sum, number, number, CONSTANTS, CONSTANTS, CONSTANTS),
        st.builds(lambda a, b: a - b, number, number),
        st.builds(ex.product, SMALL, SMALL),
        st.builds(ex.choose, condition, number, st.one_of(number, CONSTANTS)),
        st.builds(ex.as_integer, condition),
    )


def conditions(depth: int) -> st.SearchStrategy[Any]:
    if depth == 0:
        return flags
    number, condition = numbers(depth - 1), conditions(depth - 1)
    return st.one_of(
        flags,
        st.builds(ex.less, number, st.one_of(number, CONSTANTS)),
        st.builds(ex.less, CONSTANTS, number),
        st.builds(ex.equal, number, st.one_of(number, CONSTANTS)),
        st.builds(ex.equal, condition, condition),
        st.builds(ex.negation, condition),
        st.builds(lambda *c: ex.conjunction(c), condition, condition, condition),
        st.builds(lambda *c: ex.disjunction(c), condition, condition, condition),
        st.builds(ex.choose, condition, condition, condition),
    )


TERMS = st.lists(st.one_of(numbers(3), conditions(3)), min_size=1, max_size=3)


@st.composite
def rows(draw: Any) -> list[dict[Any, Any]]:
    """A few states: the ends of each range more often than not, as that is where widths go wrong."""
    one = st.fixed_dictionaries(
        {node.detail[0]: st.one_of(st.sampled_from((node.low, node.high)), st.integers(node.low, node.high))
         for node in NUMBERS}
        | {node.detail[0]: st.booleans() for node in FLAGS}
    )
    states: list[dict[Any, Any]] = draw(st.lists(one, min_size=1, max_size=4))
    return states


def blocks(states: list[dict[Any, Any]]) -> tuple[Columns, Columns]:
    """The states as a block, and the same ones as rows of a block twice as long."""
    values = {name: np.array([state[name] for state in states]) for name in states[0]}
    doubled = {name: np.concatenate([column[::-1], column]) for name, column in values.items()}
    return Columns(len(states), reading(values)), Columns(2 * len(states), reading(doubled))


def agree(terms: list[ex.Term], states: list[dict[Any, Any]], share: int) -> None:
    expected = [evaluate(terms, state) for state in states]
    whole, doubled = blocks(states)
    for term in terms[:share]:
        doubled(term)  # known above: the narrowed block must take it over, row by row
    narrowed = doubled.narrowed(np.arange(len(states), 2 * len(states)))
    for position, term in enumerate(terms):
        for block in (whole, narrowed):
            column = block(term)
            assert column.tolist() == [row[position] for row in expected], ex.written(term)
            assert term.__class__ is not ex.Symbolic or column.dtype == dtype_of(term)


@given(TERMS, rows(), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_columns_mean_what_integers_mean(terms: list[ex.Term], states: list[dict[Any, Any]], share: int) -> None:
    agree(terms, states, share)


def _wrong_less(node: ex.Symbolic, known: Any) -> Any:
    left, right = (known[a.number] if a.__class__ is ex.Symbolic else a for a in node.arguments)
    return left <= right


def _wrong_choose(node: ex.Symbolic, known: Any) -> Any:
    condition, *values = (known[a.number] if a.__class__ is ex.Symbolic else a for a in node.arguments)
    return np.where(condition, values[1], values[0]).astype(dtype_of(node))


def _wrong_sum(node: ex.Symbolic, known: Any) -> Any:
    coefficients, _ = node.detail  # forgets the constant
    terms = [c * known[a.number].astype(np.int64) for c, a in zip(coefficients, node.arguments, strict=True)]
    return sum(terms[1:], terms[0]).astype(dtype_of(node))


def _wrong_or(node: ex.Symbolic, known: Any) -> Any:
    return known[node.arguments[0].number] | known[node.arguments[1].number]  # forgets the third


@pytest.mark.parametrize(
    ("operation", "wrong"),
    [("less", _wrong_less), ("choose", _wrong_choose), ("sum", _wrong_sum), ("or", _wrong_or)],
)
def test_a_wrong_evaluator_is_caught(
    monkeypatch: pytest.MonkeyPatch, operation: str, wrong: Callable[..., Any]
) -> None:
    monkeypatch.setitem(columns_module._OPERATIONS, operation, wrong)
    again = settings(
        max_examples=3000, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        report_multiple_bugs=False,
    )(given(TERMS, rows(), st.integers(0, 3))(agree))  # fmt: skip
    with pytest.raises(AssertionError):
        again()


def test_columns_too_narrow_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns_module, "dtype_for", lambda low, high: np.dtype(np.int16))
    wide = ex.linear(((300, NUMBERS[3]), (300, NUMBERS[4])))
    state = {node.detail[0]: node.high for node in (*NUMBERS, *FLAGS)}
    with pytest.raises(AssertionError):
        agree([wide], [state], 0)


def test_what_is_known_is_not_computed_again() -> None:
    term = NUMBERS[2] + NUMBERS[3]
    asked: list[str] = []

    def read(node: ex.Symbolic, rows: Any) -> Any:
        asked.append(node.detail[0][1])
        return np.arange(4, dtype=np.int16)

    block = Columns(4, read)
    block(term)
    narrowed = block.narrowed(np.array([1, 3]))
    assert narrowed(term).tolist() == [2, 6]
    assert narrowed(ex.less(term, 5)).tolist() == [True, False]
    assert asked == ["n3", "n2"] or asked == ["n2", "n3"]
