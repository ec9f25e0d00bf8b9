"""Breadth-first search of every reachable state, level by level, a block of packed states at a time.

Level by level, so that the first state to violate a property is one that a *shortest* game reaches; in blocks, so that
memory is bounded by what is stored and not by what a level spawns. Each level keeps its packed states and, for each,
the row of a predecessor and the path taken: any state can be rebuilt into a game, which is then replayed on the
plain model, as nothing that the fast engine claims is believed before the slow one has played it.

Properties are expressions like rules are. Invariants and witnesses are evaluated on the columns of a block before its
moves are, and share their work; step properties on the rows that take a path, unless they fold to true for it.
"""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing import parent_process
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from model.language.branchfree import premises
from model.language.expression import Term, conjunction, disjunction, negation, truth
from model.language.game import Model, Move
from model.language.state import State
from model.language.trace import Path, around
from properties.declaration import Property
from solver.explorer.columns import Columns, Rows
from solver.explorer.frozen import Thawed
from solver.explorer.packing import Keys, Packing, Words, explored
from solver.explorer.program import Outside, Program
from solver.explorer.spilled import spilled
from solver.explorer.visited import Visited

if TYPE_CHECKING:
    from solver.explorer.compiled import Compiled, Successors

BLOCK = 2**16
COMPILED_FROM = 2**15  # states; compiling takes about as long as finding so many on columns
OPTIMISED_FROM = 2**21  # states; and optimising as long as finding so many with code that is not
_NONE = np.empty(0, np.uint32)
OUTSIDE = 0  # the note of a value outside its domain
Progress = Callable[[int, int, int], None]  # states, frontier, depth


@dataclass(frozen=True)
class Limits:
    """When to stop before the end; each is looked at between blocks, so it may be exceeded by one."""

    states: float = float("inf")
    seconds: float = float("inf")
    memory: float = float("inf")  # bytes; what a search can put on disk doesn't count
    decided: bool = False  # stop once every property is broken and every witness reached


@dataclass(frozen=True)
class Found:
    """A shortest game to a situation; for a step property, its last move is the one that violates it."""

    moves: tuple[Move, ...]
    log: tuple[str, ...]


class ExplorationError(Exception):
    """A rule leaves the domain of a variable, or the explorer disagrees with the plain model; `found`: the game."""

    def __init__(self, message: str, found: Found) -> None:
        self.found = found
        game = "; ".join(f"{number}. {line}" for number, line in enumerate(found.log, 1)) or "no move"
        super().__init__(f"{message}. The game so far: {game}")


@dataclass(frozen=True)
class Level:
    """The states first reached after so many moves, and how: a row of the level before, and a path."""

    words: Words
    parents: NDArray[np.uint32]
    paths: NDArray[np.uint32]
    on_disk: bool = False

    @property
    def states(self) -> int:
        return int(self.words.shape[1])

    @property
    def nbytes(self) -> int:
        """Of the states and of how they were reached, wherever they are kept."""
        return self.words.nbytes + self.parents.nbytes + self.paths.nbytes


def joined(parts: Sequence[Level], folder: pathlib.Path | None = None) -> Level:
    """The parts of a level, at least one, as one; on disk if there is a folder.

    Raises:
        OSError: the disk is full, or the folder can't be written to.
    """
    if folder is None and len(parts) == 1:
        return parts[0]
    words, parents, paths = zip(*((part.words, part.parents, part.paths) for part in parts), strict=True)
    if folder is None:
        return Level(np.concatenate(words, axis=1), np.concatenate(parents), np.concatenate(paths))
    return Level(spilled(words, folder), spilled(parents, folder), spilled(paths, folder), on_disk=True)


