"""What `ruleproof explore` found, as a document: `exploration.json`, and how it ends for a script.

It is read back too: `--resume` takes over the set-ups that are done.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, NonNegativeFloat, NonNegativeInt

from reports.document import Document


class ShortestGame(Document):
    """A shortest game; `file`, if there is one, is for `ruleproof show`."""

    moves: NonNegativeInt
    log: list[str]
    file: str | None = None


class OutcomeCount(Document):
    """A way in which games end: in how many states, and how soon."""

    outcome: dict[str, str]
    states: NonNegativeInt
    shortest: ShortestGame


class ComponentCounts(Document):
    """Strongly connected components of the states reached."""

    number: NonNegativeInt
    largest: NonNegativeInt
    on_cycles: NonNegativeInt


class PerftTable(Document):
    """Sequences of 0, 1, 2 ... legal moves; `divide`: those of the greatest length by their first move."""

    counts: list[NonNegativeInt]
    divide: dict[str, NonNegativeInt]


class ExploredSetup(Document):
    """One set-up. Incomplete, its counts are lower bounds; `stopped` says why, `stored` where it can be gone on from.

    Attributes:
        violations, witnesses: by property, the shortest game to the first. mistake: a rule left a variable's domain.
        outcomes, components, perft: None where they were not asked for, or not known.
        memory, disk: bytes that the search took at the end, and those it had put on disk.
    """

    name: str
    purpose: str
    readings: dict[str, str]
    complete: bool
    stopped: str = ""
    stored: str | None = None
    states: NonNegativeInt = 0
    transitions: NonNegativeInt = 0
    depth: NonNegativeInt = 0
    depth_histogram: list[NonNegativeInt] = Field(default_factory=list)
    terminal: NonNegativeInt = 0
    deadlocks: NonNegativeInt = 0
    deadlock: ShortestGame | None = None
    action_counts: dict[str, NonNegativeInt] = Field(default_factory=dict)
    violations: dict[str, ShortestGame] = Field(default_factory=dict)
    witnesses: dict[str, ShortestGame] = Field(default_factory=dict)
    mistake: str | None = None
    outcomes: list[OutcomeCount] | None = None
    components: ComponentCounts | None = None
    perft: PerftTable | None = None
    collision_probability: NonNegativeFloat = 0.0
    seconds: NonNegativeFloat = 0.0
    states_per_second: NonNegativeFloat = 0.0
    memory: NonNegativeInt = 0
    disk: NonNegativeInt = 0


class ExplorationReport(Document):
    """All set-ups, and their totals.

    Attributes:
        about: what a search that is gone on with must have been about.
        states_per_second: all states by the time that the run took for those it found itself.
        collision_probability: at most how likely it is that two states were taken for one anywhere.
        expected: the properties that the rulebook is known to break. unwritten: what could not be written, and why.
    """

    about: dict[str, Any]
    title: str
    complete: bool
    states: NonNegativeInt
    transitions: NonNegativeInt
    seconds: NonNegativeFloat
    states_per_second: NonNegativeFloat
    collision_probability: NonNegativeFloat
    expected: list[str]
    setups: list[ExploredSetup]
    unwritten: list[str] = Field(default_factory=list)
    command: str = ""

    def broken(self, setup: ExploredSetup) -> list[str]:
        """The properties that a set-up breaks, except those that the rulebook is known to break."""
        return [id for id in setup.violations if id not in self.expected]


def exit_status(report: ExplorationReport) -> int:
    """0: all explored, nothing broken; 2: a property, a rule or play itself is; 3: not explored to the end."""
    if any(report.broken(setup) or setup.mistake or setup.deadlocks for setup in report.setups):
        return 2
    return 0 if report.complete and not report.unwritten else 3


def to_json(report: ExplorationReport) -> str:
    """The document's text."""
    return report.model_dump_json(indent=1) + "\n"
