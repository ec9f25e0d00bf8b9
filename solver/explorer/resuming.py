"""A search in a file, so that one that was stopped can be gone on with as if nothing had happened.

What is kept is what the search would need to be where it is: the levels with their parents and paths, the row up to
which moves were looked at, how often each path was taken, what was decided. The table of known states is not: it is
built again from the levels, faster than it could be read. A game found is kept as numbers of paths.

Numbers of paths mean something only to the same program about the same set-up. So each file carries an identity that
must agree to the letter, and a digest of the moves, which catches whatever the identity forgot.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from solver.explorer.endings import Arrivals, Moves
from solver.explorer.search import Exploration, Found, Level, Result

FORMAT = 1
_COUNTERS = ("checked", "terminal", "deadlocks", "seconds")
_FIELDS = ("words", "parents", "paths")


class ResumeError(Exception):
    """A stored search can't be gone on with; one line that says why."""


def store(
    file: IO[bytes], exploration: Exploration, result: Result, moves: Moves | None, identity: Mapping[str, Any]
) -> None:
    """Write a search that was stopped.

    Args:
        moves: what observed it, if it is to go on observing. identity: what the search was about; JSON can say it.
    """
    numbers = {move: number for number, move in enumerate(_labels(exploration))}

    def game(found: Found | None) -> list[int] | None:
        return None if found is None else [numbers[exploration.plain.describe(move)] for move in found.moves]

    facts = {
        "format": FORMAT, "identity": dict(identity), "digest": _digest(exploration), "place": result.place,
        "levels": len(exploration.levels), "triggered": sorted(result.triggered),
        "deciding": sorted(result.deciding), "deadlock": game(result.deadlock),
        "moves": None if moves is None or moves.parts is None else [part.depth for part in moves.parts],
        "violations": {id: game(found) for id, found in result.violations.items()},
        "witnesses": {id: game(found) for id, found in result.witnesses.items()},
        **{name: getattr(result, name) for name in _COUNTERS},
    }  # fmt: skip
    arrays = {"facts": np.frombuffer(json.dumps(facts).encode(), np.uint8), "taken": result.taken}
    for depth, level in enumerate(exploration.levels):
        arrays |= {f"{name}-{depth}": getattr(level, name) for name in _FIELDS}
    for number, part in enumerate(moves.parts or () if moves is not None else ()):
        arrays |= {f"{name}-of-moves-{number}": getattr(part, name) for name in ("parents", "paths", "keys")}
    np.savez(file, allow_pickle=False, **arrays)  # type: ignore[arg-type]


def restore(
    file: IO[bytes], exploration: Exploration, moves: Moves | None, identity: Mapping[str, Any]
) -> Result:
    """Fill an exploration that has only its first state, and what observes it, with a stored search.

    Returns:
        what had been found; to be given to `search` as `earlier`.

    Raises:
        ResumeError: the file is none of ours, or about something else.
    """
    try:
        with np.load(file, allow_pickle=False) as stored:
            facts = json.loads(stored["facts"].tobytes())
            _require_same(facts, exploration, identity)
            levels = [
                Level(*(stored[f"{name}-{depth}"] for name in _FIELDS)) for depth in range(facts["levels"])
            ]
            if moves is not None:
                parts = facts["moves"]
                moves.parts = None if parts is None else [
                    Arrivals(depth, *(stored[f"{name}-of-moves-{number}"] for name in ("parents", "paths", "keys")))
                    for number, depth in enumerate(parts)
                ]  # fmt: skip
                moves.nbytes = sum(part.nbytes for part in moves.parts or ())
            result = _result(facts, exploration, stored["taken"])
    except (ValueError, KeyError, TypeError, IndexError, EOFError, OSError, zipfile.BadZipFile) as broken:
        raise ResumeError(f"it is no stored search, or it is damaged ({type(broken).__name__})") from None
    exploration.levels[:] = levels
    return result


def _result(facts: Mapping[str, Any], exploration: Exploration, taken: Any) -> Result:
    moves = exploration.program.moves

    def game(numbers: list[int]) -> Found:
        chosen = tuple(moves[number] for number in numbers)
        return Found(chosen, tuple(exploration.plain.describe(move) for move in chosen))

    depth, row = facts["place"]
    return Result(
        place=(depth, row), taken=taken, triggered=frozenset(facts["triggered"]),
        deciding=frozenset(facts["deciding"]),
        deadlock=None if facts["deadlock"] is None else game(facts["deadlock"]),
        violations={id: game(numbers) for id, numbers in facts["violations"].items()},
        witnesses={id: game(numbers) for id, numbers in facts["witnesses"].items()},
        **{name: facts[name] for name in _COUNTERS},
    )  # fmt: skip


def _require_same(facts: Mapping[str, Any], exploration: Exploration, identity: Mapping[str, Any]) -> None:
    if facts["format"] != FORMAT:
        raise ResumeError("it was written by another version of ruleproof")
    stored = facts["identity"]
    for name in (*identity, *stored):
        other, this = stored.get(name), identity.get(name)
        if other != this:
            raise ResumeError(f"it is about another {name}: {_shown(other)}, not {_shown(this)}")
    if facts["digest"] != _digest(exploration):
        raise ResumeError("the rules, or the order in which they were traced, have changed since")


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:79] + "…"


def _labels(exploration: Exploration) -> list[str]:
    return [exploration.plain.describe(move) for move in exploration.program.moves]


def _digest(exploration: Exploration) -> str:
    """Of the bit fields and of the paths, in order: what the numbers in a file refer to."""
    paths = [
        (label, path.action.name, sorted(path.updates))
        for label, path in zip(_labels(exploration), exploration.program.paths, strict=True)
    ]
    cells = [(cell.label, str(cell.domain)) for cell in exploration.model.layout.slots]
    return hashlib.sha256(repr((cells, exploration.packing.exact, paths)).encode()).hexdigest()[:32]
