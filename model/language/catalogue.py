"""The rulebook's clauses and open questions, read from the game's own files.

Clauses are what everything cites; a reading is an open question with its possible answers, the first the default.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.language.errors import InputError


@dataclass(frozen=True)
class Clause:
    """A clause of the rulebook: where it stands, what it says in our words, why it may not apply to play."""

    id: str
    pages: tuple[int, ...]
    text: str
    readings: tuple[str, ...] = ()
    not_applicable: str | None = None


@dataclass(frozen=True)
class Reading:
    """An open question: the clause that leaves it open, the possible answers (first: default) and their meaning."""

    id: str
    clause: str
    values: tuple[str, ...]
    question: str
    meaning: Mapping[str, str]


class NotedAnswers(dict[str, Any]):
    """Answers to the open questions of a set-up, which note the questions that are asked.

    A rule that never asked for a reading can't depend on it.
    """

    def __init__(self, answers: Mapping[str, Any]) -> None:
        super().__init__(answers)
        self.asked: set[str] = set()

    def get(self, reading: str, default: Any = None) -> Any:
        """As a mapping does."""
        self.asked.add(reading)
        return super().get(reading, default)

    def __getitem__(self, reading: str) -> Any:
        self.asked.add(reading)
        return super().__getitem__(reading)


@dataclass(frozen=True)
class Catalogue:
    """All clauses and readings of a game, by id."""

    clauses: Mapping[str, Clause]
    readings: Mapping[str, Reading]

    def readings_in_force(self, chosen: Mapping[str, str]) -> dict[str, Any]:
        """Every reading with its chosen or default value.

        Raises:
            InputError: an unknown reading or value.
        """
        for name, value in chosen.items():
            reading = self.readings.get(name)
            if reading is None:
                raise InputError(f"--reading {name}={value}: there is no such reading{closest(name, self.readings)}")
            if value not in reading.values:
                raise InputError(f"--reading {name}={value}: the values of {name} are {', '.join(reading.values)}")
        return {name: chosen.get(name, reading.values[0]) for name, reading in self.readings.items()}


def closest(word: str, known: Any) -> str:
    """`; did you mean X?` with the closest known word, or the list of what there is."""
    names = [str(name) for name in known]
    found = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    if found:
        return f"; did you mean {found[0]}?"
    return f"; there are: {', '.join(names)}" if len(names) <= 40 else ""


def load_catalogue(folder: Path) -> Catalogue:
    """Read `clauses.toml` and `readings.toml` from a game's folder."""
    clauses = {
        name: Clause(
            name,
            tuple(entry["pages"]),
            entry["text"],
            tuple(entry.get("readings", ())),
            entry.get("not_applicable"),
        )
        for name, entry in tomllib.loads((folder / "clauses.toml").read_text("utf-8")).items()
    }
    readings_file = folder / "readings.toml"
    entries = tomllib.loads(readings_file.read_text("utf-8")) if readings_file.exists() else {}
    readings = {
        name: Reading(name, entry["clause"], tuple(entry["values"]), entry["question"], entry["meaning"])
        for name, entry in entries.items()
    }
    return Catalogue(clauses, readings)
