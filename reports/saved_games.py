"""Games as files: started, played on at random, saved, opened again with suspicion, told as a log.

A file may come from anybody. What can't be read is bad input; a step that the rules forbid is a finding about the file,
told with its number and the clause that forbids it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.language import InputError, Model, Move, State
from model.language.record import Identity, IllegalStep, identity_of, load, log, read, replay, save
from properties.playing import Director
from reports import atomic
from reports.registry import Entry, entry_of
from reports.verification import digest_of
from reports.wording import shortened


class IllegalGame(Exception):
    """A saved game has a step that the rules forbid; one line with its number and the clause."""


@dataclass
class OpenGame:
    """A game in hand: its model, what it is played with, its moves so far, and where they lead."""

    entry: Entry
    model: Model
    identity: Identity
    moves: list[Move]
    source: str = ""

    def state(self) -> State:
        """The position after all moves.

        Raises:
            IllegalGame: at the first illegal one.
        """
        state = self.model.initial()
        try:
            for _ in replay(self.model, self.moves, state):
                pass
        except IllegalStep as illegal:
            raise self._refused(illegal) from None
        return state

    def _refused(self, illegal: IllegalStep) -> IllegalGame:
        return IllegalGame(f"{self.source}: {illegal}" if self.source else str(illegal))


def new(
    entry: Entry, preset: str | None, setup: str | None, players: int | None, readings: Mapping[str, str],
    deck: Path | None,
) -> OpenGame:  # fmt: skip
    """A game before its first move.

    Raises:
        InputError: something named isn't there; the deck can't be used.
    """
    entry.readings(readings)
    names = entry.game.presets[entry.preset(preset)].setups
    if setup is not None and preset is not None and setup not in names:
        raise InputError(f"--setup {setup}: the set-ups of {preset} are {', '.join(names)}")
    name = names[0] if setup is None else setup
    count = entry.count(players)[0]
    parameters = entry.setup(name, count, readings, deck)
    identity = Identity(
        name, count, {id: str(value) for id, value in parameters.readings.items()}, digest_of(parameters),
        None if deck is None else deck.name,
    )  # fmt: skip
    return OpenGame(entry, entry.game.model(parameters), identity, [])


def opened(path: Path, deck: Path | None = None, game: str | None = None) -> OpenGame:
    """The game in a file.

    Args:
        deck: the deck it was played with, if that was the user's own. game: which game it must be of.

    Raises:
        InputError: unreadable or broken; played with another deck, or by other rules.
    """
    source = shortened(str(path), 200)
    document = read(path)
    try:
        entry = entry_of(_game_of(document))
        if game is not None and entry is not entry_of(game):
            raise InputError(f"it is a game of {entry.game.id}, not of {game}")
        identity = identity_of(document)
        entry.count(identity.players)
        setup = entry.setup(identity.name, identity.players, identity.readings, deck)
        _require_same_deck(identity, digest_of(setup), deck)
        model = entry.game.model(setup)
        return OpenGame(entry, model, identity, load(document, model), source)
    except InputError as broken:
        raise InputError(f"{source}: {broken}") from None


def _game_of(document: Mapping[str, Any]) -> str:
    name = document.get("game")
    if not isinstance(name, str):
        raise InputError("not a saved game: 'game' must name the game it is of; `ruleproof play` writes such files")
    return name


def _require_same_deck(identity: Identity, digest: str, deck: Path | None) -> None:
    if identity.deck_digest != digest:
        played = f"the deck {identity.deck}" if identity.deck else "another deck"
        raise InputError(f"it was played with {played}; give the file it was played with as --deck FILE")


def played_on(game: OpenGame, seed: int, until: int) -> dict[str, Any]:
    """Choose moves at random until the game is over or has `until` moves; the game as a document."""
    chance = random.Random(seed)
    director = Director(game.entry.policy)
    state = game.state()
    while len(game.moves) < until and not game.model.over(state):
        legal = game.model.legal(state)
        if not legal:
            break
        move = director.choose(state, legal, chance.random)
        game.model.apply(state, move)
        game.moves.append(move)
    return save(game.model, game.moves, game.identity)


def text(document: Mapping[str, Any]) -> str:
    """The text of the file."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Save a game.

    Raises:
        OutputError: it can't be written.
    """
    atomic.write(path, text(document))


def heading(game: OpenGame) -> str:
    """The first line of a log."""
    standing = game.entry.readings({})
    changed = [f"{id}={value}" for id, value in game.identity.readings.items() if standing.get(id) != value]
    readings = f", {', '.join(changed)}" if changed else ""
    return f"{game.entry.game.title}, set-up {game.identity.name}, {game.identity.players} players{readings}"


def log_lines(game: OpenGame) -> Iterator[str]:
    """The game move by move, each with its clauses.

    Raises:
        IllegalGame: at the first illegal move, after the lines of those before.
    """
    try:
        for line in log(game.model, game.moves):
            yield " ".join(line.split("\n"))
    except IllegalStep as illegal:
        raise game._refused(illegal) from None


def log_json(game: OpenGame) -> str:
    """The log as one JSON document."""
    steps = []
    try:
        for number, move, _, clauses in replay(game.model, game.moves):
            steps.append({"number": number, "text": game.model.describe(move), "clauses": sorted(clauses)})
    except IllegalStep as illegal:
        raise game._refused(illegal) from None
    document = {"game": game.entry.game.id, "title": game.entry.game.title, "steps": steps}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
