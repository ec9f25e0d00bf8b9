"""Many random games within a time budget, and what they found, each finding with a short game.

A violation met after four hundred random moves helps nobody; so each game is shrunk by delta debugging: drop moves,
play the rest skipping what has become illegal, keep what still shows it. What is left is always a legal game.

Games are given by their seeds alone, so a campaign over given seeds finds the same things on any number of processes.
Moves travel between processes, like into saved games, by label.
"""

from __future__ import annotations

import itertools
import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from model.language import Model, Move, Refused, State
from model.language.record import decode, encode
from properties.declaration import Property
from properties.playing import (
    CONTRACT,
    DECISION_OPEN,
    LISTED_ACCEPTED,
    RULES_TOTAL,
    Playthrough,
    Policy,
    play_out,
    probed,
)
from properties.watching import Violation, Watch

ModelFactory = Callable[[], Model]
Progress = Callable[[float, int, int], None]
_SMALL = 8  # up to this many neighbouring moves are tried at every place, not only side by side
_SLICE_SECONDS = 0.5
_SLICE_GAMES = 4  # few, so that some dozens of long games are work for every process


# -- shrinking -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Step:
    """One moment of a replayed game: before the first move (`move` None), or after a move (or at one that fails).

    `changed` are the slots the move changed.
    """

    before: State | None
    move: Move | None
    after: State
    changed: set[int] | None = None
    error: Exception | None = None


Shows = Callable[[Step], bool]


def shrink(model: Model, moves: Sequence[Move], shows: Shows, seconds: float = 10.0) -> list[Move]:
    """A short legal game whose last step shows what the given one shows.

    First moves are only dropped; then also, where a move has become illegal, replaced by the most similar legal
    one of its action (dropping one player's turn makes all later ones somebody else's).
    """
    deadline = time.monotonic() + seconds
    best = _until_shown(model, moves, shows, False)
    if best is None:
        return list(moves)
    for mending in (False, True):
        best = _dropped(model, best, shows, mending, deadline)
    return best


