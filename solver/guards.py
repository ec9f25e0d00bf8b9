"""What of a rule matters to a claim: a claim taken apart into cases, a guard sorted by when to assume it.

A guard can be large (who pays what from which source) and matter to few properties; Z3 is quickest on few assertions.
So the small conjuncts are assumed at once, with those that speak of a choice the claim speaks of; the others wait, and
are assumed once a counterexample breaks them. Leaving a conjunct out only widens what is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from model.language.expression import Symbolic, Term, conjuncts, disjunction, negation, variables_of
from model.language.trace import Path
from solver.hypotheses import default

MANY = 8  # choices of one claim whose guard is looked up at once
DEEP = 6  # levels of conditions that a claim is taken apart through
SMALL = 10  # nodes; a larger conjunct is assumed only where it matters


@dataclass(frozen=True)
class Guard:
    """A path's guard, sorted.

    Attributes:
        facts: the numbers of all its conjuncts, which need no proof. values: the variables that they fix, by number.
        small, large: the conjuncts assumed at once, and those that wait.
        left_open: a value for each variable of the large ones, where nothing else gives one.
        by_choice: the large ones by the number of each choice variable in them.
    """

    facts: frozenset[int] = frozenset()
    values: Mapping[int, Any] = field(default_factory=dict)
    small: Sequence[Term] = ()
    large: Sequence[Term] = ()
    left_open: Mapping[Any, Any] = field(default_factory=dict)
    by_choice: Mapping[int, Sequence[Term]] = field(default_factory=dict)

    def says(self, claim: Term) -> bool:
        """Whether the claim plainly follows: it is a conjunct, denies a value that is fixed, or has such a case.

        Most properties of moves begin with the phase in which they apply, and most rules with the phase in which they
        do: where the two differ there is nothing to prove, however long the rest of the claim.
        """
        if claim.__class__ is not Symbolic:
            return bool(claim)
        if claim.number in self.facts:
            return True
        if claim.operation == "or":
            return any(map(self.says, claim.arguments))
        if claim.operation == "not":
            denied = claim.arguments[0]
            if denied.operation == "and":
                return any(self.says(negation(part)) for part in denied.arguments)
            if _fixes(denied):
                value = self.values.get(denied.arguments[0].number)
                return value is not None and value != denied.arguments[1]
        return False

    def about(self, claim: Term) -> list[Term]:
        """The large conjuncts that speak of a choice of which the claim speaks."""
        found = {part.number: part for number in _choices(claim)[:MANY] for part in self.by_choice.get(number, ())}
        return list(found.values())

    def among(self, variables: frozenset[int]) -> list[Term]:
        """The conjuncts that speak of nothing but these variables (given by number), or of no choice but these."""
        found = {part.number: part for number in variables for part, said in self._speaking_of.get(number, ())
                 if said.issubset(variables)}  # fmt: skip
        return list(found.values())

    def touching(self, variables: Iterable[int]) -> list[Symbolic]:
        """The large conjuncts that speak of one of these variables (by number); the others decide nothing there."""
        found = {part.number: part for number in variables for part in self._large_by_variable.get(number, ())}
        return list(found.values())

    @cached_property
    def _large_by_variable(self) -> dict[int, list[Symbolic]]:
        found: dict[int, list[Symbolic]] = {}
        for part in self.large:
            for number in variables_of([part]):
                found.setdefault(number, []).append(part)
        return found

    @cached_property
    def _speaking_of(self) -> dict[int, list[tuple[Symbolic, frozenset[int]]]]:
        """By variable, the conjuncts that speak of it, with the variables that decide whether they are of use.

        What a choice must be like is of use wherever that choice is spoken of, whatever else it depends on.
        """
        found: dict[int, list[tuple[Symbolic, frozenset[int]]]] = {}
        for part in (*self.small, *self.large):
            said = frozenset(_choices(part)) or frozenset(variables_of([part]))
            for number in said:
                found.setdefault(number, []).append((part, said))
        return found


def sorted_guard(path: Path) -> Guard:
    """The guard of a path, ready to be assumed part by part."""
    guard = [requirement.condition for requirement in path.guard]
    large = [part for part in guard if nodes_in(part, SMALL) == SMALL]
    by_choice: dict[int, list[Term]] = {}
    for part in large:
        for number in _choices(part):
            by_choice.setdefault(number, []).append(part)
    return Guard(
        frozenset(part.number for part in guard),
        {part.arguments[0].number: part.arguments[1] for part in guard if _fixes(part)},
        [part for part in guard if nodes_in(part, SMALL) < SMALL],
        large,
        {node.detail[0]: default(node) for node in variables_of(large).values()},
        by_choice,
    )


def _choices(term: Term) -> list[int]:
    return [node.number for node in variables_of([term]).values() if node.detail[0][0] == "choice"]


def cases(term: Any, depth: int = DEEP) -> Iterator[Term]:
    """The claims that together are the term: its conjuncts, also those under a common condition, so deep and no deeper.

    Each level repeats the condition in each of its cases: taken apart to the end, a long choice grows beyond measure.
    """
    for part in conjuncts(term):
        if depth and _is("not", part) and _is("or", part.arguments[0]):
            for argument in part.arguments[0].arguments:
                yield from cases(negation(argument), depth - 1)
            continue
        inner = next((a for a in part.arguments if _is("and", a)), None) if _is("or", part) else None
        if not depth or inner is None:
            yield part
            continue
        rest = [argument for argument in part.arguments if argument is not inner]
        for piece in inner.arguments:
            yield from cases(disjunction((*rest, piece)), depth - 1)


def _fixes(term: Symbolic) -> bool:
    return _is("equal", term) and _is("var", term.arguments[0]) and term.arguments[1].__class__ is not Symbolic


def _is(operation: str, term: Any) -> bool:
    return term.__class__ is Symbolic and term.operation == operation


def nodes_in(term: Any, most: int) -> int:
    """How many nodes a term has, counted up to `most`."""
    seen: set[int] = set()
    stack = [term]
    while stack and len(seen) < most:
        node = stack.pop()
        if node.__class__ is Symbolic and node.number not in seen:
            seen.add(node.number)
            stack.extend(node.arguments)
    return len(seen)
