"""Expressions over state variables, choices and parameters: what a rule becomes when it is traced.

Nodes are hash-consed: two equal expressions are one object, so that an unchanged variable is the *same* node before
and after a rule, and work common to many rules is done once. They are folded as they are built: constants, sums in a
canonical linear form, and comparisons that the ranges of their operands already decide. Folding by ranges takes
every variable to be inside its declared domain; that is sound because each domain is itself an invariant that the
solver proves step by step.

A node behaves like the number or truth value it stands for as far as it can. Where Python would need the value
itself (an index, a dictionary key, text), it raises an error that says what to write instead; where Python asks for
its truth, the tracer answers, and replays the rule for the other answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from model.language.errors import RuleError

INFINITY = math.inf
Term = Any  # int, bool or Symbolic: what a rule computes with
Number = float  # an int, or an infinite bound


class Symbolic:
    """One node of the expression graph. Made by the functions below, never by hand.

    `operation` is one of var, sum, product, equal, less, and, or, not, choose; `detail` holds what is not a node:
    a variable's name, a sum's coefficients and constant. `low` and `high` bound an integer node's value.
    """

    __slots__ = ("arguments", "boolean", "detail", "high", "low", "number", "operation")

    def __init__(
        self, operation: str, arguments: tuple[Term, ...], detail: Any, boolean: bool, low: Number, high: Number
    ) -> None:
        self.operation = operation
        self.arguments = arguments
        self.detail = detail
        self.boolean = boolean
        self.low = low
        self.high = high
        self.number = len(_table)

    # -- arithmetic and comparison -------------------------------------------------------------------------------
    def __add__(self, other: Term) -> Term:
        return linear(((1, self), (1, other)))

    __radd__ = __add__

    def __sub__(self, other: Term) -> Term:
        return linear(((1, self), (-1, other)))

    def __rsub__(self, other: Term) -> Term:
        return linear(((1, other), (-1, self)))

    def __neg__(self) -> Term:
        return linear(((-1, self),))

    def __mul__(self, other: Term) -> Term:
        return product(self, other)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> Term:
        return equal(self, other)

    def __ne__(self, other: object) -> Term:
        return negation(equal(self, other))

    def __lt__(self, other: Term) -> Term:
        return less(self, other)

    def __gt__(self, other: Term) -> Term:
        return less(other, self)

    def __le__(self, other: Term) -> Term:
        return negation(less(other, self))

    def __ge__(self, other: Term) -> Term:
        return negation(less(self, other))

    def __and__(self, other: Term) -> Term:
        return conjunction((self, other))

    __rand__ = __and__

    def __or__(self, other: Term) -> Term:
        return disjunction((self, other))

    __ror__ = __or__

    def __invert__(self) -> Term:
        return negation(self)

    # -- where Python would need the value ------------------------------------------------------------------------
    def __bool__(self) -> bool:
        if not _deciders:
            raise RuleError("a symbolic condition is asked for its truth outside a trace", "Evaluate it instead")
        condition = truth(self)
        return _deciders[-1](condition) if condition.__class__ is Symbolic else bool(condition)

    def __index__(self) -> NoReturn:
        raise RuleError(
            "a symbolic value is used as an index or a range",
            "Loop over all indices and pick with `where(index == i, ...)`, or use `pick(values, index)`",
        )

    __int__ = __index__

    def __hash__(self) -> NoReturn:
        raise RuleError(
            "a symbolic value is used as a key or in a set", "Compare with == for each candidate and use `where`"
        )

    def __iter__(self) -> Iterator[Term]:
        raise RuleError("a symbolic value is iterated over", "Loop over the whole family and use `where`")

    def __str__(self) -> NoReturn:
        raise RuleError("a symbolic value is put into text", "A rule computes values only; write text in `log=`")

    def __format__(self, specification: str) -> NoReturn:
        self.__str__()

    def __repr__(self) -> str:
        return written(self)

    def __floordiv__(self, other: Term) -> NoReturn:
        raise RuleError("a symbolic value is divided", "Use comparisons and `where`; rules need no division")

    __truediv__ = __mod__ = __rmod__ = __rfloordiv__ = __rtruediv__ = __floordiv__


_table: dict[tuple[Any, ...], Symbolic] = {}
_deciders: list[Callable[[Symbolic], bool]] = []


def _key(term: Term) -> Any:
    return (term.number,) if term.__class__ is Symbolic else (term.__class__ is bool, int(term))


def _node(
    operation: str,
    arguments: tuple[Term, ...],
    detail: Any = None,
    boolean: bool = True,
    low: Number = 0,
    high: Number = 1,
) -> Symbolic:
    key = (operation, detail, *[_key(argument) for argument in arguments])
    node = _table.get(key)
    if node is None:
        node = _table[key] = Symbolic(operation, arguments, detail, boolean, low, high)
    return node


def bounds(term: Term) -> tuple[Number, Number]:
    """The least and greatest value an integer term can take."""
    return (term.low, term.high) if term.__class__ is Symbolic else (int(term), int(term))


def variable(name: tuple[Any, ...], low: Number = -INFINITY, high: Number = INFINITY, boolean: bool = False) -> Term:
    """A free variable; `name` starts with its sort: `state`, `choice` or `parameter`. One value left: that constant."""
    if not boolean and low == high:
        return int(low)
    return _node("var", (), (name, low, high, boolean), boolean, low, high)


def linear(terms: Iterable[tuple[int, Term]], constant: int = 0) -> Term:
    """The sum of coefficient * term, in a canonical form, so that equal sums are one node."""
    coefficients: dict[int, int] = {}
    nodes: dict[int, Symbolic] = {}
    for coefficient, term in terms:
        if term.__class__ is not Symbolic:
            constant += coefficient * _number(term)
            continue
        if term.boolean:
            term = choose(term, 1, 0)
        if term.operation == "sum":
            inner_coefficients, inner_constant = term.detail
            constant += coefficient * inner_constant
            inner: Iterable[tuple[int, Symbolic]] = zip(inner_coefficients, term.arguments, strict=True)
        else:
            inner = ((1, term),)
        for inner_coefficient, node in inner:
            number = node.number
            coefficients[number] = coefficients.get(number, 0) + coefficient * inner_coefficient
            nodes[number] = node
    kept = sorted(number for number, coefficient in coefficients.items() if coefficient)
    if not kept:
        return constant
    if len(kept) == 1 and constant == 0 and coefficients[kept[0]] == 1:
        return nodes[kept[0]]
    low: Number = constant
    high: Number = constant
    for number in kept:
        ends = (coefficients[number] * nodes[number].low, coefficients[number] * nodes[number].high)
        low, high = low + min(ends), high + max(ends)
    if low == high:
        return int(low)
    detail = (tuple(coefficients[number] for number in kept), constant)
    return _node("sum", tuple(nodes[number] for number in kept), detail, False, low, high)


def product(left: Term, right: Term) -> Term:
    """left * right."""
    if right.__class__ is not Symbolic:
        return linear(((_number(right), left),))
    if left.__class__ is not Symbolic:
        return linear(((_number(left), right),))
    if right.boolean:
        return choose(right, left, 0)
    if left.boolean:
        return choose(left, right, 0)
    ends = [0 if 0 in (a, b) else a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    pair = (left, right) if left.number <= right.number else (right, left)
    return _node("product", pair, None, False, min(ends), max(ends))


def equal(left: Term, right: Term) -> Term:
    """left == right, for two integers or two truth values."""
    if left.__class__ is not Symbolic:
        left, right = right, left
    if left.__class__ is not Symbolic:
        return left == right
    if left is right:
        return True
    if left.boolean and is_boolean(right):
        if right.__class__ is not Symbolic:
            return left if right else negation(left)
        return choose(left, right, negation(right))
    left, right = as_integer(left), as_integer(right)
    low, high = bounds(right)
    if left.high < low or left.low > high:
        return False
    if right.__class__ is not Symbolic and left.operation == "choose":
        condition, then, otherwise = left.arguments
        if then.__class__ is not Symbolic or otherwise.__class__ is not Symbolic:
            return choose(condition, equal(then, right), equal(otherwise, right))
    if right.__class__ is Symbolic:
        if right.number < left.number:
            left, right = right, left
    else:
        right = int(right)
    return _node("equal", (left, right))


def less(left: Term, right: Term) -> Term:
    """left < right."""
    if left is right:
        return False
    left = as_integer(left) if left.__class__ is Symbolic else _number(left)
    right = as_integer(right) if right.__class__ is Symbolic else _number(right)
    left_low, left_high = bounds(left)
    right_low, right_high = bounds(right)
    if left_high < right_low:
        return True
    if left_low >= right_high:
        return False
    return _node("less", (left, right))


def negation(term: Term) -> Term:
    """not term."""
    if term.__class__ is not Symbolic:
        return not term
    if not term.boolean:
        return equal(term, 0)
    if term.operation == "not":
        return term.arguments[0]
    return _node("not", (term,))


def conjunction(terms: Iterable[Term]) -> Term:
    """All of the terms."""
    return _connective("and", terms, False)


def disjunction(terms: Iterable[Term]) -> Term:
    """Any of the terms."""
    return _connective("or", terms, True)


def _connective(operation: str, terms: Iterable[Term], absorbing: bool) -> Term:
    kept: dict[int, Symbolic] = {}
    for term in map(truth, terms):
        if term.__class__ is not Symbolic:
            if bool(term) is absorbing:
                return absorbing
            continue
        for inner in term.arguments if term.operation == operation else (term,):
            opposite = negation(inner)
            if opposite.number in kept:
                return absorbing
            kept[inner.number] = inner
    if not kept:
        return not absorbing
    if len(kept) == 1:
        return next(iter(kept.values()))
    return _node(operation, tuple(kept[number] for number in sorted(kept)))


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    """`then` where the condition is true, else `otherwise`; both integers or both truth values."""
    condition = truth(condition)
    if condition.__class__ is not Symbolic:
        return then if condition else otherwise
    if then is otherwise:
        return then
    if is_boolean(then) and is_boolean(otherwise):
        if then.__class__ is not Symbolic:
            return disjunction((condition, otherwise)) if then else conjunction((negation(condition), otherwise))
        if otherwise.__class__ is not Symbolic:
            return disjunction((negation(condition), then)) if otherwise else conjunction((condition, then))
        return _node("choose", (condition, then, otherwise))
    then, otherwise = as_integer(then), as_integer(otherwise)
    if then.__class__ is not Symbolic and otherwise.__class__ is not Symbolic and then == otherwise:
        return then
    if condition.operation == "not":
        condition, then, otherwise = condition.arguments[0], otherwise, then
    low, high = bounds(then)
    other_low, other_high = bounds(otherwise)
    return _node("choose", (condition, then, otherwise), None, False, min(low, other_low), max(high, other_high))


def is_boolean(term: Term) -> bool:
    """Whether the term stands for a truth value."""
    return bool(term.boolean) if term.__class__ is Symbolic else term.__class__ is bool


def truth(term: Term) -> Term:
    """The term as a condition: an integer is true where it is not 0, as in Python."""
    if term.__class__ is Symbolic and not term.boolean:
        return negation(equal(term, 0))
    return term


def _number(value: Any) -> int:
    """A plain value to compute with: no text, no fraction, and no element of a symmetric family."""
    if not isinstance(value, int):
        raise RuleError(f"a symbolic value is combined with {value!r}", "Rules compute with small integers only")
    return value + 0  # an Element refuses to be added


def as_integer(term: Term) -> Term:
    """A truth value as 0 or 1; an integer as it is."""
    if term.__class__ is Symbolic:
        return choose(term, 1, 0) if term.boolean else term
    return int(term)


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; the term itself where it is none."""
    if term.__class__ is Symbolic and term.operation == "and":
        return term.arguments
    return (term,)


