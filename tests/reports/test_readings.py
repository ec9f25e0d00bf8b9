"""`ruleproof readings` on a small game: verdicts, games, the matrix, holes, what is written, and the exit status."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from model.language import InputError
from properties.declaration import Property
from properties.hole import Hole
from reports import command_line, readings, readings_page
from reports.reading_document import Question, ReadingsReport, exit_status, to_json
from reports.readings import ReadingsRequest, compare_readings
from reports.registry import Entry
from tests.solver.explorer.questions import GAME, early, few, late, three, unpaid

HOLES = (
    Hole("counted", "Three is reached.", ("count.up",), shown=three),
    Hole("ended-early", "The game ends after one count.", ("count.end",), shown=early),
    Hole("ended-late", "The game ends after five counts.", ("count.end",), shown=late),
    Hole("bonus", "Is there a bonus?", ("count.end",), readings=("R-BONUS",)),
    Hole("moot", "Left or right?", ("count.end",), readings=("R-MOOT",)),
    Hole("garbled", "A sentence has no verb.", ("count.end",), textual="Nothing to play."),
)


def compared(out: Path, properties: Sequence[Property] = (few, unpaid), **more: object) -> ReadingsReport:
    entry = Entry(GAME, tuple(properties), holes=HOLES)
    return compare_readings(ReadingsRequest(entry, out, **({"budget": 60.0, "processes": 1} | more)))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ReadingsReport:
    return compared(tmp_path_factory.mktemp("readings"))


def of(report: ReadingsReport, id: str) -> Question:
    return next(question for question in report.readings if question.id == id)


def test_each_question_has_its_verdict(report: ReadingsReport) -> None:
    assert {question.id: question.verdict for question in report.readings} == {
        "R-LIMIT": "TOLD_APART", "R-BONUS": "TOLD_APART", "R-MEMORY": "TOLD_APART", "R-MOOT": "SAME",
        "R-UNASKED": "SAME",
    }  # fmt: skip
    assert exit_status(report) == 0 and report.complete


def test_the_game_ends_where_the_answers_part(report: ReadingsReport) -> None:
    (answer,) = of(report, "R-LIMIT").answers
    assert answer.game is not None and answer.moves == len(answer.game.steps) == 4
    assert answer.game.steps[-1].text == "one more (only under four)"
    assert answer.parting == {"four": ["may: one more"], "three": ["none of the moves of the other answer"]}
    (bonus,) = of(report, "R-BONUS").answers
    assert bonus.moves == 2 and bonus.parting == {"none": ["bonus stays 0"], "one": ["bonus from 0 to 1"]}
    (memory,) = of(report, "R-MEMORY").answers
    assert memory.moves == 3  # an answer that leads


def test_the_proof_names_what_it_rests_on(report: ReadingsReport) -> None:
    assert "few" in of(report, "R-MOOT").answers[0].detail


def test_the_matrix_says_what_is_broken_under_which_answer(report: ReadingsReport) -> None:
    rows = {readings_page.named(row): {cell.property: cell.moves for cell in row.cells} for row in report.matrix}
    assert rows["R-BONUS=one"] == {"few": None, "unpaid": 2}
    assert rows["the standing readings"] == {"few": None, "unpaid": None}
    assert "R-MOOT=right" not in rows  # not looked at, since it makes no difference
    verdicts = {cell.property: cell.verdict for row in report.matrix if row.value == "one" for cell in row.cells}
    assert verdicts == {"few": "HOLDS", "unpaid": "REFUTED"}


def test_each_hole_is_shown_or_ruled_out_or_said_to_be_of_the_text(report: ReadingsReport) -> None:
    holes = {hole.id: hole for hole in report.holes}
    assert {id: hole.verdict for id, hole in holes.items()} == {
        "counted": "SHOWN", "ended-early": "SHOWN", "ended-late": "IMPOSSIBLE", "bonus": "SHOWN", "moot": "IMPOSSIBLE",
        "garbled": "TEXTUAL",
    }  # fmt: skip
    assert holes["counted"].game is not None and len(holes["counted"].game.steps) == 3
    assert holes["ended-early"].game is not None and len(holes["ended-early"].game.steps) == 2


def test_without_the_invariant_questions_and_holes_stay_open(tmp_path: Path) -> None:
    report = compared(tmp_path, properties=())
    assert of(report, "R-MOOT").verdict == "UNDETERMINED" and exit_status(report) == 3
    assert "1 set-up, 9 states" in of(report, "R-MOOT").answers[0].detail
    assert next(hole for hole in report.holes if hole.id == "ended-late").verdict == "NOT_SHOWN"


def test_other_answers_can_stand(tmp_path: Path) -> None:
    report = compared(tmp_path, readings={"R-LIMIT": "three"})
    question = of(report, "R-LIMIT")
    assert (question.standing, [answer.value for answer in question.answers]) == ("three", ["four"])
    assert question.verdict == "TOLD_APART"
    with pytest.raises(InputError, match="R-LIMITS"):
        compared(tmp_path, readings={"R-LIMITS": "three"})


def test_no_time_is_undetermined_and_told(tmp_path: Path) -> None:
    report = compared(tmp_path, budget=1e-6)
    assert {question.verdict for question in report.readings} == {"UNDETERMINED"}
    assert not report.complete and exit_status(report) == 3


def test_nothing_to_compare_is_no_pass(report: ReadingsReport) -> None:
    assert exit_status(report.model_copy(update={"readings": []})) == 3


def test_what_is_written_is_what_is_returned(tmp_path: Path) -> None:
    report = compared(tmp_path)
    assert ReadingsReport.model_validate_json((tmp_path / "readings.json").read_text()) == report
    page = (tmp_path / "readings.md").read_text()
    for text in ("### 1. counted: shown", "R-LIMIT: told apart", "1. one more (count.up)", "| R-BONUS=one | 2 |"):
        assert text in page
    assert all(len(line) <= 100 for line in readings_page.summary(report).splitlines())


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    report = compared(tmp_path)
    monkeypatch.setattr(command_line, "entry_of", lambda _: Entry(GAME, (few,)))
    monkeypatch.setattr(command_line, "compare_readings", lambda request, bars: report)
    assert command_line.run(["readings", "counting", "--json", "--out", str(tmp_path)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {"id", "verdict", "game"} <= document["readings"][0].keys()
    assert command_line.run(["readings", "counting", "--out", str(tmp_path)]) == 0
    assert "5 open questions: 3 told apart and 2 the same." in capsys.readouterr().out
    assert command_line.run(["readings", "counting", "--reading", "nonsense"]) == 4
    assert command_line.run(["readings", "counting", "--budget", "0"]) == 4
    assert to_json(report).endswith("\n")


def test_the_budget_is_the_default() -> None:
    assert readings.BUDGET == 115.0
