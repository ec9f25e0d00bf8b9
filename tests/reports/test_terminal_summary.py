"""The terminal's view: 100 columns, colours for terminals only, progress on standard error and never in a pipe."""

import io
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from reports import terminal
from reports.document import Finding, Report
from reports.wording import counted, coverage, duration, headline, listed, shortened, visible


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True

def test_the_summary_says_it_all_within_100_columns(report: Report) -> None:
    text = terminal.summary(report)
    assert max(map(len, text.splitlines())) <= 100
    for result in report.properties:
        assert result.id in text
        assert result.verdict.replace("_", " ") in text
    for words in ("proved + explored", "lookout.hand_limit", "690,112", "F2", "(A hole of the",
                  "3 of 5 clauses exercised, 1 not applicable, 1 never exercised.", "Never: act.rebuild_contact"):
        assert words in text
    assert text.index("hand-never-empty") < text.index("hand-limit-strict") < text.index("zones-disjoint")


@pytest.mark.parametrize("width", [40, 60, 100])
def test_hostile_names_neither_act_nor_widen(report: Report, width: int) -> None:
    name = "[bold red]\x1b[31m\x1b]0;title\x07\u202e" + "x" * 10_000
    changed = report.properties[0].model_copy(update={"id": name, "statement": name, "clauses": [name]})
    finding = Finding(id=name, type=name, clause=name, message=name)
    text = terminal.summary(
        report.model_copy(update={"title": name, "properties": [changed], "findings": [finding]}), width=width
    )
    assert max(map(len, text.splitlines())) <= width
    assert "\x1b" not in text and "\u202e" not in text and "\x07" not in text
    assert "[boldred]\\x1b[31m" in "".join(text.split())


def test_colours_on_a_terminal_only(
    report: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    terminal.print_summary(report)
    assert "\x1b" not in capsys.readouterr().out
    screen = Terminal()
    terminal.print_summary(report, screen)
    assert "\x1b[" in screen.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Terminal()
    terminal.print_summary(report, plain)
    assert "\x1b" not in plain.getvalue()
    assert max(map(len, plain.getvalue().splitlines())) <= 80


def test_a_stream_that_knows_ascii_only(report: Report) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    terminal.print_summary(report.model_copy(update={"title": "Béla"}), stream)
    assert b"B\\xe9la" in raw.getvalue()


def test_many_findings_do_not_push_the_verdicts_off_the_screen(report: Report) -> None:
    findings = [Finding(id=f"F{number}", type="t", message="m") for number in range(100)]
    text = terminal.summary(report.model_copy(update={"findings": findings}))
    assert "and 80 more in the report" in text
    assert "F20 " not in text


def test_an_empty_report(report: Report) -> None:
    empty = report.model_copy(update={"properties": [], "clauses": [], "setups": [], "findings": [], "players": []})
    assert "0 of 0 properties passed" in terminal.summary(empty)


@pytest.mark.parametrize(("quiet", "stream"), [(True, Terminal()), (False, io.StringIO())])
def test_progress_is_silent_when_piped_or_told_so(quiet: bool, stream: io.StringIO) -> None:
    with terminal.progress(quiet=quiet, stream=stream) as bars:
        bar = bars.stage("Proving", total=2)
        bar.advance(note="one")
        bar.finish()
    assert stream.getvalue() == ""


def test_progress_from_many_threads(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Terminal()
    with terminal.progress(stream=screen) as bars:
        bar, endless = bars.stage("Proving [red]", total=800), bars.stage("Exploring")
        with ThreadPoolExecutor(8) as pool:
            for number in range(800):
                pool.submit(bar.advance, note=f"[b]{number}\x1b[31m")
        endless.advance(1234)
        endless.finish(note="done")
        print("a result", file=sys.stdout)
    shown = screen.getvalue()
    assert "800/800" in shown and "1234/1234" in shown and "done" in shown
    assert "Proving [red]" in shown and "\\x1b[31m" in shown
    assert capsys.readouterr() == ("a result\n", "")


def test_a_failure_passes_through_the_bars() -> None:
    with pytest.raises(KeyboardInterrupt), terminal.progress(stream=Terminal()) as bars:
        bars.stage("Proving")
        raise KeyboardInterrupt


def test_words() -> None:
    assert visible("a\tb\nc\u202e\x1b\x9f\ud800é") == "a\tb\nc\\u202e\\x1b\\x9f\\ud800é"
    assert shortened("a  long\nname", 7) == "a long…"
    assert [counted(0, "state"), counted(1, "state"), counted(1234, "entry", "entries")] == [
        "0 states", "1 state", "1,234 entries",
    ]
    assert [listed([2]), listed([2, 3]), listed("abc")] == ["2", "2 and 3", "a, b and c"]
    assert [duration(seconds) for seconds in (0.004, 12.34, 59.99, 125, 3725)] == [
        "0.00 s", "12.3 s", "1 min 00 s", "2 min 05 s", "1 h 02 min",
    ]


def test_the_headline(report: Report) -> None:
    assert headline(report) == (
        "1 property came out wrong. The rulebook itself breaks 1 property, as explained below. "
        "2 could not be decided. 3 of 7 properties passed."
    )
    holes = report.model_copy(update={"properties": report.standing("hole"), "complete": False})
    assert headline(holes) == (
        "The run did not finish; this is what was known by then. The rulebook itself breaks 1 property, as explained "
        "below. Nothing else was refuted. 0 of 1 property passed."
    )
    assert coverage(report).startswith("3 of 5 clauses exercised")
