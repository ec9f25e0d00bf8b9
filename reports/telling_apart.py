"""Exploring a set-up for the games that tell answers to open questions apart, and for those that show a hole.

What a process of its own does for `readings`: one exploration under one set of readings, in which all other answers
are looked at together. What it sends back is games as text, each played on the plain models before it is believed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from model.language import CHANCE, Model, Move
from properties.declaration import Property
from reports.document import Game, Step
from reports.exploring import MEMORY
from reports.registry import Entry
from reports.retelling import actor_of, retold
from solver.explorer.difference import Leader, MustLead, NotComparable, Parting, parting, sought
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, ExplorationError, Limits, search

LED_STATES = 100_000  # of an exploration for a single answer
SHOWN_MOVES = 4  # of the moves that only one answer offers


@dataclass(frozen=True)
class Key:
    """An answer to an open question, other than the one in force."""

    reading: str
    value: str

    def __str__(self) -> str:
        return f"{self.reading}={self.value}"


@dataclass(frozen=True)
class Told:
    """A game that tells an answer from the standing one, and what each of the two does where they part."""

    setup: str
    readings: Mapping[str, str]
    moves: int
    game: Game
    parting: Mapping[str, list[str]]


@dataclass(frozen=True)
class Shown:
    """A game that shows a hole."""

    setup: str
    readings: Mapping[str, str]
    game: Game


@dataclass(frozen=True)
class Looked:
    """What one exploration found.

    Attributes:
        told: by answer. alike: the answers under which all rules are the same in this set-up.
        aside: those that must lead an exploration of their own. unfit: those that can't be compared here, and why.
        stopped: why it ended before all states were seen, unless all was found.
    """

    name: str
    states: int
    complete: bool
    stopped: str = ""
    told: Mapping[Key, Told] = field(default_factory=dict)
    alike: frozenset[Key] = frozenset()
    aside: frozenset[Key] = frozenset()
    unfit: Mapping[Key, str] = field(default_factory=dict)
    shown: Mapping[str, Shown] = field(default_factory=dict)


def looked_at(
    entry: Entry, name: str, players: int, standing: Mapping[str, str], keys: Sequence[Key],
    situations: Sequence[Property], deadline: float,
) -> Looked:  # fmt: skip
    """Explore a set-up under the standing readings, until each answer is told apart and each situation shown.

    Args:
        standing: every reading. situations: of holes. deadline: on `time.monotonic`.
    """
    setup = entry.setup(name, players, standing)
    leader = Leader(thawed(entry.game, setup))
    conditions, alike, aside, unfit = {}, set(), set(), {}
    for key in keys:
        other = entry.setup(name, players, {**standing, key.reading: key.value})
        try:
            condition = leader.parts_from(other)
        except MustLead:
            aside.add(key)
            continue
        except NotComparable as why:
            unfit[key] = str(why)
            continue
        if condition is False:
            alike.add(key)
        else:
            conditions[key] = condition
    wanted = [sought(str(key), condition) for key, condition in conditions.items()]
    exploration = Exploration(leader.thawed)
    limits = Limits(seconds=max(0.0, deadline - time.monotonic()), memory=MEMORY, decided=True)
    try:
        found = search(exploration, [*wanted, *situations], limits)
    except ExplorationError as mistake:  # `verify` tells of it
        return Looked(name, 0, False, f"a rule leaves its domain: {mistake}", unfit=unfit)
    told = {
        key: _told(entry, name, players, standing, key, found.witnesses[str(key)].moves)
        for key in conditions if str(key) in found.witnesses
    }  # fmt: skip
    games, title = {**found.witnesses, **found.violations}, f"A shortest game, set-up {name}"
    shown = {
        prop.id: Shown(name, standing, retold(exploration.plain, games[prop.id].moves, title))
        for prop in situations if prop.id in games
    }  # fmt: skip
    decided = len(told) == len(conditions) and len(shown) == len(situations)
    return Looked(
        name, found.states, found.complete, "" if decided else found.stopped, told, frozenset(alike), frozenset(aside),
        unfit, shown,
    )  # fmt: skip


def looked_at_leading(
    entry: Entry, name: str, players: int, standing: Mapping[str, str], key: Key, deadline: float
) -> Looked:
    """The same for one answer that needs cells of its own: it is explored, and compared with the standing one."""
    answered = {**standing, key.reading: key.value}
    setup, other = entry.setup(name, players, answered), entry.setup(name, players, standing)
    leader = Leader(thawed(entry.game, setup))
    try:
        condition = leader.parts_from(other)
    except NotComparable as why:
        return Looked(name, 0, False, unfit={key: str(why)})
    if condition is False:
        return Looked(name, 0, True, alike=frozenset([key]))
    limits = Limits(LED_STATES, max(0.0, deadline - time.monotonic()), MEMORY, decided=True)
    try:
        found = search(Exploration(leader.thawed), [sought(str(key), condition)], limits)
    except ExplorationError as mistake:
        return Looked(name, 0, False, f"a rule leaves its domain: {mistake}")
    if str(key) not in found.witnesses:
        return Looked(name, found.states, found.complete, found.stopped)
    told = _told(entry, name, players, standing, key, found.witnesses[str(key)].moves)
    return Looked(name, found.states, found.complete, told={key: told})


def _told(
    entry: Entry, name: str, players: int, standing: Mapping[str, str], key: Key, moves: Sequence[Move]
) -> Told:
    """The game, played under both answers.

    Raises:
        RuntimeError: the explorer claims what the plain models don't do.
    """
    first = entry.game.model(entry.setup(name, players, standing))
    second = entry.game.model(entry.setup(name, players, {**standing, key.reading: key.value}))
    apart = parting(first, second, moves)
    if apart is None:
        raise RuntimeError(f"the explorer is wrong: {key} is not told apart by the game it found in {name}")
    answers = (standing[key.reading], key.value)
    game = retold(first, apart.moves, f"A shortest game, set-up {name}")
    if apart.last is not None:
        model = first if apart.last not in apart.offered[1] else second
        game = Game(title=game.title, steps=[*game.steps, _last_step(model, apart, apart.last, answers)])
    return Told(name, standing, apart.length, game, dict(zip(answers, _lines(first, apart), strict=True)))


def _last_step(model: Model, apart: Parting, move: Move, answers: tuple[str, str]) -> Step:
    only = next((answer for answer, some in zip(answers, apart.offered, strict=True) if move in some), "")
    return Step(
        number=len(apart.moves) + 1, text=model.describe(move) + (f" (only under {only})" if only else ""),
        clauses=sorted(move.action.clauses), actor=actor_of(model, move), chance=move.action.by == CHANCE,
    )  # fmt: skip


def _lines(model: Model, apart: Parting) -> tuple[list[str], list[str]]:
    """What each answer does where the runs part, in words."""

    def side(number: int) -> list[str]:
        offered, outcome = apart.offered[number], list(apart.outcomes[number])
        if any(apart.offered):
            said = [f"may: {model.describe(move)}" for move in offered[:SHOWN_MOVES]]
            more = len(offered) - len(said)
            lines = [*said, f"and {more} more"] if more > 0 else said
            return lines or ["none of the moves of the other answer"]
        if apart.over[0] != apart.over[1]:
            outcome.append("the game is over" if apart.over[number] else "the game goes on")
        return outcome

    return side(0), side(1)


@dataclass(frozen=True)
class Checked:
    """What became of the properties in one set-up under one set of readings: by property, the moves that break it."""

    name: str
    states: int
    complete: bool
    broken: Mapping[str, int]


def checked_under(
    entry: Entry, name: str, players: int, readings: Mapping[str, str], properties: Sequence[Property], deadline: float
) -> Checked:
    """Explore a set-up with the properties of the game."""
    exploration = Exploration(thawed(entry.game, entry.setup(name, players, readings)))
    limits = Limits(seconds=max(0.0, deadline - time.monotonic()), memory=MEMORY)
    try:
        found = search(exploration, properties, limits)
    except ExplorationError:
        return Checked(name, 0, False, {})
    broken: dict[str, Any] = {id: len(game.moves) for id, game in found.violations.items()}
    return Checked(name, found.states, found.complete, broken)
