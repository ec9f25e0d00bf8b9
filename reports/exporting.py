"""Writing set-ups down for other model checkers: a file, or two, for each.

What is written is what `explore` explores: the same set-ups, under the same answers to open questions. So a checker
that counts other states than the explorer has found a mistake in one of the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from model.language import InputError
from model.language.catalogue import closest
from model.language.errors import RuleError
from reports import atomic
from reports.exploring import own_readings
from reports.registry import EXPLORED, Entry
from reports.verification import program_version
from solver.explorer.frozen import Thawed, thawed
from solver.export.promela import promela
from solver.export.tla import tla
from solver.export.transitions import Names


class Format(StrEnum):
    """The languages that set-ups are written in."""

    PROMELA = "promela"
    TLA = "tla"


@dataclass(frozen=True)
class ExportRequest:
    """What to write, and where.

    Attributes:
        preset: whose set-ups; None: the small ones that can be explored. setup: one, of any preset; None: all.
        players: how many; None: as many as the set-ups are for.
        readings: chosen answers. deck: in place of the printed one, where a set-up takes one.
    """

    entry: Entry
    format: Format
    out: Path
    preset: str | None = None
    setup: str | None = None
    players: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    deck: Path | None = None


def export(request: ExportRequest, say: Callable[[str], None] = lambda name: None) -> list[Path]:
    """Write the set-ups, each file whole or not at all.

    Args:
        say: told the name of each set-up before it is written.

    Returns:
        the files, in the order of the set-ups: `NAME.pml`, or `NAME.tla` and `NAME.cfg`.

    Raises:
        InputError: the request names what isn't there, or a set-up can't be written. OutputError: a file can't be.
    """
    out, names = atomic.folder(request.out), Names(())
    files: list[Path] = []
    for setup_name in _setups(request):
        say(setup_name)
        for name, text in _texts(request, setup_name, names.fresh(setup_name)):
            files.append(atomic.write(out / name, text))
    return files


def to_json(request: ExportRequest, files: Sequence[Path]) -> str:
    """What was written, as one JSON document."""
    document = {"game": request.entry.game.id, "format": request.format.value, "files": [str(file) for file in files]}
    return json.dumps(document, indent=2) + "\n"


def _setups(request: ExportRequest) -> Sequence[str]:
    presets = request.entry.game.presets
    if request.setup is not None and request.preset is None:
        known = [name for preset in presets.values() for name in preset.setups]
    else:
        preset = request.preset or (EXPLORED if EXPLORED in presets else None)
        known = list(presets[request.entry.preset(preset)].setups)
    if request.setup is None:
        return known
    if request.setup not in known:
        raise InputError(f"--setup {request.setup}: there is no such set-up{closest(request.setup, known)}")
    return (request.setup,)


def _texts(request: ExportRequest, setup_name: str, file: str) -> Iterator[tuple[str, str]]:
    """The files of a set-up: their names and what is in them."""
    entry = request.entry
    players = request.players or entry.game.player_counts[0]
    readings = own_readings(entry, setup_name, players, request.readings)
    setup = entry.setup(setup_name, players, readings, request.deck)
    try:
        system = thawed(entry.game, setup)
        if request.format is Format.PROMELA:
            yield f"{file}.pml", promela(system, _heading(entry, setup_name, setup, system))
        else:
            module = tla(system, file, _heading(entry, setup_name, setup, system))
            yield f"{file}.tla", module.text
            yield f"{file}.cfg", module.configuration
    except RuleError as mistake:
        raise InputError(f"--setup {setup_name} can't be written in {request.format}: {mistake}") from None


def _heading(entry: Entry, name: str, setup: Any, system: Thawed) -> list[str]:
    """What the text is, for whoever finds it."""
    game, usual = entry.game, entry.readings({})
    answers = [f"{id}={value}" for id, value in setup.readings.items() if usual.get(id) != value]
    purpose, scaled = getattr(setup, "purpose", ""), ", ".join(getattr(setup, "scaled", ()))
    cells, steps = len(system.model.layout.slots), len(system.paths)
    return [
        f"{game.title}, rules version {game.version}; written by ruleproof {program_version()}",
        f"Set-up {name}{purpose and f': {purpose}'}{scaled and f' ({scaled})'}",
        *([f"Answers other than the usual: {', '.join(answers)}"] if answers else []),
        f"{cells} variables that can change, {steps} steps",
    ]
