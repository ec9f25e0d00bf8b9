"""Saved games: a JSON document of labels, written by us, read back with suspicion.

A game is fully given by its moves, so that is all that is stored, with what they only make sense under: the game, the
version of its rules, the set-up. Choices are stored by label, not by number: a reader can follow the file, and it
outlives a change of numbering.

What is read may come from anywhere. It is checked by hand rather than by a schema library: the language stays light,
and each error is one line that names the move, the key and what is allowed there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from model.language.catalogue import closest
from model.language.errors import InputError, Refused
from model.language.family import Family
from model.language.game import Model, Move
from model.language.rule import Amounts, Choice, One, Selection, Subset
from model.language.state import State

BYTES_LIMIT = 64 * 1024 * 1024
MOVES_LIMIT = 1_000_000
Kind = TypeVar("Kind")
MOST = 10**6  # no amount in any game comes near; keeps numbers from a file small


@dataclass(frozen=True)
class Identity:
    """Which set-up a game was played in; `deck` says where the deck came from, its digest is what counts."""

    name: str
    players: int
    readings: Mapping[str, str] = field(default_factory=dict)
    deck_digest: str = ""
    deck: str | None = None


class IllegalStep(InputError):
    """A saved game's move is not legal where it stands; `clause` forbids it."""

    def __init__(self, number: int, text: str, clause: str) -> None:
        self.number = number
        self.text = text
        self.clause = clause
        super().__init__(f"move {number} is not legal: {text} (forbidden by {clause})")


# -- writing -------------------------------------------------------------------------------------------------------
def save(model: Model, moves: Iterable[Move], identity: Identity) -> dict[str, Any]:
    """The game as a JSON-able document."""
    setup: dict[str, Any] = {
        "name": identity.name,
        "players": identity.players,
        "readings": dict(identity.readings),
        "deck_digest": identity.deck_digest,
    }
    if identity.deck is not None:
        setup["deck"] = identity.deck
    return {
        "game": model.game.id,
        "rules_version": model.game.version,
        "setup": setup,
        "moves": [encode(model, move) for move in moves],
    }


def encode(model: Model, move: Move) -> dict[str, Any]:
    """One move, its choices by label."""
    choices = zip(move.action.choices.items(), move.values, strict=True)
    return {
        "action": move.action.name,
        "choices": {name: _encoded(model.families[choice.family], choice, value) for (name, choice), value in choices},
    }


def _encoded(family: Family, choice: Choice, value: Any) -> Any:
    if isinstance(choice, One):
        return family.label[value]
    if isinstance(choice, Subset):
        return [family.label[member] for member, chosen in value.items() if chosen]
    return {family.label[member]: int(amount) for member, amount in value.items() if amount}


