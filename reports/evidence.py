"""Everything a run has found so far, before anybody judges it.

A run fills this in stage by stage; it may be cut short between or within any two. Judging (`verdicts`, `coverage`)
starts from here and from here alone, so a report of half a run is made exactly like one of a whole run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from properties.campaign import CampaignResult
from reports.document import Game
from reports.exploring import Explored
from solver.induction import Verdict


@dataclass(frozen=True)
class Played:
    """Random games of one set-up: how many were meant, what they found, and the games as readers follow them."""

    name: str
    players: int
    planned: int
    readings: Mapping[str, Any]
    found: CampaignResult
    violations: Mapping[str, Game]
    witnesses: Mapping[str, Game]

    @property
    def complete(self) -> bool:
        return self.found.games >= self.planned and not self.found.interrupted

    @property
    def title(self) -> str:
        return f"{self.name}, {self.players} players"


@dataclass(frozen=True)
class Showing:
    """A game that shows something, how it was found and under which readings."""

    how: str
    readings: Mapping[str, Any]
    game: Game

    def rank(self, readings: Mapping[str, Any]) -> tuple[bool, bool, bool, int]:
        """Lower is more telling, to somebody who asked about these readings.

        Games of the explorer are the shortest there are; but what the deal alone brings about, in a set-up that deals
        more than its small hand may hold, tells less than what players do.
        """
        elsewhere = dict(self.readings) != dict(readings)
        decided = any(not step.chance for step in self.game.steps)
        return elsewhere, not decided, self.how != "explored", len(self.game.steps)


@dataclass
class Evidence:
    """What is known.

    Attributes:
        readings: those in force, by which games are ranked.
        explored: by set-up. failed: set-ups whose exploration gave nothing, and why.
        played: random games. proofs: by property; `proved_about` says about what, `proof_readings` under which answers.
    """

    readings: Mapping[str, Any] = field(default_factory=dict)
    explored: dict[str, Explored] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    played: list[Played] = field(default_factory=list)
    proofs: dict[str, Verdict] = field(default_factory=dict)
    proved_about: str = ""
    proof_readings: Mapping[str, Any] = field(default_factory=dict)

    def violations(self, id: str) -> list[Showing]:
        """The games that break a property, the most telling first."""
        return self._shown(id, "violations")

    def witnesses(self, id: str) -> list[Showing]:
        """The games that reach a witness, the most telling first."""
        return self._shown(id, "witnesses")

    def _shown(self, id: str, which: str) -> list[Showing]:
        runs: list[tuple[str, Explored | Played]] = [("explored", run) for run in self.explored.values()]
        runs += [("tested", run) for run in self.played]
        tables: list[tuple[str, Mapping[str, Any], Mapping[str, Game]]] = [
            (how, run.readings, getattr(run, which)) for how, run in runs
        ]
        found = [Showing(how, readings, table[id]) for how, readings, table in tables if id in table]
        return self.ranked(found)

    def ranked(self, found: Iterable[Showing]) -> list[Showing]:
        """The games, the most telling first."""
        return sorted(found, key=lambda showing: showing.rank(self.readings))

    @property
    def states(self) -> int:
        """How many positions were explored."""
        return sum(run.result.states for run in self.explored.values())

    @property
    def games(self) -> int:
        """How many random games were played."""
        return sum(run.found.games for run in self.played)

    @property
    def decided(self) -> frozenset[str]:
        """The properties that exploring has broken, and the witnesses it has reached."""
        return frozenset(id for run in self.explored.values() for id in (*run.violations, *run.witnesses))
