"""Games of the unmutated rules, to replay with a mistake planted: which transitions run which line of the rules.

To explore or prove anything anew for each of thousands of mutants would take days. But a mistake shows only where its
line runs. So games are played once, in many set-ups, and noted line by line; a mutant is then tried on the few dozen
transitions that run its line, from the state before each. Games are given by seeds, so what is recorded is the same on
every machine and on any number of processes; recorded games travel between processes by the labels of their moves.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FrameType
from typing import Any

from model.language.game import Game, Model, Move
from model.language.record import decode, encode
from properties.declaration import Property
from properties.playing import Director, Policy
from properties.watching import Watch

Line = tuple[str, int]
FIRST = 2  # of each kind that are kept (or noted line by line); then the 4th, 8th, 16th ..., from all of a game


@dataclass(eq=False)
class World:
    """A set-up to play in: how it is called, its parameters, the game, what is claimed of it (witnesses apart)."""

    name: str
    players: int
    readings: Mapping[str, str]
    game: Game
    setup: Any
    properties: Sequence[Property]
    witnesses: Sequence[Property] = ()

    @cached_property
    def model(self) -> Model:
        """The game in this set-up."""
        return self.game.model(self.setup)

    @cached_property
    def watch(self) -> Watch:
        """What is claimed of it, ready to be looked at again and again."""
        return Watch(self.model, self.properties)

    def told(self) -> str:
        """The set-up in a few words."""
        own = [f"{id}={value}" for id, value in self.readings.items()]
        return ", ".join([self.name, f"{self.players} players", *own])


@dataclass(frozen=True)
class Recorded:
    """One game of a world, fit to travel.

    Attributes:
        moves: by label. states: the state before each move, and the last.
        applied, listed: the lines that some of the moves ran, and that listing the moves of some states ran.
        open, shut: the actions that were legal in each state, and those that were not though it was their phase.
        asked: the readings that the rules asked for. phases: of each state.
        kinds: the action of each move, the phase it led to and the variables it changed: alike moves are of one kind.
        reached: the witnesses that were first reached by a move. over: whether the game came to its end.
    """

    moves: list[dict[str, Any]]
    states: list[bytes | tuple[int, ...]]
    applied: dict[int, frozenset[Line]]
    listed: dict[int, frozenset[Line]]
    open: list[frozenset[str]]
    shut: list[frozenset[str]]
    asked: set[str]
    phases: list[int]
    kinds: list[Any]
    reached: dict[int, frozenset[str]]


def record(world: World, files: frozenset[str], policy: Policy, seed: int, games: int, most: int) -> list[Recorded]:
    """Play some games at random and note which lines of the files run.

    Args:
        files: those of the rules, by their full name. seed: of the first game. most: moves of a game.
    """
    seen: Counter[Any] = Counter()
    noting = _Noting(world.setup.readings)
    model = world.game.model(replace(world.setup, readings=noting))
    noting.asked.clear()  # what the set-up asked for
    watch = Watch(model, world.witnesses)
    return [
        _recorded(model, watch, files, policy, seed + number, most, seen, noting.asked) for number in range(games)
    ]


class _Noting(dict[str, Any]):
    """Readings that note which of them the rules ask for."""

    def __init__(self, readings: Mapping[str, Any]) -> None:
        super().__init__(readings)
        self.asked: set[str] = set()

    def get(self, reading: str, default: Any = None) -> Any:
        self.asked.add(reading)
        return super().get(reading, default)


def _recorded(
    model: Model, watch: Watch, files: frozenset[str], policy: Policy, seed: int, most: int, seen: Counter[Any],
    asked: set[str],
) -> Recorded:  # fmt: skip
    chance, director, state = random.Random(seed), Director(policy), model.initial()
    met: set[str] = set()
    game = Recorded([], [state.key()], {}, {}, [], [], asked, [int(state.phase)], [], {})
    while len(game.moves) < most and not model.over(state):
        legal = model.legal(state)
        game.open.append(frozenset(move.action.name for move in legal))
        due = {action.name for action in model.game.actions if not action.phases or state.phase in action.phases}
        game.shut.append(frozenset(due - game.open[-1]))
        if _counted(seen, game.open[-1]):
            with _Lines(files) as lines:
                model.legal(state)
            game.listed[len(game.moves)] = lines.found
        if not legal:
            break
        move = director.choose(state, legal, chance.random)
        changed: set[int] = set()
        if _counted(seen, move.action.name):
            with _Lines(files) as lines:
                model.apply(state, move, None, changed)
            game.applied[len(game.moves)] = lines.found
        else:
            model.apply(state, move, None, changed)
        names = frozenset(model.layout.slots[slot].variable.name for slot in changed)
        found = frozenset(watch.reached(state, changed)) - met
        if found:
            met |= found
            game.reached[len(game.moves)] = found
        game.moves.append(encode(model, move))
        game.phases.append(int(state.phase))
        game.kinds.append((move.action.name, game.phases[-1], names))
        game.states.append(state.key())
    return game


def _counted(seen: Counter[Any], kind: Any) -> bool:
    """Count one more of a kind; whether it is one of those to keep."""
    seen[kind] += 1
    number = seen[kind]
    return number <= FIRST or number & (number - 1) == 0


class _Lines:
    """The lines of some files that run while a block does."""

    def __init__(self, files: frozenset[str]) -> None:
        self._files = files
        self._found: set[Line] = set()

    @property
    def found(self) -> frozenset[Line]:
        return frozenset(self._found)

    def __enter__(self) -> _Lines:
        self._outer = sys.gettrace()
        sys.settrace(self._entered)
        return self

    def __exit__(self, *exception: object) -> None:
        sys.settrace(self._outer)

    def _entered(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        return self._reached if frame.f_code.co_filename in self._files else None

    def _reached(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        if event == "line":
            self._found.add((frame.f_code.co_filename, frame.f_lineno))
        return self._reached


@dataclass(eq=False)
class Play:
    """A recorded game, ready to be replayed."""

    world: World
    record: Recorded
    usual: dict[int, frozenset[Any]] = field(default_factory=dict)  # the legal moves of states that were asked for
    options: dict[int, frozenset[Any]] = field(default_factory=dict)  # what can be done there

    @cached_property
    def moves(self) -> list[Move]:
        """Its moves."""
        return [decode(self.world.model, entry) for entry in self.record.moves]


@dataclass(frozen=True)
class Moment:
    """A state of a recorded game: the one before move `number`."""

    play: Play
    number: int

    @property
    def vector(self) -> Sequence[int]:
        """The state."""
        return self.play.record.states[self.number]

    @property
    def phase(self) -> int:
        """The phase then."""
        return self.play.record.phases[self.number]

    @property
    def following(self) -> Sequence[int]:
        """The state after that move."""
        return self.play.record.states[self.number + 1]

    @property
    def move(self) -> Move | None:
        """What was played there, unless the game was over."""
        return self.play.moves[self.number] if self.number < len(self.play.record.moves) else None


@dataclass(eq=False)
class Corpus:
    """Recorded games, with the transitions that run each line."""

    plays: list[Play] = field(default_factory=list)
    applied: dict[Line, list[Moment]] = field(default_factory=dict)
    listed: dict[Line, list[Moment]] = field(default_factory=dict)
    opened: dict[str, list[Moment]] = field(default_factory=dict)
    closed: dict[str, list[Moment]] = field(default_factory=dict)
    taken: dict[str, list[Moment]] = field(default_factory=dict)
    reaching: dict[str, list[Moment]] = field(default_factory=dict)
    ends: list[Moment] = field(default_factory=list)
    _kept: Counter[Any] = field(default_factory=Counter)

    def add(self, world: World, games: Iterable[Recorded]) -> None:
        """Take up the recorded games of a world."""
        for game in games:
            play = Play(world, game)
            self.plays.append(play)
            if not game.moves:
                continue
            for number, kind in enumerate(game.kinds):
                self._keep(self.taken, kind[0], (id(world), kind), Moment(play, number))
            for number, witnesses in game.reached.items():
                for witness in witnesses:
                    self.reaching.setdefault(witness, []).append(Moment(play, number))
            for number, lines in game.applied.items():
                kind = (id(world), game.kinds[number])
                for line in lines:
                    self._keep(self.applied, line, kind, Moment(play, number))
            for number, lines in game.listed.items():
                for line in lines:
                    self._keep(self.listed, line, (id(world), game.open[number]), Moment(play, number))
            for number, names in enumerate(game.open[: len(game.moves)]):
                for name in names:
                    self._keep(self.opened, name, id(world), Moment(play, number))
                for name in game.shut[number]:
                    self._keep(self.closed, name, id(world), Moment(play, number))
            self.ends += [Moment(play, len(game.moves)), Moment(play, len(game.moves) - 1)]

    def asked(self) -> dict[str, list[World]]:
        """The worlds that asked for each reading."""
        found: dict[str, list[World]] = {}
        for world, record in {play.world: play.record for play in self.plays}.items():
            for reading in record.asked:
                found.setdefault(reading, []).append(world)
        return found

    def _keep(self, index: dict[Any, list[Moment]], key: Any, kind: Any, moment: Moment) -> None:
        if _counted(self._kept, (id(index), key, kind)):
            index.setdefault(key, []).append(moment)

    def moments(self, lines: Iterable[Line], actions: Sequence[str], guarding: bool) -> Iterator[Moment]:
        """Where a mistake in these lines may show, each once: where they run; where the actions were taken.

        Args:
            guarding: also where the actions were open, and where not.
        """
        wanted = list(lines)
        tables = [
            *([self.applied.get(line, []) for line in wanted]), *([self.listed.get(line, []) for line in wanted]),
            *([self.taken.get(name, []) for name in actions]),
            *([self.opened.get(name, []) for name in actions if guarding]),
            *([self.closed.get(name, []) for name in actions if guarding]),
        ]  # fmt: skip
        seen: set[tuple[int, int]] = set()
        for position in range(max(map(len, tables), default=0)):
            for table in tables:
                if position < len(table):
                    moment = table[position]
                    if (id(moment.play), moment.number) not in seen:
                        seen.add((id(moment.play), moment.number))
                        yield moment
