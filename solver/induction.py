"""Proofs by induction over moves: what holds at the start and is kept by every path of every rule always holds.

For each path of each rule the claim is: where its guard and the property hold before, the property holds after. Four
things keep thousands of such claims cheap. A path that changes nothing the property reads is skipped. What the guard
fixes is folded into the claim, and one that folds to true, or to the very node it was before, needs no solver. Sums
over all cards are compared summand by summand first (`sums.py`). And other invariants are added as hypotheses only when
Z3's counterexample breaks them: what is finally used is small, and is the proof's dependencies.

A counterexample that breaks no known invariant is no refutation, since the position may be out of reach: the verdict is
UNDETERMINED, and whoever asked looks for a game. Running out of time or memory is UNDETERMINED too, never a pass.

Induction is over all invariants together: one proved with the help of another stands only as long as that one does.
`prove` sees to that; here the help is reported, and can be forbidden (`without`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import z3

from model.language.errors import RuleError
from model.language.evaluate import evaluate
from model.language.expression import INFINITY, Symbolic, Term, conjunction, conjuncts, negation, variables_of
from model.language.game import Model
from model.language.trace import Path, paths_of
from properties.declaration import Property
from solver.counterexample import at_start, described
from solver.guards import Guard, cases, nodes_in, sorted_guard
from solver.hypotheses import DECK, Hypotheses, Hypothesis, default
from solver.known_claims import KnownClaims
from solver.obligation import Obligation
from solver.proof_cache import Sources
from solver.second_opinion import SecondOpinion
from solver.steps import Before, Claim, Step, stated, step_of
from solver.sums import Lemma, Sums, abstracted, long_sums
from solver.terms import Query, Terms

PROVED: Literal["PROVED"] = "PROVED"
UNDETERMINED: Literal["UNDETERMINED"] = "UNDETERMINED"
WHOLE = 1.0  # seconds for a claim as a whole, before it is taken apart or asked with more to help
CASE = 0.2  # seconds that a case of a large claim takes at least: a claim of many is asked for longer as a whole
LARGE = 10_000  # nodes of a claim, counted that far
SAMPLE = 8  # steps by which the work on a property is judged
ENOUGH = 4  # additions (to the guard, of instances of an invariant) one by one; then all that can matter


@dataclass(frozen=True)
class Verdict:
    """What the solver can say of one property.

    Attributes:
        hypotheses: the other invariants that the proof used, and the assumption about the deck.
        checks, plain, skipped: questions put to Z3; claims that plainly hold; paths with nothing to ask about.
        obligations, confirmed: the answers of Z3 that a proof rests on; those that another solver confirmed, if asked.
        remembered: claims that an earlier run has proved. fresh: those that this one has, for the next.
        reason: why it is undetermined. rule: the action on which it fails, if one was found.
        counterexample: a position that meets every known invariant, the move, and what breaks, as lines.
    """

    id: str
    verdict: Literal["PROVED", "UNDETERMINED"]
    hypotheses: frozenset[str] = frozenset()
    checks: int = 0
    plain: int = 0
    skipped: int = 0
    obligations: int = 0
    confirmed: int | None = None
    remembered: int = 0
    seconds: float = 0.0
    reason: str = ""
    rule: str = ""
    counterexample: tuple[str, ...] = ()
    fresh: Mapping[bytes, Sources] = field(default_factory=dict, repr=False, compare=False)

    @property
    def proved(self) -> bool:
        return self.verdict == PROVED


def number_of(term: Term) -> int | bool:
    """What tells terms apart: a node's number, or the truth value itself."""
    return term.number if term.__class__ is Symbolic else bool(term)


