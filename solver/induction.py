"""Proofs by induction over moves: what holds at the start and is kept by every path of every rule always holds.

For each path of each rule the claim is: where its guard and the property hold before, the property holds after. Three
things keep thousands of such claims cheap. A path that changes nothing the property reads is skipped. A claim whose
expression folds to true, or is the very node it was before, needs no solver. And other invariants are added as
hypotheses only when Z3's counterexample breaks them: what is finally used is small, and is the proof's dependencies.

A counterexample that breaks no known invariant is no refutation, since the position may be out of reach: the verdict is
UNDETERMINED, and whoever asked looks for a game. Running out of time or memory is UNDETERMINED too, never a pass.

Induction is over all invariants together: one proved with the help of another stands only as long as that one does.
`prove` sees to that; here the help is reported, and can be forbidden (`without`).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import z3

from model.language.evaluate import evaluate
from model.language.expression import INFINITY, Symbolic, conjuncts, negation, variables_of
from model.language.game import Model
from model.language.trace import paths_of
from properties.declaration import Property
from solver.counterexample import at_start, described
from solver.hypotheses import DECK, Hypotheses, Hypothesis, default
from solver.steps import Before, Claim, Step, stated, step_of
from solver.sums import Sums
from solver.terms import Query, Terms

PROVED: Literal["PROVED"] = "PROVED"
UNDETERMINED: Literal["UNDETERMINED"] = "UNDETERMINED"
GUARD = "the rule's own guard"
SMALL = 10  # nodes; a larger part of a guard is assumed only where it matters


@dataclass(frozen=True)
class Verdict:
    """What the solver can say of one property.

    Attributes:
        hypotheses: the other invariants that the proof used, and the assumption about the deck.
        checks, skipped: questions put to Z3; paths that cannot matter.
        reason: why it is undetermined. rule: the action on which it fails, if one was found.
        counterexample: a position that meets every known invariant, the move, and what breaks, as lines.
    """

    id: str
    verdict: Literal["PROVED", "UNDETERMINED"]
    hypotheses: frozenset[str] = frozenset()
    checks: int = 0
    skipped: int = 0
    seconds: float = 0.0
    reason: str = ""
    rule: str = ""
    counterexample: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        return self.verdict == PROVED


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


@dataclass
class _Tally:
    checks: int = 0
    skipped: int = 0
    used: frozenset[str] = frozenset()


@dataclass
class _Question:
    """What is asked about one path, with the parts of its guard and the hypotheses that were found to matter there.

    A guard can be large (who pays what from where) and matter to few properties. So only its small conjuncts are
    assumed from the start; the others are treated like hypotheses: added once a position breaks them. Leaving a
    conjunct out only widens what is proved.
    """

    query: Query
    about: str
    without: Collection[str]
    deadline: float
    guard: Sequence[Hypothesis] = ()
    left_open: dict[Any, Any] = field(default_factory=dict)
    helping: list[Hypothesis] = field(default_factory=list)


@dataclass(frozen=True)
class _Guard:
    """A path's guard, sorted into what is assumed at once and what is assumed when it matters."""

    facts: frozenset[int]
    small: list[Hypothesis]
    large: list[Hypothesis]
    left_open: dict[Any, Any]  # a value for each variable of the guard, where nothing else gives one


class _Undetermined(Exception):
    def __init__(self, reason: str, rule: str = "", counterexample: Iterable[str] = ()) -> None:
        self.reason, self.rule, self.counterexample = reason, rule, tuple(counterexample)


