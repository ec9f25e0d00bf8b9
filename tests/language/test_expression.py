"""Folding is sound, bounds are true, equal expressions are one object: random expressions against plain Python.

Every operation is carried out twice, as a rule would: on terms, and on the plain values of their variables. Whatever
the folding does, the two must agree inside the variables' bounds.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import model.language.evaluate as evaluation
from model.language import all_of, any_of, count, implies, maximum, minimum, negate, pick, total, where
from model.language.evaluate import evaluate
from model.language.expression import (
    INFINITY,
    Symbolic,
    Term,
    bounds,
    conjuncts,
    is_boolean,
    variable,
    variables_of,
    written,
)

Values = dict[Any, Any]
Pair = tuple[Term, Any]  # a term, and its value for the values drawn
VARIABLES: dict[Any, tuple[float, float]] = {
    ("state", "a"): (0, 3),
    ("state", "b"): (-2, 2),
    ("state", "c"): (1, 2),
    ("state", "n"): (0, INFINITY),
    ("choice", "d"): (-5, -1),
}
FLAGS = [("state", "p"), ("state", "q"), ("choice", "r")]
# What each operation takes: numbers (n), conditions (c), or either (e).
OPERATIONS: list[tuple[str, Callable[..., Any]]] = [
    ("nn", lambda x, y: x + y),
    ("nn", lambda x, y: x - y),
    ("n", lambda x: -x),
    ("n", lambda x: 3 * x - 1),
    ("nn", lambda x, y: x * y),
    ("cn", lambda p, x: p * x),
    ("nn", minimum),
    ("nn", maximum),
    ("een", lambda x, y, z: total([x, y, 2, z])),
    ("ccc", lambda *held: count(held)),
    ("enn", where),
    ("cen", where),
    ("ccc", where),
    ("en", lambda x, y: x == y),
    ("ne", lambda x, y: x != y),
    ("en", lambda x, y: x < y),
    ("ne", lambda x, y: x <= y),
    ("en", lambda x, y: x > y),
    ("ne", lambda x, y: x >= y),
    ("cc", lambda p, q: p == q),
    ("cc", lambda p, q: p != q),
    ("ee", all_of),
    ("ee", any_of),
    ("ccc", lambda p, q, r: all_of([p, q, r])),
    ("ccc", lambda p, q, r: any_of([p, q, r])),
    ("e", negate),
    ("cc", implies),
]


def member_of(pairs: list[Pair]) -> st.SearchStrategy[Pair]:
    """By index: Hypothesis hashes what it samples from, and a term refuses to be hashed."""
    return st.integers(0, len(pairs) - 1).map(lambda index: pairs[index])


@st.composite
def computations(draw: st.DrawFn, most: int = 12) -> tuple[Values, list[Pair], list[Pair]]:
    """Values of the variables, and the numbers and conditions computed from them, step by step."""
    values: Values = {
        name: draw(st.integers(int(low), 9 if high == INFINITY else int(high)))
        for name, (low, high) in VARIABLES.items()
    }
    values |= {name: draw(st.booleans()) for name in FLAGS}
    numbers: list[Pair] = [(variable(name, *bound), values[name]) for name, bound in VARIABLES.items()]
    conditions: list[Pair] = [(variable(name, 0, 1, True), values[name]) for name in FLAGS]
    numbers += [(constant, constant) for constant in (0, 1, 3)]
    conditions += [(constant, constant) for constant in (False, True)]
    for _ in range(draw(st.integers(1, most))):
        takes, operation = draw(st.sampled_from(OPERATIONS))
        pools = {"n": numbers, "c": conditions, "e": numbers + conditions}
        taken = [draw(member_of(pools[kind])) for kind in takes]
        pair = operation(*[term for term, _ in taken]), operation(*[value for _, value in taken])
        (conditions if is_boolean(pair[0]) else numbers).append(pair)
    return values, numbers, conditions


@settings(max_examples=400)
@given(computations())
def test_folding_is_sound_and_bounds_are_true(computed: tuple[Values, list[Pair], list[Pair]]) -> None:
    values, numbers, conditions = computed
    found = evaluate([term for term, _ in numbers + conditions], values)
    for (term, expected), value in zip(numbers + conditions, found, strict=True):
        assert value == expected, f"{term!r} is {value}, not {expected}, for {values}"
        low, high = bounds(term)
        assert low <= expected <= high, f"{term!r} is {expected}, outside {low}..{high}"


@given(computations())
def test_every_node_is_well_formed(computed: tuple[Values, list[Pair], list[Pair]]) -> None:
    """Connectives have conditions for arguments and sums have numbers: what Z3 terms and columns rely on."""
    stack = [term for term, _ in computed[1] + computed[2]]
    while stack:
        node = stack.pop()
        if node.__class__ is not Symbolic:
            assert node.__class__ in (int, bool)
            continue
        arguments = node.arguments
        if node.operation in ("and", "or", "not"):
            assert node.boolean and all(argument.__class__ is Symbolic and argument.boolean for argument in arguments)
        if node.operation in ("sum", "product", "less"):
            assert node.boolean == (node.operation == "less")
            assert not any(is_boolean(argument) for argument in arguments)
        if node.operation == "equal":
            assert node.boolean and not any(is_boolean(argument) for argument in arguments)
        if node.operation == "choose":
            assert is_boolean(arguments[0])
            assert is_boolean(arguments[1]) == is_boolean(arguments[2]) == node.boolean
        stack.extend(arguments)


@given(computations(6), st.data())
def test_pick_is_indexing(computed: tuple[Values, list[Pair], list[Pair]], data: st.DataObject) -> None:
    values, numbers, _ = computed
    options = data.draw(st.lists(member_of(numbers), min_size=1, max_size=5))
    position = data.draw(st.integers(0, len(options) - 1))
    index = variable(("state", "index"), 0, len(options) - 1)
    picked = pick([term for term, _ in options], index)
    assert evaluate([picked], {**values, ("state", "index"): position}) == [options[position][1]]


@given(computations(6), st.data())
def test_equal_structure_is_one_object(computed: tuple[Values, list[Pair], list[Pair]], data: st.DataObject) -> None:
    terms = [data.draw(member_of(computed[1]))[0] for _ in range(3)]
    held = [data.draw(member_of(computed[2]))[0] for _ in range(3)]
    assert same(total(terms), total(terms[::-1]))
    assert same(terms[0] - terms[1] + terms[2], total([terms[2], terms[0]]) - terms[1])
    assert same(all_of(held), all_of(held[::-1]))
    assert same(any_of(held), any_of(held[::-1]))
    assert same(negate(negate(held[0])), held[0])
    assert same(terms[0] == terms[1], terms[1] == terms[0])
    assert same(terms[0] < terms[1], terms[1] > terms[0])
    assert same(where(held[0], terms[0], terms[0]), terms[0])
    for term in held:
        assert same(all_of(list(conjuncts(term))), term)


def same(left: Term, right: Term) -> bool:
    return left is right if left.__class__ is Symbolic or right.__class__ is Symbolic else bool(left == right)


def test_a_variable_is_one_object_by_name_and_bounds() -> None:
    assert variable(("state", "v"), 0, 5) is variable(("state", "v"), 0, 5)
    assert variable(("state", "v"), 0, 5) is not variable(("state", "v"), 0, 6)
    assert variable(("state", "v"), 4, 4) == 4


def test_what_is_decided_by_ranges_is_folded() -> None:
    a = variable(("state", "a"), 0, 3)
    p = variable(("state", "p"), 0, 1, True)
    assert (a < 4) is True and (a < 0) is False and (a == 7) is False and (a - a) == 0
    assert all_of(p, negate(p)) is False and any_of(p, negate(p)) is True
    assert (a + 1 - a) == 1 and (a * 0) == 0 and a * 1 is a and a + 0 is a
    assert (p == True) is p and (p == 1) is p and (p == 2) is False  # noqa: E712
    assert minimum(a, 5) is a and maximum(a, -1) is a


def test_a_number_is_a_condition_as_in_python() -> None:
    a, c = variable(("state", "a"), 0, 3), variable(("state", "c"), 1, 2)
    assert negate(a) is (a == 0)
    assert all_of(a, a) is (a != 0)
    assert all_of(c) is True and where(c, 5, 6) == 5


@given(computations())
def test_only_the_variables_found_matter(computed: tuple[Values, list[Pair], list[Pair]]) -> None:
    values, numbers, conditions = computed
    for term, expected in numbers + conditions:
        found = {node.detail[0] for node in variables_of([term]).values()}
        assert evaluate([term], {name: values[name] for name in found}) == [expected]
        assert written(term).isprintable()


@pytest.mark.parametrize("operation", ["less", "equal", "sum", "product", "and", "or", "not", "choose"])
def test_a_wrong_operation_is_noticed(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure itself measured: spoil one operation of the evaluator, and the soundness test must fail."""
    right = evaluation.apply

    def wrong(node: Symbolic, arguments: list[Any]) -> Any:
        value = right(node, arguments)
        return value if node.operation != operation else (not value if node.boolean else value + 1)

    monkeypatch.setattr(evaluation, "apply", wrong)

    @settings(max_examples=400, database=None, phases=[Phase.generate])
    @given(computations())
    def compare(computed: tuple[Values, list[Pair], list[Pair]]) -> None:
        test_folding_is_sound_and_bounds_are_true.hypothesis.inner_test(computed)  # type: ignore[attr-defined]

    with pytest.raises(AssertionError):
        compare()
