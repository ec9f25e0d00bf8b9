"""`ruleproof mutate`: every mutant of a game's rules, and which property notices it.

Three stages share the budget, each on every core: games of the unmutated rules are recorded in many set-ups, each
mutant is tried on them, and what nothing killed is compared with the rules by Z3. A mutant is *killed* by a named
property, *equivalent* where it was proved to make no difference (the document says in which set-ups), or it *survived*:
a property is missing, unless it was never seen to differ, or there was no time for it. What was not examined has
survived, and says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Literal, TypeVar

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from model.language import InputError
from model.language.expression import variable
from properties.declaration import Property
from properties.playing import CONTRACT
from reports import atomic
from reports.parallel import Failure, run
from reports.registry import EXPLORED, QUESTIONS, STANDARD, Entry
from reports.terminal import WIDTH, Progress, SilentProgress
from reports.wording import shortened, visible
from solver.mutation.corpus import Corpus, Recorded, World, record
from solver.mutation.equivalence import Equivalence, Ground, equivalence
from solver.mutation.killing import MORE, Attempt, attempt
from solver.mutation.mutants import Mutant, mutants
from solver.mutation.operators import KINDS

BUDGET = 115.0
SURVIVED = 3  # the exit status: a missing property is nothing refuted
RECORDING = 0.25  # of the budget at most
KILLING = 0.75  # of the budget, recording included
CHUNKS = 8  # tasks a process: few, since a process remembers what the unmutated rules do; and none waits long
PROVING = 4.0  # seconds for one comparison
MOST = 300  # recorded moves of a set-up
LONG = 400  # the same of the printed game
SHORT = 60  # the same under another reading
ASKING = 4  # set-ups that are played under a reading that they ask for
Status = Literal["killed", "equivalent", "survived"]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Request:
    """What to do: the game, and what was chosen on the command line.

    Attributes:
        only: mutants of this clause, or of those it begins (`act` for `act.turns`), and no others.
    """

    entry: Entry
    players: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    budget: float = BUDGET
    only: str = ""
    processes: int = 0


@dataclass(frozen=True)
class Examined:
    """What became of a mutant, fit to travel and to be written down.

    Attributes:
        reason: why it survived, or on what an equivalence rests. position: what shows the kill: set-up, moves, the
            last as a line, and whether the mutated rules allow all of them. differs: how it was seen to differ.
    """

    status: Status = "survived"
    killed_by: str = ""
    reason: str = "not examined: out of time"
    differs: str = ""
    position: Mapping[str, Any] | None = None
    examined: bool = False


@dataclass
class Outcome:
    """All mutants with what became of them."""

    game: str
    mutants: Sequence[Mutant]
    examined: Sequence[Examined]
    seconds: float
    moves: int = 0
    grounds: Sequence[str] = ()

    @property
    def count(self) -> Counter[str]:
        """How many mutants have each status."""
        return Counter(each.status for each in self.examined)

    @property
    def exit_status(self) -> int:
        """0 where every mutant is killed or equivalent."""
        return SURVIVED if self.count["survived"] else 0


def mutate(request: Request, progress: Progress | None = None) -> Outcome:
    """Examine every mutant within the budget. Interrupted, it tells what is known by then.

    Args:
        progress: where it is shown how far each stage is.

    Raises:
        InputError: no mutant is of that clause; a set-up can't be had.
        RuleError: the rules can't be traced.
    """
    return _Run(request, progress or SilentProgress()).run()


class _Run:
    def __init__(self, request: Request, progress: Progress) -> None:
        self.request = request
        self.entry = request.entry
        self.progress = progress
        self.begun = time.monotonic()
        self.interrupted = False
        self.processes = request.processes or os.cpu_count() or 1
        self.properties = [
            each for each in self.entry.properties if each.kind != "witness" and each.expected != "REFUTED"
        ]

    def run(self) -> Outcome:
        made = mutants(self.entry.game)
        chosen = [each for each in made if _concerns(each, self.request.only)]
        if not chosen:
            raise InputError(f"--only {self.request.only}: no mutant is of that clause; leave it out to see all")
        files = frozenset(each.piece.module.__file__ or "" for each in made)
        corpus = self._recorded(files)
        found = self._in_chunks("trying mutants", chosen, partial(self._try, corpus), KILLING)
        left = [each for each in chosen if found.get(each.number, Examined()).status != "killed"]
        grounds = grounds_of(self.entry, self.request.players, self.request.readings, self.properties)
        quiet = [each for each in left if found.get(each.number) and not found[each.number].differs]
        proved = self._in_chunks("comparing by Z3", quiet, partial(self._compare, grounds), 1.0)
        found.update(proved)
        examined = [found.get(each.number, Examined()) for each in chosen]
        return Outcome(
            self.entry.game.id, chosen, examined, time.monotonic() - self.begun,
            sum(len(play.record.nodes) - 1 for play in corpus.plays),
            [ground.told for ground in grounds],
        )  # fmt: skip

    def _recorded(self, files: frozenset[str]) -> Corpus:
        """Games of the set-ups as they are, then under every other reading of those that ask for it."""
        request, corpus = self.request, Corpus()
        first = worlds_of(self.entry, request.players, request.readings, self.properties)
        for stage, share in (("recording games", RECORDING / 2), ("recording games under other readings", RECORDING)):
            worlds = first if not corpus.plays else other_readings(self.entry, corpus.asked(), request.readings)
            tasks = {str(number): partial(self._record, world, files) for number, world in enumerate(worlds)}
            recorded = {int(number): games for number, games in self._shared(stage, tasks, share)}
            for number in sorted(recorded):
                corpus.add(worlds[number], recorded[number])
        for play in corpus.plays:
            _ = play.world.watch  # made before forking, and shared
        return corpus

    # -- tasks ---------------------------------------------------------------------------------------------------
    def _record(self, world: World, files: frozenset[str]) -> Recorded:
        another = world.readings != self.request.readings
        moves = LONG if world.name == STANDARD else SHORT if another else MOST
        return record(world, files, self.entry.policy, self.request.seed, moves)

    def _try(self, corpus: Corpus, chunk: Sequence[Mutant], deadline: float) -> list[Examined]:
        results: list[Examined] = []
        for each in chunk:
            if time.monotonic() > deadline:
                break
            results.append(_tried(attempt(each, corpus, self.request.seed)))
        return results

    def _compare(self, grounds: Sequence[Ground], chunk: Sequence[Mutant], deadline: float) -> list[Examined]:
        results: list[Examined] = []
        for each in chunk:
            if time.monotonic() > deadline:
                break
            results.append(_compared(equivalence(each, grounds, min(deadline, time.monotonic() + PROVING))))
        return results

    def _in_chunks(
        self, stage: str, chosen: Sequence[Mutant], work: Callable[[Sequence[Mutant], float], list[Examined]],
        share: float,
    ) -> dict[int, Examined]:  # fmt: skip
        """Every so-many-th mutant is a task: neighbours, which are alike, are shared out."""
        count = max(1, min(len(chosen), CHUNKS * self.processes))
        chunks = {str(number): chosen[number::count] for number in range(count)}
        deadline = self.begun + share * self.request.budget
        tasks = {name: partial(work, chunk, deadline) for name, chunk in chunks.items()}
        found: dict[int, Examined] = {}
        for name, results in self._shared(stage, tasks, share):
            found |= {each.number: result for each, result in zip(chunks[name], results, strict=False)}
        return found

    def _shared(
        self, stage: str, tasks: Mapping[str, Callable[[], Result]], share: float
    ) -> Iterator[tuple[str, Result]]:
        """The results of the tasks that came to an end; none any more once the user has had enough."""
        deadline = self.begun + share * self.request.budget
        bar = self.progress.stage(stage, len(tasks))
        try:
            for name, result in run({} if self.interrupted else tasks, self.processes, deadline):
                bar.advance()
                if not isinstance(result, Failure):
                    yield name, result
        except KeyboardInterrupt:
            self.interrupted = True
        bar.finish(note="interrupted" if self.interrupted else "")


def _concerns(mutant: Mutant, only: str) -> bool:
    return not only or mutant.clause == only or mutant.clause.startswith(f"{only}.")


def _tried(tried: Attempt) -> Examined:
    kill = tried.kill
    if kill is None:
        if tried.late:
            reason = "its states were too dear to try them all"
        elif tried.differs:
            reason = "it differs, and no property notices"
        else:
            reason = f"not seen to differ in {tried.tried} states" if tried.tried else "no recorded game runs it"
        return Examined(reason=reason, differs=tried.differs, examined=True)
    shown = {
        "setup": kill.world.name, "players": kill.world.players, "readings": dict(kill.world.readings),
        "moves": list(kill.moves), "last": kill.told, "detail": kill.detail, "whole_game": kill.whole,
    }  # fmt: skip
    return Examined("killed", kill.property, "", tried.differs, shown, True)


def _compared(compared: Equivalence) -> Examined:
    if compared.shown:
        helped = f", given {', '.join(sorted(compared.hypotheses))}" if compared.hypotheses else ""
        return Examined("equivalent", reason=f"in {'; '.join(compared.grounds)}{helped}", examined=True)
    return Examined(reason=f"not seen to differ, but not proved equal: {compared.reason}", examined=True)


# -- where mutants are tried -----------------------------------------------------------------------------------------
def witnesses_of(entry: Entry) -> list[Property]:
    """What some game should reach."""
    return [each for each in entry.properties if each.kind == "witness"]


def worlds_of(
    entry: Entry, players: int | None, readings: Mapping[str, str], properties: Sequence[Property]
) -> list[World]:
    """Every set-up of every preset, those for exploring first, for each number of players that it is for."""
    presets = sorted(entry.game.presets.values(), key=lambda preset: preset.name != EXPLORED)
    found: list[World] = []
    for name in (name for preset in presets for name in preset.setups):
        for count in entry.count(players):
            with contextlib.suppress(InputError):  # this set-up is for another number
                setup = entry.setup(name, count, readings)
                found.append(World(name, count, dict(readings), entry.game, setup, properties, witnesses_of(entry)))
    if not found:
        raise InputError(f"--players {players}: {entry.game.id} has no set-up for so many")
    return found


def other_readings(
    entry: Entry, asked: Mapping[str, Sequence[World]], readings: Mapping[str, str]
) -> list[World]:
    """For each value of a reading that was not chosen, some of the set-ups that ask for it, but the printed one.

    Args:
        asked: the worlds that ask for each reading.
    """
    found: list[World] = []
    for id, reading in entry.game.catalogue.readings.items():
        asking = [world for world in asked.get(id, ()) if world.name != STANDARD and id not in readings]
        some = asking[:: max(1, len(asking) // ASKING)][:ASKING]
        for value in reading.values:
            for world in some:
                if world.setup.readings[id] != value:
                    setup = entry.setup(world.name, world.players, {**readings, id: value})
                    found.append(replace(world, readings={**readings, id: value}, setup=setup))
    return found


def grounds_of(
    entry: Entry, players: int | None, readings: Mapping[str, str], properties: Sequence[Property]
) -> list[Ground]:
    """Where mutants are compared: as printed under every reading, for fewest and most players; with any deck."""
    game, counts = entry.game, entry.count(players)
    presets = [preset for preset in game.presets.values() if preset.name not in (EXPLORED, QUESTIONS)]
    presets = presets or list(game.presets.values())
    name = presets[0].setups[0]
    every = {
        id: variable(("parameter", id), 0, len(reading.values) - 1)
        for id, reading in game.catalogue.readings.items() if id not in readings
    }  # fmt: skip
    found: list[Ground] = []
    for count in dict.fromkeys((counts[0], counts[-1])):
        setup = entry.setup(name, count, readings)
        setup = replace(setup, readings={**setup.readings, **every})
        told = f"{name}, {count} players, its own cards" + (", every reading" if every else "")
        found.append(Ground(told, game, setup, properties))
    setup = entry.setup(name, counts[0], readings, None, True)
    if getattr(setup, "assumptions", ()):
        found.append(Ground(f"{name}, {counts[0]} players, any cards, readings in force", game, setup, properties))
    return found


# -- telling -----------------------------------------------------------------------------------------------------------
def document(outcome: Outcome) -> dict[str, Any]:
    """The outcome as JSON: `mutants`, each with id, clause, place, mutation, status, killed_by."""
    return {
        "game": outcome.game,
        "counts": {status: outcome.count[status] for status in ("killed", "equivalent", "survived")},
        "complete": all(each.examined for each in outcome.examined),
        "recorded_moves": outcome.moves,
        "equivalent_in": list(outcome.grounds),
        "kinds": {kind: dict(_by_kind(outcome)[kind]) for kind in KINDS},
        "of_every_game": {**CONTRACT, **MORE},
        "seconds": round(outcome.seconds, 3),
        "mutants": [_entry(each, result) for each, result in zip(outcome.mutants, outcome.examined, strict=True)],
    }


def _by_kind(outcome: Outcome) -> dict[str, Counter[str]]:
    """How many mutants of each kind have each status."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for mutant, result in zip(outcome.mutants, outcome.examined, strict=True):
        found[mutant.kind][result.status] += 1
    return found


