"""Looking for games that break certain properties, and for nothing else.

What cannot be proved may be false, and then a game says so better than any position. The tiny set-ups are explored
with only the properties in question, each until all of them are broken there; the search ends once every property has
a game that tells something: one under the readings asked about, in which a player decides.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from model.language.record import Identity, save
from properties.declaration import Property
from reports import parallel
from reports.document import Game
from reports.evidence import Showing
from reports.exploring import MEMORY, own_readings
from reports.registry import EXPLORED, Entry
from reports.retelling import retold
from reports.verification import digest_of
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, ExplorationError, Limits, search


@dataclass(frozen=True)
class Refutation:
    """A game from set-up that breaks a property: as evidence, and as a document that `ruleproof show` replays."""

    setup: str
    readings: Mapping[str, Any]
    game: Game
    record: Mapping[str, Any]

    @property
    def showing(self) -> Showing:
        """The same as evidence found by exploring."""
        return Showing("explored", self.readings, self.game)


def refutations(
    entry: Entry, properties: Sequence[Property], readings: Mapping[str, str], deadline: float, processes: int
) -> dict[str, Refutation]:
    """The most telling game found for each property that was broken.

    Args:
        readings: the chosen ones; each set-up keeps those that it is about.
        deadline: on `time.monotonic`.
    """
    names = entry.game.presets[EXPLORED].setups if EXPLORED in entry.game.presets else ()
    tasks = {name: partial(_broken_in, entry, name, readings, properties, deadline) for name in names}
    standing = entry.readings(readings)
    best: dict[str, Refutation] = {}
    with closing(parallel.run(tasks, processes, deadline)) as results:
        for _, found in results if properties else ():
            for id, refutation in () if isinstance(found, parallel.Failure) else found.items():
                rank = refutation.showing.rank(standing)
                if id not in best or rank < best[id].showing.rank(standing):
                    best[id] = refutation
            if all(prop.id in best and _telling(best[prop.id], standing) for prop in properties):
                break
    return best


def _telling(refutation: Refutation, standing: Mapping[str, str]) -> bool:
    elsewhere, undecided, *_ = refutation.showing.rank(standing)
    return not elsewhere and not undecided


def _broken_in(
    entry: Entry, name: str, readings: Mapping[str, str], properties: Sequence[Property], deadline: float
) -> dict[str, Refutation]:
    """What is broken in one set-up, each by a shortest game of it."""
    players = entry.game.player_counts[0]
    setup = entry.setup(name, players, own_readings(entry, name, players, readings))
    exploration = Exploration(thawed(entry.game, setup))
    limits = Limits(seconds=max(0.0, deadline - time.monotonic()), memory=MEMORY, decided=True)
    try:
        found = search(exploration, properties, limits)
    except ExplorationError:  # `verify` tells of it; nothing is decided here
        return {}
    identity = Identity(name, players, {id: str(value) for id, value in setup.readings.items()}, digest_of(setup))
    model, title = exploration.plain, f"A shortest game, set-up {name}"
    return {
        id: Refutation(name, setup.readings, retold(model, game.moves, title), save(model, game.moves, identity))
        for id, game in found.violations.items()
    }
