"""`ruleproof verify`: everything that can be found out about a game in two minutes, as one report.

Three stages, each a different kind of evidence, each on every core with its share of the budget. Exploring comes first:
it is exhaustive, its games are the shortest, and what it decides need not be asked again. Then random games of the
printed size, for what no small set-up has. Then proofs, for every deck, with all the time that is left.

A stage that runs out of its share leaves what it has, and the gap is told as a verdict or a finding, never passed over.
The same goes for an interrupted run, whose report is made from what is known by then and says so.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from model.language import Model
from properties.campaign import Finding as Found
from properties.campaign import campaign
from reports import atomic, coverage, html, parallel, state_graphs
from reports.document import Finding, Game, GraphFile, Report, to_json
from reports.evidence import Evidence, Played
from reports.exploring import explored, own_readings
from reports.interruption import Interruption
from reports.registry import EXPLORED, Entry
from reports.retelling import retold
from reports.terminal import Progress, SilentProgress
from reports.verdicts import verdicts
from solver.induction import Verdict
from solver.proof_cache import ProofCache
from solver.prove import ProverError, prove

BUDGET = 115.0
EXPLORING, PLAYING = 0.45, 0.2  # of the budget at most; proofs have the rest
SHRINKING = 0.25  # of the time for random games, to shorten what they found
GAMES = 2  # random games of each set-up and number of players
CHECK_SECONDS = 5.0  # for one question to Z3
LEAST_SECONDS = 0.5


@dataclass(frozen=True)
class Request:
    """What to verify, and where to write the report.

    Attributes:
        preset: whose set-ups are played and, if it has just one, proved about; the tiny ones are explored anyway.
        players: for how many; None: for every number the game allows.
        readings: chosen answers. deck: in place of the printed one. seed: of the first random game.
        budget: seconds for everything. games: random games of each set-up and number of players.
        cache: the file with claims that were proved before; None: every proof is made afresh.
        command: what the user typed, for the report.
    """

    entry: Entry
    out: Path
    preset: str | None = None
    players: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    deck: Path | None = None
    seed: int = 0
    budget: float = BUDGET
    games: int = GAMES
    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    cache: Path | None = None
    command: str = "ruleproof verify"


def verify(request: Request, progress: Progress | None = None) -> Report:
    """Run all stages and write `report.json`, `report.html` and `graphs/` into the request's folder.

    Interrupted by Ctrl-C or SIGTERM it does the same with what it has.

    Raises:
        InputError: the request names what isn't there, or a deck that can't be used.
        OutputError: the folder can't be written; told before the work where possible.
        ContradictionError: two of our tools disagree.
    """
    return _Run(request, progress or SilentProgress()).run()


def program_version() -> str:
    """The version of this program."""
    try:
        return version("ruleproof")
    except PackageNotFoundError:  # run from a checkout that nobody installed
        return "development"


class _Run:
    def __init__(self, request: Request, progress: Progress) -> None:
        self.request, self.progress = request, progress
        quick = [prop for prop in request.entry.properties if not prop.thorough]
        self.entry = replace(request.entry, properties=quick)
        self.started, self.begun = datetime.now(UTC), time.monotonic()
        entry = self.entry
        # Whatever is wrong with the request is told now and not after a minute of work.
        self.preset = entry.preset(request.preset)
        self.readings = entry.readings(request.readings)
        self.names = entry.game.presets[self.preset].setups
        self.counts = entry.count(request.players)
        self.setups = self._setups()
        self.out = atomic.folder(request.out)
        self.evidence = Evidence(self.readings)
        self.stage: str | None = None
        self.trouble: list[Finding] = []

    def _setups(self) -> list[tuple[str, int, Any]]:
        """What is played: each set-up of the preset for each number of players (a focused one only for its own)."""
        counts = self.counts if len(self.names) == 1 else self.counts[:1]
        chosen = [(name, players, self._readings_of(name, players)) for name in self.names for players in counts]
        return [
            (name, players, self.entry.setup(name, players, readings, self.request.deck))
            for name, players, readings in chosen
        ]

    def _readings_of(self, name: str, players: int) -> Mapping[str, str]:
        return own_readings(self.entry, name, players, self.request.readings)

    def run(self) -> Report:
        with Interruption() as interruption:
            try:
                for name, stage in self._stages():
                    self.stage = name
                    stage()
                    if interruption.happened:
                        break
                else:
                    self.stage = None
            except KeyboardInterrupt:
                pass  # what was found stands in the evidence
            return self._written()

    def _stages(self) -> list[tuple[str, Callable[[], None]]]:
        stages: list[tuple[str, Callable[[], None]]] = [
            ("exploring", self._explore), ("random games", self._play), ("proofs", self._prove)
        ]  # fmt: skip
        return [stage for stage in stages if stage[0] != "proofs" or self._provable()]

    def _provable(self) -> bool:
        """A preset of one set-up is proved about; a family of focused ones is decided by exploring it."""
        return len(self.names) == 1

    def _left(self, share: float = 1.0) -> float:
        """The seconds left of that share of the budget."""
        return max(LEAST_SECONDS, self.begun + share * self.request.budget - time.monotonic())

    # -- exploring -----------------------------------------------------------------------------------------------
    def _explore(self) -> None:
        presets = self.entry.game.presets
        names = presets[EXPLORED].setups if EXPLORED in presets else ()
        deadline = time.monotonic() + self._left(EXPLORING)
        players = self.entry.game.player_counts[0]
        tasks = {
            name: partial(explored, self.entry, name, players, self.request.readings, deadline) for name in names
        }
        bar = self.progress.stage("Exploring", len(tasks))
        for name, found in parallel.run(tasks, self.request.processes, deadline):
            if isinstance(found, parallel.Failure):
                self.evidence.failed[name] = found.reason
            else:
                self.evidence.explored[name] = found
            bar.advance(note=name)
        self.evidence.explored = {n: self.evidence.explored[n] for n in names if n in self.evidence.explored}
        bar.finish(note=f"{self.evidence.states:,} positions")

    # -- random games --------------------------------------------------------------------------------------------
    def _play(self) -> None:
        planned = self.request.games if len(self.names) == 1 else max(1, self.request.games // len(self.names))
        bar = self.progress.stage("Random games", planned * len(self.setups))
        end = time.monotonic() + max(self._left(EXPLORING + PLAYING), PLAYING * self._left())
        for position, (name, players, setup) in enumerate(self.setups):
            seconds = max(LEAST_SECONDS, (end - time.monotonic()) / (len(self.setups) - position))
            shown = 0

            def report(_part: float, games: int, _decisions: int, label: str = f"{name}, {players} players") -> None:
                nonlocal shown
                bar.advance(games - shown, note=label)
                shown = games

            played = self._played(name, players, setup, planned, seconds, report)
            self.evidence.played.append(played)
            if played.found.interrupted:
                break
        bar.finish(note=f"{self.evidence.games:,} games")

    def _played(
        self, name: str, players: int, setup: Any, planned: int, seconds: float,
        report: Callable[[float, int, int], None],
    ) -> Played:  # fmt: skip
        model = self.entry.game.model(setup)
        settled = self.evidence.decided
        found = campaign(
            lambda: model, [prop for prop in self.entry.properties if prop.id not in settled],
            range(self.request.seed, self.request.seed + planned), seconds * (1 - SHRINKING),
            self.request.processes, report, self.entry.policy, shrink_seconds=seconds * SHRINKING,
        )  # fmt: skip
        title = f"A random game, {name}, {players} players"
        return Played(
            name, players, planned, setup.readings, found,
            {id: _retold(model, game, title) for id, game in found.violations.items()},
            {id: _retold(model, game, title) for id, game in found.witnesses.items()},
        )  # fmt: skip

    # -- proofs --------------------------------------------------------------------------------------------------
    def _prove(self) -> None:
        # Two are the fewest that can be rivals; each further player multiplies what Z3 has to consider.
        name, players = self.names[0], self.counts[0]

        def factory() -> Model:
            setup = self.entry.setup(name, players, self._readings_of(name, players), self.request.deck, True)
            return self.entry.game.model(setup)

        model = factory()
        # What a game breaks, no proof can save.
        properties = [prop for prop in self.entry.properties if not self.evidence.violations(prop.id)]
        claimed = [prop for prop in properties if prop.kind != "witness" and prop.prove]
        self.evidence.proved_about = f"every well-formed deck of that shape, set-up {name}, {players} players"
        self.evidence.proof_readings = model.setup.readings
        bar = self.progress.stage("Proving", len(claimed) + len(model.layout.variables))
        settled = 0

        def report(verdict: Verdict, done: int, _of: int) -> None:
            nonlocal settled
            bar.advance(done - settled, note=verdict.id)
            settled = done

        try:
            found = prove(
                factory, properties, budget_seconds=self._left(), check_seconds=CHECK_SECONDS,
                processes=self.request.processes, progress=report,
                cache=ProofCache(self.request.cache) if self.request.cache else None,
            )  # fmt: skip
        except ProverError as mistake:
            last = str(mistake).strip().splitlines()[-1]
            self.trouble.append(Finding(id="proofs-failed", type="proofs failed", message=f"No proof was made: {last}"))
        else:
            self.evidence.proofs = {verdict.id: verdict for verdict in found}
        bar.finish(note=f"{sum(verdict.proved for verdict in self.evidence.proofs.values())} proved")

    # -- the report ----------------------------------------------------------------------------------------------
    def _written(self) -> Report:
        report = self._report()
        atomic.write(self.out / "report.json", to_json(report))
        atomic.write(self.out / "report.html", html.render(report))
        return report

    def _report(self) -> Report:
        entry, evidence = self.entry, self.evidence
        results = verdicts(
            entry.game, entry.properties, evidence, self.readings, self._open_reason(), entry.endless
        )
        covered = coverage.clauses(entry, evidence, results)
        complete = self.stage is None and not self.trouble and not evidence.failed
        complete &= all(run.result.complete for run in evidence.explored.values())
        complete &= all(run.complete for run in evidence.played)
        return Report(
            ruleproof=program_version(), game=entry.game.id, title=entry.game.title, preset=self.preset,
            players=sorted({players for _, players, _ in self.setups}), readings=self.readings,
            deck_digest=digest_of(self.setups[0][2]),
            rules_version=entry.game.version, seed=self.request.seed,
            started=self.started.isoformat(timespec="seconds"), seconds=time.monotonic() - self.begun,
            complete=complete, interrupted_at=self.stage, properties=results, clauses=covered,
            setups=[run.result for run in evidence.explored.values()],
            findings=[*self.trouble, *coverage.findings(entry, evidence, results, covered)],
            graphs=self._graphs(), command=self.request.command,
        )  # fmt: skip

    def _open_reason(self) -> str:
        """Why there may be no proof where there should be one; nothing where none was meant to be."""
        if not self._provable():
            return ""
        return f"the run was interrupted at {self.stage}" if self.stage else "the proofs failed"

    def _graphs(self) -> list[GraphFile]:
        """The graphs of this run; those of an earlier one would be taken for it."""
        shutil.rmtree(self.out / "graphs", ignore_errors=True)
        return state_graphs.write(self.entry, self.evidence, self.out)


def digest_of(setup: Any) -> str:
    """By what the deck of a set-up is known, for games that have one."""
    return str(getattr(getattr(setup, "deck", None), "digest", ""))


def _retold(model: Model, found: Found, title: str) -> Game:
    violation = found.violation
    detail = f": {violation.detail}" if violation and violation.detail else ""
    return retold(model, found.moves, f"{title}, seed {found.seed}{detail}", violation.probe if violation else None)