def _entry(mutant: Mutant, result: Examined) -> dict[str, Any]:
    return {
        "id": mutant.id, "number": mutant.number, "clause": mutant.clause, "place": mutant.place, "kind": mutant.kind,
        "mutation": mutant.mutation, "actions": list(mutant.actions), "status": result.status,
        "killed_by": result.killed_by or None, "reason": result.reason, "differs": result.differs,
        "position": result.position,
    }  # fmt: skip


def to_json(outcome: Outcome) -> str:
    """As it goes to standard output and into `mutants.json`."""
    return json.dumps(document(outcome), indent=2, ensure_ascii=False) + "\n"


def write(outcome: Outcome, folder: Path) -> Path:
    """Write `mutants.json` into the folder.

    Raises:
        OutputError: it can't be written.
    """
    return atomic.write(atomic.folder(folder) / "mutants.json", to_json(outcome))


def summary(outcome: Outcome, width: int = WIDTH) -> str:
    """A table by clause, then the survivors, those that were seen to differ first."""
    console = Console(file=StringIO(), width=width, highlight=False, markup=False, emoji=False, legacy_windows=False)
    with console.capture() as capture:
        count = outcome.count
        console.print(Text(
            f"{len(outcome.examined)} mutants of {outcome.game}: {count['killed']} killed, "
            f"{count['equivalent']} equivalent, {count['survived']} survived ({outcome.seconds:.0f} s)"
        ))  # fmt: skip
        console.print(_by_clause(outcome))
        for line in _survivors(outcome, width):
            console.print(Text(line), overflow="fold")
    return "\n".join(line.rstrip() for line in capture.get().splitlines()).strip() + "\n"


