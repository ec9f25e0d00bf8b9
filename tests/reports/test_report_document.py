"""The report as data: strict, frozen, read back as it was written, and judged by the contract of the exit status."""

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from reports import html, terminal
from reports.document import (
    ClauseResult,
    Finding,
    Game,
    GraphFile,
    PropertyResult,
    Report,
    SetupResult,
    exit_status,
    to_json,
)

times = st.floats(0, 1e9)
ways = st.sampled_from(["proved", "explored", "tested"])
methods = st.lists(ways, min_size=1, max_size=3, unique=True).map(" + ".join)
results = st.builds(PropertyResult, method=methods, seconds=times, game=st.none() | st.builds(Game))
setups = st.builds(SetupResult, seconds=times, states_per_second=times, collision_probability=st.floats(0, 1))
reports = st.builds(
    Report, seconds=times, properties=st.lists(results, max_size=3), setups=st.lists(setups, max_size=2),
    clauses=st.lists(st.builds(ClauseResult), max_size=3), findings=st.lists(st.builds(Finding), max_size=2),
    graphs=st.lists(st.builds(GraphFile, svg=st.just("<svg/>")), max_size=2),
)
slow_to_build = settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])


def without_drawings(report: Report) -> Report:
    return report.model_copy(update={"graphs": [graph.model_copy(update={"svg": ""}) for graph in report.graphs]})


def test_the_golden_document(report: Report, golden: Callable[[str, str], None]) -> None:
    golden("report.json", to_json(report))


@slow_to_build
@given(reports)
def test_a_report_is_read_back_as_it_was_written(report: Report) -> None:
    assert Report.model_validate_json(to_json(report)) == without_drawings(report)


@slow_to_build
@given(reports)
def test_any_report_can_be_shown(report: Report) -> None:
    assert html.render(report)
    assert all(len(line) <= 2 * terminal.WIDTH for line in terminal.summary(report).splitlines())
    assert exit_status(report) in (0, 2, 3)


def test_drawings_stay_out_of_the_json(report: Report) -> None:
    assert report.graphs[0].svg
    assert "svg" not in json.loads(to_json(report))["graphs"][0]


@pytest.mark.parametrize(
    "change",
    [{"verdict": "PASSED"}, {"method": "guessed"}, {"method": "proved+tested"}, {"seconds": float("nan")},
     {"seconds": -1}, {"colour": "red"}],
)
def test_what_no_reader_could_understand_is_refused(report: Report, change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PropertyResult.model_validate(report.properties[0].model_dump() | change)


def test_a_report_does_not_change(report: Report) -> None:
    with pytest.raises(ValidationError):
        report.complete = False  # type: ignore[misc]


@pytest.mark.parametrize(
    ("verdict", "expected", "standing", "status"),
    [
        ("PROVED", None, "passed", 0),
        ("PROVED", "PROVED", "passed", 0),
        ("PROVED", "REFUTED", "wrong", 2),
        ("HOLDS", None, "passed", 0),
        ("HOLDS", "PROVED", "passed", 0),
        ("HOLDS", "REFUTED", "wrong", 2),
        ("REACHED", None, "passed", 0),
        ("NOT_REACHED", None, "undetermined", 3),
        ("REFUTED", None, "wrong", 2),
        ("REFUTED", "PROVED", "wrong", 2),
        ("REFUTED", "REFUTED", "hole", 0),
        ("UNDETERMINED", None, "undetermined", 3),
        ("UNDETERMINED", "PROVED", "undetermined", 3),
        ("UNDETERMINED", "REFUTED", "undetermined", 2),
    ],
)
def test_standing_and_exit_status(report: Report, verdict: str, expected: str, standing: str, status: int) -> None:
    result = report.properties[-1].model_copy(update={"verdict": verdict, "expected": expected})
    alone = report.model_copy(update={"properties": [result]})
    assert result.standing == standing
    assert exit_status(alone) == status


def test_an_unfinished_run_is_undetermined_unless_refuted(report: Report) -> None:
    passed = report.model_copy(update={"properties": report.standing("passed")})
    assert exit_status(passed) == 0
    for cut_short in ({"complete": False}, {"interrupted_at": "exploring tiny/lookout"}):
        assert exit_status(passed.model_copy(update=cut_short)) == 3
        assert exit_status(report.model_copy(update=cut_short)) == 2


def test_a_known_hole_that_an_interrupted_run_missed_is_no_divergence(report: Report) -> None:
    missed = report.properties[0].model_copy(update={"verdict": "UNDETERMINED"})
    interrupted = report.model_copy(update={"properties": [missed], "complete": False})
    assert exit_status(interrupted) == 3


def test_checking_nothing_is_no_pass(report: Report) -> None:
    assert exit_status(report.model_copy(update={"properties": [], "setups": []})) == 3


def test_a_clause_is_covered_by_what_was_done_not_by_what_was_said() -> None:
    clause = ClauseResult(id="a", pages=[], text="", exercised=True, not_applicable="no decision")
    assert clause.coverage == "exercised"
    assert clause.model_copy(update={"exercised": False}).coverage == "not applicable"
    assert clause.model_copy(update={"exercised": False, "not_applicable": None}).coverage == "never exercised"
