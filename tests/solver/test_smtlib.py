"""SMT-LIB text means what the reference evaluator says, as cvc5 reads it; a wrong translation is caught."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.language import expression as ex
from model.language.evaluate import evaluate
from model.language.expression import Symbolic, Term, variable
from solver import smtlib
from solver.second_opinion import answer
from solver.smtlib import operation, script
from tests.solver.test_terms import FLAGS, NUMBERS, assignments, conditions, numbers

SMALL, SIGNED, WIDE, OPEN = NUMBERS
VARIABLES = [*NUMBERS, *FLAGS]


def agree(term: Term, values: dict[Any, Any]) -> None:
    """With all variables fixed, cvc5 finds that the term has the value it should have, and no other."""
    expected = evaluate([term], values)[0]
    fixed = [ex.equal(node, values[node.detail[0]]) for node in VARIABLES]
    right = ex.equal(term, expected)
    assert answer(script([*fixed, right]))[0] == "sat"
    assert answer(script([*fixed, ex.negation(right)]))[0] == "unsat"


@settings(max_examples=100, deadline=None)
@given(term=st.one_of(numbers, conditions), values=assignments)
def test_the_text_means_what_the_reference_evaluator_says(term: Term, values: dict[Any, Any]) -> None:
    agree(term, values)


def not_strict(node: Symbolic, arguments: Sequence[str]) -> str:
    return operation(node, arguments).replace("(< ", "(<= ")


def no_constant(node: Symbolic, arguments: Sequence[str]) -> str:
    if node.operation != "sum":
        return operation(node, arguments)
    return f"(+ 0 {' '.join(f'(* {smtlib._constant(c)} {a})' for c, a in zip(node.detail[0], arguments, strict=True))})"


def swapped(node: Symbolic, arguments: Sequence[str]) -> str:
    chosen = [arguments[0], arguments[2], arguments[1]] if node.operation == "choose" else arguments
    return operation(node, chosen)


def confused(node: Symbolic, arguments: Sequence[str]) -> str:
    return operation(node, arguments).replace("(and ", "(or ", 1 if node.operation == "and" else 0)


TOLD_APART: list[tuple[Callable[..., str], Term]] = [
    (not_strict, ex.less(SMALL, WIDE)),
    (no_constant, ex.linear(((2, SMALL),), 1)),
    (swapped, ex.choose(FLAGS[0], SMALL, OPEN)),
    (confused, ex.conjunction(FLAGS)),
]


@pytest.mark.parametrize(("wrong", "term"), TOLD_APART)
def test_a_wrong_translation_is_caught(wrong: Callable[..., str], term: Term, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {node.detail[0]: 2 for node in NUMBERS} | {node.detail[0]: node is FLAGS[0] for node in FLAGS}
    values[OPEN.detail[0]] = 7
    agree(term, values)
    monkeypatch.setattr(smtlib, "operation", wrong)
    with pytest.raises(AssertionError):
        agree(term, values)


def test_the_bounds_of_variables_come_with_them() -> None:
    below = ex.less(ex.linear(((1, SMALL), (1, SIGNED))), -3)
    assert answer(script([below]))[1][SIGNED.detail[0]] == -4
    assert answer(script([below, ex.less(0, SMALL)]))[0] == "unsat"
    assert "(assert (<= (- 4) |terms signed| 4))" in script([below]).text
    assert "(assert (<= 0 |choice terms open|))" in script([ex.less(4, OPEN)]).text


@pytest.mark.parametrize(("truth", "said"), [(True, "sat"), (False, "unsat")])
def test_a_plain_truth_value_is_a_condition_too(truth: bool, said: str) -> None:
    assert answer(script([truth]))[0] == said


def test_the_logic_is_no_larger_than_needed() -> None:
    linear, product = ex.less(ex.linear(((2, SMALL), (-3, WIDE)), 1), 0), ex.less(ex.product(SMALL, WIDE), 7)
    assert "(set-logic QF_LIA)" in script([linear]).text
    assert "(set-logic QF_NIA)" in script([linear, product]).text


def test_what_occurs_often_is_written_once() -> None:
    term: Term = WIDE
    for number in range(60):  # written out, this would be 2**60 long
        term = ex.choose(ex.less(term, number), ex.linear(((1, term),), 1), term)
    text = script([ex.less(term, 3)]).text
    assert len(text) < 20_000
    assert 50 < text.count("define-fun") <= 60


def test_a_deep_expression_can_be_read() -> None:
    term: Term = SMALL
    for depth in range(2_000):
        term = ex.choose(ex.equal(WIDE, depth % 40), depth % 3, term)
    given = ex.equal(WIDE, 4)  # first so at depth 1964 from within, where the value is 2
    assert answer(script([given, ex.less(1, term)]))[0] == "sat"
    assert answer(script([given, ex.less(term, 2)]))[0] == "unsat"


def test_names_are_those_people_know_and_never_shared() -> None:
    names = ["place[card 1]", "a|b", "a\\b", "a\nb", "größe; (", "shared"]
    cells = [variable(("state", name), 0, 2) for name in names]
    other = variable(("state", "place[card 1]"), 0, 3)
    often = ex.linear(((1, cells[0]), (2, cells[1])))
    found = script([*(ex.equal(cell, 1) for cell in [*cells, other]), ex.less(often, 4), ex.less(2, often)])
    assert "|place[card 1]|" in found.text
    assert len(found.variables) == 7
    status, values = answer(found)
    assert (status, set(values.values()), len(values)) == ("sat", {1}, 6)  # one name, two bounds


def test_comments_stay_comments() -> None:
    found = script([ex.equal(SMALL, 1)], ["first\n(assert false)"], {ex.equal(SMALL, 1).number: "why\n(assert false)"})
    assert found.text.startswith("; first\n; (assert false)\n(set-logic")
    assert "; why\n; (assert false)\n(assert (= |terms small| 1))\n" in found.text
    assert answer(found)[0] == "sat"


def test_equal_questions_are_equal_text() -> None:
    def question(name: str) -> str:
        one, two = variable(("state", f"{name} one"), 0, 5), variable(("state", f"{name} two"), 0, 5)
        total = ex.linear(((1, one), (3, two)), -1)
        return script([ex.less(total, 4), ex.less(2, total)]).text

    assert question("first") == question("second").replace("second", "first")
