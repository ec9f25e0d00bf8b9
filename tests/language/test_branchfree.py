"""Pairs in a number: plainly half of it, the same of a bounded symbol, and no less of one without a bound."""

from hypothesis import given
from hypothesis import strategies as st

from model.language import pairs_in
from model.language.evaluate import evaluate
from model.language.expression import INFINITY, variable

NUMBER = ("state", "number")


@given(st.integers(0, 30), st.integers(0, 30))
def test_a_bounded_symbol_has_the_pairs_of_its_value(value: int, room: int) -> None:
    number = variable(NUMBER, 0, value + room)
    assert evaluate([pairs_in(number)], {NUMBER: value}) == [pairs_in(value)] == [value // 2]


@given(st.integers(0, 10**6))
def test_one_without_a_bound_has_no_fewer(value: int) -> None:
    (pairs,) = evaluate([pairs_in(variable(NUMBER, 0, INFINITY))], {NUMBER: value})
    assert pairs >= value // 2
