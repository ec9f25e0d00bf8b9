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
import time
from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx

from properties.declaration import Property
from reports import atomic, coverage, graphs, saved_games
from reports.document import Finding, GraphFile, PropertyResult, Report
from reports.interruption import Interruption
from reports.refuting import Refutation, refutations
from reports.subject import ProofRequest, Subject
from reports.terminal import Progress, SilentProgress
from reports.verification import CHECK_SECONDS
from reports.wording import counted, listed
from solver import content
from solver.hypotheses import DECK
from solver.induction import Verdict
from solver.prove import prove
from solver.ranges import range_properties

SEARCHING = 0.4  # of the budget at most, for games that are expected and soon found
ONE_QUESTION = 0.04  # of the budget at most, for one question to Z3
LEAST_SECONDS = 0.5


def prove_game(request: ProofRequest, progress: Progress | None = None) -> Report:
    """Decide every property and write `proofs.json`, `proofs.html`, `graphs/` and `games/` into the request's folder.

    Interrupted by Ctrl-C or SIGTERM it does so with what it has.

    Raises:
        InputError: the request names what isn't there, or the game has no set-up that can be proved about.
        OutputError: the folder can't be written.
        ProverError: a rule can't be traced.
        Disagreement: two solvers contradict each other.
    """
    return _Proving(Subject(request), progress or SilentProgress()).run()


class _Proving:
    def __init__(self, subject: Subject, progress: Progress) -> None:
        self.subject, self.progress = subject, progress
        self.request, self.entry = subject.request, subject.entry
        self.claims = [prop for prop in self.entry.properties if prop.kind != "witness" and prop.prove]
        self.proofs: dict[str, Verdict] = {}
        self.games: dict[str, Refutation] = {}
        self.records: dict[str, Any] = {}  # of the games, for `ruleproof show`
        self.interrupted_at: str | None = None

    def run(self) -> Report:
        results = self._known()
        if results is None:
            self._decide()
            results = [self._result(prop) for prop in (*self.claims, *range_properties(self.subject.model))]
            self._keep(results)
        for id, record in self.records.items():
            saved_games.write(atomic.folder(self.subject.out / "games") / f"{id}.json", record)
        late = [result.id for result in results if result.verdict == "UNDETERMINED" and not result.counterexample]
        findings = [*coverage.holes(results), *coverage.open_proofs(late), *self._unconfirmed()]
        drawing = drawn(results, "dependencies", self.subject)
        return self.subject.written("proofs", results, findings, [drawing], self.interrupted_at)

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
        for answers in self._answers():
            wanted = [prop for prop in properties if prop.id not in self.games]
            deadline = self.subject.deadline(share)
            found = refutations(self.entry, wanted, answers, deadline, self.request.processes)
            self.games |= found
            self.records |= {id: refutation.record for id, refutation in found.items()}
            bar.advance(len(found))
        bar.finish(note=f"{sum(prop.id in self.games for prop in properties)} found")

    def _answers(self) -> Iterator[dict[str, str]]:
        """Under which answers to look for games: the default ones, and each other answer to an open question."""
        yield self.subject.chosen
        for id, reading in self.subject.open.items():
            yield from ({**self.subject.chosen, id: value} for value in reading.values[1:])

    def _prove(self) -> None:
        model = self.subject.model
        asked = [prop for prop in self.claims if prop.id not in self.games]
        bar = self.progress.stage("Proving", len(asked) + len(model.layout.variables))
        settled = 0

        def report(verdict: Verdict, done: int, _of: int) -> None:
            nonlocal settled
            bar.advance(done - settled, note=verdict.id)
            settled = done

        left = max(LEAST_SECONDS, self.subject.deadline() - time.monotonic())
        found = prove(
            lambda: model, asked, budget_seconds=left,
            check_seconds=max(CHECK_SECONDS, ONE_QUESTION * self.request.budget),
            processes=self.request.processes, progress=report, cache=self.subject.cache,
            cross_check=self.request.cross_check, smtlib=self.request.smtlib,
        )  # fmt: skip
        self.proofs = {verdict.id: verdict for verdict in found}
        bar.finish(note=f"{sum(verdict.proved for verdict in found)} proved")

    # -- what is remembered --------------------------------------------------------------------------------------
    def _key(self) -> bytes:
        """What the result depends on: everything but the time there was for it."""
        subject = self.subject
        facts = {
            "game": self.entry.game.id, "setup": subject.setup_name, "players": subject.players,
            "readings": subject.readings, "deck": subject.deck_digest(),
        }  # fmt: skip
        return content.of_text(content.of_program(), json.dumps(facts, sort_keys=True))

    def _known(self) -> list[PropertyResult] | None:
        """The results of an earlier run about the same, all of them final."""
        shown = self.request.cross_check or self.request.smtlib  # which an earlier result has not
        text = self.subject.cache.result(self._key()) if self.subject.cache and not shown else None
        if text is None:
            return None
        try:
            kept = json.loads(text)
            results = [PropertyResult.model_validate(result) for result in kept["results"]]
        except ValueError:  # written by a program whose reports looked otherwise
            return None
        self.records = kept["games"]
        return results

    def _keep(self, results: Sequence[PropertyResult]) -> None:
        if self.subject.cache and not any(result.verdict == "UNDETERMINED" for result in results):
            kept = {"results": [result.model_dump(mode="json") for result in results], "games": self.records}
            self.subject.cache.keep_result(self._key(), json.dumps(kept))

    # -- results -------------------------------------------------------------------------------------------------
    def _result(self, prop: Property) -> PropertyResult:
        proof, refutation = self.proofs.get(prop.id), self.games.get(prop.id)
        facts: dict[str, Any] = {
            "verdict": "UNDETERMINED", "method": "proved", "scope": self.subject.scope, "seconds": 0.0,
            "detail": "not tried",
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
        standing = self.entry.readings(self.subject.chosen)
        other = [f"{id}={value}" for id, value in refutation.readings.items() if standing.get(id) != value]
        return f"under {listed(other)}" if other else "the readings in force"

    def _unconfirmed(self) -> Iterator[Finding]:
        for id, proof in self.proofs.items():
            if proof.confirmed is not None and proof.confirmed < proof.obligations:
                message = f"cvc5 confirmed {proof.confirmed:,} of {counted(proof.obligations, 'obligation')} in time."
                yield Finding(id=f"unconfirmed:{id}", type="second solver undecided", message=message)


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


def drawn(results: Sequence[PropertyResult], name: str, subject: Subject) -> GraphFile:
    """The dependencies as files in the request's folder."""
    return graphs.save(dependencies(results), name=name, title="What each proof rests on", out=subject.out)


def _how(proof: Verdict) -> str:
    asked = [counted(proof.checks, "question") + " to Z3"] if proof.checks or not proof.remembered else []
    known = [counted(proof.remembered, "claim") + " proved before"] if proof.remembered else []
    skipped = [counted(proof.skipped, "path") + " with nothing to ask"] if proof.skipped else []
    confirmed = [] if proof.confirmed is None else [f"{proof.confirmed:,} of {proof.obligations:,} confirmed by cvc5"]
    return f"Induction over every rule: {', '.join(asked + known + skipped + confirmed)}"
