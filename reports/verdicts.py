"""One verdict for each property from all that was tried: proofs, explorations, random games.

A game from set-up outweighs everything, and a proof outweighs the absence of one. The two contradicting each other is
no verdict but a fault in a tool that people are asked to trust: the run stops, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from model.language import Game as Rules
from properties.declaration import Property
from properties.playing import CONTRACT, DECISION_OPEN, REFUSAL_HARMLESS, RULES_TOTAL
from reports.document import Game, PropertyResult, Verdict
from reports.evidence import Evidence, Showing
from reports.exploring import Explored
from reports.wording import counted, listed
from solver.induction import Verdict as Proof
from solver.ranges import PREFIX

OURS = {DECISION_OPEN: "progress", REFUSAL_HARMLESS: "refusal"}
"""How reports call the properties that every game has, where the contract's word isn't theirs."""


ENDINGS = {
    "ends.game": "Every game ends, whatever the players do.",
    "ends.phases": "Every phase ends, whatever the players do.",
    "end.reachable": "From every position the game can still come to its end.",
}
"""What exploring to the end can tell of how play ends."""


class ContradictionError(Exception):
    """The solver has proved what a game from set-up breaks: one of our own tools is wrong."""


def verdicts(
    rules: Rules, properties: Sequence[Property], evidence: Evidence, readings: Mapping[str, str], open_reason: str,
    endless: Mapping[str, str] = MappingProxyType({}),
) -> list[PropertyResult]:  # fmt: skip
    """A result for each declared property, for those of every game, and for the ranges of variables.

    Args:
        endless: what need not end in this game, by the claim's id, and why.
        readings: those in force. open_reason: why a proof that was not made was not; nothing where none was to be.

    Raises:
        ContradictionError: a proved property is broken by a game.
    """
    judge = _Judge(rules, evidence, readings, open_reason)
    return [
        *(judge.witness(prop) if prop.kind == "witness" else judge.claim(prop) for prop in properties),
        *(judge.of_every_game(id) for id in CONTRACT),
        *judge.endings(endless),
        *judge.ranges(),
    ]


def _methods(found: Sequence[Showing]) -> list[str]:
    """How the games were found, the explorer's first."""
    return sorted({showing.how for showing in found})


def _about(found: Showing) -> str:
    return f"{found.game.title}; {counted(len(found.game.steps), 'move')}"


def _traps(runs: Mapping[str, Explored]) -> str:
    """The set-ups whose few cards don't always suffice for an end: their scale, which says nothing of the game."""
    scaled = [name for name, run in runs.items() if run.endings and run.endings.trapped and run.result.scaled]
    return f"; the few cards of {listed(scaled)} don't always suffice to end a game" if scaled else ""