def _dropped(model: Model, best: list[Move], shows: Shows, mending: bool, deadline: float) -> list[Move]:
    size = max(_SMALL, len(best) // 2)
    while size:
        shorter = False
        end = len(best)
        while end > 0:
            if time.monotonic() > deadline:
                return best
            found = _until_shown(model, best[: max(0, end - size)] + best[end:], shows, mending)
            if found is not None and len(found) < len(best):
                best, shorter = found, True
            end = min(end, len(best) + 1) - max(1, size // _SMALL)
        size = _next_size(size, shorter)
    return best


def _next_size(size: int, shorter: bool) -> int:
    """Halve large sizes; go through the small ones one by one, and again for as long as that helps."""
    if size > _SMALL:
        return max(_SMALL, size // 2)
    return _SMALL if shorter else size - 1


def _until_shown(model: Model, moves: Sequence[Move], shows: Shows, mending: bool) -> list[Move] | None:
    """The legal ones of the moves, up to the first step that shows it."""
    state, trailing = model.initial(), model.initial()
    if shows(Step(None, None, state)):
        return []
    played: list[Move] = []
    for wanted in moves:
        move: Move | None = wanted
        changed: set[int] = set()
        try:
            if model.refusal(state, wanted) is not None:
                move = _nearest(model, state, wanted) if mending else None
            if move is None:
                continue
            model.apply(state, move, None, changed)
        except Exception as error:
            return [*played, move or wanted] if shows(Step(trailing, move, state, None, error)) else None
        played.append(move)
        if shows(Step(trailing, move, state, changed)):
            return played
        move.action.function(trailing, *move.values)
    return None


def _nearest(model: Model, state: State, wanted: Move) -> Move | None:
    """The legal move of the same action that shares most choices with the wanted one."""
    same = [move for move in model.legal(state) if move.action is wanted.action]
    if not same:
        return None
    return max(same, key=lambda move: sum(a == b for a, b in zip(move.values, wanted.values, strict=True)))


def shows_violation(watch: Watch, violation: Violation) -> Shows:
    """What a shrunk game must still show: the same property failing."""
    model, probe = watch.model, violation.probe
    declared = watch.properties.get(violation.property)
    if declared is not None:
        only = Watch(model, [declared])
        return lambda step: step.error is None and _any_violation(only, step)
    if violation.property == DECISION_OPEN:
        return lambda step: step.error is None and not model.over(step.after) and not model.legal(step.after)
    if violation.property == LISTED_ACCEPTED:
        return lambda step: isinstance(step.error, Refused)
    if violation.property == RULES_TOTAL:
        return lambda step: _fails_to_compute(model, step)
    return lambda step: step.error is None and probe is not None and _breaks(model, step.after, violation, probe)


def _any_violation(watch: Watch, step: Step) -> bool:
    return any(watch.violations(0, step.before, step.move, step.after, step.changed))


def _fails_to_compute(model: Model, step: Step) -> bool:
    if step.error is not None:
        return not isinstance(step.error, Refused)
    try:
        model.over(step.after)
        model.legal(step.after)
    except Exception:
        return True
    return False


def _breaks(model: Model, state: State, violation: Violation, probe: Move) -> bool:
    if model.over(state):
        return False
    found = probed(model, state.copy(), probe, model.legal(state))
    return found is not None and found.property == violation.property


def shows_witness(watch: Watch, declared: Property) -> Shows:
    """What a shrunk game must still show: the witness."""
    only = Watch(watch.model, [declared])
    return lambda step: step.error is None and any(only.reached(step.after, step.changed))


# -- what a campaign finds -----------------------------------------------------------------------------------------
@dataclass
class Finding:
    """A violation or a reached witness with its game: `length` moves as found, now `moves`."""

    id: str
    seed: int
    length: int
    moves: list[Move]
    violation: Violation | None = None
    shrunk: bool = False


@dataclass
class CampaignResult:
    """What many random games found.

    Attributes:
        games, finished, decisions: how many were played, came to their end, how many moves they had in all. A game
            broken off for lack of time counts with its moves only.
        clauses, refused, refusing: in how many games each clause was exercised, or refused a move, and the requirement
            at each place did.
        actions: how often each action was taken.
        violations, witnesses: by property id.
        interrupted: whether the user stopped it.
    """

    games: int = 0
    finished: int = 0
    decisions: int = 0
    seconds: float = 0.0
    clauses: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    refusing: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    violations: dict[str, Finding] = field(default_factory=dict)
    witnesses: dict[str, Finding] = field(default_factory=dict)
    interrupted: bool = False


@dataclass
class _Tally:
    """What some games found, fit to travel between processes."""

    games: int = 0
    finished: int = 0
    decisions: int = 0
    clauses: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    refusing: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    found: dict[tuple[bool, str], _Found] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)

    def add(self, model: Model, played: Playthrough) -> None:
        self.games += not played.late
        self.finished += played.over
        self.decisions += len(played.moves)
        self.clauses.update(played.clauses)
        self.refused.update(played.refused)
        self.refusing.update(played.refusing)
        self.actions.update(played.counts)
        for violation in played.violations.values():
            self._offer(model, (True, violation.property), played, violation.number, violation)
        for witness, number in played.witnesses.items():
            self._offer(model, (False, witness), played, number, None)

    def _offer(
        self, model: Model, key: tuple[bool, str], played: Playthrough, number: int, violation: Violation | None
    ) -> None:
        rank = (number, played.seed)
        if key not in self.found or rank < self.found[key].rank:
            moves = [encode(model, move) for move in played.moves[:number]]
            detail = violation.detail if violation else ""
            probe = encode(model, violation.probe) if violation and violation.probe else None
            self.found[key] = _Found(rank, moves, detail, probe)

    def merge(self, other: _Tally) -> None:
        self.games += other.games
        self.finished += other.finished
        self.decisions += other.decisions
        self.clauses.update(other.clauses)
        self.refused.update(other.refused)
        self.refusing.update(other.refusing)
        self.actions.update(other.actions)
        for key, found in other.found.items():
            if key not in self.found or found.rank < self.found[key].rank:
                self.found[key] = found


@dataclass(frozen=True)
class _Found:
    rank: tuple[int, int]  # length of the game, seed: the least is kept, so that the result does not depend on timing
    moves: list[dict[str, Any]]
    detail: str
    probe: dict[str, Any] | None


# -- playing many games --------------------------------------------------------------------------------------------
@dataclass
class _Desk:
    """What a process needs to play."""

    watch: Watch
    policy: Policy
    max_moves: int

    def play(self, seeds: Sequence[int], deadline: float) -> _Tally:
        tally = _Tally()
        pause = min(deadline, time.monotonic() + _SLICE_SECONDS)
        for position, seed in enumerate(seeds):
            if position and time.monotonic() > pause:
                tally.left = list(seeds[position:])
                break
            played = play_out(self.watch.model, seed, self.policy, self.watch, self.max_moves, deadline)
            tally.add(self.watch.model, played)
        return tally


def campaign(
    model_factory: ModelFactory,
    properties: Sequence[Property],
    seeds: Sequence[int] | None = None,
    budget_seconds: float = 10.0,
    processes: int = 1,
    progress: Progress | None = None,
    policy: Policy | None = None,
    max_moves: int = 2000,
    shrink_seconds: float = 10.0,
) -> CampaignResult:
    """Play random games until the seeds or the time run out; then shrink what was found.

    Args:
        seeds: one a game; none: 0, 1, 2 ... for as long as there is time.
        processes: how many play at once (where the system can fork; else one).
        progress: told the part done, the games and the decisions so far, about twice a second.
        shrink_seconds: for all findings together, after the budget.
    """
    begun = time.monotonic()
    deadline = begun + budget_seconds
    desk = _Desk(Watch(model_factory(), properties), policy or Policy(), max_moves)
    queue = iter(itertools.count() if seeds is None else seeds)
    size = _SLICE_GAMES if seeds is None else max(1, min(_SLICE_GAMES, len(seeds) // processes))
    tally = _Tally()
    result = CampaignResult()
    forked = processes > 1 and "fork" in multiprocessing.get_all_start_methods()
    slices = _forked(desk, queue, deadline, processes, size) if forked else _alone(desk, queue, deadline, size)
    try:
        for part in slices:
            tally.merge(part)
            if progress is not None:
                progress(min(1.0, (time.monotonic() - begun) / budget_seconds), tally.games, tally.decisions)
    except KeyboardInterrupt:
        result.interrupted = True
    finally:
        slices.close()
    _settle(desk.watch, tally, result)
    result.seconds = time.monotonic() - begun
    if not result.interrupted:
        _shrink_all(desk.watch, result, shrink_seconds)
    return result


def _alone(desk: _Desk, queue: Iterator[int], deadline: float, size: int) -> Generator[_Tally, None, None]:
    waiting: list[int] = []
    while time.monotonic() < deadline:
        waiting = waiting or list(itertools.islice(queue, size))
        if not waiting:
            return
        tally = desk.play(waiting, deadline)
        waiting = tally.left
        yield tally


_desk: _Desk | None = None


def _sit_down(desk: _Desk) -> None:
    global _desk
    _desk = desk
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop


def _play_slice(seeds: Sequence[int], deadline: float) -> _Tally:
    assert _desk is not None
    return _desk.play(seeds, deadline)


def _forked(
    desk: _Desk, queue: Iterator[int], deadline: float, processes: int, size: int
) -> Generator[_Tally, None, None]:
    # Forked, so that the model and the properties (functions, not to be pickled) are simply there.
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("fork"), _sit_down, (desk,))
    running: set[Future[_Tally]] = set()
    waiting: list[list[int]] = []
    try:
        while True:
            while len(running) < processes and time.monotonic() < deadline:
                seeds = waiting.pop() if waiting else list(itertools.islice(queue, size))
                if not seeds:
                    break
                running.add(pool.submit(_play_slice, seeds, deadline))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                tally = future.result()
                if tally.left:
                    waiting.append(tally.left)
                yield tally
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _settle(watch: Watch, tally: _Tally, result: CampaignResult) -> None:
    for name in ("games", "finished", "decisions", "clauses", "refused", "refusing", "actions"):
        setattr(result, name, getattr(tally, name))
    model = watch.model
    for (violated, id), found in sorted(tally.found.items()):
        length, seed = found.rank
        moves = [decode(model, entry) for entry in found.moves]
        if violated:
            probe = None if found.probe is None else decode(model, found.probe)
            violation = Violation(id, length, found.detail, probe)
            result.violations[id] = Finding(id, seed, length, moves, violation)
        else:
            result.witnesses[id] = Finding(id, seed, length, moves)


def _shrink_all(watch: Watch, result: CampaignResult, seconds: float) -> None:
    """Shrink each finding within its share of the time; interrupted, the rest stays as it is."""
    deadline = time.monotonic() + seconds
    findings = [*result.violations.values(), *result.witnesses.values()]
    try:
        for position, finding in enumerate(findings):
            share = (deadline - time.monotonic()) / (len(findings) - position)
            violation = finding.violation
            shows = (
                shows_violation(watch, violation) if violation else shows_witness(watch, watch.properties[finding.id])
            )
            finding.moves = shrink(watch.model, finding.moves, shows, share)
            finding.shrunk = True
    except KeyboardInterrupt:
        result.interrupted = True


def statement(watch: Watch, id: str) -> str:
    """What a violated property says, declared or of the contract."""
    return watch.properties[id].statement if id in watch.properties else CONTRACT[id]
