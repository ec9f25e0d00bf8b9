"""Expressions as Z3 terms: the third meaning of a rule, beside plain integers and NumPy columns.

A node is translated once and remembered by its number, so that what many rules share is one Z3 term too.

Expressions were folded on the assumption that every variable is inside its declared bounds; a formula means what the
rule means only together with those bounds. Whoever asserts a term therefore asserts `bounds_of` each variable in it;
`Query` does so. That the bounds hold in every state is a claim of its own (`range.<variable>`, see `ranges.py`).

Each `Terms` owns a Z3 context, and nothing here is global: processes and threads can't disturb each other.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import z3

from model.language.expression import INFINITY, Symbolic, Term, bottom_up, variables_of

UNLIMITED = 4_000_000_000  # milliseconds, Z3's own default


class Terms:
    """Translates expressions into the terms of one Z3 context."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.variables: dict[str, Symbolic] = {}
        self.declared: dict[int, Symbolic] = {}  # by the number of Z3's declaration
        self._made: dict[int, Any] = {}
        self._variables: dict[int, tuple[Symbolic, ...]] = {}
        self._bounds: dict[int, Any] = {}
        self._constants: dict[Any, Any] = {}

    def of(self, term: Term) -> Any:
        """The Z3 term of an expression, an int or a truth value."""
        return bottom_up(term, self._made, self.apply, self._constant)

    def apply(self, node: Symbolic, arguments: list[Any]) -> Any:
        """One operation on Z3 terms."""
        match node.operation:
            case "var":
                return self._variable(node)
            case "sum":
                coefficients, constant = node.detail
                parts = [a if c == 1 else self._constant(c) * a for c, a in zip(coefficients, arguments, strict=True)]
                return z3.Sum(parts + ([self._constant(constant)] if constant else []))
            case "product":
                return arguments[0] * arguments[1]
            case "equal":
                return arguments[0] == arguments[1]
            case "less":
                return arguments[0] < arguments[1]
            case "and":
                return z3.And(arguments)
            case "or":
                return z3.Or(arguments)
            case "not":
                return z3.Not(arguments[0])
            case "choose":
                return z3.If(*arguments)
        raise ValueError(f"no such operation: {node.operation}")

    def variables_in(self, term: Term) -> Collection[Symbolic]:
        """The variables of a term; looked up once, since guards are asserted again and again."""
        if term.__class__ is not Symbolic:
            return ()
        if term.number not in self._variables:
            self._variables[term.number] = tuple(variables_of([term]).values())
        return self._variables[term.number]

    def bounds_of(self, node: Symbolic) -> Any:
        """The side condition that a variable brings along: it is inside its declared bounds. None if it has none."""
        if node.number not in self._bounds:
            variable = self.of(node)
            low = [self._constant(int(node.low)) <= variable] if not node.boolean and node.low != -INFINITY else []
            high = [variable <= self._constant(int(node.high))] if not node.boolean and node.high != INFINITY else []
            self._bounds[node.number] = z3.And(low + high) if low or high else None
        return self._bounds[node.number]

    def _constant(self, value: Any) -> Any:
        key = (value.__class__ is bool, int(value))
        if key not in self._constants:
            make = z3.BoolVal if key[0] else z3.IntVal
            self._constants[key] = make(bool(value) if key[0] else int(value), self.context)
        return self._constants[key]

    def _variable(self, node: Symbolic) -> Any:
        name = readable(node)
        if name in self.variables:  # the same choice with other bounds, in another rule
            name = f"{name} #{node.number}"
        self.variables[name] = node
        made = (z3.Bool if node.boolean else z3.Int)(name, self.context)
        self.declared[z3.Z3_get_func_decl_id(self.context.ref(), made.decl().ast)] = node
        return made


def readable(node: Symbolic) -> str:
    """A variable's name for people: a cell by its label, a choice or parameter with its sort before it."""
    sort, *parts = node.detail[0]
    text = " ".join(str(part) for part in parts)
    return text if sort == "state" else f"{sort} {text}"


@dataclass
class Answer:
    """What Z3 says: `unsat` with the labels of the assumptions it used, `sat` with values by variable name, `unknown`.

    `values` holds only the variables that occur and that Z3 cared to fix; `refuted` what can't hold together: all that
    was asserted, and the assumptions used.
    """

    status: str
    used: frozenset[str] = frozenset()
    refuted: tuple[Term, ...] = ()
    values: dict[Any, Any] = field(default_factory=dict)
    reason: str = ""