# -- reading -------------------------------------------------------------------------------------------------------
def read(path: Path) -> dict[str, Any]:
    """The document in a file.

    Raises:
        InputError: unreadable, too large, or not a JSON object.
    """
    source = str(path) if str(path).isprintable() else ascii(str(path))
    try:
        with path.open("rb") as file:
            content = file.read(BYTES_LIMIT + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{source}: cannot be read: {reason}") from None
    return parse(content, source)


def parse(content: bytes | str, source: str = "saved game") -> dict[str, Any]:
    """The document in a text.

    Raises:
        InputError: too large, or not a JSON object.
    """
    if len(content) > BYTES_LIMIT:
        raise InputError(f"{source}: larger than {BYTES_LIMIT // 2**20} MB; a saved game is far smaller")
    try:
        document = json.loads(content, parse_constant=_not_json)
    except json.JSONDecodeError as error:
        raise InputError(f"{source}: not JSON: {error.msg}, line {error.lineno} column {error.colno}") from None
    except RecursionError:
        raise InputError(f"{source}: not a saved game: nested too deeply") from None
    except ValueError as error:  # not UTF-8, NaN, or an endless number
        raise InputError(f"{source}: not JSON: {str(error).splitlines()[0]}") from None
    return _of_type(document, dict, source)


def identity_of(document: Any) -> Identity:
    """The set-up a document was played in, so that its model can be made.

    Raises:
        InputError: it is missing or of the wrong form.
    """
    setup = _entry(_of_type(document, dict, "the document"), "setup", dict, "the document")
    readings = _entry(setup, "readings", dict, "setup")
    for name, value in readings.items():
        _of_type(value, str, f"setup: readings: {_shown(name)}")
    deck = setup.get("deck")
    return Identity(
        _entry(setup, "name", str, "setup"),
        _entry(setup, "players", int, "setup"),
        readings,
        _entry(setup, "deck_digest", str, "setup"),
        None if deck is None else _of_type(deck, str, "setup: deck"),
    )


def load(document: Any, model: Model) -> list[Move]:
    """The moves of a document, which must be of this game and this version of its rules. Legality is `replay`'s.

    Raises:
        InputError: names the move, the key and what is allowed.
    """
    document = _of_type(document, dict, "the document")
    for key, expected in (("game", model.game.id), ("rules_version", model.game.version)):
        found = _entry(document, key, str, "the document")
        if found != expected:
            raise InputError(f"{key} is {_shown(found)}, but this is {expected!r}; use the one it was saved from")
    players = identity_of(document).players
    if players != model.setup.players:
        raise InputError(f"setup: players is {_shown(players)}, but this is a game for {model.setup.players}")
    moves = _entry(document, "moves", list, "the document")
    if len(moves) > MOVES_LIMIT:
        raise InputError(f"the document: {len(moves)} moves are more than the {MOVES_LIMIT} any game has")
    return [decode(model, entry, f"move {number}") for number, entry in enumerate(moves, 1)]


def decode(model: Model, entry: Any, place: str = "move") -> Move:
    """One move from its labels.

    Raises:
        InputError: starts with `place`.
    """
    entry = _of_type(entry, dict, place)
    _no_more(entry, ("action", "choices"), place)
    name = _entry(entry, "action", str, place)
    action = model.actions.get(name)
    if action is None:
        raise InputError(f"{place}: there is no action {_shown(name)}{closest(name[:80], model.actions)}")
    place = f"{place} ({name})"
    choices = _entry(entry, "choices", dict, place)
    _no_more(choices, action.choices, f"{place}: choices")
    values = []
    for key, choice in action.choices.items():
        if key not in choices:
            raise InputError(f"{place}: the choice {key!r} is missing")
        values.append(_decoded(model.families[choice.family], choice, choices[key], f"{place}: {key}"))
    return Move(action, tuple(values))


def _decoded(family: Family, choice: Choice, value: Any, place: str) -> Any:
    if isinstance(choice, One):
        return _member(family, value, place)
    if isinstance(choice, Subset):
        members = [_member(family, label, place) for label in _of_type(value, list, place)]
        if len(set(members)) < len(members):
            raise InputError(f"{place}: a {family.name} is chosen twice; name each once")
        return Selection(dict.fromkeys(members, True), False)
    assert isinstance(choice, Amounts)
    amounts = {}
    for label, amount in _of_type(value, dict, place).items():
        member = _member(family, label, place)
        if not 0 < _of_type(amount, int, f"{place}: {label}") <= MOST:
            raise InputError(f"{place}: {label}: {_shown(amount)} is not an amount; write 1 or more, or leave it out")
        amounts[member] = amount
    return Selection(amounts)


def _member(family: Family, label: Any, place: str) -> Any:
    label = _of_type(label, str, place)
    if label not in family.by_label:
        raise InputError(f"{place}: there is no {family.name} {_shown(label)}{closest(label[:80], family.labels)}")
    return family.by_label[label]


_KINDS = {dict: "an object", list: "a list", str: "a text", int: "a whole number", bool: "true or false",
          float: "a number with a fraction", type(None): "null"}  # fmt: skip


def _of_type(value: Any, kind: type[Kind], place: str) -> Kind:
    if value.__class__ is not kind:  # exactly: in Python `true` is an int too
        found = _KINDS.get(value.__class__, value.__class__.__name__)
        raise InputError(f"{place}: expected {_KINDS[kind]}, found {found}")
    return value


def _entry(mapping: Mapping[str, Any], key: str, kind: type[Kind], place: str) -> Kind:
    if key not in mapping:
        raise InputError(f"{place}: {key!r} is missing; it is {_KINDS[kind]}")
    return _of_type(mapping[key], kind, f"{place}: {key}")


def _no_more(mapping: Mapping[str, Any], known: Iterable[str], place: str) -> None:
    for key in mapping:
        if key not in known:
            raise InputError(f"{place}: there is no {_shown(key)} here{closest(key[:80], known)}")


def _shown(value: str | int) -> str:
    """As it stands in a message: on one line, printable, not endless."""
    if isinstance(value, int):
        return str(value) if abs(value) <= MOST else "a number beyond reason"
    text = value if len(value) <= 60 else f"{value[:57]}..."
    return repr(text) if text.isprintable() else ascii(text)


def _not_json(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


# -- playing again -------------------------------------------------------------------------------------------------
def replay(
    model: Model, moves: Sequence[Move], start: State | None = None
) -> Iterator[tuple[int, Move, State, set[str]]]:
    """Play the moves from the start: after each its number, the move, the state (the same object throughout) and the
    clauses it exercised.

    Raises:
        IllegalStep: at the first move that is not legal.
    """
    state = model.initial() if start is None else start
    for number, move in enumerate(moves, 1):
        clauses: set[str] = set()
        try:
            model.apply(state, move, clauses)
        except Refused as refused:
            raise IllegalStep(number, model.describe(move), refused.clause) from None
        yield number, move, state, clauses


def log(model: Model, moves: Sequence[Move]) -> Iterator[str]:
    """The game as numbered lines, each with the clauses the move exercised."""
    width = len(str(len(moves)))
    for number, move, _, clauses in replay(model, moves):
        cited = f"  [{', '.join(sorted(clauses))}]" if clauses else ""
        yield f"{number:>{width}}. {model.describe(move)}{cited}"