class Prover:
    """Everything that proofs about one set-up share: its paths, the states around them, the known invariants.

    Args:
        properties: those to be proved and those that may help; witnesses and what is not for the solver are ignored.
        lazy: add hypotheses when a counterexample breaks them; otherwise all at once (to measure what laziness saves).
        check_seconds: after this long Z3 gives up on one question.
    """

    def __init__(
        self, model: Model, properties: Sequence[Property], lazy: bool = True, check_seconds: float = 10.0
    ) -> None:
        self.model = model
        self.lazy = lazy
        self.check_seconds = check_seconds
        self.terms = Terms()
        self.sums = Sums(self.terms)
        self.steps = [step_of(model, path) for path in paths_of(model, symbolic=True)]
        self.before = Before(model)
        invariants = [prop for prop in properties if prop.kind == "invariant" and prop.prove]
        self.hypotheses = Hypotheses(self.before, invariants, self.terms)
        self._guards: dict[int, _Guard] = {}

    def examine(self, prop: Property, without: Collection[str] = (), deadline: float = INFINITY) -> Verdict:
        """Try to prove one property.

        Args:
            without: properties that may not help. deadline: on `time.monotonic`.

        Raises:
            RuleError: the property is not written so that it can be proved; names it.
        """
        started = time.perf_counter()
        tally = _Tally()
        verdict = Verdict(prop.id, PROVED)
        try:
            if prop.kind == "invariant":
                self._holds_at_start(prop, tally, deadline)
            for step in self.steps:
                if time.monotonic() > deadline:
                    raise _Undetermined("out of time")
                self._kept_by(prop, step, frozenset(without) - {prop.id}, tally, deadline)
        except _Undetermined as gap:
            verdict = Verdict(
                prop.id, UNDETERMINED, reason=gap.reason, rule=gap.rule, counterexample=gap.counterexample
            )
        except MemoryError:
            verdict = Verdict(prop.id, UNDETERMINED, reason="out of memory")
        except z3.Z3Exception as error:
            verdict = Verdict(prop.id, UNDETERMINED, reason=f"Z3: {error}")
        return replace(
            verdict,
            hypotheses=tally.used - {prop.id},
            checks=tally.checks,
            skipped=tally.skipped,
            seconds=time.perf_counter() - started,
        )

    # -- the start -----------------------------------------------------------------------------------------------
    def _holds_at_start(self, prop: Property, tally: _Tally, deadline: float) -> None:
        initial = self.model.initial()
        about_states = self.hypotheses.sources - {DECK}
        for members in prop.members(self.model):
            term = stated(prop, lambda members=members: prop.function(initial, *members))  # type: ignore[misc]
            if term is True:
                continue
            query = Query(self.terms)
            query.add(negation(term))
            position = self._settle(_Question(query, "the start", about_states, deadline), (), tally)
            if position is not None:
                lines = at_start(self.model, prop, members, term, position, self.terms)
                raise _Undetermined("does not hold at the start", counterexample=lines)

    # -- a step --------------------------------------------------------------------------------------------------
    def _kept_by(self, prop: Property, step: Step, without: frozenset[str], tally: _Tally, deadline: float) -> None:
        claims = list(self._claims(prop, step))
        if not claims:
            tally.skipped += 1
            return
        guard = self._guard_of(step)
        query = Query(self.terms)
        helping = list(guard.small)
        question = _Question(query, step.path.action.name, without, deadline, guard.large, guard.left_open, helping)
        if not self.lazy:
            question.helping.extend(h for h in self.hypotheses.all if h.source not in without)
        for claim in claims:
            for lemma in self.sums.lemmas((claim.before, claim.after)):
                query.add(lemma)
            own = (Hypothesis(prop.id, negation(claim.after)), Hypothesis(prop.id, claim.before))
            position = self._settle(question, own, tally)
            if position is not None:
                lines = described(self.model, prop, step, claim, position, self.terms)
                raise _Undetermined(
                    "a position that meets every known invariant loses it", step.path.action.name, lines
                )

    def _guard_of(self, step: Step) -> _Guard:
        if id(step) not in self._guards:
            guard = [Hypothesis(GUARD, requirement.condition) for requirement in step.path.guard]
            small = [part for part in guard if nodes_in(part.term, SMALL) < SMALL]
            large = [part for part in guard if nodes_in(part.term, SMALL) >= SMALL]
            free = variables_of([part.term for part in large]).values()
            left_open = {node.detail[0]: default(node) for node in free}
            facts = frozenset(part.term.number for part in guard)
            self._guards[id(step)] = _Guard(facts, small, large, left_open)
        return self._guards[id(step)]

    def _claims(self, prop: Property, step: Step) -> Iterator[Claim]:
        """What has to be proved of the step: each thing once, and nothing that needs no proof."""
        if prop.kind == "step" and not prop.concerns(step.move):
            return
        seen: set[Any] = set()
        facts = self._guard_of(step).facts
        for members in prop.members(self.model, symbolic=True, used=step.acted):
            claim = self._claim(prop, step, members)
            if claim is None or claim.after is True or claim.after is claim.before:
                continue
            for part in conjuncts(claim.after):
                key = part.number if part.__class__ is Symbolic else part
                if key not in seen and key not in facts:
                    seen.add(key)
                    yield replace(claim, after=part)

    def _claim(self, prop: Property, step: Step, members: tuple[Any, ...]) -> Claim | None:
        if prop.kind == "step":
            related = stated(prop, lambda: prop.function(self.before.plain, step.after, step.move, *members))
            return Claim(members, True, related)
        if self.before.unaffected(prop, members, step):
            return None
        after = stated(prop, lambda: prop.function(step.after, *members))
        return Claim(members, self.before.term(prop, members), after)

    # -- asking --------------------------------------------------------------------------------------------------
    def _settle(self, question: _Question, own: tuple[Hypothesis, ...], tally: _Tally) -> dict[Any, Any] | None:
        """None where the question has no answer, so that the claim is proved; else a position meeting all we know."""
        query = question.query
        while True:
            assumed = ((hypothesis.term, hypothesis.source) for hypothesis in (*own, *question.helping))
            limit = min(question.deadline, time.monotonic() + self.check_seconds)
            answer = query.check(assumed, limit)
            tally.checks += 1
            if answer.status == "unsat":
                tally.used |= answer.used - {GUARD}
                return None
            if answer.status == "unknown":
                raise _Undetermined(f"{answer.reason} on {question.about}", question.about)
            values = {node.detail[0]: self._otherwise(node) for node in query.occurring.values()} | answer.values
            position = question.left_open | self.hypotheses.position(values)
            held = evaluate([part.term for part in question.guard], position)
            broken = [part for part, holds in zip(question.guard, held, strict=True) if not holds]
            broken = broken or self.hypotheses.violated(values, question.without)
            if not broken:
                return self.hypotheses.position(values)
            if any(hypothesis in question.helping for hypothesis in broken):
                raise RuntimeError(f"Z3 and the reference evaluator disagree on {question.about}: {broken[0].term!r}")
            question.helping.extend(broken)

    def _otherwise(self, node: Symbolic) -> Any:
        """The value of a variable that Z3 left open."""
        return self.hypotheses.base.get(node.detail[0], default(node))
