"""Branch-free forms of if, count and sum: one path for many elements.

On plain values they do what Python does; on symbolic ones they build a single expression. Use them wherever a rule
looks at many cards or players; keep ordinary `if` for the few real cases of a rule, each of which becomes a path.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from model.language.errors import RuleError
from model.language.expression import (
    INFINITY,
    Symbolic,
    Term,
    bounds,
    choose,
    conjunction,
    disjunction,
    equal,
    less,
    linear,
    negation,
)


def where(condition: Any, then: Any, otherwise: Any) -> Any:
    """`then` where the condition holds, else `otherwise`; both are computed."""
    if condition.__class__ is Symbolic:
        return choose(condition, then, otherwise)
    return then if condition else otherwise


def all_of(*conditions: Any) -> Any:
    """Whether every condition holds. Takes conditions, or one iterable of them."""
    if len(conditions) == 1:
        conditions = _several(conditions[0])
    symbolic: list[Term] = []
    for condition in conditions:
        if condition.__class__ is Symbolic:
            symbolic.append(condition)
        elif not condition:
            return False
    return conjunction(symbolic) if symbolic else True


def any_of(*conditions: Any) -> Any:
    """Whether at least one condition holds. Takes conditions, or one iterable of them."""
    if len(conditions) == 1:
        conditions = _several(conditions[0])
    symbolic: list[Term] = []
    for condition in conditions:
        if condition.__class__ is Symbolic:
            symbolic.append(condition)
        elif condition:
            return True
    return disjunction(symbolic) if symbolic else False


def _several(conditions: Any) -> Any:
    return (conditions,) if conditions.__class__ in (bool, int, Symbolic) else conditions


def negate(condition: Any) -> Any:
    """Whether the condition does not hold (`not` would make the tracer take two paths)."""
    return negation(condition) if condition.__class__ is Symbolic else not condition


_premises: list[list[Any]] = []


@contextmanager
def premises() -> Iterator[list[Any]]:
    """The premises of all implications stated while the block runs: one that is never met makes a claim empty."""
    _premises.append([])
    try:
        yield _premises[-1]
    finally:
        _premises.pop()


def implies(premise: Any, conclusion: Any) -> Any:
    """Whether the conclusion holds wherever the premise does."""
    if _premises:
        _premises[-1].append(premise)
    return any_of(negate(premise), conclusion)


def count(conditions: Iterable[Any]) -> Any:
    """How many of the conditions hold."""
    return total(conditions)


def pairs_in(number: Any) -> Any:
    """How many pairs there are in a number: half of it, rounded down.

    A half can't be written as an expression, so of a symbolic number the pairs are counted up to its bound. One without
    a bound, which only proofs meet, stands for itself: as a limit that is too high, so a rule must ask for pairs too.
    """
    if number.__class__ is not Symbolic:
        return number // 2
    _, most = bounds(number)
    return number if most == INFINITY else count(number >= 2 * pairs for pairs in range(1, int(most) // 2 + 1))


def count_where(*cells: Any) -> Any:
    """For how many members the cells of some variables have given values: `count_where(row, value, row, value)`.

    The same as counting over `all_of(row[i] == value, ...)`, and quick on plain states.
    """
    rows, values = cells[::2], cells[1::2]
    if all(getattr(row, "state", None) is not None and row.state.plain for row in rows):
        if len(rows) == 1:
            return rows[0].count(values[0])
        return list(zip(*rows, strict=True)).count(values)
    members = zip(*rows, strict=True)
    return count(all_of([cell == value for cell, value in zip(cells, values, strict=True)]) for cells in members)


def total(amounts: Iterable[Any]) -> Any:
    """The sum of the amounts."""
    plain = 0
    symbolic: list[Term] = []
    for amount in amounts:
        if amount.__class__ is Symbolic:
            symbolic.append(amount)
        else:
            plain += amount
    return linear(((1, term) for term in symbolic), int(plain)) if symbolic else plain


def minimum(left: Any, right: Any) -> Any:
    """The lesser of two numbers."""
    return where(less(left, right), left, right) if _any_symbolic(left, right) else min(left, right)


def maximum(left: Any, right: Any) -> Any:
    """The greater of two numbers."""
    return where(less(right, left), left, right) if _any_symbolic(left, right) else max(left, right)


def pick(values: Sequence[Any], index: Any) -> Any:
    """`values[index]`, also for a symbolic index (which must lie inside the sequence)."""
    if index.__class__ is not Symbolic:
        return values[index]
    if not values:
        raise RuleError("pick is given no values", "Give it at least one")
    picked = values[-1]
    for position in range(len(values) - 2, -1, -1):
        picked = choose(equal(index, position), values[position], picked)
    return picked


def _any_symbolic(left: Any, right: Any) -> bool:
    return left.__class__ is Symbolic or right.__class__ is Symbolic