@dataclass
class Result:
    """What exploring found. Incomplete, its counts are lower bounds and `stopped` says why.

    Attributes:
        transitions: pairs of a state and a move it allows, wherever the move leads.
        checked: the states whose moves and properties were evaluated: all of them, when complete.
        collision_probability: at most how likely it is that two states were taken for one.
        terminal: the states in which the game is over. deadlocks: not over, and no move; `deadlock`: the first.
        action_counts: transitions by action; `never_enabled` are those without.
        clauses: what the paths taken implement.
        deciding, idle: the places of requirements that have kept some state or choice out; of those that have not, each
            with its clause.
        implying, triggered: the properties with an implication that may be met here; those where one was.
        changed: the names of the variables that a move taken may change.
        violations, witnesses: by property id, the shortest game to the first.
        frozen: the cells that can't change in this set-up; slots, words: of a state.
        place: the level and the row of the first state whose moves were not looked at. taken: by path, how often.
        nbytes, on_disk: kept in memory at the end, and on disk.
    """

    complete: bool = False
    stopped: str = ""
    states: int = 0
    transitions: int = 0
    checked: int = 0
    depth_histogram: list[int] = field(default_factory=list)
    seconds: float = 0.0
    collision_probability: float = 0.0
    terminal: int = 0
    deadlocks: int = 0
    deadlock: Found | None = None
    action_counts: dict[str, int] = field(default_factory=dict)
    never_enabled: tuple[str, ...] = ()
    clauses: frozenset[str] = frozenset()
    deciding: frozenset[str] = frozenset()
    idle: frozenset[tuple[str, str]] = frozenset()
    implying: frozenset[str] = frozenset()
    triggered: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    violations: dict[str, Found] = field(default_factory=dict)
    witnesses: dict[str, Found] = field(default_factory=dict)
    slots: int = 0
    words: int = 0
    paths: int = 0
    nbytes: int = 0
    place: tuple[int, int] = (0, 0)
    taken: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    on_disk: int = 0

    @property
    def depth(self) -> int:
        """The greatest number of moves that a state needs."""
        return len(self.depth_histogram) - 1

    @property
    def states_per_second(self) -> float:
        return self.states / self.seconds if self.seconds else 0.0


class _Stop(Exception):
    """A limit is hit."""


class Exploration:
    """The states reached so far, level by level, and the games that lead to them."""

    def __init__(self, thawed: Thawed, exact: bool = True) -> None:
        self.model: Model = thawed.model
        self.packing = Packing(self.model.layout, exact)
        self.program = Program(self.model, thawed.paths, self.packing)
        self.plain = self.model.game.model(self.model.setup)
        self.refusing = thawed.refusing
        none = np.zeros(1, np.uint32)
        self.levels = [Level(self.packing.pack(self.model.initial().vector()), none, none)]
        self.complete = False

    def state(self, depth: int, row: int) -> State:
        """A reached state, over the cells that can change."""
        return self.model.state(self.packing.vector(self.levels[depth].words, row))

    def game(self, depth: int, row: int, *last: Move) -> Found:
        """A shortest game to a reached state, and further moves from there, replayed on the plain model.

        Raises:
            ExplorationError: the plain model does not play it so: a fault of the explorer.
        """
        state = self.state(depth, row)
        moves = self._moves(depth, row)
        found = Found((*moves, *last), tuple(self.plain.describe(move) for move in (*moves, *last)))
        played = self.plain.initial()
        for number, move in enumerate(found.moves):
            if number == depth:
                self._compare(played, state, found)
            clause = self.plain.refusal(played, move)
            if clause is not None:
                raise ExplorationError(f"the explorer is wrong: move {number + 1} is refused under {clause}", found)
            self.plain.apply(played, move)
        if not last:
            self._compare(played, state, found)
        return found

    def log(self, depth: int, row: int, *last: Move) -> tuple[str, ...]:
        """A shortest game to a reached state, and further moves from there, as text; not replayed."""
        return tuple(self.plain.describe(move) for move in (*self._moves(depth, row), *last))

    def _moves(self, depth: int, row: int) -> list[Move]:
        moves: list[Move] = []
        for level in range(depth, 0, -1):
            moves.append(self.program.moves[int(self.levels[level].paths[row])])
            row = int(self.levels[level].parents[row])
        return moves[::-1]

    def _compare(self, played: State, reached: State, found: Found) -> None:
        for cell, one, other in zip(
            self.plain.layout.cells, played.all_values(), reached.all_values(), strict=True
        ):
            if one != other:
                raise ExplorationError(f"the explorer is wrong: {cell.label} is {one} by rule, {other} by it", found)

    def blocks(self, depth: int, size: int = BLOCK, begin: int = 0) -> Iterable[tuple[int, Words]]:
        """The packed states of a level from a row on, in blocks, each with the row of its first."""
        for start in range(begin, self.levels[depth].states, size):
            yield start, self.levels[depth].words[:, start : start + size]  # it may have moved to disk