@dataclass
class _Tally:
    prop: Property
    path: Path | None = None  # the one in hand; none at the start
    describe: bool = True
    obligations: dict[frozenset[int], Obligation] = field(default_factory=dict)
    checks: int = 0
    plain: int = 0
    skipped: int = 0
    remembered: int = 0
    fresh: dict[bytes, Sources] = field(default_factory=dict)
    used: frozenset[str] = frozenset()
    mattered: list[Hypothesis] = field(default_factory=list)  # what the last proof used may help the next
    too_large: float = INFINITY  # nodes of the smallest claim that was too hard as a whole
    bounded: bool = True  # the bounds of summands alone have proved whatever was asked about long sums
    summing: bool = False  # a claim of this property compared long sums, or was too hard without lemmas about its sums

    def rests_on(self, refuted: tuple[Term, ...], about: str) -> None:
        """Note that the proof takes it on Z3's word that these conditions can't hold together."""
        obligation = Obligation(self.prop, refuted, self.path, about)
        self.obligations.setdefault(obligation.key, obligation)


@dataclass
class _Question:
    """What is asked about one path, and the hypotheses that were found to matter there."""

    query: Query
    about: str
    without: Collection[str]
    deadline: float
    seconds: float
    asserted: Sequence[Term] = ()
    claims: Sequence[Term] = ()
    once: bool = False  # whatever is too hard is not asked again
    fresh: bool = False
    guard: Guard = field(default_factory=Guard)
    helping: list[Hypothesis] = field(default_factory=list)
    used: frozenset[str] = frozenset()
    breaks: Counter[str] = field(default_factory=Counter)
    additions: int = 0  # to the guard that was assumed at first

    @property
    def patience(self) -> float:
        """Seconds for the next check: the first solver has no more than a fresh one may need."""
        return self.seconds if self.fresh or self.once else min(self.seconds, WHOLE)

    def broke(self, source: str) -> int:
        """Count that a counterexample broke an instance of this invariant."""
        self.breaks[source] += 1
        return self.breaks[source]


class _Undetermined(Exception):
    """`hard`: Z3 gave up on a question; otherwise there is a counterexample, or no time."""

    def __init__(self, reason: str, rule: str = "", counterexample: Iterable[str] = (), hard: bool = False) -> None:
        self.reason, self.rule, self.counterexample, self.hard = reason, rule, tuple(counterexample), hard


