"""Digests of content: the same for the same expression in any run, another for any other."""

import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from model.language.expression import Symbolic, Term, equal, linear, substituted, variable, variables_of
from solver import content
from solver.content import Digests
from tests.solver.test_terms import conditions

PROGRAM = """
from model.language.expression import variable
from model.language import all_of, any_of
from solver.content import Digests
junk = [variable(("state", f"x{number}"), 0, 3) for number in ORDER]
x = {number: variable(("state", f"x{number}"), 0, 3) for number in range(4)}
print(Digests().of(any_of(all_of(x[0] == 1, x[1] < x[2]), x[0] + 2 * x[1] == x[3], x[2] * x[3] == 1)).hex())
"""


def test_the_order_in_which_nodes_were_made_does_not_show() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM.replace("ORDER", order)], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for order, seed in (("()", "0"), ("(3, 1, 2, 0)", "1"), ("(2, 0, 3, 1)", "2"))
    }  # fmt: skip
    assert len(told) == 1 and len(told.pop().strip()) == 32


@given(st.booleans() | conditions, conditions)
def test_two_expressions_have_the_same_digest_only_if_they_are_one(one: Term, other: Term) -> None:
    digests = Digests()
    same = one is other or (one.__class__ is not Symbolic and other.__class__ is not Symbolic and one == other)
    assert (digests.of(one) == digests.of(other)) == same


@given(conditions)
def test_another_variable_is_another_expression(term: Term) -> None:
    for node in variables_of([term]).values():
        renamed = variable(("state", "renamed"), node.low, node.high, node.boolean)
        assert Digests().of(substituted(term, {node.number: renamed})) != Digests().of(term)


def test_bounds_coefficients_and_sorts_count() -> None:
    digests = Digests()
    narrow, wide = (variable(("state", "x"), 0, high) for high in (3, 4))
    assert digests.of(narrow) != digests.of(wide)
    assert digests.of(linear([(2, narrow), (1, wide)])) != digests.of(linear([(1, narrow), (2, wide)]))
    assert digests.of(True) != digests.of(1)
    assert digests.of(equal(narrow, 1)) != digests.of(equal(narrow, 2))


def test_a_set_of_conditions_has_no_order_and_no_doubles() -> None:
    digests = Digests()
    one, other = (equal(variable(("state", name), 0, 3), 1) for name in "xy")
    assert digests.of_all([one, other, one]) == digests.of_all([other, one]) != digests.of_all([one])


def test_texts_are_told_apart_at_their_ends() -> None:
    assert content.of_text("ab", "c") != content.of_text("a", "bc")