class Observer:
    """What watches a search; each method says nothing unless an observer says otherwise."""

    nbytes = 0  # what it keeps, of the memory that the search may take

    def seen(self, depth: int, start: int, columns: Columns) -> None:
        """A block of states, of a level from a row on, is expanded."""

    def taken(self, depth: int, start: int, path: int, rows: Columns) -> None:
        """A path is taken from some rows of the block seen last."""

    def arrived(self, depth: int, parents: NDArray[np.uint32], paths: NDArray[np.uint32], keys: Keys) -> None:
        """Moves from rows of the level, each with its path and the key of the state it leads to."""

    def forget(self, depth: int, start: int) -> None:
        """The block is expanded again some time, since the search stopped in the middle of it."""


def explore(
    thawed: Thawed,
    properties: Sequence[Property] = (),
    limits: Limits = Limits(),
    progress: Progress | None = None,
    *,
    exact: bool = True,
    block: int = BLOCK,
    compiled_from: float = COMPILED_FROM,
    cores: int = 0,
    folder: pathlib.Path | None = None,
) -> tuple[Result, Exploration]:
    """Explore every state that a model can reach.

    Args:
        thawed: the model and its paths, from `frozen.thawed` or `frozen.whole`.
        exact: False to use fingerprints even where a state fits into its key.
        properties, limits, progress, block, compiled_from, cores, folder: see `search`, which also says what is raised.
    """
    exploration = Exploration(thawed, exact)
    result = search(
        exploration, properties, limits, progress,
        block=block, compiled_from=compiled_from, cores=cores, folder=folder,
    )
    return result, exploration


def search(
    exploration: Exploration,
    properties: Sequence[Property] = (),
    limits: Limits = Limits(),
    progress: Progress | None = None,
    *,
    block: int = BLOCK,
    observers: Sequence[Observer] = (),
    earlier: Result | None = None,
    compiled_from: float = COMPILED_FROM,
    cores: int = 0,
    folder: pathlib.Path | None = None,
) -> Result:
    """Fill an exploration that has only its first state, or go on with one that was stopped.

    Args:
        properties: to be checked on the way.
        progress: called after each block.
        block: how many states are expanded at once.
        observers: told of every block of states, every path taken from it, and where each move leads.
        earlier: what the search that stopped had found; the limits, and the clock, are those of this one.
        compiled_from: with so many states found, the rules are compiled; infinity: never. Only the time depends on it.
        cores: how many threads compiled code uses; 0: all, or one where many processes share the machine.
        folder: where levels are kept once memory is short; else the search stops there.

    Raises:
        ExplorationError: a rule leaves the domain of a variable.
        RuleError: a property can't be evaluated on columns.
    """
    found = _Search(exploration, properties, limits, progress, block, observers)
    if earlier is not None:
        found.go_on_from(earlier)
    found.compiled_from = compiled_from if found.may_compile else float("inf")
    found.cores = cores or _cores()
    found.folder = folder
    found.run()
    return found.result