class _Judge:
    def __init__(self, rules: Rules, evidence: Evidence, readings: Mapping[str, str], open_reason: str) -> None:
        self.rules, self.evidence, self.readings, self.open_reason = rules, evidence, readings, open_reason
        complete = all(run.result.complete for run in evidence.explored.values())
        self.explored = bool(evidence.explored)
        self.tested = bool(evidence.games)
        setups = counted(len(evidence.explored), "tiny set-up")
        extent = "" if complete else ", not all to their end"
        self.exploring = f"{counted(evidence.states, 'position')} of {setups}{extent}" if self.explored else ""
        self.playing = counted(evidence.games, "random game") if self.tested else ""
        titles = listed(run.title for run in evidence.played if run.found.games) if self.tested else ""
        self.where = "; ".join(part for part in (setups if self.explored else "", titles) if part)

    # -- declared ------------------------------------------------------------------------------------------------
    def claim(self, prop: Property) -> PropertyResult:
        proof = self.evidence.proofs.get(prop.id)
        broken = self.evidence.violations(prop.id)
        if proof is not None and proof.proved and broken:
            self._require_agreement(prop.id, broken)
        if broken:
            return self._result(
                prop, "REFUTED", _methods(broken), _about(broken[0]), self._circumstances(broken[0]), proof,
                game=broken[0].game,
            )  # fmt: skip
        if proof is not None and proof.proved:
            known = f", {counted(proof.remembered, 'claim')} proved before" if proof.remembered else ""
            detail = f"Induction over every rule: {counted(proof.checks, 'question')} to Z3{known}"
            skipped = f", {counted(proof.skipped, 'path')} with nothing to ask" if proof.skipped else ""
            return self._result(
                prop, "PROVED", ["proved", *self._tried()], f"{detail}{skipped}{self._agreeing()}",
                "; ".join(part for part in (self.evidence.proved_about, self.where) if part), proof,
            )  # fmt: skip
        return self._unbroken(prop, proof)

    def _unbroken(self, prop: Property, proof: Proof | None) -> PropertyResult:
        """Neither broken nor proved."""
        if prop.prove and (proof is not None or self.open_reason):
            reason = proof.reason if proof is not None else self.open_reason
            scope = "; ".join(part for part in (self.evidence.proved_about, self.where) if part)
            return self._result(
                prop, "UNDETERMINED", self._tried() or ["proved"], f"The solver could not: {reason}{self._agreeing()}",
                scope or "nothing", proof,
            )  # fmt: skip
        if not self._tried():
            return self._result(prop, "UNDETERMINED", ["tested"], "Nothing was explored or played", "nothing", proof)
        return self._result(
            prop, "HOLDS", self._tried(), f"Not for the solver{self._agreeing()}", self.where, proof
        )

    def witness(self, prop: Property) -> PropertyResult:
        reached = self.evidence.witnesses(prop.id)
        if reached:
            first = reached[0]
            scope = self._circumstances(first)
            return self._result(prop, "REACHED", _methods(reached), _about(first), scope, None, game=first.game)
        detail = "Nothing was explored or played"
        if self.where:
            detail = f"Not among {listed(part for part in (self.exploring, self.playing) if part)}"
        return self._result(prop, "NOT_REACHED", self._tried() or ["tested"], detail, self.where or "nothing", None)

    def _result(
        self, prop: Property, verdict: Verdict, methods: Sequence[str], detail: str, scope: str, proof: Proof | None,
        game: Game | None = None,
    ) -> PropertyResult:  # fmt: skip
        open_ = verdict == "UNDETERMINED" and proof is not None
        return PropertyResult(
            id=prop.id, statement=prop.statement, clauses=list(prop.clauses), kind=prop.kind, verdict=verdict,
            method=" + ".join(methods), detail=detail, scope=scope, seconds=proof.seconds if proof else 0,
            hypotheses=sorted(proof.hypotheses) if proof and verdict == "PROVED" else [],
            expected=self._expected(prop), explanation=prop.explanation, game=game,
            counterexample=list(proof.counterexample) if open_ and proof else [],
        )  # fmt: skip

    def _expected(self, prop: Property) -> Literal["PROVED", "REFUTED"] | None:
        """What is claimed; a hole is known under the default answers only, so under others nothing is expected."""
        if prop.kind == "witness":
            return None
        if prop.expected == "REFUTED" and any(
            self.readings.get(reading.id, reading.values[0]) != reading.values[0] and reading.clause in prop.clauses
            for reading in self.rules.catalogue.readings.values()
        ):
            return None
        return prop.expected

    def _require_agreement(self, id: str, broken: Sequence[Showing]) -> None:
        """A proof holds under its readings; a game under others says nothing against it."""
        for showing in broken:
            if dict(showing.readings) == dict(self.evidence.proof_readings):
                steps = "; ".join(f"{step.number}. {step.text}" for step in showing.game.steps)
                raise ContradictionError(
                    f"{id} is proved, and yet broken by a game ({showing.how}); a tool of ours is wrong, please report "
                    f"this. The game: {steps or 'no move'}"
                )

    def _circumstances(self, found: Showing) -> str:
        """Which readings other than those in force the game was found under."""
        other = [f"{id}={value}" for id, value in found.readings.items() if self.readings.get(id) != value]
        return f"under {listed(other)}" if other else "the readings in force"

    def _tried(self) -> list[str]:
        return ["explored"] * self.explored + ["tested"] * self.tested

    def _agreeing(self) -> str:
        parts = [part for part in (self.exploring, self.playing) if part]
        return f". Nothing against it in {listed(parts)}" if parts else ""

    # -- of every game -------------------------------------------------------------------------------------------
    def of_every_game(self, id: str) -> PropertyResult:
        """A property of the language's contract: decided by playing, and where exploring can tell, by that."""
        broken = self.evidence.violations(id)
        for run in self.evidence.explored.values():
            game = run.deadlock if id == DECISION_OPEN else run.mistake if id == RULES_TOTAL else None
            if game is not None:
                broken.append(Showing("explored", run.readings, game))
        tells = self.explored and id in (DECISION_OPEN, RULES_TOTAL)
        methods = ["explored"] * tells + ["tested"] * self.tested
        verdict: Verdict = "REFUTED" if broken else "HOLDS" if methods else "UNDETERMINED"
        first = next(iter(self.evidence.ranked(broken)), None)
        looked = listed(part for part in (self.exploring if tells else "", self.playing) if part) if methods else ""
        clauses = [self.rules.turn_clause] if id == DECISION_OPEN else []
        return PropertyResult(
            id=OURS.get(id, id), statement=CONTRACT[id], clauses=clauses, kind="game", verdict=verdict,
            method=" + ".join(_methods(broken) or methods or ["tested"]),
            detail=_about(first) if first else f"In {looked}" if looked else "Nothing was explored or played",
            scope=self._circumstances(first) if first else self.where or "nothing", seconds=0, expected="PROVED",
            game=first.game if first else None,
        )  # fmt: skip

    # -- endings -------------------------------------------------------------------------------------------------
    def endings(self, endless: Mapping[str, str]) -> Iterator[PropertyResult]:
        """Whether play ends, as far as exploring to the end can tell."""
        runs = {name: run for name, run in self.evidence.explored.items() if run.endings is not None}
        if not runs:
            return
        games: dict[str, list[Showing]] = {id: [] for id in ENDINGS}
        for run in runs.values():
            assert run.endings is not None
            games["ends.phases"] += [Showing("explored", run.readings, g) for g in run.endings.within.values()]
            if run.endings.endless:
                games["ends.game"].append(Showing("explored", run.readings, run.endings.endless))
            if run.endings.trap and not run.result.scaled:
                games["end.reachable"].append(Showing("explored", run.readings, run.endings.trap))
        for id, broken in games.items():
            expected: Literal["PROVED", "REFUTED"] = "REFUTED" if id in endless else "PROVED"
            first = next(iter(self.evidence.ranked(broken)), None)
            complete = len(runs) == len(self.evidence.explored) and not self.evidence.failed
            verdict: Verdict = "REFUTED" if first else "HOLDS" if complete else "UNDETERMINED"
            detail = _about(first) if first else f"In every position of {counted(len(runs), 'set-up')}"
            yield PropertyResult(
                id=id, statement=ENDINGS[id], clauses=[], kind="game", verdict=verdict, method="explored",
                detail=detail + (_traps(runs) if id == "end.reachable" else ""),
                scope=self._circumstances(first) if first else self.where, seconds=0, expected=expected,
                explanation=endless.get(id, ""), game=first.game if first else None,
            )  # fmt: skip

    # -- ranges --------------------------------------------------------------------------------------------------
    def ranges(self) -> Iterator[PropertyResult]:
        """The ranges of variables: all proved ones, and all that ran out of time, as one; a stuck one by itself."""
        proofs = [proof for id, proof in self.evidence.proofs.items() if id.startswith(PREFIX)]
        stuck = [proof for proof in proofs if proof.counterexample]
        proved = [proof for proof in proofs if proof.proved]
        late = [proof for proof in proofs if not proof.proved and not proof.counterexample]
        if proved:
            yield self._range("range", proved, "PROVED", "each stays within its declared domain")
        if late:
            reasons = listed(dict.fromkeys(proof.reason for proof in late))
            yield self._range("range.open", late, "UNDETERMINED", f"not settled: {reasons}")
        for proof in stuck:
            yield self._range(proof.id, [proof], "UNDETERMINED", f"the solver could not: {proof.reason}")

    def _range(self, id: str, proofs: Sequence[Proof], verdict: Verdict, detail: str) -> PropertyResult:
        names = listed(proof.id.removeprefix(PREFIX) for proof in proofs)
        return PropertyResult(
            id=id, statement=f"{names} never leave{'s' * (len(proofs) == 1)} the declared domain.", clauses=[],
            kind="invariant", verdict=verdict, method=" + ".join(["proved", *self._tried()]),
            detail=f"{counted(len(proofs), 'state variable')}: {detail}. Playing and exploring check each write too",
            scope="; ".join(part for part in (self.evidence.proved_about, self.where) if part),
            seconds=sum(proof.seconds for proof in proofs),
            hypotheses=sorted({name for proof in proofs for name in proof.hypotheses}), expected="PROVED",
            counterexample=[line for proof in proofs for line in proof.counterexample],
        )  # fmt: skip
