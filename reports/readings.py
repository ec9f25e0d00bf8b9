"""`ruleproof readings`: does an open question of the rulebook matter, and what game shows it?

Every answer to every question is compared with the standing one: first in each small set-up, one exploration for all
answers together; then, for the answers that need cells of their own, in explorations that these lead; what is still
open, in the set-ups that stand under readings of their own. What time is left goes into the matrix: which property is
broken under which answer. The holes that the game's package lists are looked for on the way.

What no game tells apart is tried to be proved the same for every deck of the printed size; failing that it is
UNDETERMINED, and the bound is told. A hole that no game shows is tried to be ruled out in the same way.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from model.language.catalogue import Reading
from model.language.errors import RuleError
from properties.declaration import Property
from properties.hole import Hole as DeclaredHole
from reports import atomic, parallel, readings_page
from reports.exploring import own_readings
from reports.interruption import Interruption
from reports.reading_document import Answer, Hole, MatrixCell, MatrixRow, Question, ReadingsReport, to_json, verdict_of
from reports.registry import EXPLORED, QUESTIONS, STANDARD, Entry
from reports.telling_apart import Checked, Key, Looked, Shown, Told, checked_under, looked_at, looked_at_leading
from reports.terminal import Progress, SilentProgress
from reports.verification import program_version
from reports.wording import counted, listed
from solver.sameness import Sameness, proved_same, ruled_out

BUDGET = 115.0
LEADING = 0.72  # of the budget, by when the answers that lead are done
ASIDE = 0.82  # by when those under other readings are
PROVING = 0.95  # by when the proofs are


@dataclass(frozen=True)
class ReadingsRequest:
    """What to look at and where to write it.

    Attributes:
        readings: chosen answers, with which all others are compared in place of the default ones.
    """

    entry: Entry
    out: Path
    readings: Mapping[str, str] = field(default_factory=dict)
    budget: float = BUDGET
    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    command: str = "ruleproof readings"


def compare_readings(request: ReadingsRequest, progress: Progress | None = None) -> ReadingsReport:
    """Compare all answers, and write `readings.json` and `readings.md` into the request's folder.

    Interrupted by Ctrl-C or SIGTERM it does so with what it has.

    Raises:
        InputError: an unknown reading or value.
        OutputError: the folder can't be written.
    """
    return _Comparing(request, progress or SilentProgress()).run()


class _Comparing:
    def __init__(self, request: ReadingsRequest, progress: Progress) -> None:
        self.request, self.progress, self.entry = request, progress, request.entry
        self.started, self.begun = datetime.now(UTC), time.monotonic()
        self.standing = self.entry.readings(request.readings)
        self.players = self.entry.game.player_counts[0]
        presets = self.entry.game.presets
        self.names = tuple(name for id in (EXPLORED, QUESTIONS) if id in presets for name in presets[id].setups)
        self.catalogue = self.entry.game.catalogue.readings
        self.keys = [
            Key(id, value) for id, reading in self.catalogue.items() for value in reading.values
            if value != self.standing[id]
        ]  # fmt: skip
        self.out = atomic.folder(request.out)
        self.looked: dict[str, Looked] = {}
        self.led: dict[tuple[str, Key], Looked] = {}
        self.told: dict[Key, Told] = {}
        self.shown: dict[str, Shown] = {}
        self.same: dict[Key, Sameness] = {}
        self.ruled_out: dict[str, str] = {}
        self.checked: dict[Key | None, list[Checked]] = {}
        self.failed: list[str] = []
        self.interrupted_at: str | None = None

    def run(self) -> ReadingsReport:
        stages = {
            "telling answers apart": self._tell, "answers that lead": self._tell_leading,
            "other readings": self._tell_elsewhere, "proofs": self._prove, "the matrix": self._check,
        }  # fmt: skip
        with Interruption() as interruption:
            try:
                for name, stage in stages.items():
                    self.interrupted_at = name
                    stage()
            except KeyboardInterrupt:
                pass  # what was found stands
            if not interruption.happened:
                self.interrupted_at = None
        report = self._report()
        atomic.write(self.out / "readings.json", to_json(report))
        atomic.write(self.out / "readings.md", readings_page.render(report))
        return report

    # -- searching -----------------------------------------------------------------------------------------------
    def _deadline(self, share: float) -> float:
        return self.begun + share * self.request.budget

    def _run(self, title: str, tasks: Mapping[str, Callable[[], object]], share: float) -> Iterator[tuple[str, object]]:
        """The results of the tasks that have one, as they come."""
        bar = self.progress.stage(title, len(tasks))
        with closing(parallel.run(tasks, self.request.processes, self._deadline(share))) as results:
            for name, found in results:
                bar.advance(note=name)
                if isinstance(found, parallel.Failure):
                    self.failed.append(f"{name}: {found.reason}")
                else:
                    yield name, found
        bar.finish()

    def _tell(self) -> None:
        """In every set-up, all answers that can follow the standing ones."""
        situations = [hole.shown for hole in self.entry.holes if hole.shown and not hole.under]
        deadline = self._deadline(LEADING)
        tasks = {
            name: partial(looked_at, self.entry, name, self.players, self.standing, self.keys, situations, deadline)
            for name in reversed(self.names)  # the later ones are the more special, for what the first don't reach
        }  # fmt: skip
        for name, found in self._run("Telling answers apart", tasks, LEADING):
            assert isinstance(found, Looked)
            self.looked[name] = found
            self._merge(found)

    def _tell_leading(self) -> None:
        """Answers with cells of their own, in the smallest set-ups first."""
        pairs = [
            (looked.name, key)
            for looked in sorted(self.looked.values(), key=lambda looked: looked.states)
            for key in self.keys if key in looked.aside
        ]  # fmt: skip
        deadline = self._deadline(ASIDE)
        tasks = {
            f"{key} in {name}": partial(
                looked_at_leading, self.entry, name, self.players, self.standing, key, deadline
            )
            for name, key in pairs
        }  # fmt: skip
        by_name = {f"{key} in {name}": (name, key) for name, key in pairs}
        for task, found in self._run("Answers that lead", tasks, ASIDE):
            assert isinstance(found, Looked)
            self.led[by_name[task]] = found
            self._merge(found)

    def _tell_elsewhere(self) -> None:
        """What is still open, and holes that show under certain answers only."""
        tasks: dict[str, Callable[[], object]] = {}
        deadline = self._deadline(ASIDE)
        for name in self.names:
            about = own_readings(self.entry, name, self.players, {})
            readings = {**self.standing, **about}
            keys = [key for key in self.keys if key not in self.told and key.reading not in about]
            if readings != self.standing and keys:
                tasks[f"{name}, its own readings"] = partial(
                    looked_at, self.entry, name, self.players, readings, keys, (), deadline
                )
        for hole in self.entry.holes:
            if hole.shown and hole.under and hole.shown.id not in self.shown:
                readings = {**self.standing, **hole.under}
                for name in self.names:
                    tasks[f"{hole.id} in {name}"] = partial(
                        looked_at, self.entry, name, self.players, readings, (), [hole.shown], deadline
                    )
        for _, found in self._run("Under other readings", tasks, ASIDE):
            assert isinstance(found, Looked)
            self._merge(found)

    def _merge(self, found: Looked) -> None:
        for key, told in found.told.items():
            best = self.told.get(key)
            if best is None or self._rank(told) < self._rank(best):
                self.told[key] = told
        for id, shown in found.shown.items():
            best_shown = self.shown.get(id)
            if best_shown is None or len(shown.game.steps) < len(best_shown.game.steps):
                self.shown[id] = shown

    def _rank(self, told: Told) -> tuple[bool, int, int]:
        """A game under the standing readings before one under others; then the shorter one."""
        return dict(told.readings) != self.standing, told.moves, self.names.index(told.setup)

    # -- proving -------------------------------------------------------------------------------------------------
    def _prove(self) -> None:
        """That an answer that nothing tells apart can't be told apart."""
        open_keys = [key for key in self.keys if key not in self.told]
        if STANDARD not in self.entry.game.presets:
            return
        name = self.entry.game.presets[STANDARD].setups[0]
        tasks: dict[str, Callable[[], object]] = {str(key): partial(self._proved, name, key) for key in open_keys}
        tasks |= {
            hole.shown.id: partial(self._ruled_out, name, hole.shown, hole.under)
            for hole in self.entry.holes
            if hole.shown and hole.shown.prove and hole.shown.id not in self.shown
        }  # fmt: skip
        by_name = {str(key): key for key in open_keys}
        for task, found in self._run("Proving what no game shows", tasks, PROVING):
            if isinstance(found, Sameness):
                self.same[by_name[task]] = found
            elif isinstance(found, str):
                self.ruled_out[task] = found

    def _proved(self, name: str, key: Key) -> Sameness:
        """For every deck of the printed size: a proof by representative cards says nothing of printed ones."""
        first, second = (
            self.entry.setup(name, self.players, {**self.standing, key.reading: value}, symbolic=True)
            for value in (self.standing[key.reading], key.value)
        )
        found = proved_same(self.entry.game, first, second, self.entry.properties, self._deadline(PROVING))
        return Sameness(found.proved, f"{found.detail}, for every deck of the printed size")

    def _ruled_out(self, name: str, situation: Property, under: Mapping[str, str]) -> str | None:
        """By what it is proved that a situation can't be, for every deck; None if it isn't."""
        setup = self.entry.setup(name, self.players, {**self.standing, **under}, symbolic=True)
        try:
            return ruled_out(self.entry.game.model(setup), situation, self.entry.properties, self._deadline(PROVING))
        except RuleError:  # it speaks of printed cards, or else is not written for the solver
            return None

    # -- the matrix ----------------------------------------------------------------------------------------------
    def _check(self) -> None:
        """Properties under each answer, in the set-ups where it matters: the smallest of each first."""
        properties = [prop for prop in self.entry.properties if prop.kind != "witness"]
        deadline = self._deadline(1.0)
        tasks: dict[str, Callable[[], object]] = {}
        of: dict[str, Key | None] = {}
        small = sorted(self.looked.values(), key=lambda looked: looked.states)
        where: dict[Key | None, list[str]] = {None: [looked.name for looked in small]}
        for key in self.keys:
            where[key] = [
                looked.name for looked in small
                if key in looked.told or key in self.led.get((looked.name, key), looked).told
            ]  # fmt: skip
        for turn in range(max((len(names) for names in where.values()), default=0)):
            for row, names in where.items():
                if turn < len(names):
                    readings = {**self.standing, **({row.reading: row.value} if row else {})}
                    task = f"{row or 'standing'} in {names[turn]}"
                    of[task] = row
                    tasks[task] = partial(
                        checked_under, self.entry, names[turn], self.players, readings, properties, deadline
                    )
        failed = len(self.failed)
        for task, found in self._run("Properties under each answer", tasks, 1.0):
            assert isinstance(found, Checked)
            self.checked.setdefault(of[task], []).append(found)
        del self.failed[failed:]  # the matrix takes what time is left, and says what it looked at

    # -- the report ----------------------------------------------------------------------------------------------
    def _report(self) -> ReadingsReport:
        questions = [self._question(reading) for reading in self.catalogue.values()]
        return ReadingsReport(
            ruleproof=program_version(), game=self.entry.game.id, title=self.entry.game.title, players=self.players,
            standing=self.standing, started=self.started.isoformat(timespec="seconds"),
            seconds=time.monotonic() - self.begun, complete=self.interrupted_at is None and not self.failed,
            interrupted_at=self.interrupted_at, readings=questions, matrix=list(self._matrix()),
            holes=[self._hole(hole, questions) for hole in self.entry.holes], command=self.request.command,
        )  # fmt: skip

    def _question(self, reading: Reading) -> Question:
        answers = [self._answer(key, reading) for key in self.keys if key.reading == reading.id]
        games = [answer for answer in answers if answer.game is not None]
        standing = self.standing[reading.id]
        return Question(
            id=reading.id, clause=reading.clause, question=reading.question, standing=standing,
            meaning=reading.meaning[standing], verdict=verdict_of(answers), answers=answers,
            game=min(games, key=lambda answer: answer.moves or 0).game if games else None,
        )  # fmt: skip

    def _answer(self, key: Key, reading: Reading) -> Answer:
        told, same = self.told.get(key), self.same.get(key)
        meaning = reading.meaning[key.value]
        if told is not None:
            others = {id: value for id, value in told.readings.items() if self.standing[id] != value}
            return Answer(
                value=key.value, meaning=meaning, verdict="TOLD_APART", setup=told.setup, others=others,
                moves=told.moves, game=told.game, parting=dict(told.parting), detail=self._looked_at(key),
            )  # fmt: skip
        if same is not None and same.proved:
            return Answer(value=key.value, meaning=meaning, verdict="SAME", detail=same.detail)
        tried = f"; {same.detail}" if same else ""
        return Answer(value=key.value, meaning=meaning, verdict="UNDETERMINED", detail=self._looked_at(key) + tried)

    def _looked_at(self, key: Key) -> str:
        """In how many set-ups and states, and where the rules are the same anyway."""
        runs = [self.led.get((name, key), looked) for name, looked in self.looked.items()]
        fit = [run for run in runs if key not in run.unfit and key not in run.aside and key not in run.alike]
        alike = sum(key in run.alike for run in runs)
        parts = [f"looked for in {counted(len(fit), 'set-up')}, {counted(sum(run.states for run in fit), 'state')}"]
        open_runs = [run.name for run in fit if key not in run.told and not run.complete]
        if open_runs:
            parts.append(f"not to the end in {listed(open_runs)}")
        if alike:
            parts.append(f"the rules are the same in {counted(alike, 'other')}")
        return "; ".join(parts)

    def _matrix(self) -> Iterator[MatrixRow]:
        properties = [prop for prop in self.entry.properties if prop.kind != "witness"]
        for key in (None, *self.keys):
            runs = self.checked.get(key, [])
            if not runs:
                continue
            cells = []
            for prop in properties:
                broken = [(run.broken[prop.id], run.name) for run in runs if prop.id in run.broken]
                moves, setup = min(broken, default=(None, ""))
                cells.append(
                    MatrixCell(
                        property=prop.id, verdict="REFUTED" if broken else "HOLDS", moves=moves, setup=setup
                    )
                )
            yield MatrixRow(
                reading=key.reading if key else "", value=key.value if key else "standing",
                setups=[run.name for run in runs], states=sum(run.states for run in runs),
                complete=all(run.complete for run in runs), cells=cells,
            )  # fmt: skip

    def _hole(self, hole: DeclaredHole, questions: Sequence[Question]) -> Hole:
        facts: dict[str, Any] = {
            "id": hole.id, "situation": hole.situation, "clauses": list(hole.clauses), "readings": list(hole.readings),
            "consequence": hole.consequence,
        }  # fmt: skip
        if hole.textual:
            return Hole(**facts, verdict="TEXTUAL", detail=hole.textual)
        if hole.shown is not None:
            shown = self.shown.get(hole.shown.id)
            if shown is None and hole.shown.id in self.ruled_out:
                return Hole(**facts, verdict="IMPOSSIBLE", detail=self.ruled_out[hole.shown.id])
            if shown is None:
                states = sum(looked.states for looked in self.looked.values())
                return Hole(
                    **facts, verdict="NOT_SHOWN",
                    detail=f"not among {counted(states, 'state')} of {counted(len(self.looked), 'set-up')}",
                )  # fmt: skip
            others = {id: value for id, value in shown.readings.items() if self.standing[id] != value}
            moves = counted(len(shown.game.steps), "move")
            return Hole(
                **facts, verdict="SHOWN", detail=f"{moves}", setup=shown.setup, others=others, game=shown.game
            )
        asked = [question for question in questions if question.id in hole.readings]
        apart = [question for question in asked if question.game is not None]
        if apart:
            return Hole(
                **facts, verdict="SHOWN", detail=f"the game that tells {apart[0].id} apart", game=apart[0].game
            )
        same = asked and all(question.verdict == "SAME" for question in asked)
        return Hole(
            **facts, verdict="IMPOSSIBLE" if same else "NOT_SHOWN",
            detail=f"see {listed(question.id for question in asked)}",
        )
