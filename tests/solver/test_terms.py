"""Z3 terms mean what the reference evaluator says, on random expressions; a wrong translation is caught."""

import time
from typing import Any

import pytest
import z3
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from model.language import expression as ex
from model.language.evaluate import evaluate
from model.language.expression import INFINITY, Symbolic, Term, variable
from solver.terms import Query, Terms, readable

NUMBERS = [
    variable(("state", "terms", "small"), 0, 3),
    variable(("state", "terms", "signed"), -4, 4),
    variable(("parameter", "terms", "wide"), 0, 40),
    variable(("choice", "terms", "open"), 0, INFINITY),
]
FLAGS = [variable(("state", "terms", name), 0, 1, boolean=True) for name in ("first", "second")]
number_variables = st.integers(0, len(NUMBERS) - 1).map(NUMBERS.__getitem__)  # a node has no hash to sample by
flag_variables = st.integers(0, len(FLAGS) - 1).map(FLAGS.__getitem__)
SMALL = st.integers(-5, 5)
numbers: Any = st.deferred(
    lambda: st.one_of(
        number_variables,
        SMALL,
        st.builds(lambda a, b, p, q, c: ex.linear(((p, a), (q, b)), c), numbers, numbers, SMALL, SMALL, SMALL),
        st.builds(ex.product, number_variables, numbers),
        st.builds(ex.choose, conditions, numbers, numbers),
    )
)
conditions: Any = st.deferred(
    lambda: st.one_of(
        flag_variables,
        st.builds(ex.equal, numbers, numbers),
        st.builds(ex.less, numbers, numbers),
        st.builds(ex.equal, flag_variables, conditions),
        st.builds(ex.negation, conditions),
        st.builds(ex.conjunction, st.lists(conditions, max_size=3)),
        st.builds(ex.disjunction, st.lists(conditions, max_size=3)),
        st.builds(ex.choose, conditions, conditions, conditions),
    )
)
assignments = st.fixed_dictionaries(
    {node.detail[0]: st.integers(int(node.low), int(min(node.high, 50))) for node in NUMBERS}
    | {node.detail[0]: st.booleans() for node in FLAGS}
)


def agree(terms: Terms, term: Term, values: dict[Any, Any]) -> None:
    """Both evaluators give the term the same value."""
    pairs = []
    for node in [*NUMBERS, *FLAGS]:
        value = values[node.detail[0]]
        made = z3.BoolVal(value, terms.context) if node.boolean else z3.IntVal(value, terms.context)
        pairs.append((terms.of(node), made))
    got = z3.simplify(z3.substitute(terms.of(term), *pairs))
    expected = evaluate([term], values)[0]
    assert (z3.is_true(got) if isinstance(expected, bool) else got.as_long()) == expected


@settings(max_examples=300, deadline=None)
@given(term=st.one_of(numbers, conditions), values=assignments)
def test_z3_terms_mean_what_the_reference_evaluator_says(term: Term, values: dict[Any, Any]) -> None:
    agree(Terms(), term, values)


class NotStrict(Terms):
    def apply(self, node: Symbolic, arguments: list[Any]) -> Any:
        return arguments[0] <= arguments[1] if node.operation == "less" else super().apply(node, arguments)


class NoConstant(Terms):
    def apply(self, node: Symbolic, arguments: list[Any]) -> Any:
        if node.operation == "sum":
            return z3.Sum([c * a for c, a in zip(node.detail[0], arguments, strict=True)])
        return super().apply(node, arguments)


class Swapped(Terms):
    def apply(self, node: Symbolic, arguments: list[Any]) -> Any:
        if node.operation == "choose":
            return z3.If(arguments[0], arguments[2], arguments[1])
        return super().apply(node, arguments)


class Confused(Terms):
    def apply(self, node: Symbolic, arguments: list[Any]) -> Any:
        return z3.Or(arguments) if node.operation == "and" else super().apply(node, arguments)


@pytest.mark.parametrize("wrong", [NotStrict, NoConstant, Swapped, Confused])
def test_a_wrong_translation_is_caught(wrong: type[Terms]) -> None:
    @settings(max_examples=1000, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
    @given(term=st.one_of(numbers, conditions), values=assignments)
    def compare(term: Term, values: dict[Any, Any]) -> None:
        agree(wrong(), term, values)

    with pytest.raises(AssertionError):
        compare()


@settings(max_examples=100, deadline=None)
@given(condition=conditions)
def test_what_a_query_finds_is_inside_the_bounds_and_meets_the_condition(condition: Term) -> None:
    query = Query(Terms())
    query.add(condition)
    answer = query.check((), time.monotonic() + 5)
    if answer.status == "sat":
        values = {node.detail[0]: False if node.boolean else 0 for node in [*NUMBERS, *FLAGS]} | answer.values
        assert evaluate([condition], values) == [True]
        for node in NUMBERS:
            assert node.low <= values[node.detail[0]] <= node.high


def test_folding_relies_on_bounds_and_a_query_supplies_them() -> None:
    small, signed = NUMBERS[0], NUMBERS[1]
    query = Query(Terms())
    query.add(ex.less(ex.linear(((1, small), (1, signed))), -3))
    assert query.check(()).values[signed.detail[0]] == -4
    query.add(ex.less(0, small))
    assert query.check(()).status == "unsat"


def test_a_deep_expression_is_translated() -> None:
    term: Term = NUMBERS[0]
    for depth in range(20_000):
        term = ex.choose(ex.equal(NUMBERS[2], depth % 40), depth % 3, term)
    assert isinstance(Terms().of(term), z3.ArithRef)


def test_names_are_readable_and_never_shared() -> None:
    terms = Terms()
    one = variable(("choice", "payment", "gun"), 0, 3)
    other = variable(("choice", "payment", "gun"), 0, 5)
    flag = variable(("choice", "payment", "gun"), 0, 1, boolean=True)
    assert readable(one) == "choice payment gun"
    assert len({terms.of(node).decl().name() for node in (one, other, flag)}) == 3
    assert str(terms.of(variable(("state", "place[card 1]"), 0, 4))) == "place[card 1]"


def test_the_core_names_the_assumptions_that_matter() -> None:
    small, signed = NUMBERS[0], NUMBERS[1]
    query = Query(Terms())
    query.add(ex.less(signed, small))
    needed = [(ex.less(small, 1), "small"), (ex.less(-1, signed), "signed"), (ex.less(NUMBERS[2], 5), "wide")]
    assert query.check(needed) == query.check(needed)
    assert query.check(needed).used == {"small", "signed"}
    assert query.check(needed[1:]).status == "sat"


def test_no_time_means_unknown() -> None:
    answer = Query(Terms()).check((), time.monotonic() - 1)
    assert (answer.status, answer.reason) == ("unknown", "out of time")
