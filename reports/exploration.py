"""`ruleproof explore`: every state of the small set-ups, and what only all of them together can tell.

A process explores one set-up, as many at a time as there are cores; what it sends back fits on a page. A process is
stopped at a block's end and never inside one: Ctrl-C sets a flag that each looks at, so that all of them store what
they have. Short of memory, a search first puts its levels on disk, into the folder of the report. What was stopped by
Ctrl-C, by time, by memory is stored in `search/` and gone on with by `--resume`; set-ups that were done are taken over
from `exploration.json`.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from model.language import InputError
from model.language.catalogue import closest
from model.language.record import Identity, save
from reports import atomic, exploration_page, parallel, saved_games
from reports.atomic import OutputError
from reports.exploration_document import (
    ComponentCounts,
    ExplorationReport,
    ExploredSetup,
    OutcomeCount,
    PerftTable,
    ShortestGame,
    to_json,
)  # fmt: skip
from reports.exploring import own_readings
from reports.registry import EXPLORED, Entry
from reports.terminal import Bar, Progress, SilentProgress
from reports.verification import digest_of, program_version
from solver import content
from solver.explorer.components import components
from solver.explorer.endings import Moves
from solver.explorer.frozen import thawed
from solver.explorer.outcomes import outcomes
from solver.explorer.perft import perft
from solver.explorer.resuming import ResumeError, restore, store
from solver.explorer.search import BLOCK, Exploration, ExplorationError, Found, Limits, Result, search

BUDGET = 300.0
MEMORY = "4GiB"
OF_MOVES = 1 / 3  # of the memory at most, for what components and perft need
EVERY = 0.25  # seconds between two looks at how far the processes are
FOR_EVER = 10.0**6  # seconds; the processes stop by themselves, and storing takes what it takes
DONE, STORED = "exploration.json", "search"
_UNITS = {"": 1, "b": 1} | {
    f"{letter}{suffix}": base**power
    for power, letter in enumerate("kmgt", 1) for suffix, base in (("b", 1000), ("", 1000), ("ib", 1024))
}  # fmt: skip


@dataclass(frozen=True)
class ExploreRequest:
    """What to explore, how far, and where to write it.

    Attributes:
        preset: whose set-ups; None: those that are small enough. setup: one of them, or of any preset; None: all.
        players: how many; None: the fewest that can play.
        budget: seconds for everything. memory: bytes for everything.
        perft: the greatest length of sequences of moves to count. exact: False: fingerprints for every state.
        resume: go on with what an earlier run into the same folder has left.
        block: how many states are looked at between two looks at the clock.
    """

    entry: Entry
    out: Path
    preset: str | None = None
    setup: str | None = None
    players: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    deck: Path | None = None
    budget: float = BUDGET
    memory: float = 4 * 2**30
    perft: int = 0
    exact: bool = True
    resume: bool = False
    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    block: int = BLOCK
    command: str = "ruleproof explore"


def bytes_of(text: str) -> int:
    """A size such as `4GiB`, `500MB` or `1000000`.

    Raises:
        InputError: it is none, or too small to hold a search.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", text.strip())
    if found is None or found[2].lower() not in _UNITS:
        raise InputError(f"--memory {text}: give a number of bytes, such as 4GiB, 500MB or 1000000000")
    size = float(found[1]) * _UNITS[found[2].lower()]
    if not 2**20 <= size < 2**60:
        raise InputError(f"--memory {text}: give at least 1MiB and less than a billion GiB")
    return int(size)


def explore_game(request: ExploreRequest, progress: Progress | None = None) -> ExplorationReport:
    """Explore the set-ups; write `exploration.json`, `exploration.md`, `games/` and, of what was stopped, `search/`.

    Raises:
        InputError: the request names what isn't there, or there is nothing of this kind to go on with.
        OutputError: the folder can't be written; told before the work.
    """
    return _Exploring(request, progress or SilentProgress()).run()