def bottom_up(
    term: Term,
    known: dict[int, Any],
    make: Callable[[Symbolic, list[Any]], Any],
    plain: Callable[[Any], Any] = lambda value: value,
) -> Any:
    """What a term means, put together from what its parts mean.

    A loop with a stack of its own: a count over a hundred cards nests deeper than Python may recurse.

    Args:
        known: by the number of each node what it means; added to.
        make: the meaning of a node from those of its arguments. plain: of a number or truth value.
    """
    if term.__class__ is not Symbolic:
        return plain(term)
    stack = [term]
    while stack:
        node = stack[-1]
        if node.number in known:
            stack.pop()
            continue
        waiting = [a for a in node.arguments if a.__class__ is Symbolic and a.number not in known]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        arguments = [known[a.number] if a.__class__ is Symbolic else plain(a) for a in node.arguments]
        known[node.number] = make(node, arguments)
    return known[term.number]


def substituted(term: Term, replacements: Mapping[int, Term]) -> Term:
    """The term with some nodes (by their number) replaced, and folded anew."""
    return bottom_up(term, dict(replacements), built)


def built(node: Symbolic, arguments: list[Term]) -> Term:
    """The operation of the node on other arguments."""
    match node.operation:
        case "var":
            return node
        case "sum":
            coefficients, constant = node.detail
            return linear(zip(coefficients, arguments, strict=True), constant)
        case "product":
            return product(*arguments)
        case "equal":
            return equal(*arguments)
        case "less":
            return less(*arguments)
        case "and":
            return conjunction(arguments)
        case "or":
            return disjunction(arguments)
        case "not":
            return negation(*arguments)
        case "choose":
            return choose(*arguments)
    raise ValueError(f"no such operation: {node.operation}")