class _Search:
    def __init__(
        self,
        exploration: Exploration,
        properties: Sequence[Property],
        limits: Limits,
        progress: Progress | None,
        block: int,
        observers: Sequence[Observer],
    ) -> None:
        self.started = time.perf_counter()
        self.limits, self.progress, self.block, self.observers = limits, progress, block, observers
        self.compiled_from, self.cores = float("inf"), 1
        self.folder: pathlib.Path | None = None
        self.compiled: Compiled | None = None
        self.compiled_at = 0
        self.may_compile = all(
            type(observer).seen is Observer.seen and type(observer).taken is Observer.taken for observer in observers
        )
        self.awaiting = [observer for observer in observers if type(observer).arrived is not Observer.arrived]
        self.exploration = exploration
        self.program, self.packing = exploration.program, exploration.packing
        model, paths = exploration.model, self.program.paths
        self.visited = Visited()
        self.result = Result(slots=len(model.layout.slots), words=self.packing.words, paths=len(paths))
        self.taken = np.zeros(len(paths), np.int64)
        state = model.state(model.layout.symbols())
        self.over: Term = model.game.over(state)
        stated = [(claim, *_claim(model, claim, state)) for claim in properties if claim.kind != "step"]
        self.claims = [(claim, term) for claim, term, _ in stated]
        self.premises = [(claim.id, premise) for claim, _, premise in stated if premise is not False]
        self.met: set[str] = set()
        steps = [claim for claim in properties if claim.kind == "step"]
        self.step_claims = {claim.id for claim in steps}
        related = [
            _step_claims(model, steps, move, path) for move, path in zip(self.program.moves, paths, strict=True)
        ]
        self.steps = [[(claim, term) for claim, term, _ in found if term is not True] for found in related]
        self.step_premises = [
            [(claim.id, premise) for claim, _, premise in found if premise is not False] for found in related
        ]
        self.implying = frozenset(id for met in (self.premises, *self.step_premises) for id, _ in met)
        self.claim_notes: dict[int, str] = {}
        self.premise_notes: dict[int, str] = {}
        self.condition_notes: dict[int, int] = {}
        self.found = 0
        self.fresh: list[Level] = []  # of the level being reached, in parts
        self.refusing = exploration.refusing
        self.counted = self._counts()  # when the block in hand was begun

    def go_on_from(self, earlier: Result) -> None:
        """Take over what was found; what was reached beyond the level in hand is the beginning of the next one."""
        result, levels = self.result, self.exploration.levels
        depth, _ = result.place = earlier.place
        self.fresh = levels[depth + 1 :]
        del levels[depth + 1 :]
        self.taken = earlier.taken.copy()
        result.checked, result.terminal, result.deadlocks = earlier.checked, earlier.terminal, earlier.deadlocks
        result.deadlock = earlier.deadlock
        result.violations, result.witnesses = dict(earlier.violations), dict(earlier.witnesses)
        decided = result.violations.keys() | result.witnesses.keys()
        self.claims = [(claim, term) for claim, term in self.claims if claim.id not in decided]
        self.met = set(earlier.triggered)
        self.refusing = self.refusing | earlier.deciding
        self.counted = self._counts()

    def run(self) -> None:
        try:
            self._levels()
            self.exploration.complete = self.result.complete = True
        except _Stop as stop:
            self.result.stopped = str(stop)
        except (KeyboardInterrupt, MemoryError) as stop:
            self._rewind()
            self.result.stopped = "out of memory" if isinstance(stop, MemoryError) else "interrupted"
        finally:
            if self.compiled is not None:
                self.compiled.close()
            self._conclude()

    def _levels(self) -> None:
        exploration = self.exploration
        for level in (*exploration.levels, *self.fresh):
            self.found += len(self.visited.insert(self.packing.keys(level.words)))
        while exploration.levels[-1].states:
            depth = len(exploration.levels) - 1
            begun = self.result.place[1]
            for start, words in exploration.blocks(depth, self.block, begun):
                self.result.place, self.counted = (depth, start), self._counts()
                self._obey_limits()
                if not self._expand_compiled(depth, start, words):
                    self._expand(depth, start, words)
                self.result.place, self.counted = (depth, start + words.shape[1]), self._counts()
                if self.progress is not None:
                    self.progress(self.found, exploration.levels[depth].states - start - words.shape[1], depth)
            self._close_level()
            self.result.place = (depth + 1, 0)
        exploration.levels.pop()

    def _counts(self) -> tuple[int, int, int, int, NDArray[np.int64]]:
        result = self.result
        return len(self.fresh), result.checked, result.terminal, result.deadlocks, self.taken.copy()

    def _rewind(self) -> None:
        """Back to before the block in hand, of which nobody knows how far it came."""
        depth, start = self.result.place
        if depth == len(self.exploration.levels) - 1:
            fresh, self.result.checked, self.result.terminal, self.result.deadlocks, self.taken = self.counted
            del self.fresh[fresh:]
        else:  # the level was closed already
            self.fresh = []
        for observer in self.observers:
            observer.forget(depth, start)

    def _close_level(self) -> None:
        """What was reached becomes a level; on disk, where memory has no room for joining its parts."""
        parts = self.fresh or [Level(np.empty((self.packing.words, 0), np.uint64), _NONE, _NONE)]
        scarce = self._nbytes() + sum(part.nbytes for part in parts) > self.limits.memory
        on_disk = scarce or any(part.on_disk for part in parts)
        self.exploration.levels.append(self._joined(parts, on_disk))
        self.fresh = []

    def _obey_limits(self) -> None:
        if self.found >= self.limits.states:
            raise _Stop(f"the limit of {self.limits.states:,.0f} states is reached")
        if time.perf_counter() - self.started >= self.limits.seconds:
            raise _Stop(f"the limit of {self.limits.seconds:g} seconds is reached")
        if self._short_of_memory() and self.folder is not None:
            self._spill()
        if self._short_of_memory():
            raise _Stop(f"the limit of {self.limits.memory:,.0f} bytes of memory is reached")
        if self.limits.decided and not self.claims and self.step_claims <= self.result.violations.keys():
            raise _Stop("all that was asked is decided")

    def _short_of_memory(self) -> bool:
        growth = self.visited.nbytes_for(self.block) - self.visited.nbytes
        return self._nbytes() + growth > self.limits.memory

    def _spill(self) -> None:
        """Put on disk what is not there yet."""
        levels = self.exploration.levels
        for depth, level in enumerate(levels):
            if not level.on_disk:
                levels[depth] = self._joined([level], True)
        fresh = [part for part in self.fresh if not part.on_disk]
        if fresh:
            self.fresh = [*self.fresh[: -len(fresh)], self._joined(fresh, True)]

    def _joined(self, parts: Sequence[Level], on_disk: bool) -> Level:
        try:
            return joined(parts, self.folder if on_disk else None)
        except OSError as error:
            raise _Stop(f"levels can't be kept in {self.folder}: {error.strerror or error}") from error

    def _nbytes(self, on_disk: bool = False) -> int:
        """What is kept in memory, or on disk."""
        levels = (*self.exploration.levels, *self.fresh)
        kept = sum(level.nbytes for level in levels if level.on_disk is on_disk)
        return kept if on_disk else kept + self.visited.nbytes + sum(observer.nbytes for observer in self.observers)

    # -- one block, compiled -------------------------------------------------------------------------------------
    def _expand_compiled(self, depth: int, start: int, words: Words) -> bool:
        """Whether compiled code has expanded the block; if not, something in it asks for columns."""
        if self.found < self.compiled_from:
            return False
        if self.compiled is None or self.found >= OPTIMISED_FROM > self.compiled_at:
            self._compile()
        assert self.compiled is not None
        successors = self.compiled.expand(words)
        if self._asks_for_columns(successors):
            return False
        noted = np.flatnonzero(successors.noted).tolist()
        self.met.update(self.premise_notes[note] for note in noted if note in self.premise_notes)
        self.program.deciding.update(self.condition_notes[note] for note in noted if note in self.condition_notes)
        self.taken += successors.taken
        self.result.checked += words.shape[1]
        self.result.terminal += successors.terminal
        self.result.deadlocks += successors.stuck
        level = Level(*self.compiled.insert(self.visited, start))
        if level.states:
            self.fresh.append(level)
            self.found += level.states
        if self.awaiting:
            arrivals = self.compiled.arrivals(start)
            for observer in self.awaiting:
                observer.arrived(depth, *arrivals)
        return True

    def _asks_for_columns(self, successors: Successors) -> bool:
        """Whether a value leaves its domain, or something is decided at last, or a first game is stuck."""
        undecided = {claim.id for claim, _ in self.claims} | self.step_claims - self.result.violations.keys()
        return (
            bool(successors.noted[OUTSIDE])
            or (successors.stuck > 0 and self.result.deadlock is None)
            or any(successors.noted[note] for note, id in self.claim_notes.items() if id in undecided)
        )

    def _compile(self) -> None:
        """Write down what is still open, and compile the rules with it."""
        from solver.explorer.compiled import Compiled  # takes a moment to load, and small searches never need it
        from solver.explorer.native import Notes, conditions

        self.claim_notes, self.premise_notes = {}, {}
        states: list[Term] = [False]  # its note is OUTSIDE
        for claim, term in self.claims:
            self.claim_notes[len(states)] = claim.id
            states.append(term if claim.kind == "witness" else negation(term))
        for id, premise in self.premises:
            if id not in self.met:
                self.premise_notes[len(states)] = id
                states.append(premise)
        size = len(states)
        steps: list[list[tuple[int, Term]]] = []
        numbers: dict[tuple[str, bool], int] = {}
        for claims, premises_of_path in zip(self.steps, self.step_premises, strict=True):
            stated = [(claim.id, False, negation(term)) for claim, term in claims]
            stated = [each for each in stated if each[0] not in self.result.violations]
            stated += [(id, True, premise) for id, premise in premises_of_path if id not in self.met]
            for id, is_premise, _ in stated:
                numbers.setdefault((id, is_premise), size + len(numbers))
            steps.append([(numbers[id, is_premise], term) for id, is_premise, term in stated])
        for (id, is_premise), number in numbers.items():
            (self.premise_notes if is_premise else self.claim_notes)[number] = id
        size += len(numbers)
        open_conditions = sorted(conditions(self.program.guards).keys() - self.program.deciding)
        noted = {number: size + place for place, number in enumerate(open_conditions)}
        self.condition_notes = {note: number for number, note in noted.items()}
        notes = Notes(states, steps, size + len(noted), noted, OUTSIDE)
        if self.compiled is not None:
            self.compiled.close()
        self.compiled_at = self.found
        self.compiled = Compiled(self.program, self.over, notes, self.cores, self.found >= OPTIMISED_FROM)

    # -- one block, on columns -----------------------------------------------------------------------------------
    def _expand(self, depth: int, start: int, words: Words) -> None:
        columns = self.program.columns(words)
        self._check_states(depth, start, columns)
        for observer in self.observers:
            observer.seen(depth, start, columns)
        enabled = np.zeros(columns.rows, np.bool_)
        batch = _Batch()
        for path, rows in self.program.firings(columns):
            outside = self.program.outside(path, rows)
            if outside is not None:
                raise self._left_domain(depth, start, path, rows, outside)
            if self.steps[path]:
                self._check_steps(depth, start, path, rows)
            if self.step_premises[path]:
                self.step_premises[path] = self._not_met(self.step_premises[path], rows)
            for observer in self.observers:
                observer.taken(depth, start, path, rows)
            self.taken[path] += rows.rows
            enabled[slice(None) if rows.origin is None else rows.origin] = True
            batch.add(self.program.after(path, rows, words), rows.origin, path)
            if batch.states > 4 * self.block:
                self._insert(batch, start)
                batch = _Batch()
        self._insert(batch, start)
        self._tally(depth, start, columns, enabled)

    def _insert(self, batch: _Batch, start: int) -> None:
        if not batch.states:
            return
        words = batch.words()
        keys = self.packing.keys(words)
        new = self.visited.insert(keys)
        if len(new):
            parents, paths = batch.origins(new)
            self.fresh.append(Level(words[:, new], parents + np.uint32(start), paths))
            self.found += len(new)
        if self.awaiting:
            parents, paths = batch.origins(np.arange(batch.states))
            for observer in self.awaiting:
                observer.arrived(len(self.exploration.levels) - 1, parents + np.uint32(start), paths, keys)

    def _tally(self, depth: int, start: int, columns: Columns, enabled: NDArray[np.bool_]) -> None:
        over = columns(self.over)
        self.result.checked += columns.rows
        self.result.terminal += int(np.count_nonzero(over))
        stuck = np.flatnonzero(~(enabled | over))
        self.result.deadlocks += len(stuck)
        if len(stuck) and self.result.deadlock is None:
            self.result.deadlock = self.exploration.game(depth, start + int(stuck[0]))

    def _check_states(self, depth: int, start: int, columns: Columns) -> None:
        undecided = []
        for claim, term in self.claims:
            sought = columns(term) if claim.kind == "witness" else ~columns(term)
            first = int(np.argmax(sought))
            if not sought[first]:
                undecided.append((claim, term))
                continue
            table = self.result.witnesses if claim.kind == "witness" else self.result.violations
            table[claim.id] = self.exploration.game(depth, start + first)
        self.claims = undecided
        self.premises = self._not_met(self.premises, columns)

    def _not_met(self, premises: list[tuple[str, Term]], columns: Columns) -> list[tuple[str, Term]]:
        """The premises that no row meets; what meets one is noted. Their columns are at hand: a claim computes them."""
        self.met.update(id for id, premise in premises if id not in self.met and columns(premise).any())
        return [(id, premise) for id, premise in premises if id not in self.met]

    def _check_steps(self, depth: int, start: int, path: int, rows: Columns) -> None:
        for claim, term in self.steps[path]:
            if claim.id in self.result.violations:
                continue
            holds = rows(term)
            first = int(np.argmin(holds))
            if not holds[first]:
                row = start + _in_block(rows, first)
                self.result.violations[claim.id] = self.exploration.game(depth, row, self.program.moves[path])

    def _left_domain(
        self, depth: int, start: int, path: int, rows: Columns, outside: Outside
    ) -> ExplorationError:
        row = start + _in_block(rows, outside.row)
        model, move = self.exploration.plain, self.program.moves[path]
        low, high = explored(outside.cell.domain)
        state = self.exploration.state(depth, row)
        values = ", ".join(
            f"{cell.label} {int(value)}" for cell, value in zip(state._layout.slots, state.vector(), strict=True)
        )
        return ExplorationError(
            f"rule {move.action.name} ({move.action.place}), as `{model.describe(move)}`, gives {outside.cell.label} "
            f"{outside.value}, outside its domain {low}..{high}, in the state: {values}",
            self.exploration.game(depth, row),
        )

    # -- at the end ----------------------------------------------------------------------------------------------
    def _conclude(self) -> None:
        result, exploration = self.result, self.exploration
        if self.fresh:
            exploration.levels.append(joined(self.fresh))
            self.fresh = []
        result.depth_histogram = [level.states for level in exploration.levels]
        result.states = sum(result.depth_histogram)
        result.taken, result.transitions = self.taken, int(self.taken.sum())
        result.collision_probability = self.packing.collision_probability(result.states)
        counts = dict.fromkeys(exploration.model.actions, 0)
        clauses: set[str] = set()
        for path, taken in zip(self.program.paths, self.taken.tolist(), strict=True):
            counts[path.action.name] += taken
            if taken:
                clauses |= path.clauses
        result.action_counts, result.clauses = counts, frozenset(clauses)
        required = [one for path in self.program.paths for one in path.guard if one.clause]
        deciding = {one.place for one in required if one.condition.number in self.program.deciding}
        result.deciding = self.refusing | deciding
        result.idle = frozenset((one.place, one.clause) for one in required if one.place not in result.deciding)
        result.implying, result.triggered = self.implying, frozenset(self.met)
        slots = {slot for path, taken in zip(self.program.paths, self.taken, strict=True) if taken
                 for slot in path.updates}  # fmt: skip
        result.changed = frozenset(exploration.model.layout.slots[slot].variable.name for slot in slots)
        result.never_enabled = tuple(name for name, taken in counts.items() if not taken)
        result.nbytes, result.on_disk = self._nbytes(), self._nbytes(on_disk=True)
        result.seconds = time.perf_counter() - self.started


