"""Games of the unmutated rules, to replay with a mistake planted: which transitions run which line of the rules.

To explore or prove anything anew for each of thousands of mutants would take days. But a mistake shows only where its
line runs. So games are played once, in many set-ups, and noted line by line; a mutant is then tried on the few dozen
transitions that run its line, from the state before each. Games are given by seeds, so what is recorded is the same on
every machine and on any number of processes; recorded games travel between processes by the labels of their moves.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FrameType
from typing import Any

from model.language.catalogue import NotedAnswers
from model.language.game import Game, Model, Move
from model.language.record import decode, encode
from model.language.state import State
from properties.declaration import Property
from properties.playing import Director, Policy
from properties.watching import Watch

Line = tuple[str, int]
FIRST = 2  # of each kind that are kept (or noted line by line); then the 4th, 8th, 16th ...
EPISODE = 20  # moves by which games are gone on with at a time


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


@dataclass(frozen=True)
class Node:
    """A state of recorded games, with the move that led there from its parent.

    Attributes:
        move: by label; None at the start. state: as a key. open, shut: the actions that are legal, and those that are
            not though it is their phase.
        kind: the move's action, the phase it led to, the variables it changed: moves of one kind are alike.
        applied, listed: the lines that the move ran, and that listing the moves ran, where this was noted.
        reached: the witnesses that were reached by then.
    """

    parent: int
    move: dict[str, Any] | None
    state: bytes | tuple[int, ...]
    phase: int
    open: frozenset[str]
    shut: frozenset[str]
    kind: Any = None
    applied: frozenset[Line] = frozenset()
    listed: frozenset[Line] = frozenset()
    reached: frozenset[str] = frozenset()
    over: bool = False


@dataclass(frozen=True)
class Recorded:
    """The recorded games of a world, as a tree fit to travel; and the readings that its rules asked for."""

    nodes: list[Node]
    asked: set[str]


def record(world: World, files: frozenset[str], policy: Policy, seed: int, moves: int) -> Recorded:
    """Play at random, going on again and again from the kind of state that was least gone on from.

    Plain random games keep to the well-trodden; this reaches rare rules with a tenth of the moves.

    Args:
        files: those of the rules, by their full name; which of their lines run is noted. moves: how many in all.
    """
    noting = NotedAnswers(world.setup.readings)
    model = world.game.model(replace(world.setup, readings=noting))
    noting.asked.clear()  # what the set-up asked for
    return Recorded(_Growth(model, Watch(model, world.witnesses), files, policy, seed).grown(moves), noting.asked)


class _Growth:
    def __init__(self, model: Model, watch: Watch, files: frozenset[str], policy: Policy, seed: int) -> None:
        self.model = model
        self.watch = watch
        self.files = files
        self.chance = random.Random(seed)
        self.director = Director(policy)
        self.nodes: list[Node] = []
        self.seen: Counter[Any] = Counter()
        self.alike: dict[Any, list[int]] = {}
        self.begun: Counter[Any] = Counter()
        self.legal: list[Move] = []  # in the state last noted

    def grown(self, moves: int) -> list[Node]:
        self._note(Node(0, None, self.model.initial().key(), 0, frozenset(), frozenset()), self.model.initial())
        left = moves
        while left > 0 and self.alike:
            left -= self._episode(min(left, EPISODE))
        return self.nodes

    def _episode(self, most: int) -> int:
        """Go on from a state; how many moves were made, at least one."""
        kind = min(self.alike, key=lambda kind: (self.begun[kind], self.seen[kind]))
        self.begun[kind] += 1
        number = self.chance.choice(self.alike[kind])
        state = self.model.state(self.nodes[number].state)
        legal = self.model.legal(state)
        for made in range(most):
            if not legal:
                return max(1, made)
            number = self._grow(number, state, self.director.choose(state, legal, self.chance.random))
            legal = self.legal
        return most

    def _grow(self, parent: int, state: State, move: Move) -> int:
        changed: set[int] = set()
        entry, applied = encode(self.model, move), frozenset[Line]()
        if _counted(self.seen, move.action.name):
            with _Lines(self.files) as lines:
                self.model.apply(state, move, None, changed)
            applied = lines.found
        else:
            self.model.apply(state, move, None, changed)
        names = frozenset(self.model.layout.slots[slot].variable.name for slot in changed)
        reached = self.nodes[parent].reached | frozenset(self.watch.reached(state, changed))
        kind = (move.action.name, int(state.phase), names)
        node = Node(parent, entry, state.key(), 0, frozenset(), frozenset(), kind, applied, frozenset(), reached)
        return self._note(node, state)

    def _note(self, node: Node, state: State) -> int:
        """Take up a state, with what can be done there."""
        model, phase = self.model, int(state.phase)
        over = model.over(state)
        self.legal = [] if over else model.legal(state)
        names = frozenset(move.action.name for move in self.legal)
        due = {action.name for action in model.game.actions if not action.phases or phase in action.phases}
        listed = frozenset[Line]()
        if _counted(self.seen, names) and not over:
            with _Lines(self.files) as lines:
                model.legal(state)
            listed = lines.found
        self.nodes.append(
            replace(node, phase=phase, open=names, shut=frozenset(due - names), listed=listed, over=over)
        )
        kind = (node.kind, names)
        self.seen[kind] += 1
        if not over:
            self.alike.setdefault(kind, []).append(len(self.nodes) - 1)
        return len(self.nodes) - 1


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
    """Recorded games of a world, ready to be replayed."""

    world: World
    record: Recorded
    usual: dict[int, frozenset[Any]] = field(default_factory=dict)  # the legal moves of states that were asked for
    options: dict[int, frozenset[Any]] = field(default_factory=dict)  # what can be done there
    states: dict[int, State] = field(default_factory=dict)  # those that were asked for; whoever changes one undoes it

    @cached_property
    def followed(self) -> dict[int, int]:
        """For each state that was gone on from, the first that followed."""
        return {node.parent: number for number, node in reversed(list(enumerate(self.record.nodes))) if number}

    def path(self, number: int) -> list[dict[str, Any]]:
        """The moves from the start to a state, by label."""
        moves: list[dict[str, Any]] = []
        while number:
            node = self.record.nodes[number]
            moves.append(node.move or {})
            number = node.parent
        return moves[::-1]


@dataclass(frozen=True)
class Moment:
    """A state of recorded games, and the move made there, given by the state that followed (0: none was made)."""

    play: Play
    number: int
    child: int = 0

    @property
    def vector(self) -> Sequence[int]:
        """The state."""
        return self.play.record.nodes[self.number].state

    @property
    def state(self) -> State:
        """The state, to look at: built once, since many mutants are tried in it."""
        known = self.play.states
        if self.number not in known:
            known[self.number] = self.play.world.model.state(self.vector)
        return known[self.number]

    @property
    def phase(self) -> int:
        """The phase then."""
        return self.play.record.nodes[self.number].phase

    @property
    def following(self) -> Sequence[int]:
        """The state after the move."""
        return self.play.record.nodes[self.child].state

    @property
    def before(self) -> list[dict[str, Any]]:
        """The game so far, by label."""
        return self.play.path(self.number)

    @property
    def move(self) -> Move | None:
        """What was played there."""
        entry = self.play.record.nodes[self.child].move
        return decode(self.play.world.model, entry) if entry is not None else None


@dataclass(eq=False)
class Corpus:
    """Recorded games, indexed by what runs, is done or could be done where.

    Attributes:
        applied, listed: by line, moves that run it, and states in which listing the moves does.
        taken, opened, closed: by action, moves that take it, states in which it is legal, and in which it is not.
        reaching: by witness, moves that reach it. ends: states in which the game is over, and the moves before.
    """

    plays: list[Play] = field(default_factory=list)
    applied: dict[Line, list[Moment]] = field(default_factory=dict)
    listed: dict[Line, list[Moment]] = field(default_factory=dict)
    taken: dict[str, list[Moment]] = field(default_factory=dict)
    opened: dict[str, list[Moment]] = field(default_factory=dict)
    closed: dict[str, list[Moment]] = field(default_factory=dict)
    reaching: dict[str, list[Moment]] = field(default_factory=dict)
    ends: list[Moment] = field(default_factory=list)
    _kept: Counter[Any] = field(default_factory=Counter)
    _mixed: dict[int, list[Moment]] = field(default_factory=dict)

    def add(self, world: World, recorded: Recorded) -> None:
        """Take up the recorded games of a world."""
        play = Play(world, recorded)
        self.plays.append(play)
        for number, node in enumerate(recorded.nodes):
            here = Moment(play, number, play.followed.get(number, 0))
            for line in node.listed:
                self._keep(self.listed, line, node.open, here)
            for name in node.open:
                self._keep(self.opened, name, node.kind, here)
            for name in node.shut:
                self._keep(self.closed, name, node.kind, here)
            if number:
                self._add_move(Moment(play, node.parent, number), node)

    def _add_move(self, moment: Moment, node: Node) -> None:
        for line in node.applied:
            self._keep(self.applied, line, node.kind, moment)
        self._keep(self.taken, node.kind[0], node.kind, moment)
        for witness in node.reached - moment.play.record.nodes[node.parent].reached:
            self.reaching.setdefault(witness, []).append(moment)
        if node.over:
            self.ends += [Moment(moment.play, moment.child), moment]

    def asked(self) -> dict[str, list[World]]:
        """The worlds that asked for each reading."""
        found: dict[str, list[World]] = {}
        for play in self.plays:
            for reading in sorted(play.record.asked):
                found.setdefault(reading, []).append(play.world)
        return found

    def _keep(self, index: dict[Any, list[Moment]], key: Any, kind: Any, moment: Moment) -> None:
        if _counted(self._kept, (id(index), key, id(moment.play), kind)):
            index.setdefault(key, []).append(moment)

    def _by_turns(self, moments: list[Moment]) -> list[Moment]:
        """One of each world, then a second of each: however few are tried, they come from everywhere."""
        if not moments:
            return moments
        if id(moments) not in self._mixed:
            worlds: dict[int, list[Moment]] = {}
            for moment in moments:
                worlds.setdefault(id(moment.play), []).append(moment)
            turns = itertools.zip_longest(*worlds.values())
            self._mixed[id(moments)] = [moment for turn in turns for moment in turn if moment is not None]
        return self._mixed[id(moments)]

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
        seen: set[tuple[int, int, int]] = set()
        tables = [self._by_turns(table) for table in tables]
        for position in range(max(map(len, tables), default=0)):
            for table in tables:
                if position < len(table):
                    moment = table[position]
                    key = (id(moment.play), moment.number, moment.child)
                    if key not in seen:
                        seen.add(key)
                        yield moment