class _Exploring:
    def __init__(self, request: ExploreRequest, progress: Progress) -> None:
        self.request, self.progress, self.entry = request, progress, request.entry
        self.begun = time.monotonic()
        self.names = _chosen(request)
        self.players = self.entry.count(request.players)[0]
        self.entry.readings(request.readings)
        self.setups = {name: self._setup(name) for name in self.names}  # what is wrong with one is told now
        self.out = atomic.folder(request.out)
        self.about = {
            "game": self.entry.game.id, "rules version": self.entry.game.version, "ruleproof": program_version(),
            "program": content.of_program().hex(), "number of players": self.players,
            "readings": dict(sorted(request.readings.items())), "deck": digest_of(next(iter(self.setups.values()))),
            "keys": "exact" if request.exact else "fingerprints", "perft length": request.perft,
        }  # fmt: skip
        self.done = self._earlier() if request.resume else {}
        if request.resume:
            self._require_same_searches()
        self.stop = multiprocessing.get_context("fork").Event()
        self.far = multiprocessing.get_context("fork").RawArray("q", 3 * len(self.names))

    def _setup(self, name: str) -> Any:
        readings = own_readings(self.entry, name, self.players, self.request.readings)
        return self.entry.setup(name, self.players, readings, self.request.deck)

    # -- what an earlier run has left ----------------------------------------------------------------------------
    def _earlier(self) -> dict[str, ExploredSetup]:
        """The set-ups that an earlier run has explored to their end."""
        path = self.out / DONE
        try:
            report = ExplorationReport.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            raise InputError(f"--resume: {path} is no report of `ruleproof explore`; remove it, or leave out "
                             "--resume") from None  # fmt: skip
        for name in (*self.about, *report.about):
            if report.about.get(name) != self.about.get(name):
                raise InputError(
                    f"--resume: {path} is about another {name} ({report.about.get(name)}, not {self.about.get(name)}); "
                    "use what it was made with, or leave out --resume"
                )
        return {setup.name: setup for setup in report.setups if setup.complete}

    def _require_same_searches(self) -> None:
        """A stored search that can't be gone on with is told before minutes are spent on others."""
        for name in self.names:
            path = self._stored(name)
            if name not in self.done and path.exists():
                try:
                    with path.open("rb") as file:
                        restore(file, Exploration(thawed(self.entry.game, self.setups[name]), self.request.exact), None,
                                self._identity(name))  # fmt: skip
                except (ResumeError, OSError) as wrong:
                    raise InputError(f"--resume: {path} can't be gone on with: {wrong}; remove it, or leave out "
                                     "--resume") from None  # fmt: skip

    def _stored(self, name: str) -> Path:
        return self.out / STORED / f"{name}.npz"

    def _identity(self, name: str) -> dict[str, Any]:
        return {**self.about, "set-up": name}

    # -- the run -------------------------------------------------------------------------------------------------
    def run(self) -> ExplorationReport:
        names = [name for name in self.names if name not in self.done]
        found = dict(self.done)
        bar = self.progress.stage("Exploring", len(self.names))
        bar.advance(len(self.done))
        tasks = {name: partial(self._explored, number, name) for number, name in enumerate(names)}
        with _flagged(self.stop), self._told(bar):
            for name, result in self._results(tasks):
                if isinstance(result, parallel.Failure):
                    result = self._unexplored(name, result.reason)
                found[name] = result
                bar.advance()
        report = self._report([found[name] for name in self.names], sum(found[name].states for name in names))
        bar.finish(note=f"{report.states:,} states")
        return self._written(report)

    def _results(
        self, tasks: Mapping[str, Callable[[], ExploredSetup]]
    ) -> Iterator[tuple[str, ExploredSetup | parallel.Failure]]:
        if len(tasks) == 1:  # in this process, which has all cores and all memory for it
            yield from ((name, task()) for name, task in tasks.items())
        else:
            yield from parallel.run(tasks, self.request.processes, time.monotonic() + FOR_EVER)

    @contextmanager
    def _told(self, bar: Bar) -> Iterator[None]:
        """While the block runs, the bar says how far all processes together are."""
        over = threading.Event()

        def tell() -> None:
            before, rate, then = 0, 0.0, time.monotonic()
            while not over.wait(EVERY):
                states, frontier, depth = sum(self.far[0::3]), sum(self.far[1::3]), max(self.far[2::3])
                now = time.monotonic()
                rate = 0.7 * rate + 0.3 * (states - before) / (now - then)
                before, then = states, now
                bar.advance(0, note=f"{states:,} states, {rate:,.0f}/s, next {frontier:,}, depth {depth}")

        thread = threading.Thread(target=tell, daemon=True)
        if self.names:
            thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    # -- one set-up, in a process of its own ---------------------------------------------------------------------
    def _explored(self, number: int, name: str) -> ExploredSetup:
        left = self.begun + self.request.budget - time.monotonic()
        if self.stop.is_set() or left <= 0:
            why = "interrupted" if self.stop.is_set() else f"the limit of {self.request.budget:g} seconds is reached"
            return self._unexplored(name, f"{why}, before it was begun")
        share = self.request.memory / (1 if len(self.names) == 1 else min(len(self.names), self.request.processes))
        exploration = Exploration(thawed(self.entry.game, self.setups[name]), self.request.exact)
        moves = Moves(OF_MOVES * share)
        earlier = self._restored(name, exploration, moves)

        def report(states: int, frontier: int, depth: int) -> None:
            self.far[3 * number : 3 * number + 3] = [states, frontier, depth]
            if self.stop.is_set():
                raise KeyboardInterrupt

        limits = Limits(seconds=max(0.0, self.begun + self.request.budget - time.monotonic()), memory=share)
        try:
            result = search(
                exploration, self.entry.properties, limits, report, block=self.request.block, observers=[moves],
                earlier=earlier, folder=self.out,
            )  # fmt: skip
        except ExplorationError as mistake:
            self._save(name, "mistake", exploration, mistake.found)
            return self._unexplored(name, "a rule leaves the domain of a variable", str(mistake))
        result.seconds += earlier.seconds if earlier else 0.0
        self.far[3 * number + 1] = 0
        kept = self._kept(name, exploration, result, moves)
        return self._told_of(name, exploration, result, moves, kept)

    def _restored(self, name: str, exploration: Exploration, moves: Moves) -> Result | None:
        path = self._stored(name)
        if not self.request.resume or not path.exists():
            return None
        with path.open("rb") as file:
            return restore(file, exploration, moves, self._identity(name))

    def _kept(self, name: str, exploration: Exploration, result: Result, moves: Moves) -> tuple[str | None, str]:
        """The file with what a later run goes on with, or why there is none."""
        path = self._stored(name)
        if result.complete:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            return None, ""
        try:
            atomic.folder(path.parent)
            atomic.write_with(path, lambda file: store(file, exploration, result, moves, self._identity(name)))
        except OutputError as full:
            return None, f"; it can't be gone on with ({full})"
        return path.relative_to(self.out).as_posix(), ""

    def _told_of(
        self, name: str, exploration: Exploration, found: Result, moves: Moves,
        kept: tuple[str | None, str],
    ) -> ExploredSetup:  # fmt: skip
        def games(table: Mapping[str, Found]) -> dict[str, ShortestGame]:
            return {id: _shortest(game) for id, game in sorted(table.items())}

        graph = None if moves.parts is None else moves.graph(exploration)
        length = self.request.perft if found.complete else min(self.request.perft, found.place[0])
        counted = perft(graph, exploration, length) if graph is not None and self.request.perft else None
        joined = components(graph) if graph is not None and found.complete else None
        stored, trouble = kept
        return self._unexplored(name, found.stopped + trouble).model_copy(update={
            "complete": found.complete, "stored": stored, "states": found.states, "transitions": found.transitions,
            "depth": max(found.depth, 0), "depth_histogram": found.depth_histogram, "terminal": found.terminal,
            "deadlocks": found.deadlocks,
            "deadlock": self._saved(name, "deadlock", exploration, found.deadlock) if found.deadlock else None,
            "action_counts": found.action_counts,
            "violations": {
                id: self._saved(name, id, exploration, game) for id, game in sorted(found.violations.items())
            },
            "witnesses": games(found.witnesses), "outcomes": self._outcomes(exploration),
            "components": joined and ComponentCounts(
                number=joined.number, largest=joined.largest, on_cycles=joined.on_cycles
            ),
            "perft": counted and PerftTable(counts=list(counted.counts), divide=dict(counted.divide)),
            "collision_probability": found.collision_probability, "seconds": found.seconds,
            "states_per_second": found.states_per_second, "memory": found.nbytes, "disk": found.on_disk,
        })  # fmt: skip

    def _outcomes(self, exploration: Exploration) -> list[OutcomeCount] | None:
        view = self.entry.outcome
        if view is None:
            return None

        def text(name: str, value: int) -> str:
            return view.names[name][value] if name in view.names else str(value)

        return [
            OutcomeCount(
                outcome={name: text(name, value) for name, value in outcome.values.items()}, states=outcome.states,
                shortest=_shortest(exploration.game(outcome.depth, outcome.row)),
            )
            for outcome in outcomes(exploration, view.projection)
        ]  # fmt: skip

    def _unexplored(self, name: str, stopped: str, mistake: str | None = None) -> ExploredSetup:
        setup = self.setups[name]
        stored = self._stored(name)
        return ExploredSetup(
            name=name, purpose=str(getattr(setup, "purpose", "")), complete=False, stopped=stopped, mistake=mistake,
            readings={id: str(value) for id, value in setup.readings.items()},
            stored=stored.relative_to(self.out).as_posix() if self.request.resume and stored.exists() else None,
        )

    def _saved(self, name: str, what: str, exploration: Exploration, game: Found) -> ShortestGame:
        return _shortest(game).model_copy(update={"file": self._save(name, what, exploration, game)})

    def _save(self, name: str, what: str, exploration: Exploration, game: Found) -> str | None:
        """The game as a file for `ruleproof show`; none where the disk is full, as the log says it too."""
        model, deck = exploration.plain, self.request.deck
        readings = {id: str(value) for id, value in model.setup.readings.items()}
        identity = Identity(name, self.players, readings, digest_of(model.setup), deck.name if deck else None)
        file = f"games/{name}-{what}.json"
        try:
            atomic.folder(self.out / "games")
            saved_games.write(self.out / file, save(model, game.moves, identity))
        except OutputError:
            return None
        return file

    # -- the report ----------------------------------------------------------------------------------------------
    def _report(self, setups: list[ExploredSetup], states_now: int) -> ExplorationReport:
        seconds = time.monotonic() - self.begun
        states = sum(setup.states for setup in setups)
        return ExplorationReport(
            about=self.about, title=self.entry.game.title, complete=all(setup.complete for setup in setups),
            states=states, transitions=sum(setup.transitions for setup in setups), seconds=seconds,
            states_per_second=states_now / seconds,
            collision_probability=min(1.0, sum(setup.collision_probability for setup in setups)),
            expected=[prop.id for prop in self.entry.properties if prop.expected == "REFUTED"],
            setups=setups, command=self.request.command,
        )  # fmt: skip

    def _written(self, report: ExplorationReport) -> ExplorationReport:
        """The report, written; what the disk does not take is told in it, as it is still shown."""
        troubles = []
        for name, text in ((DONE, to_json(report)), ("exploration.md", exploration_page.markdown(report))):
            try:
                atomic.write(self.out / name, text)
            except OutputError as full:
                troubles.append(str(full))
        return report.model_copy(update={"unwritten": troubles})


def _chosen(request: ExploreRequest) -> list[str]:
    presets = request.entry.game.presets
    if request.setup is not None and request.preset is None:
        known = [name for preset in presets.values() for name in preset.setups]
    else:
        default = EXPLORED if EXPLORED in presets else None
        known = list(presets[request.entry.preset(request.preset or default)].setups)
    if request.setup is None:
        return known
    if request.setup not in known:
        raise InputError(f"--setup {request.setup}: there is no such set-up{closest(request.setup, known)}")
    return [request.setup]


def _shortest(game: Found) -> ShortestGame:
    return ShortestGame(moves=len(game.moves), log=list(game.log))


@contextmanager
def _flagged(flag: Any) -> Iterator[None]:
    """While the block runs, Ctrl-C and SIGTERM set the flag; a second one interrupts, as whoever insists gets out."""
    if threading.current_thread() is not threading.main_thread():  # elsewhere Python allows no handlers
        yield
        return
    process = os.getpid()

    def raised(number: int, _: FrameType | None) -> None:
        if os.getpid() != process:
            os._exit(128 + number)
        if flag.is_set():
            raise KeyboardInterrupt
        flag.set()

    before = {number: signal.signal(number, raised) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
