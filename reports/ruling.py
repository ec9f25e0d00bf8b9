"""`ruleproof prove --rules`: the rules as a whole. No conflict, no leak, moves that commute, phases that end.

Each tiny set-up is explored for states in which two rules decide at once, and for states that look the same to a player
and do not offer the same moves. Beside that the printed size is reasoned about, for any deck: pairs of rules that are
never open together, moves that may be made in either order, a ranking function for each phase; and members of one
kind are exchanged in all rules. What comes of it is told like any other verdict; a claim made of many set-ups is
refuted by one of them, and undetermined where one is. What is proved with the help of invariants stands only if these
are proved in the same run, or were before.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from model.language import InputError, Model
from model.language.expression import INFINITY
from reports import coverage, parallel
from reports.document import PropertyResult, Report, Verdict
from reports.exploring import MEMORY, own_readings
from reports.interruption import Interruption
from reports.proving import drawn
from reports.registry import EXPLORED
from reports.retelling import retold
from reports.subject import ProofRequest, Subject
from reports.terminal import Progress, SilentProgress
from reports.wording import counted, listed
from solver import termination
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, Limits, search
from solver.hypotheses import DECK, assumptions
from solver.induction import Prover
from solver.ranges import range_properties
from solver.relations import commutation, conflict, symmetry
from solver.relations.secrecy import Secrecy, secrecy
from solver.resting import Resting, Unproved
from solver.ruling import Decision, Ruling

SECRECY = "secrecy"
PAIRS = "conflict.pairs"
STATES = 6_000  # of a set-up at most, for comparing all that players see in it
FIRST = 400  # states that are compared in larger ones
FAIR = 2.0  # equal shares of the time left, that one phase may take
RULING = 0.6  # of the budget, by when rulings about the printed size end
RESTING = 0.85  # by when what they rest on is proved
_WORST: Sequence[Verdict] = ("REFUTED", "UNDETERMINED", "HOLDS", "PROVED")


def rule_on(request: ProofRequest, progress: Progress | None = None) -> Report:
    """Decide the claims about the rules as a whole; write `rules.json`, `rules.html` and a graph.

    Interrupted by Ctrl-C or SIGTERM it does so with what it has.

    Raises:
        InputError: the request names what isn't there, or asks for what is done with properties only.
        OutputError: the folder can't be written.
    """
    if request.cross_check or request.smtlib:
        raise InputError("--rules: only proofs of properties go to other solvers; leave out --cross-check and --smtlib")
    return _Ruling(Subject(request), progress or SilentProgress()).run()


class _Ruling:
    def __init__(self, subject: Subject, progress: Progress) -> None:
        self.subject, self.entry, self.progress = subject, subject.entry, progress
        self.found: dict[str, list[PropertyResult]] = {}
        self.lost: list[PropertyResult] = []

    def run(self) -> Report:
        interrupted_at: str | None = "rules as a whole"
        with Interruption() as interruption:
            with contextlib.suppress(KeyboardInterrupt):  # what was found stands
                self._decide()
            if not interruption.happened:
                interrupted_at = None
        results = [*map(_together, self.found.values()), *self.lost]
        drawing = drawn(results, "rule-dependencies", self.subject)
        return self.subject.written("rules", results, list(coverage.holes(results)), [drawing], interrupted_at)

    def _decide(self) -> None:
        names = self.entry.game.presets[EXPLORED].setups if EXPLORED in self.entry.game.presets else ()
        tasks: dict[str, Callable[[], list[PropertyResult]]] = {
            "phases of the printed game": partial(self._proved, self._phases),
            "pairs of rules of the printed game": partial(self._proved, self._pairs),
            "kinds of the printed game": self._exchanged,
            **{f"set-up {name}": partial(self._explored, name) for name in names},
        }
        bar = self.progress.stage("Rules as a whole", len(tasks))
        for name, results in parallel.run(tasks, self.subject.request.processes, self.subject.deadline()):
            bar.advance(note=name)
            if isinstance(results, parallel.Failure):
                self.lost.append(_lost(name, results.reason))
                continue
            for result in results:
                self.found.setdefault(result.id, []).append(result)
        bar.finish()

    # -- explored ------------------------------------------------------------------------------------------------
    def _explored(self, name: str) -> list[PropertyResult]:
        players, deadline = self.entry.game.player_counts[0], self.subject.deadline()
        readings = own_readings(self.entry, name, players, self.subject.chosen)
        exploration = Exploration(thawed(self.entry.game, self.entry.setup(name, players, readings)))
        openings = conflict.Openings(exploration)
        limits = Limits(seconds=max(0.0, deadline - time.monotonic()), memory=MEMORY)
        found = search(exploration, limits=limits, observers=[openings])
        looked = secrecy(exploration, INFINITY if found.states <= STATES else FIRST, deadline)
        rulings = [*conflict.rulings(openings, name), _secret(looked, name)]
        return [_told(exploration.plain, ruling, "explored") for ruling in rulings]

    def _exchanged(self) -> list[PropertyResult]:
        model = self.subject.model
        invariants = [prop for prop in self.entry.properties if prop.kind == "invariant"]
        ruling = symmetry.rule(model, invariants, assumptions(model), self.subject.deadline(RULING))
        return [_told(model, replace(ruling, scope=self.subject.scope), "traced")]

    # -- proved --------------------------------------------------------------------------------------------------
    def _proved(self, decide: Callable[[Prover, frozenset[str]], Iterator[Ruling]]) -> list[PropertyResult]:
        """What is decided about the printed size, as far as all that helped is proved too."""
        model, cache = self.subject.model, self.subject.cache
        claims = [prop for prop in self.entry.properties if prop.kind == "invariant" and prop.prove]
        invariants = [*claims, *range_properties(model)]
        known = cache.claims() if cache else None
        prover = Prover(model, invariants, known=known)
        reliable = [prop for prop in invariants if prop.expected == "PROVED"]
        without = frozenset(prop.id for prop in invariants) - {prop.id for prop in reliable}
        rulings = list(decide(prover, without))
        resting = Resting(prover, reliable, self.subject.deadline(RESTING))
        return [
            _told(model, replace(_standing(ruling, resting), scope=self.subject.scope), "proved") for ruling in rulings
        ]

    def _phases(self, prover: Prover, without: frozenset[str]) -> Iterator[Ruling]:
        scopes, end = list(termination.phases(prover.model)), self.subject.deadline(RULING)
        for number, scope in enumerate(scopes):
            now = time.monotonic()
            share = min(end, now + FAIR * max(0.0, end - now) / (len(scopes) - number))
            yield termination.rule(prover, scope, self.entry.measures, without, share)

    def _pairs(self, prover: Prover, without: frozenset[str]) -> Iterator[Ruling]:
        deadline = self.subject.deadline(RULING)
        for claim in self.entry.commuting:
            yield commutation.rule(prover, claim, without, deadline)
        yield _pairs_together(conflict.prove(prover, without, deadline))


def _pairs_together(rulings: Sequence[Ruling]) -> Ruling:
    """The rulings about single pairs of rules as one: hundreds of them say the same."""
    open_ = [ruling for ruling in rulings if ruling.verdict != "PROVED"]
    detail = f"{len(rulings) - len(open_):,} of {counted(len(rulings), 'pair')} that may share a phase"
    return Ruling(
        PAIRS, "Where a rule acts by itself, no other rule is open.", (), "UNDETERMINED" if open_ else "PROVED",
        detail=detail, counterexample=tuple(f"{ruling.statement} Open: {ruling.detail}" for ruling in open_),
        hypotheses=frozenset(name for ruling in rulings for name in ruling.hypotheses),
        seconds=sum(ruling.seconds for ruling in rulings),
    )  # fmt: skip


def _standing(ruling: Ruling, resting: Resting) -> Ruling:
    """The ruling if all that helped is proved as well."""
    if ruling.verdict != "PROVED":
        return ruling
    try:
        rests_on = resting.on(ruling.hypotheses)
    except Unproved as why:
        return replace(ruling, verdict="UNDETERMINED", detail=str(why))
    return replace(ruling, hypotheses=rests_on | (ruling.hypotheses & {DECK}))


def _secret(looked: Secrecy, name: str) -> Ruling:
    statement = "What a player can't see makes no difference to what that player may do."
    leak = looked.leak
    if leak is None:
        verdict: Decision = "HOLDS" if looked.complete else "UNDETERMINED"
        detail = f"{looked.alike:,} of {counted(looked.views, 'view')} like an earlier one, offering the same moves"
        return Ruling(SECRECY, statement, (), verdict, name, detail)
    lines = (f"Looks the same to {leak.player}: {'; '.join(leak.open.log)}", f"Open there, and not here: {leak.move}")
    detail = f"`{leak.move}` is forbidden by {leak.clause} in one of two games that look the same to {leak.player}"
    return Ruling(
        SECRECY, statement, (leak.clause,) if leak.clause else (), "REFUTED", name, detail, counterexample=lines,
        setup=name, moves=leak.closed.moves,
    )


# -- told ----------------------------------------------------------------------------------------------------------
def _told(model: Model, ruling: Ruling, method: str) -> PropertyResult:
    game = retold(model, ruling.moves, f"A shortest game, set-up {ruling.setup}") if ruling.moves else None
    return PropertyResult(
        id=ruling.id, statement=ruling.statement, clauses=list(ruling.clauses), kind="game", verdict=ruling.verdict,
        method=method, detail=ruling.detail or ruling.verdict.lower(), scope=ruling.scope or ruling.setup,
        seconds=ruling.seconds, hypotheses=sorted(ruling.hypotheses) if ruling.verdict == "PROVED" else [],
        expected="PROVED", game=game, counterexample=list(ruling.counterexample),
    )  # fmt: skip


def _together(results: Sequence[PropertyResult]) -> PropertyResult:
    """What the same claim came to in several set-ups: the worst of it, over all of them."""
    worst = min(results, key=lambda result: _WORST.index(result.verdict))
    if len(results) == 1 or worst.verdict == "REFUTED":
        return worst
    open_ = [result.scope for result in results if result.verdict == "UNDETERMINED"]
    detail = f"In {counted(len(results), 'set-up')}" + (f", not to the end in {listed(open_)}" if open_ else "")
    return worst.model_copy(update={"scope": counted(len(results), "set-up"), "detail": detail})


def _lost(name: str, reason: str) -> PropertyResult:
    """What is told of a task without results."""
    return PropertyResult(
        id=f"undecided.{name}", statement=f"What is asked about {name} could be decided.", clauses=[], kind="game",
        verdict="UNDETERMINED", method="explored" if name.startswith("set-up ") else "proved", detail=reason,
        scope=name, seconds=0, expected="PROVED",
    )  # fmt: skip
