"""`ruleproof prove`: every property for every deck, and for what is not so, the game that shows it.

What the rulebook is known to break is looked for first, since a game found in a second spares the solver a minute.
Then every other property is proved, or not; and for those that are not, a game is looked for as well, with the time
that is left. A property that neither a proof nor a game decides is UNDETERMINED, with the position that meets
everything known and loses it: what a reader has to rule out, by another invariant, or to reach.

A run whose every verdict is final is remembered as a whole; otherwise, and after any change of the rules, the claims
proved before are (`solver/proof_cache.py`).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import networkx as nx

from model.language import InputError, Model, Reading
from model.language.catalogue import closest
from model.language.expression import variable
from properties.declaration import Property
from reports import atomic, graphs, html, saved_games
from reports.document import Finding, GraphFile, PropertyResult, Report, to_json
from reports.interruption import Interruption
from reports.refuting import Refutation, refutations
from reports.registry import Entry
from reports.ruling import whole_rules
from reports.terminal import Progress, SilentProgress
from reports.verification import CHECK_SECONDS, digest_of, program_version
from reports.wording import counted, listed
from solver import content
from solver.hypotheses import DECK
from solver.induction import Verdict
from solver.proof_cache import ProofCache
from solver.prove import prove
from solver.ranges import range_properties

BUDGET = 175.0
ANY = "any"
SEARCHING = 0.4  # of the budget at most, for games that are expected and soon found
LEAST_SECONDS = 0.5


@dataclass(frozen=True)
class ProofRequest:
    """What to prove, about what, and where to write it.

    Attributes:
        players: how many; None: the fewest that can play, since each further one multiplies the work.
        readings: chosen answers; ANY leaves a question open, so that what is proved holds for each of its answers.
        deck: whose shape is proved about, in place of the printed one's.
        cache: the file with what was proved before; None: everything is proved afresh.
        cross_check: put all that a proof takes on Z3's word to another solver as well.
        smtlib: the folder in which to write that down for any further solver.
        rules: decide the claims about the rules as a whole instead (`reports/ruling.py`).
    """

    entry: Entry
    out: Path
    players: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    deck: Path | None = None
    budget: float = BUDGET
    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    cache: Path | None = None
    cross_check: bool = False
    smtlib: Path | None = None
    rules: bool = False
    command: str = "ruleproof prove"


def prove_game(request: ProofRequest, progress: Progress | None = None) -> Report:
    """Decide every property and write `proofs.json`, `proofs.html`, `graphs/` and `games/` into the request's folder.

    Interrupted by Ctrl-C or SIGTERM it does so with what it has.

    Raises:
        InputError: the request names what isn't there, or the game has no set-up that can be proved about.
        OutputError: the folder can't be written.
        ProverError: a rule can't be traced.
        Disagreement: two solvers contradict each other.
    """
    return _Proving(request, progress or SilentProgress()).run()


class _Proving:
    def __init__(self, request: ProofRequest, progress: Progress) -> None:
        self.request, self.progress, self.entry = request, progress, request.entry
        self.started, self.begun = datetime.now(UTC), time.monotonic()
        self.chosen = {id: value for id, value in request.readings.items() if value != ANY}
        self.open = self._open(request.readings)
        self.readings = self.entry.readings(self.chosen) | dict.fromkeys(self.open, ANY)
        self.preset = self.entry.preset(None)
        self.setup_name = self.entry.game.presets[self.preset].setups[0]
        self.players = self.entry.count(request.players)[0]
        self.model = self._model()
        self.claims = [prop for prop in self.entry.properties if prop.kind != "witness" and prop.prove]
        self.out = atomic.folder(request.out)
        self.cache = ProofCache(request.cache) if request.cache else None
        self.proofs: dict[str, Verdict] = {}
        self.games: dict[str, Refutation] = {}
        self.records: dict[str, Any] = {}  # of the games, for `ruleproof show`
        self.interrupted_at: str | None = None

    def _model(self) -> Model:
        """With every value of the deck left open.

        Raises:
            InputError: there is no such set-up.
        """
        parameters = self.entry.setup(self.setup_name, self.players, self.chosen, self.request.deck, symbolic=True)
        if self.open:
            answers = {
                id: variable(("parameter", id), 0, len(reading.values) - 1) for id, reading in self.open.items()
            }
            parameters = replace(parameters, readings={**parameters.readings, **answers})
        return self.entry.game.model(parameters)

    def _open(self, readings: Mapping[str, str]) -> dict[str, Reading]:
        """The questions to be left open.

        Raises:
            InputError: there is no such question.
        """
        known = self.entry.game.catalogue.readings
        wanted = [id for id, value in readings.items() if value == ANY]
        for id in wanted:
            if id not in known:
                raise InputError(f"--reading {id}={ANY}: there is no such reading{closest(id, known)}")
        return {id: known[id] for id in wanted}

    def run(self) -> Report:
        if self.request.rules:
            return self._written(
                whole_rules(self.entry, self.players, self.chosen, self.request.budget, self.progress)
            )
        results = self._known()
        if results is None:
            self._decide()
            results = [self._result(prop) for prop in (*self.claims, *range_properties(self.model))]
            self._keep(results)
        return self._written(results)

    # -- deciding ------------------------------------------------------------------------------------------------
    def _decide(self) -> None:
        with Interruption() as interruption:
            try:
                self.interrupted_at = "games"
                self._refute([prop for prop in self.claims if prop.expected == "REFUTED"], SEARCHING)
                self.interrupted_at = "proofs"
                self._prove()
                self.interrupted_at = "games"
                self._refute([prop for prop in self.claims if not self._decided(prop)], 1.0)
            except KeyboardInterrupt:
                pass  # what was found stands
            if not interruption.happened:
                self.interrupted_at = None

    def _decided(self, prop: Property) -> bool:
        return prop.id in self.games or (prop.id in self.proofs and self.proofs[prop.id].proved)

    def _refute(self, properties: Sequence[Property], share: float) -> None:
        if not properties:
            return
        bar = self.progress.stage("Looking for games", len(properties))
        deadline = self.begun + share * self.request.budget
        for answers in self._answers():
            wanted = [prop for prop in properties if prop.id not in self.games]
            found = refutations(self.entry, wanted, answers, deadline, self.request.processes)
            self.games |= found
            self.records |= {id: refutation.record for id, refutation in found.items()}
            bar.advance(len(found))
        bar.finish(note=f"{sum(prop.id in self.games for prop in properties)} found")

    def _answers(self) -> Iterator[dict[str, str]]:
        """Under which answers to look for games: the default ones, and each other answer to an open question."""
        yield self.chosen
        for id, reading in self.open.items():
            yield from ({**self.chosen, id: value} for value in reading.values[1:])

    def _prove(self) -> None:
        asked = [prop for prop in self.claims if prop.id not in self.games]
        bar = self.progress.stage("Proving", len(asked) + len(self.model.layout.variables))
        settled = 0

        def report(verdict: Verdict, done: int, _of: int) -> None:
            nonlocal settled
            bar.advance(done - settled, note=verdict.id)
            settled = done

        left = max(LEAST_SECONDS, self.begun + self.request.budget - time.monotonic())
        found = prove(
            lambda: self.model, asked, budget_seconds=left, check_seconds=CHECK_SECONDS,
            processes=self.request.processes, progress=report, cache=self.cache,
            cross_check=self.request.cross_check, smtlib=self.request.smtlib,
        )  # fmt: skip
        self.proofs = {verdict.id: verdict for verdict in found}
        bar.finish(note=f"{sum(verdict.proved for verdict in found)} proved")

    # -- what is remembered --------------------------------------------------------------------------------------
    def _key(self) -> bytes:
        """What the result depends on: everything but the time there was for it."""
        facts = {
            "game": self.entry.game.id, "setup": self.setup_name, "players": self.players, "readings": self.readings,
            "deck": digest_of(self.entry.setup(self.setup_name, self.players, self.chosen, self.request.deck)),
        }  # fmt: skip
        return content.of_text(content.of_program(), json.dumps(facts, sort_keys=True))

    def _known(self) -> list[PropertyResult] | None:
        """The results of an earlier run about the same, all of them final."""
        shown = self.request.cross_check or self.request.smtlib  # which an earlier result has not
        text = self.cache.result(self._key()) if self.cache and not shown else None
        if text is None:
            return None
        kept = json.loads(text)
        self.records = kept["games"]
        return [PropertyResult.model_validate(result) for result in kept["results"]]

    def _keep(self, results: Sequence[PropertyResult]) -> None:
        if self.cache and not any(result.verdict == "UNDETERMINED" for result in results):
            kept = {"results": [result.model_dump(mode="json") for result in results], "games": self.records}
            self.cache.keep_result(self._key(), json.dumps(kept))

    # -- results -------------------------------------------------------------------------------------------------
    @property
    def _scope(self) -> str:
        answers = f" and every answer to {listed(self.open)}" if self.open else ""
        return f"every well-formed deck of that shape{answers}, set-up {self.setup_name}, {self.players} players"

    def _result(self, prop: Property) -> PropertyResult:
        proof, refutation = self.proofs.get(prop.id), self.games.get(prop.id)
        facts: dict[str, Any] = {
            "verdict": "UNDETERMINED", "method": "proved", "scope": self._scope, "seconds": 0.0, "detail": "not tried"
        }  # fmt: skip
        if refutation is not None:
            title, moves = refutation.game.title, counted(len(refutation.game.steps), "move")
            facts |= {"verdict": "REFUTED", "method": "explored", "detail": f"{title}; {moves}"}
            facts |= {"scope": self._readings_of(refutation), "game": refutation.game}
        elif proof is not None:
            facts |= {"seconds": proof.seconds, "detail": proof.reason, "counterexample": list(proof.counterexample)}
            if proof.proved:
                facts |= {"verdict": "PROVED", "detail": _how(proof), "hypotheses": sorted(proof.hypotheses)}
        return PropertyResult(
            id=prop.id, statement=prop.statement, clauses=list(prop.clauses), kind=prop.kind, expected=prop.expected,
            explanation=prop.explanation, **facts,
        )

    def _readings_of(self, refutation: Refutation) -> str:
        standing = self.entry.readings(self.chosen)
        other = [f"{id}={value}" for id, value in refutation.readings.items() if standing.get(id) != value]
        return f"under {listed(other)}" if other else "the readings in force"

    # -- the report ----------------------------------------------------------------------------------------------
    def _written(self, results: Sequence[PropertyResult]) -> Report:
        report = self._report(results)
        for id, record in self.records.items():
            saved_games.write(atomic.folder(self.out / "games") / f"{id}.json", record)
        name = "rules" if self.request.rules else "proofs"
        atomic.write(self.out / f"{name}.json", to_json(report))
        atomic.write(self.out / f"{name}.html", html.render(report))
        return report

    def _report(self, results: Sequence[PropertyResult]) -> Report:
        parameters = self.model.setup
        return Report(
            ruleproof=program_version(), game=self.entry.game.id, title=self.entry.game.title, preset=self.preset,
            players=[self.players], readings=self.readings, deck_digest=digest_of(parameters),
            rules_version=self.entry.game.version, seed=0, started=self.started.isoformat(timespec="seconds"),
            seconds=time.monotonic() - self.begun, complete=self.interrupted_at is None,
            interrupted_at=self.interrupted_at, properties=list(results), clauses=[], setups=[],
            findings=[*_findings(results), *self._unconfirmed()], graphs=[self._dependencies(results)],
            command=self.request.command,
        )  # fmt: skip

    def _unconfirmed(self) -> Iterator[Finding]:
        for id, proof in self.proofs.items():
            if proof.confirmed is not None and proof.confirmed < proof.obligations:
                message = f"cvc5 confirmed {proof.confirmed:,} of {counted(proof.obligations, 'obligation')} in time."
                yield Finding(id=f"unconfirmed:{id}", type="second solver undecided", message=message)

    def _dependencies(self, results: Sequence[PropertyResult]) -> GraphFile:
        name = "rule-dependencies" if self.request.rules else "dependencies"
        return graphs.save(dependencies(results), name=name, title="What each proof rests on", out=self.out)


def dependencies(results: Sequence[PropertyResult]) -> nx.DiGraph[str]:
    """The proved properties that helped in a proof or were helped, with an arrow to each from those that it helped.

    What stands by itself is left out, and so is the assumption about the deck, which nearly everything rests on.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    groups = {result.id: result.id.partition(".")[0] for result in results}
    for result in results:
        for helper in result.hypotheses:
            if helper != DECK:
                graph.add_edge(helper, result.id, label="helps")
    for node in graph:
        graph.add_node(node, label=node, group=groups.get(node, ""))
    return graph


def _how(proof: Verdict) -> str:
    asked = [counted(proof.checks, "question") + " to Z3"] if proof.checks or not proof.remembered else []
    known = [counted(proof.remembered, "claim") + " proved before"] if proof.remembered else []
    skipped = [counted(proof.skipped, "path") + " with nothing to ask"] if proof.skipped else []
    confirmed = [] if proof.confirmed is None else [f"{proof.confirmed:,} of {proof.obligations:,} confirmed by cvc5"]
    return f"Induction over every rule: {', '.join(asked + known + skipped + confirmed)}"


def _findings(results: Sequence[PropertyResult]) -> Iterator[Finding]:
    for result in results:
        if result.standing == "hole":
            yield Finding(
                id=f"hole:{result.id}", type="hole of the rulebook", clause=result.clauses[0],
                message=f"{result.statement} {result.explanation}",
            )  # fmt: skip
    late = [result.id for result in results if result.verdict == "UNDETERMINED" and not result.counterexample]
    if late:
        yield Finding(
            id="proofs-open", type="probe out of budget",
            message=f"{counted(len(late), 'proof')} not settled within the budget: {listed(late)}.",
        )  # fmt: skip
