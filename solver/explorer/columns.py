"""Expressions on NumPy columns: one row a state, a whole block of states an operation.

This is the third reading of an expression beside plain integers and Z3 terms, and the fast one. Columns are `int16`
wherever the bounds of a node allow it, since the work is limited by memory and vector width; a node that can exceed
that gets a wider column. Operands are cast to the width of the *result*: arithmetic is modulo 2^width and the result
is known to fit, so that a sum may overflow halfway and still end right.

A block remembers every node it has evaluated, so what rules have in common is computed once. `narrowed` gives the
block of some of its rows, which takes from its parent what is known there and computes the rest on fewer rows; this
is how guards get cheaper conjunct by conjunct.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.language.expression import Number, Symbolic, Term

Column = NDArray[Any]  # int16, int32 or int64; bool for conditions
Rows = NDArray[np.intp]
Read = Callable[[Symbolic, "Rows | None"], Column]  # a variable's column, for these rows of the block (None: all)
_BOOL, _INT16, _INT32, _INT64 = (np.dtype(kind) for kind in (np.bool_, np.int16, np.int32, np.int64))


def dtype_of(node: Symbolic) -> np.dtype[Any]:
    """The narrowest column type that holds every value of the node."""
    return _BOOL if node.boolean else dtype_for(node.low, node.high)


def dtype_for(low: Number, high: Number) -> np.dtype[Any]:
    """The narrowest column type that holds low..high."""
    if low >= -(2**15) and high < 2**15:
        return _INT16
    return _INT32 if low >= -(2**31) and high < 2**31 else _INT64


class Columns:
    """The values of expressions on a block of states, each computed once.

    Args:
        rows: how many.
        read: the column of a variable.
    """

    def __init__(self, rows: int, read: Read) -> None:
        self.rows = rows
        self._read = read
        self._known: dict[int, Column] = {}
        self._parent: Columns | None = None
        self._index: Rows | None = None  # in the parent
        self.origin: Rows | None = None  # in the outermost block; None: it is that block

    def narrowed(self, index: Rows) -> Columns:
        """The block of the rows at `index`."""
        block = Columns(len(index), self._read)
        block._parent, block._index = self, index
        block.origin = index if self.origin is None else self.origin[index]
        return block

    def __call__(self, term: Term) -> Column:
        """The column of a term; for a plain value, of that value in every row."""
        if term.__class__ is not Symbolic:
            dtype = np.bool_ if term.__class__ is bool else dtype_for(term, term)
            return np.broadcast_to(np.array(term, dtype), (self.rows,))
        found = self._known.get(term.number)
        return self._evaluated(term) if found is None else found

    def _evaluated(self, term: Symbolic) -> Column:
        inherited = self._inherited(term.number)
        if inherited is not None:
            return inherited
        known = self._known
        stack = [term]
        while stack:
            node = stack[-1]
            if node.number in known:
                stack.pop()
                continue
            waiting = [
                argument for argument in node.arguments
                if argument.__class__ is Symbolic and argument.number not in known
                and self._inherited(argument.number) is None
            ]  # fmt: skip
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            known[node.number] = (
                self._read(node, self.origin) if node.operation == "var" else _OPERATIONS[node.operation](node, known)
            )
        return known[term.number]

    def _inherited(self, number: int) -> Column | None:
        """What this block or one it was narrowed from knows of the node."""
        block, narrower = self, []
        while (found := block._known.get(number)) is None:
            if block._parent is None:
                return None
            narrower.append(block)
            block = block._parent
        while narrower:
            block = narrower.pop()
            found = block._known[number] = found[block._index]
        return found


def reading(values: Mapping[Any, Column]) -> Read:
    """Read variables from columns by variable name."""

    def read(node: Symbolic, rows: Rows | None) -> Column:
        column = values[node.detail[0]].astype(dtype_of(node), copy=False)
        return column if rows is None else column[rows]

    return read


# -- the operations ----------------------------------------------------------------------------------------------------
def _cast(argument: Term, dtype: np.dtype[Any], known: Mapping[int, Column]) -> Any:
    if argument.__class__ is Symbolic:
        return known[argument.number].astype(dtype, copy=False)
    return _constant(argument, dtype)


def _constant(value: Any, dtype: np.dtype[Any]) -> Any:
    """The value modulo the width: a coefficient may exceed the type that its sum fits into."""
    return np.int64(value).astype(dtype)


def _sum(node: Symbolic, known: Mapping[int, Column]) -> Column:
    coefficients, constant = node.detail
    dtype = dtype_of(node)
    result: Any = None
    for coefficient, argument in zip(coefficients, node.arguments, strict=True):
        column = _cast(argument, dtype, known)
        if result is None:
            result = column.copy() if coefficient == 1 else column * _constant(coefficient, dtype)
        elif coefficient == 1:
            result += column
        elif coefficient == -1:
            result -= column
        else:
            result += column * _constant(coefficient, dtype)
    if constant:
        result += _constant(constant, dtype)
    return result  # type: ignore[no-any-return]


def _product(node: Symbolic, known: Mapping[int, Column]) -> Column:
    dtype = dtype_of(node)
    return _cast(node.arguments[0], dtype, known) * _cast(node.arguments[1], dtype, known)  # type: ignore[no-any-return]


def _operand(argument: Term, known: Mapping[int, Column]) -> Any:
    return known[argument.number] if argument.__class__ is Symbolic else argument


def _equal(node: Symbolic, known: Mapping[int, Column]) -> Column:
    return _operand(node.arguments[0], known) == _operand(node.arguments[1], known)  # type: ignore[no-any-return]


def _less(node: Symbolic, known: Mapping[int, Column]) -> Column:
    return _operand(node.arguments[0], known) < _operand(node.arguments[1], known)  # type: ignore[no-any-return]


def _and(node: Symbolic, known: Mapping[int, Column]) -> Column:
    first, second, *others = (known[argument.number] for argument in node.arguments)
    result = first & second
    for other in others:
        result &= other
    return result


def _or(node: Symbolic, known: Mapping[int, Column]) -> Column:
    first, second, *others = (known[argument.number] for argument in node.arguments)
    result = first | second
    for other in others:
        result |= other
    return result


def _not(node: Symbolic, known: Mapping[int, Column]) -> Column:
    return np.logical_not(known[node.arguments[0].number])


def _choose(node: Symbolic, known: Mapping[int, Column]) -> Column:
    dtype = dtype_of(node)
    condition, then, otherwise = node.arguments
    where = known[condition.number]
    if then.__class__ is not Symbolic and otherwise.__class__ is not Symbolic and (then, otherwise) == (1, 0):
        return where.astype(dtype)
    chosen: Column = np.where(where, _cast(then, dtype, known), _cast(otherwise, dtype, known))
    return chosen


_OPERATIONS: dict[str, Callable[[Symbolic, Mapping[int, Column]], Column]] = {
    "sum": _sum,
    "product": _product,
    "equal": _equal,
    "less": _less,
    "and": _and,
    "or": _or,
    "not": _not,
    "choose": _choose,
}