def variables_of(terms: Iterable[Term]) -> dict[int, Symbolic]:
    """Every variable node in the terms, by node number."""
    found: dict[int, Symbolic] = {}
    seen: set[int] = set()
    stack = [term for term in terms if term.__class__ is Symbolic]
    while stack:
        node = stack.pop()
        if node.number in seen:
            continue
        seen.add(node.number)
        if node.operation == "var":
            found[node.number] = node
        stack.extend(argument for argument in node.arguments if argument.__class__ is Symbolic)
    return found


def written(term: Term, depth: int = 6) -> str:
    """The term in a compact written form, cut off below `depth`."""
    if term.__class__ is not Symbolic:
        return str(int(term)) if term.__class__ is not bool else str(term).lower()
    if term.operation == "var":
        return "_".join(str(part) for part in term.detail[0][1:])
    if depth == 0:
        return "..."
    parts = [written(argument, depth - 1) for argument in term.arguments]
    if term.operation == "sum":
        coefficients, constant = term.detail
        pieces = [part if c == 1 else f"{c}*{part}" for c, part in zip(coefficients, parts, strict=True)]
        return "(" + " + ".join(pieces + ([str(constant)] if constant else [])) + ")"
    signs = {"equal": " == ", "less": " < ", "and": " and ", "or": " or ", "product": " * "}
    if term.operation in signs:
        return "(" + signs[term.operation].join(parts) + ")"
    if term.operation == "not":
        return f"not {parts[0]}"
    return f"({parts[1]} if {parts[0]} else {parts[2]})"
