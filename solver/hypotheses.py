"""The known invariants, ready to be asked which of them a position breaks.

Asserting thousands of invariants at once drowns Z3; asking which ones a candidate position violates, and adding those,
takes a handful. To ask quickly, positions are compared with a *base* position, in which all invariants hold (the
start of the game under some well-formed deck): only invariants that speak of a variable with another value than
there can be broken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from model.language.errors import RuleError
from model.language.evaluate import evaluate
from model.language.expression import INFINITY, Symbolic, Term, conjuncts, variables_of
from model.language.game import Model
from properties.declaration import Property
from solver.steps import Before
from solver.terms import Query, Terms

DECK = "deck is well formed"
MOST = 300  # instances of an invariant that are added at once


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """One instance of an invariant, or one assumption about the deck; `source` is what reports name."""

    source: str
    term: Term

    @cached_property
    def variables(self) -> frozenset[int]:
        """The numbers of the variables it speaks of."""
        return frozenset(variables_of([self.term]))


@dataclass(frozen=True)
class RuledOut:
    """Whether a condition contradicts the hypotheses: with the help of which, or why it is not known to."""

    shown: bool
    used: frozenset[str] = frozenset()
    reason: str = ""


class Hypotheses:
    """All instances of the game's invariants on the state before, and the assumptions about its parameters."""

    def __init__(self, before: Before, invariants: Sequence[Property]) -> None:
        model = before.model
        self.all = [Hypothesis(DECK, term) for term in assumptions(model) if term is not True]
        for prop in invariants:
            self.all += _instances(before, prop)
        self.sources = frozenset(hypothesis.source for hypothesis in self.all)
        self._speaking_of: dict[Any, list[int]] = {}
        self._of_source: dict[str, list[Hypothesis]] = {}
        for hypothesis in self.all:
            self._of_source.setdefault(hypothesis.source, []).append(hypothesis)
        parameters = list(variables_of(_terms_of_start(model)).values())
        self._parts: dict[int, list[Hypothesis]] = {}
        for hypothesis in self.all:
            for term in conjuncts(hypothesis.term):
                part = Hypothesis(hypothesis.source, term)
                for number in part.variables:
                    self._parts.setdefault(number, []).append(part)
        for number, hypothesis in enumerate(self.all):
            for node in variables_of([hypothesis.term]).values():
                self._speaking_of.setdefault(node.detail[0], []).append(number)
                if node.detail[0][0] == "parameter":
                    parameters.append(node)
        self.base = _base(model, parameters)
        held = evaluate([hypothesis.term for hypothesis in self.all], self.base)
        self._never_held = {number for number, holds in enumerate(held) if not holds}

    def position(self, values: Mapping[Any, Any]) -> dict[Any, Any]:
        """A whole position: the given values, and those of the base for whatever they leave open."""
        return {**self.base, **values}

    def terms(self, source: str) -> list[Term]:
        """All that the source says; nothing if there is no such source."""
        return [hypothesis.term for hypothesis in self._of_source.get(source, ())]

    def about(self, variables: frozenset[int]) -> list[Hypothesis]:
        """What the hypotheses say of nothing but these variables, given by number: conjuncts of them, each once."""
        found = {
            part.term.number: part
            for number in variables for part in self._parts.get(number, ()) if part.variables.issubset(variables)
        }  # fmt: skip
        return list(found.values())

    def like(self, broken: Hypothesis, occurring: Collection[int]) -> list[Hypothesis]:
        """The instances of the same invariant that speak of as many of those variables as this one does."""
        alike = self._of_source[broken.source][:MOST]
        shared = [sum(number in occurring for number in some.variables) for some in (broken, *alike)]
        return [hypothesis for hypothesis, number in zip(alike, shared[1:], strict=True) if number >= shared[0]]

    def violated(self, values: Mapping[Any, Any], without: Collection[str]) -> list[Hypothesis]:
        """The hypotheses broken in the position with these values, leaving out those from the sources `without`."""
        suspects = set(self._never_held)
        for name, value in values.items():
            if value != self.base.get(name, value):
                suspects.update(self._speaking_of.get(name, ()))
        asked = [self.all[number] for number in sorted(suspects) if self.all[number].source not in without]
        held = evaluate([hypothesis.term for hypothesis in asked], self.position(values))
        return [hypothesis for hypothesis, holds in zip(asked, held, strict=True) if not holds]


    def rule_out(self, condition: Term, deadline: float = INFINITY) -> RuledOut:
        """Whether no position that meets the hypotheses meets the condition; they are added as a position breaks them.

        Args:
            deadline: on `time.monotonic`.
        """
        query, helping = Query(Terms()), list[Hypothesis]()
        query.add(condition)
        while True:
            answer = query.check(((helper.term, helper.source) for helper in helping), deadline)
            if answer.status == "unsat":
                return RuledOut(True, answer.used)
            if answer.status == "unknown":
                return RuledOut(False, reason=answer.reason)
            values = {node.detail[0]: default(node) for node in query.occurring.values()} | answer.values
            broken = [helper for helper in self.violated(values, ()) if helper not in helping]
            if not broken:
                return RuledOut(False, reason="a position that meets every known invariant shows it")
            helping += broken


def _instances(before: Before, prop: Property) -> list[Hypothesis]:
    try:
        terms = [before.term(prop, members) for members in prop.members(before.model)]
    except RuleError:  # it is not written to be proved: it helps nobody, and says so when it is examined itself
        return []
    return [Hypothesis(prop.id, term) for term in terms if term is not True]


def assumptions(model: Model) -> list[Term]:
    """What the set-up says of its symbolic parameters: a deck is printed sensibly, a reading is one of its values."""
    found = getattr(model.setup, "assumptions", ())
    return list(found() if callable(found) else found)


def _terms_of_start(model: Model) -> list[Term]:
    return [cell.initial for cell in model.layout.cells if cell.initial.__class__ is Symbolic]


def _base(model: Model, parameters: list[Symbolic]) -> dict[Any, Any]:
    """The start of the game, under parameters that meet the assumptions."""
    query = Query(Terms())
    for term in assumptions(model):
        query.add(term)
    answer = query.check(())
    if answer.status == "unsat":
        raise RuleError("the assumptions about the deck contradict each other", "No deck meets them: weaken them")
    values = {node.detail[0]: default(node) for node in (*query.occurring.values(), *parameters)} | answer.values
    initial = evaluate([cell.initial for cell in model.layout.slots], values)
    for cell, value in zip(model.layout.slots, initial, strict=True):
        values["state", cell.label] = bool(value) if cell.domain.boolean else int(value)
    return values


def default(node: Symbolic) -> Any:
    """Some value inside a variable's bounds."""
    if node.boolean:
        return False
    return int(max(node.low, min(0, node.high))) if node.low != -INFINITY else int(min(0, node.high))
