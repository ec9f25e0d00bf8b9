"""What `ruleproof readings` found, as data: open questions, the matrix of properties, the holes of the rulebook.

The one source of readings.json, readings.md and the terminal's summary, as strict as the report of a verification. No
verdict here says more than was looked at: `UNDETERMINED` and `NOT_SHOWN` come with how far the search went.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt

from reports.document import Document, Game

Verdict = Literal["TOLD_APART", "SAME", "UNDETERMINED"]
Holding = Literal["PROVED", "HOLDS", "REFUTED"]
Showing = Literal["SHOWN", "IMPOSSIBLE", "NOT_SHOWN", "TEXTUAL"]


class Answer(Document):
    """One answer to an open question, compared with the one in force.

    Attributes:
        verdict: whether a game tells the two apart. detail: how that was found, or how far was looked.
        setup: where the game is played. others: the readings in force there that are not the standing ones.
        game: a shortest one that was found; the runs part on its last step.
        moves: of that game. parting: by answer, what the rules do there, a line each.
    """

    value: str
    meaning: str
    verdict: Verdict
    detail: str
    setup: str = ""
    others: dict[str, str] = Field(default_factory=dict)
    moves: NonNegativeInt | None = None
    game: Game | None = None
    parting: dict[str, list[str]] = Field(default_factory=dict)


class Question(Document):
    """An open question of the rulebook: what it is, and what came of each answer but the one in force (`standing`)."""

    id: str
    clause: str
    question: str
    standing: str
    meaning: str
    verdict: Verdict
    game: Game | None
    answers: list[Answer]


class MatrixCell(Document):
    """What becomes of one property under one answer, the other readings standing; `moves` of the game that breaks it.

    `HOLDS`: in all states that were looked at, which the row of the answer names.
    """

    property: str
    verdict: Holding
    moves: NonNegativeInt | None = None
    setup: str = ""


class MatrixRow(Document):
    """One answer: where its properties were looked at, in how many states, and what was found."""

    reading: str
    value: str
    setups: list[str]
    states: NonNegativeInt
    complete: bool
    cells: list[MatrixCell]


class Hole(Document):
    """A situation that the rulebook leaves open or may not intend, and what shows it or rules it out."""

    id: str
    situation: str
    clauses: list[str]
    readings: list[str]
    verdict: Showing
    detail: str
    consequence: str = ""
    setup: str = ""
    others: dict[str, str] = Field(default_factory=dict)
    game: Game | None = None


class ReadingsReport(Document):
    """Everything about a game's open questions, under the readings in `standing`."""

    ruleproof: str
    game: str
    title: str
    players: NonNegativeInt
    standing: dict[str, str]
    started: str
    seconds: NonNegativeFloat
    complete: bool
    interrupted_at: str | None = None
    readings: list[Question]
    matrix: list[MatrixRow]
    holes: list[Hole]
    command: str

    def counts(self) -> Mapping[str, int]:
        """How many questions there are of each verdict."""
        found = {"TOLD_APART": 0, "SAME": 0, "UNDETERMINED": 0}
        for question in self.readings:
            found[question.verdict] += 1
        return found


def to_json(report: ReadingsReport) -> str:
    """The text of readings.json."""
    return report.model_dump_json(indent=2) + "\n"


def exit_status(report: ReadingsReport) -> int:
    """0: every question is told apart or proved not to matter; 3: some are open, or there was nothing to look at."""
    decided = bool(report.readings) and all(question.verdict != "UNDETERMINED" for question in report.readings)
    return 0 if decided else 3


def verdict_of(answers: Sequence[Answer]) -> Verdict:
    """Of a question from its answers: one that is open leaves it open; one that is told apart makes it matter."""
    verdicts = {answer.verdict for answer in answers}
    if "UNDETERMINED" in verdicts:
        return "UNDETERMINED"
    return "TOLD_APART" if "TOLD_APART" in verdicts else "SAME"
