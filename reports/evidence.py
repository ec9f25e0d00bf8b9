"""Everything a run has found so far, before anybody judges it.

A run fills this in stage by stage; it may be cut short between or within any two. Judging (`verdicts`, `coverage`)
starts from here and from here alone, so a report of half a run is made exactly like one of a whole run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


@dataclass
class Evidence:
    """What is known.

    Attributes:
        explored: by set-up. failed: set-ups whose exploration gave nothing, and why.
        played: random games. proofs: by property; `proved_about` says about what, `proof_readings` under which answers.
    """

    explored: dict[str, Explored] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    played: list[Played] = field(default_factory=list)
    proofs: dict[str, Verdict] = field(default_factory=dict)
    proved_about: str = ""
    proof_readings: Mapping[str, Any] = field(default_factory=dict)

    def violations(self, id: str) -> list[tuple[str, Mapping[str, Any], Game]]:
        """The games that break a property, those of the explorer first, each with how it was found and under which
        readings; each kind by length.
        """
        return [*self._shortest(
            ("explored", run.readings, run.violations[id]) for run in self.explored.values() if id in run.violations
        ), *self._shortest(
            ("tested", run.readings, run.violations[id]) for run in self.played if id in run.violations
        )]  # fmt: skip

    def witnesses(self, id: str) -> list[tuple[str, Mapping[str, Any], Game]]:
        """The games that reach a witness, likewise."""
        return [*self._shortest(
            ("explored", run.readings, run.witnesses[id]) for run in self.explored.values() if id in run.witnesses
        ), *self._shortest(
            ("tested", run.readings, run.witnesses[id]) for run in self.played if id in run.witnesses
        )]  # fmt: skip

    @staticmethod
    def _shortest(
        found: Iterator[tuple[str, Mapping[str, Any], Game]],
    ) -> list[tuple[str, Mapping[str, Any], Game]]:
        return sorted(found, key=lambda entry: len(entry[2].steps))

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