def _by_clause(outcome: Outcome) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column("clause")
    for name in ("mutants", "killed", "equivalent", "survived"):
        table.add_column(name, justify="right")
    table.add_column("killed most by", overflow="ellipsis", no_wrap=True)
    rows: dict[str, list[Examined]] = {}
    for mutant, result in zip(outcome.mutants, outcome.examined, strict=True):
        rows.setdefault(mutant.clause, []).append(result)
    for clause, results in sorted(rows.items()):
        count = Counter(each.status for each in results)
        killers = Counter(each.killed_by for each in results if each.killed_by)
        most = ", ".join(name for name, _ in killers.most_common(2))
        numbers = [str(count[status] or "") for status in ("killed", "equivalent", "survived")]
        table.add_row(visible(clause), str(len(results)), *numbers, most)
    return table


def _survivors(outcome: Outcome, width: int) -> Iterator[str]:
    left = [(m, e) for m, e in zip(outcome.mutants, outcome.examined, strict=True) if e.status == "survived"]
    late = sum(not each.examined for _, each in left)
    for title, wanted in (("They differ, and no property notices", True), ("Never seen to differ", False)):
        some = [(m, e) for m, e in left if e.examined and bool(e.differs) is wanted]
        if some:
            yield f"\n{title} ({len(some)}):"
        for mutant, result in some:
            yield shortened(f"{mutant.id} {mutant.place} [{mutant.clause}] {mutant.mutation}", width)
            yield shortened(f"      {result.differs or result.reason}", width)
    if late:
        yield f"\n{late} mutants were not examined: out of time; give more with --budget"


def print_summary(outcome: Outcome) -> None:
    """Print it on standard output."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(summary(outcome).encode(encoding, "backslashreplace").decode(encoding))