class Query:
    """A Z3 solver that knows every variable's bounds, and assumptions that are switched on for each check.

    Nothing is ever retracted: a condition that only some checks want is asserted behind a literal. Z3 keeps what it has
    learnt from one check to the next, and its unsatisfiable core says which assumptions a proof used.
    """

    def __init__(self, terms: Terms, small_cores: bool = False) -> None:
        self.terms = terms
        self.occurring: dict[int, Symbolic] = {}
        self._solver = z3.SimpleSolver(terms.context)
        if small_cores:
            self._solver.set("core.minimize", True)
        self._literals: dict[int | bool, Any] = {}
        self._asserted: list[Term] = []

    def add(self, term: Term) -> None:
        """Assert a condition for good."""
        self._asserted.append(term)
        self._bound(term)
        self._assert(self.terms.of(term))

    def literal(self, term: Term) -> Any:
        """The literal that switches a condition on."""
        key = term.number if term.__class__ is Symbolic else bool(term)
        if key not in self._literals:
            self._bound(term)
            self._literals[key] = z3.FreshConst(z3.BoolSort(self.terms.context), "assume")
            context, condition = self.terms.context.ref(), self.terms.of(term)
            implied = z3.Z3_mk_implies(context, self._literals[key].as_ast(), condition.as_ast())
            z3.Z3_solver_assert(context, self._solver.solver, implied)
        return self._literals[key]

    def check(self, assumptions: Iterable[tuple[Term, str]], deadline: float = INFINITY) -> Answer:
        """Whether the assertions and the assumptions (each with a label) can hold together.

        Args:
            deadline: on `time.monotonic`; Z3 gives up then.
        """
        labelled = [(self.literal(term), term, label) for term, label in assumptions]
        left = deadline - time.monotonic()
        if left <= 0:
            return Answer("unknown", reason="out of time")
        if left < INFINITY:  # a limit starts a thread, and a process with threads can't be forked
            self._solver.set("timeout", int(min(left * 1000 + 1, UNLIMITED)))
        status = self._check([literal for literal, _, _ in labelled])
        if status == z3.unsat:
            known = {literal.get_id(): (term, label) for literal, term, label in reversed(labelled)}  # the first counts
            used = [known[literal.get_id()] for literal in self._solver.unsat_core()]
            refuted = (*self._asserted, *(term for term, _ in used))
            return Answer("unsat", frozenset(label for _, label in used), refuted)
        if status == z3.sat:
            return Answer("sat", values=self._values())
        reason = self._solver.reason_unknown()
        return Answer("unknown", reason="out of time" if reason in ("timeout", "canceled") else f"Z3: {reason}")

    def _values(self) -> dict[Any, Any]:
        context, values = self.terms.context.ref(), {}
        model = self._solver.model().model
        for index in range(z3.Z3_model_get_num_consts(context, model)):
            declaration = z3.Z3_model_get_const_decl(context, model, index)
            node = self.terms.declared.get(z3.Z3_get_func_decl_id(context, declaration))
            if node is not None:
                value = z3.Z3_model_get_const_interp(context, model, declaration)
                if node.boolean:
                    values[node.detail[0]] = z3.Z3_get_bool_value(context, value) == z3.Z3_L_TRUE
                else:
                    values[node.detail[0]] = int(z3.Z3_get_numeral_string(context, value))
        return values

    def _bound(self, term: Term) -> None:
        """Assert the bounds of the variables that occur here for the first time."""
        for node in self.terms.variables_in(term):
            if node.number not in self.occurring:
                self.occurring[node.number] = node
                bounds = self.terms.bounds_of(node)
                if bounds is not None:
                    self._assert(bounds)

    # Asking through Z3's plain functions leaves out z3py's conversions, which took a third of all time.
    def _assert(self, condition: Any) -> None:
        z3.Z3_solver_assert(self.terms.context.ref(), self._solver.solver, condition.as_ast())

    def _check(self, literals: list[Any]) -> Any:
        given = (z3.Ast * len(literals))(*[literal.as_ast() for literal in literals])
        context, solver = self.terms.context.ref(), self._solver.solver
        return z3.CheckSatResult(z3.Z3_solver_check_assumptions(context, solver, len(literals), given))