class Prover:
    """Everything that proofs about one set-up share: its paths, the states around them, the known invariants.

    Args:
        properties: those to be proved and those that may help; witnesses and what is not for the solver are ignored.
        lazy: add hypotheses when a counterexample breaks them; otherwise all at once (to measure what laziness saves).
        check_seconds: after this long Z3 gives up on one question.
        known: claims that earlier runs have proved; None: each is proved afresh, and none is kept.
        second_opinion: is told the obligations of each proof; what is known then is proved again.
    """

    def __init__(
        self, model: Model, properties: Sequence[Property], lazy: bool = True, check_seconds: float = 10.0,
        known: Mapping[bytes, Sources] | None = None, second_opinion: SecondOpinion | None = None,
    ) -> None:  # fmt: skip
        self.model = model
        self.second_opinion = second_opinion
        self.lazy = lazy
        self.check_seconds = check_seconds
        self.steps = [step_of(model, path) for path in paths_of(model, symbolic=True)]
        self.before = Before(model)
        invariants = [prop for prop in properties if prop.kind == "invariant" and prop.prove]
        self.hypotheses = Hypotheses(self.before, invariants)
        if known and second_opinion:  # of what is only remembered there is nothing to show
            known = {}
        self.claims = KnownClaims(self.hypotheses, known)
        self.begin()
        self._guards = {id(step): sorted_guard(step.path) for step in self.steps}

    def begin(self) -> None:
        """Start with a Z3 of its own; a forked process does this first."""
        self.terms = Terms()
        self.sums = Sums(self.terms, self.hypotheses.about)

    def work(self, prop: Property) -> int:
        """Roughly how much there is to prove: how much the property says, times the steps it is asked of."""
        try:
            if prop.kind == "step":
                steps = [step for step in self.steps if prop.concerns(step.move)]
                sample = steps[:: max(1, len(steps) // SAMPLE)]
                said = [claim.after for step in sample for claim in self._claims(prop, step)]
            else:
                said = [self.before.term(prop, some) for some in prop.members(self.model, symbolic=True)]
                steps = [step for step in self.steps if not self.before.unaffected(prop, step)]
        except RuleError:  # it says so when it is examined
            return 0
        return len(steps) * sum(nodes_in(term, LARGE) for term in said)

    def examine(
        self, prop: Property, without: Collection[str] = (), deadline: float = INFINITY,
        steps: Sequence[Step] | None = None, describe: bool = True,
    ) -> Verdict:  # fmt: skip
        """Try to prove one property.

        Args:
            without: properties that may not help. deadline: on `time.monotonic`.
            steps: the steps in question, of this prover; all if not given.
            describe: tell the counterexample; False where only the verdict counts, since telling takes longer.

        Raises:
            RuleError: the property is not written so that it can be proved; names it.
            Disagreement: another solver contradicts the proof.
        """
        started = time.perf_counter()
        tally = _Tally(prop, describe=describe)
        verdict = Verdict(prop.id, PROVED)
        try:
            if prop.kind == "invariant":
                self._holds_at_start(prop, tally, deadline)
            for step in self.steps if steps is None else steps:
                if time.monotonic() > deadline:
                    raise _Undetermined("out of time")
                tally.path = step.path
                self._kept_by(prop, step, frozenset(without) - {prop.id}, tally, deadline)
            verdict = replace(verdict, **self._reviewed(tally, deadline))
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
            plain=tally.plain,
            skipped=tally.skipped,
            remembered=tally.remembered,
            fresh=tally.fresh,
            seconds=time.perf_counter() - started,
        )

    def _reviewed(self, tally: _Tally, deadline: float) -> dict[str, Any]:
        """How much the proof takes on Z3's word, and how much of that is confirmed."""
        obligations = list(tally.obligations.values())
        confirmed = self.second_opinion.confirmed(obligations, deadline) if self.second_opinion else None
        return {"obligations": len(obligations), "confirmed": confirmed}

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
            question = _Question(query, "the start", about_states, deadline, self.check_seconds, [negation(term)])
            position = self._settle(question, tally)
            if position is not None:
                lines = at_start(self.model, prop, members, term, position, self.terms)
                raise _Undetermined("does not hold at the start", counterexample=lines)

    # -- a step --------------------------------------------------------------------------------------------------
    def _kept_by(self, prop: Property, step: Step, without: frozenset[str], tally: _Tally, deadline: float) -> None:
        claims = list(self._claims(prop, step, tally))
        if not claims:
            tally.skipped += 1
            return
        mattered = tally.mattered
        if not self.lazy:
            mattered = [h for h in self.hypotheses.all if h.source not in without]
        for claim in claims:
            with self._remembering(step, claim, without, tally) as known:
                if known:
                    continue
                position, mattered = self._ask(step, claim, mattered, without, tally, deadline)
                if position is not None:
                    lines = described(self.model, prop, step, claim, position, self.terms) if tally.describe else ()
                    raise _Undetermined(
                        "a position that meets every known invariant loses it", step.path.action.name, lines
                    )
            tally.mattered = mattered if self.lazy else []

    @contextmanager
    def _remembering(self, step: Step, claim: Claim, without: frozenset[str], tally: _Tally) -> Iterator[bool]:
        """Whether an earlier run has proved the claim; if not, and it is proved now, that is noted."""
        if self.claims.known is None:
            yield False
            return
        guard = (requirement.condition for requirement in step.path.guard)
        key = self.claims.key(id(step), guard, claim.before, claim.after)
        helpers = self.claims.helpers(key, without)
        if helpers is not None:
            tally.used |= helpers
            tally.remembered += 1
            yield True
            return
        before, tally.used = tally.used, frozenset()
        try:
            yield False
            tally.fresh[key] = self.claims.sources(tally.used)
        finally:
            tally.used |= before

    def _ask(
        self, step: Step, claim: Claim, mattered: list[Hypothesis], without: frozenset[str], tally: _Tally,
        deadline: float,
    ) -> tuple[dict[Any, Any] | None, list[Hypothesis]]:  # fmt: skip
        """Ask for a claim as a whole; where that is too hard, or was for a smaller claim, case by case."""
        parts = [part for part in cases(claim.after) if part.__class__ is Symbolic]
        if len(parts) < 2:
            return self._ask_once(step, claim, mattered, without, tally, deadline, self.check_seconds)
        size = nodes_in(claim.after, LARGE)
        if size < tally.too_large:
            try:
                patience = max(WHOLE, CASE * len(parts))
                return self._ask_once(step, claim, mattered, without, tally, deadline, patience, True)
            except _Undetermined as gap:
                if not gap.hard or time.monotonic() > deadline:
                    raise
                tally.too_large = size
        for part in parts:
            piece = replace(claim, after=part)
            position, mattered = self._ask_once(step, piece, mattered, without, tally, deadline, self.check_seconds)
            if position is not None:
                return position, mattered
        return None, mattered

    def _ask_once(
        self, step: Step, claim: Claim, mattered: list[Hypothesis], without: frozenset[str], tally: _Tally,
        deadline: float, seconds: float, once: bool = False,
    ) -> tuple[dict[Any, Any] | None, list[Hypothesis]]:  # fmt: skip
        """A position in which the claim fails, if there is one; and the hypotheses that mattered.

        `once`: what is too hard in that time is not asked a second time, with more to help.

        Each claim is asked afresh: Z3 is far quicker on a few plain assertions than on what it has piled up.
        """
        guard = self._guards[id(step)]
        query = Query(self.terms)
        asserted = [negation(claim.after), claim.before, *guard.small, *guard.about(claim.after)]
        said = (claim.before, claim.after)
        long = long_sums(said)
        tally.summing |= long == 2  # a comparison; among many sums, lemmas cost more than they help
        lemmas = list(self._lemmas(said, guard, without, tally)) if tally.summing else []
        if lemmas or (tally.bounded and long):
            tally.checks += 1
            if self._summed(claim, guard, lemmas, tally, min(deadline, time.monotonic() + WHOLE)):
                return None, mattered
            tally.bounded = False
        for term in (*asserted, *(lemma.term for lemma in lemmas)):
            query.add(term)
        question = _Question(
            query, step.path.action.name, without, deadline, seconds, asserted, said, once,
            guard=guard, helping=list(mattered),
        )  # fmt: skip
        position = self._settle(question, tally)
        if position is not None:
            path = step.path
            told = [*(part.condition for part in path.guard), *path.updates.values(), *path.unfrozen.values()]
            free = variables_of([claim.after, *told]).values()
            position = {node.detail[0]: default(node) for node in free} | position
        return position, [hypothesis for hypothesis in question.helping if hypothesis.source in question.used]

    def _claims(self, prop: Property, step: Step, tally: _Tally | None = None) -> Iterator[Claim]:
        """What has to be proved of the step: each thing once, and nothing that needs no proof."""
        if prop.kind == "step" and not prop.concerns(step.move):
            return
        seen: set[Any] = set()
        guard = self._guards[id(step)]
        for members in prop.members(self.model, symbolic=True, used=step.acted):
            claim = self._claim(prop, step, members)
            if claim is None or claim.after is claim.before:
                continue
            after = conjunction(part for part in conjuncts(claim.after) if not guard.says(part))
            if after is True and claim.before is not True and tally is not None:
                tally.plain += 1
            if after is not True and number_of(after) not in seen:
                seen.add(number_of(after))
                yield replace(claim, after=after)

    def _claim(self, prop: Property, step: Step, members: tuple[Any, ...]) -> Claim | None:
        if prop.kind == "step":
            related = stated(prop, lambda: prop.function(step.before, step.after, step.move, *members))
            return Claim(members, True, related)
        self.before.term(prop, members)
        if self.before.unaffected(prop, step):
            return None
        after = stated(prop, lambda: prop.function(step.after, *members))
        return Claim(members, self.before.term(prop, members), after)

    # -- asking --------------------------------------------------------------------------------------------------
    def _settle(self, question: _Question, tally: _Tally) -> dict[Any, Any] | None:
        """None where the question has no answer, so that the claim is proved; else a position meeting all we know."""
        query, guard = question.query, question.guard
        while True:
            assumed = ((hypothesis.term, hypothesis.source) for hypothesis in question.helping)
            limit = min(question.deadline, time.monotonic() + question.patience)
            answer = query.check(assumed, limit)
            tally.checks += 1
            if answer.status == "unsat":
                question.used = answer.used
                tally.used |= answer.used
                tally.rests_on(answer.refuted, "claim")
                return None
            if answer.status == "unknown" and not (question.fresh or question.once):
                tally.summing = True
                query = question.query = self._afresh(question, tally)
                continue
            if answer.status == "unknown":
                raise _Undetermined(f"{answer.reason} on {question.about}", question.about, hard=True)
            question.fresh = False
            values = {node.detail[0]: self._otherwise(node) for node in query.occurring.values()} | answer.values
            position = {**guard.left_open, **self.hypotheses.position(values)}
            missing = _failing(guard.touching(query.occurring), position)
            broken = [] if missing else self.hypotheses.violated(values, question.without)
            if not missing and not broken:
                missing = _failing(guard.large, position)  # what is not at issue decides nothing, but must be possible
                if not missing:
                    return self.hypotheses.position(values)
            for part in missing:
                query.add(part)
            if missing:
                question.additions += 1
                if question.additions == ENOUGH:
                    query = question.query = self._afresh(question, tally)
                continue
            if any(hypothesis in question.helping for hypothesis in broken):
                raise RuntimeError(f"Z3 and the reference evaluator disagree on {question.about}: {broken[0].term!r}")
            question.helping.extend(broken)
            for hypothesis in broken:
                if question.broke(hypothesis.source) >= ENOUGH:
                    known = {id(helping) for helping in question.helping}
                    alike = self.hypotheses.like(hypothesis, query.occurring.keys())
                    question.helping.extend(h for h in alike if id(h) not in known)

    def _afresh(self, question: _Question, tally: _Tally) -> Query:
        """The same question to a new solver, told the whole guard at once and, once needed, lemmas about its sums.

        Z3 is far quicker on what it is told plainly than on what it has piled up over many checks, and what is still
        missing of the guard may be what makes the question easy.
        """
        query = Query(self.terms)
        lemmas = self._lemmas(question.claims, question.guard, question.without, tally) if tally.summing else ()
        for term in (*question.asserted, *question.guard.large, *(lemma.term for lemma in lemmas)):
            query.add(term)
        question.fresh = True
        return query

    def _lemmas(
        self, claims: Sequence[Term], guard: Guard, without: Collection[str], tally: _Tally
    ) -> Iterator[Lemma]:
        for lemma in self.sums.lemmas(claims, guard, without):
            tally.used |= lemma.sources
            tally.rests_on(lemma.refuted, "lemma about two summands")
            yield lemma

    def _summed(
        self, claim: Claim, guard: Guard, lemmas: Sequence[Lemma], tally: _Tally, deadline: float
    ) -> bool:
        """Whether the claim follows from the bounds of the summands in it, and the lemmas about them, alone."""
        query = Query(self.terms)
        known = (*guard.small, *guard.about(claim.after))
        for term in (*abstracted((claim.before, negation(claim.after)), lemmas), *known):
            query.add(term)
        answer = query.check((), deadline)
        if answer.status == "unsat":
            tally.rests_on(answer.refuted, "claim, with the summands of its sums as numbers")
        return answer.status == "unsat"

    def _otherwise(self, node: Symbolic) -> Any:
        """The value of a variable that Z3 left open."""
        return self.hypotheses.base.get(node.detail[0], default(node))


def _failing(parts: Sequence[Term], position: Mapping[Any, Any]) -> list[Term]:
    """Those of the conditions that the position does not meet."""
    return [part for part, holds in zip(parts, evaluate(parts, position), strict=True) if not holds]
