"""Written expressions mean what the expressions mean, and do not explode."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.language.evaluate import evaluate
from model.language.expression import Symbolic, Term, choose, conjunction, disjunction, equal, less, variable
from solver.export.sharing import Style, TooLarge, inlined, signed_sum, written

NAMES = ["a", "b", "c"]
NUMBERS = [variable(("state", f"sharing {name}"), -5, 5) for name in NAMES]
VARIABLES = {node.number: name for node, name in zip(NUMBERS, NAMES, strict=True)}


def _operation(node: Symbolic, arguments: Any) -> str:
    match node.operation:
        case "sum":
            return f"({signed_sum(node.detail[0], arguments, node.detail[1])})"
        case "choose":
            return f"({arguments[1]} if {arguments[0]} else {arguments[2]})"
        case "not":
            return f"(not {arguments[0]})"
    signs = {"product": " * ", "equal": " == ", "less": " < ", "and": " and ", "or": " or "}
    return f"({signs[node.operation].join(arguments)})"


PYTHON = Style(_operation, repr)


def graph(choices: list[tuple[int, int, int, int]]) -> list[Term]:
    """Some terms that share parts, each made from two earlier ones."""
    numbers: list[Term] = list(NUMBERS)
    conditions: list[Term] = [less(NUMBERS[0], NUMBERS[1])]
    for kind, one, other, constant in choices:
        left, right = numbers[one % len(numbers)], numbers[other % len(numbers)]
        first, second = conditions[one % len(conditions)], conditions[other % len(conditions)]
        numbers.append(choose(first, left, right) if kind % 2 else left + constant * right - constant)
        joined = (conjunction((first, second)), disjunction((first, left == constant)))
        conditions.append([equal(left, right), less(right, left), *joined][kind % 4])
    return [numbers[-1], conditions[-1], numbers[-2]]


CHOICES = st.lists(st.tuples(*[st.integers(0, 99)] * 3, st.integers(-3, 3)), min_size=1, max_size=12)


@given(CHOICES, st.tuples(*[st.integers(-5, 5)] * 3), st.integers(1, 20))
def test_what_is_written_means_the_same(choices: Any, values: tuple[int, ...], large: int) -> None:
    terms = graph(choices)
    text = written(terms, VARIABLES, PYTHON, "shared_", large)
    names: dict[str, Any] = dict(zip(NAMES, values, strict=True))
    for definition in text.definitions:
        names[definition.name] = eval(definition.text, {}, names)
    expected = evaluate(terms, {node.detail[0]: value for node, value in zip(NUMBERS, values, strict=True)})
    assert [eval(one, {}, names) for one in text.texts] == expected
    assert [eval(inlined(term, VARIABLES, PYTHON, 10**6), {}, names) for term in terms] == expected


def nested(depth: int) -> Term:
    """A term that uses each of its parts twice: as a tree, 2^depth large."""
    term = NUMBERS[0]
    for level in range(depth):
        term = choose(less(term, NUMBERS[1] + level), term + NUMBERS[2], 7 * term)
    return term


def test_text_grows_with_the_graph_and_not_with_the_tree() -> None:
    text = written([nested(60)], VARIABLES, PYTHON, "shared_")
    assert len("".join(text.texts)) + sum(len(one.text) for one in text.definitions) < 10_000
    with pytest.raises(TooLarge):
        inlined(nested(60), VARIABLES, PYTHON, 1000)


def test_sums_read_as_people_write_them() -> None:
    assert signed_sum([-1, 2, 1], ["a", "b", "c"], -3) == "2 * b + c - a - 3"
    assert signed_sum([-1, -2], ["a", "b"], 0) == "-a - 2 * b"
    assert signed_sum([-1], ["a"], 4) == "4 - a"
