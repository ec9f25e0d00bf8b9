"""What `ruleproof prove` speaks of: the printed set-up, its deck and some questions as open as the claim is wide.

Whether properties or the rules as a whole are in question, the request is the same, and so is what must be said of it
in a report: for which decks, players and answers a verdict holds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from model.language import InputError, Model, Reading
from model.language.catalogue import closest
from model.language.expression import variable
from reports import atomic, html
from reports.document import Finding, GraphFile, PropertyResult, Report, to_json
from reports.registry import Entry
from reports.verification import digest_of, program_version
from reports.wording import listed
from solver.proof_cache import ProofCache

BUDGET = 175.0
ANY = "any"


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
    command: str = "ruleproof prove"


class Subject:
    """What a request speaks of, and since when.

    Attributes:
        chosen: the answers that were given. open: the questions left open. readings: every answer in force, or ANY.
        model: over the printed set-up with every value of the deck left open.

    Raises:
        InputError: the request names what isn't there. OutputError: its folder can't be written.
    """

    def __init__(self, request: ProofRequest) -> None:
        self.request, self.entry = request, request.entry
        self.started, self.begun = datetime.now(UTC), time.monotonic()
        self.chosen = {id: value for id, value in request.readings.items() if value != ANY}
        self.open = self._open()
        self.readings = self.entry.readings(self.chosen) | dict.fromkeys(self.open, ANY)
        self.preset = self.entry.preset(None)
        self.setup_name = self.entry.game.presets[self.preset].setups[0]
        self.players = self.entry.count(request.players)[0]
        self.model = self._model()
        self.out = atomic.folder(request.out)
        self.cache = ProofCache(request.cache) if request.cache else None

    def _open(self) -> dict[str, Reading]:
        known = self.entry.game.catalogue.readings
        wanted = [id for id, value in self.request.readings.items() if value == ANY]
        for id in wanted:
            if id not in known:
                raise InputError(f"--reading {id}={ANY}: there is no such reading{closest(id, known)}")
        return {id: known[id] for id in wanted}

    def _model(self) -> Model:
        parameters = self.entry.setup(self.setup_name, self.players, self.chosen, self.request.deck, symbolic=True)
        if self.open:
            answers = {
                id: variable(("parameter", id), 0, len(reading.values) - 1) for id, reading in self.open.items()
            }
            parameters = replace(parameters, readings={**parameters.readings, **answers})
        return self.entry.game.model(parameters)

    @property
    def scope(self) -> str:
        """For what a proof holds, in words."""
        answers = f" and every answer to {listed(self.open)}" if self.open else ""
        return f"every well-formed deck of that shape{answers}, set-up {self.setup_name}, {self.players} players"

    def deck_digest(self) -> str:
        """By what the deck is known whose shape this is."""
        return digest_of(self.entry.setup(self.setup_name, self.players, self.chosen, self.request.deck))

    def deadline(self, share: float = 1.0) -> float:
        """The end of a share of the budget, on `time.monotonic`."""
        return self.begun + share * self.request.budget

    def written(
        self, name: str, results: Sequence[PropertyResult], findings: Sequence[Finding], graphs: Sequence[GraphFile],
        interrupted_at: str | None,
    ) -> Report:  # fmt: skip
        """The report, written as `<name>.json` and `<name>.html` into the request's folder.

        Raises:
            OutputError: it can't be written.
        """
        report = Report(
            ruleproof=program_version(), game=self.entry.game.id, title=self.entry.game.title, preset=self.preset,
            players=[self.players], readings=self.readings, deck_digest=self.deck_digest(),
            rules_version=self.entry.game.version, seed=0, started=self.started.isoformat(timespec="seconds"),
            seconds=time.monotonic() - self.begun, complete=interrupted_at is None, interrupted_at=interrupted_at,
            properties=list(results), clauses=[], setups=[], findings=list(findings), graphs=list(graphs),
            command=self.request.command,
        )  # fmt: skip
        atomic.write(self.out / f"{name}.json", to_json(report))
        atomic.write(self.out / f"{name}.html", html.render(report))
        return report
