"""Lemmas about long sums, which Z3 does not find by itself.

"No hand holds more than ten cards" counts over every card, before and after a rule. That the count does not grow
because no summand does is plain to us; Z3 splits on each summand in turn, and with 94 cards it never ends. So the
summands of two sums are paired by the variables they speak of, and wherever the one never exceeds the other this is
asserted; what is left is one line of linear arithmetic. Measured with 20 cards: 29 s without, 0.4 s with the lemmas.

A lemma is checked before it is used. Most hold whatever the state; some only under the guard ("what is discarded comes
from the hand"), or where invariants hold ("no location has more tokens than it may"), which then are what the proof
rests on. Only what speaks of nothing but the two summands is considered. Cards are alike, so that one check settles all
pairs of the same shape.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from model.language.expression import (
    Symbolic,
    Term,
    conjunction,
    less,
    negation,
    substituted,
    variable,
    variables_of,
)
from solver.guards import Guard, nodes_in
from solver.hypotheses import Hypothesis
from solver.terms import Query, Terms

SECONDS = 1.0  # for one lemma; they are tiny
LARGEST = 200  # nodes in a pair; beyond, it is no simple summand
LONG = 12  # summands
COMMON = 4  # summands that share a variable; beyond (whose turn it is), the variable pairs nothing


@dataclass(frozen=True)
class Lemma:
    """An inequality, the invariants that it rests on, and what Z3 refuted to show it.

    That may be about another pair of summands of the same shape, and then stands for this one.
    """

    term: Term
    sources: frozenset[str] = frozenset()
    refuted: tuple[Term, ...] = ()


@dataclass(frozen=True)
class _Given:
    guard: Guard
    without: frozenset[str]


class Sums:
    """Finds and remembers lemmas.

    Args:
        about: yields the known invariants that speak of nothing but the given variables (by their numbers).
    """

    def __init__(
        self, terms: Terms, about: Callable[[frozenset[int]], Iterable[Hypothesis]] = lambda numbers: ()
    ) -> None:
        self.terms = terms
        self.about = about
        self._of_pair: dict[Any, list[Lemma]] = {}
        self._always: dict[int, tuple[Term, ...]] = {}  # by the number of a condition that nothing can meet
        self._never: dict[Any, tuple[Term, ...]] = {}  # by shape

    def lemmas(
        self, terms: Iterable[Term], guard: Guard | None = None, without: Collection[str] = ()
    ) -> Iterator[Lemma]:
        """Inequalities that hold under the guard, between the summands of the sums in the terms.

        Args:
            without: the invariants that they may not rest on.
        """
        given = _Given(guard or Guard(), frozenset(without))
        for left, right in combinations(_sums_in(terms), 2):
            key = (left.number, right.number, id(guard), given.without)
            if key not in self._of_pair:
                self._of_pair[key] = list(self._between(left, right, given))
            yield from self._of_pair[key]

    def _between(self, left: Symbolic, right: Symbolic, given: _Given) -> Iterator[Lemma]:
        common = {node.number for node in left.arguments} & {node.number for node in right.arguments}
        apart = abs(left.detail[1] - right.detail[1])
        about: dict[int, list[Symbolic]] = {}
        for node in right.arguments:
            if node.number not in common:
                for number in variables_of([node]):
                    about.setdefault(number, []).append(node)
        for node in left.arguments:
            if node.number not in common:
                found = [about.get(number, ()) for number in variables_of([node])]
                partners = {p.number: p for some in found if len(some) <= COMMON for p in some}
                for partner in partners.values():
                    yield from self._compared(node, partner, apart, given)
                    yield from self._compared(partner, node, apart, given)

    def _compared(self, lesser: Symbolic, greater: Symbolic, apart: int, given: _Given) -> Iterator[Lemma]:
        """The summand is never less than the other; never by the constant that sets the sums apart, where it may be."""
        for margin in (apart, 0) if 0 < apart <= greater.high - lesser.high else (0,):
            exceeds = less(greater, lesser + margin)
            if exceeds.__class__ is not Symbolic or nodes_in(exceeds, LARGEST) == LARGEST:
                continue
            lemma = self._lemma(exceeds, given)
            if lemma is not None:
                yield lemma
                return

    def _lemma(self, condition: Symbolic, given: _Given) -> Lemma | None:
        """That the condition is impossible: by itself, under the guard, or where invariants hold; if it is."""
        if condition.number not in self._always:
            self._always[condition.number] = self._impossible([condition])
        if refuted := self._always[condition.number]:
            return Lemma(negation(condition), refuted=refuted)
        said = frozenset(variables_of([condition]))
        guarded = given.guard.among(said)
        if guarded and (refuted := self._impossible([condition, *guarded])):
            return Lemma(negation(condition), refuted=refuted)
        helping = [known for known in self.about(said) if known.source not in given.without]
        if helping and (refuted := self._impossible([condition, *guarded, *(known.term for known in helping)])):
            return Lemma(negation(condition), frozenset(known.source for known in helping), refuted)
        return None

    def _impossible(self, conditions: list[Term]) -> tuple[Term, ...]:
        """The conditions, or those of the same shape that were asked of first, if they can't hold together."""
        shape = _shape(conjunction(conditions))
        if shape is None:
            return ()
        if shape not in self._never:
            query = Query(self.terms)
            for condition in conditions:
                query.add(condition)
            self._never[shape] = query.check((), time.monotonic() + SECONDS).refuted
        return self._never[shape]


