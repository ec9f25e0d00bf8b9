"""What `ruleproof` shows on a terminal: the summary of a report, and progress while one is made.

The summary is built as text first, so that what is printed, piped and tested is the same; colour is added only for a
terminal. It fits 100 columns, says the bad news first and leaves evidence to the HTML report. Progress goes to the
standard error, so that the standard output holds the result and nothing else. Everything shown is rich's `Text`, never
its markup: a card called `[red]` is a card called `[red]`.
"""

import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import Protocol, TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text

from reports.document import PropertyResult, Report, SetupResult, Standing
from reports.wording import coverage, duration, headline, listed, shortened

WIDTH = 100
_FINDINGS = 20  # More would push the verdicts off the screen.
_STYLES: dict[Standing, str] = {"hole": "magenta", "wrong": "bold red", "undetermined": "yellow", "passed": "green"}
_FIRST: Sequence[Standing] = ("wrong", "hole", "undetermined", "passed")


def summary(report: Report, *, width: int = WIDTH, colour: bool = False) -> str:
    """The report in at most `width` columns: verdicts, counts, coverage, explorations, findings."""
    console = Console(
        file=StringIO(), width=width, height=WIDTH, force_terminal=colour, color_system="standard" if colour else None,
        legacy_windows=False, highlight=False, markup=False, emoji=False,
    )
    with console.capture() as capture:
        for part in _parts(report):
            console.print(part)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def print_summary(report: Report, stream: TextIO | None = None) -> None:
    """Print the summary on `stream` (standard output by default), coloured on a terminal unless NO_COLOR is set."""
    stream = stream or sys.stdout
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns) if stream.isatty() else WIDTH
    text = summary(report, width=width, colour=stream.isatty() and "NO_COLOR" not in os.environ)
    encoding = stream.encoding or "utf-8"  # A pipe in the C locale knows no é and no rules of tables.
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _parts(report: Report) -> Iterator[RenderableType]:
    players = f"{listed(report.players or ['any number of'])} players"
    yield Text(f"{shortened(report.title, 60)}, {shortened(report.preset, 20)}, {players}", style="bold")
    yield Text(headline(report).replace("as explained below", "as the report explains"))
    if report.properties:
        yield _properties(report)
    if report.setups:
        yield _explorations(report.setups)
    if report.clauses:
        yield Text.assemble(("Clauses   ", "bold"), coverage(report))
    never = report.covered("never exercised")
    if never:
        yield Text(shortened("Never: " + ", ".join(clause.id for clause in never), 3 * WIDTH), style="yellow")
    yield Text.assemble(("Findings  ", "bold"), f"{len(report.findings):,}")
    if report.findings:
        yield _findings(report)
    yield Text(f"Took {duration(report.seconds)}.", style="dim")


def _properties(report: Report) -> Table:
    table = _table("Verdict", "Property", "How", "Clauses")
    verdict, statement, how, cited = table.columns
    verdict.no_wrap, statement.ratio, how.max_width, cited.max_width = True, 1, 18, 24
    for standing in _FIRST:
        for result in report.standing(standing):
            table.add_row(
                Text(result.verdict.replace("_", " "), style=_STYLES[standing]),
                Text.assemble((shortened(result.id, 60), "bold"), "\n", shortened(_statement(result), 240)),
                Text(shortened(result.method, 60)),
                Text(shortened(", ".join(result.clauses), 120)),
            )
    return table


def _statement(result: PropertyResult) -> str:
    if result.standing == "hole":
        return f"{result.statement} (A hole of the rulebook.)"
    if result.standing == "wrong" and result.expected == "REFUTED":
        return f"{result.statement} (The rulebook is known to break this; the run did not find how.)"
    return result.statement


def _explorations(setups: Sequence[SetupResult]) -> Table:
    table = _table("Exploration", "States", "Transitions", "Depth", "States/s", "Finished")
    for column in table.columns[1:5]:
        column.justify, column.no_wrap = "right", True
    for setup in setups:
        table.add_row(
            Text(shortened(setup.name, 60)), f"{setup.states:,}", f"{setup.transitions:,}", f"{setup.depth:,}",
            f"{setup.states_per_second:,.0f}", Text("yes") if setup.complete else Text("no", style="yellow"),
        )
    return table


def _findings(report: Report) -> Table:
    table = _table("Finding", "Clause", "What")
    for finding in report.findings[:_FINDINGS]:
        what = f"{finding.type}: {finding.message}"
        table.add_row(
            Text(shortened(finding.id, 40)), Text(shortened(finding.clause or "", 40)), Text(shortened(what, 240)),
        )
    if len(report.findings) > _FINDINGS:
        table.add_row("…", "", f"and {len(report.findings) - _FINDINGS:,} more in the report")
    return table


def _table(*headers: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1), expand=True)
    for header in headers:
        table.add_column(Text(header), overflow="fold")
    return table


class Bar(Protocol):
    """One stage's bar; its methods may be called from any thread."""

    def advance(self, amount: int = 1, *, note: str = "") -> None:
        """Count `amount` more done; `note` says what is in hand, and stays until the next one."""

    def finish(self, *, note: str = "") -> None:
        """Show the stage as done, also when its total was unknown or not reached."""


class Progress(Protocol):
    """Where a long run says how far it is."""

    def stage(self, name: str, total: int | None = None) -> Bar:
        """A new bar; without a total it shows that something moves and how much was done."""


class SilentBar:
    """A bar nobody sees."""

    def advance(self, amount: int = 1, *, note: str = "") -> None:
        """Do nothing."""

    def finish(self, *, note: str = "") -> None:
        """Do nothing."""


class SilentProgress:
    """Progress for pipes, `--json` and tests."""

    def stage(self, name: str, total: int | None = None) -> SilentBar:
        """A silent bar."""
        return SilentBar()


class RichBar:
    """A bar of a rich display."""

    def __init__(self, display: RichProgress, task: TaskID) -> None:
        self._display = display
        self._task = task
        self._lock = threading.Lock()
        self._done = 0

    def advance(self, amount: int = 1, *, note: str = "") -> None:
        """Move the bar, and replace the note if there is a new one."""
        with self._lock:
            self._done += amount
        self._display.advance(self._task, amount)
        self._annotate(note)

    def finish(self, *, note: str = "") -> None:
        """Fill the bar at what was done."""
        self._annotate(note or " ")
        self._display.update(self._task, total=self._done, completed=self._done)
        self._display.stop_task(self._task)

    def _annotate(self, note: str) -> None:
        if note:
            self._display.update(self._task, note=shortened(note, 50))


class RichStages:
    """Named bars below each other."""

    def __init__(self, display: RichProgress) -> None:
        self._display = display

    def stage(self, name: str, total: int | None = None) -> RichBar:
        """A bar that starts its clock now."""
        return RichBar(self._display, self._display.add_task(shortened(name, 30), total=total, note=""))


@contextmanager
def progress(*, quiet: bool = False, stream: TextIO | None = None) -> Iterator[Progress]:
    """Bars on `stream` (standard error by default) for as long as the block runs.

    Silent when `quiet`, and when the stream is not a terminal.
    """
    stream = stream or sys.stderr
    if quiet or not stream.isatty():
        yield SilentProgress()
        return
    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(bar_width=24), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("{task.fields[note]}", style="dim", markup=False),
    )
    # Standard output is left alone: sent through the display, a result would end on standard error.
    with RichProgress(*columns, console=Console(file=stream), redirect_stdout=False) as display:
        yield RichStages(display)