class _Batch:
    """Successors of a block, gathered path by path."""

    def __init__(self) -> None:
        self.states = 0
        self._words: list[Words] = []
        self._rows: list[Rows | None] = []
        self._paths: list[int] = []
        self._ends: list[int] = []

    def add(self, words: Words, rows: Rows | None, path: int) -> None:
        self.states += words.shape[1]
        self._words.append(words)
        self._rows.append(rows)
        self._paths.append(path)
        self._ends.append(self.states)

    def words(self) -> Words:
        return self._words[0] if len(self._words) == 1 else np.concatenate(self._words, axis=1)

    def origins(self, chosen: NDArray[np.intp]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """For the chosen successors, rising: the row in the block they come from and the path."""
        parents = np.empty(len(chosen), np.uint32)
        paths = np.empty(len(chosen), np.uint32)
        cuts = [0, *np.searchsorted(chosen, self._ends).tolist()]
        begin = 0
        for rows, path, end, first, last in zip(self._rows, self._paths, self._ends, cuts, cuts[1:], strict=False):
            if first < last:
                inside = chosen[first:last] - begin
                parents[first:last] = inside if rows is None else rows[inside]
                paths[first:last] = path
            begin = end
        return parents, paths


def _cores() -> int:
    """All cores there are for this process; one in a worker process, whose siblings have the others."""
    if parent_process() is not None:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _in_block(rows: Columns, row: int) -> int:
    return row if rows.origin is None else int(rows.origin[row])


def _claim(model: Model, claim: Property, state: State) -> tuple[Term, Term]:
    """An invariant for all members, or a witness for some, as one condition; and when an implication in it is met."""
    with premises() as met:
        held = [claim.function(state, *members) for members in claim.members(model)]
    return disjunction(held) if claim.kind == "witness" else conjunction(held), disjunction(met)


def _step_claims(
    model: Model, claims: Sequence[Property], move: Move, path: Path
) -> list[tuple[Property, Term, Term]]:
    """The step properties that speak of a path, each as a condition, and when an implication in it is met.

    The condition folds to true for a property that the path keeps by its mere form, or by what its guard says of cells.
    """
    if not claims:
        return []
    before, after = around(model, path)
    found = []
    for claim in claims:
        if claim.concerns(move):
            with premises() as met:
                term = conjunction(
                    claim.function(before, after, move, *members) for members in claim.members(model)
                )
            found.append((claim, truth(term), disjunction(met)))
    return found