def abstracted(claims: Sequence[Term], lemmas: Iterable[Lemma]) -> list[Term]:
    """The claims and lemmas with each summand as a number of which nothing is known but its bounds and the lemmas.

    Where that is enough, Z3 has a line of arithmetic to do and nothing to look into.
    """
    numbers = {
        summand.number: variable(("summand", summand.number), summand.low, summand.high)
        for node in _sums_in(claims) for summand in node.arguments if summand.operation != "var"
    }  # fmt: skip
    return [substituted(term, numbers) for term in (*claims, *(lemma.term for lemma in lemmas))]


def long_sums(terms: Iterable[Term]) -> int:
    """How many sums in the terms have so many summands that are more than a variable that Z3 had better not look in."""
    return sum(
        sum(summand.operation != "var" for summand in node.arguments) >= LONG for node in _sums_in(terms)
    )


def _sums_in(terms: Iterable[Term]) -> list[Symbolic]:
    """The sums of more than two summands, each once. Those inside a summand say nothing of the whole: left out."""
    found: list[Symbolic] = []
    seen: set[int] = set()
    stack = [term for term in terms if term.__class__ is Symbolic]
    while stack:
        node = stack.pop()
        if node.number not in seen:
            seen.add(node.number)
            if node.operation == "sum":
                found += [node] if len(node.arguments) > 2 else []
                continue
            stack.extend(argument for argument in node.arguments if argument.__class__ is Symbolic)
    return sorted(found, key=lambda node: node.number)


def _shape(term: Term) -> Any:
    """The term with its variables numbered as they come: equal for terms alike but for the names of variables."""
    if term.__class__ is not Symbolic:
        return term
    places: dict[int, int] = {}
    rows: list[Any] = []
    stack = [term]
    while stack:
        node = stack[-1]
        waiting = [a for a in node.arguments if a.__class__ is Symbolic and a.number not in places]
        if waiting:
            stack.append(waiting[0])
            continue
        stack.pop()
        if node.number in places:
            continue
        if len(rows) == LARGEST:
            return None
        places[node.number] = len(rows)
        arguments = tuple(("node", places[a.number]) if a.__class__ is Symbolic else a for a in node.arguments)
        rows.append((node.operation, node.detail[1:] if node.operation == "var" else node.detail, arguments))
    return tuple(rows)
