"""readings.md and the terminal's summary: the open questions, the holes and the matrix, for who writes the rules.

The page begins with the holes of the rulebook, since they are what an author acts on; each with its situation in plain
words, the clauses, the game that reaches it and what each reading does there. Markdown, because such a page is read in
an editor and pasted into a discussion; whatever comes from a deck or a player is escaped.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.document import Game
from reports.reading_document import Answer, Hole, MatrixRow, Question, ReadingsReport
from reports.terminal import WIDTH
from reports.wording import counted, duration, listed, shortened, visible

_MARKUP = re.compile(r"([\\`*_\[\]<>|#])")
_VERDICTS = {"TOLD_APART": "told apart", "SAME": "the same", "UNDETERMINED": "undetermined"}
_SHOWN = {"SHOWN": "shown", "IMPOSSIBLE": "ruled out", "NOT_SHOWN": "not shown", "TEXTUAL": "of the text"}


def render(report: ReadingsReport) -> str:
    """The page."""
    return "\n".join(_page(report)) + "\n"


def _page(report: ReadingsReport) -> Iterator[str]:
    yield f"# Open questions of {_safe(report.title)}"
    yield ""
    yield headline(report)
    if report.interrupted_at:
        yield f"\nThe run was interrupted ({report.interrupted_at}); what follows is what was known by then."
    yield "\n## Holes of the rulebook"
    yield from _holes(report.holes) if report.holes else ["\nNone is listed for this game."]
    yield "\n## Open questions"
    for question in report.readings:
        yield from _question(question)
    yield "\n## Which property is broken under which answer"
    yield from _matrix(report)


def headline(report: ReadingsReport) -> str:
    """How the questions stand, in a sentence."""
    parts = [f"{number} {_VERDICTS[verdict]}" for verdict, number in report.counts().items() if number]
    return f"{counted(len(report.readings), 'open question')}: {listed(parts or ['nothing to compare'])}."


def _holes(holes: Sequence[Hole]) -> Iterator[str]:
    for number, hole in enumerate(holes, 1):
        yield f"\n### {number}. {_safe(hole.id)}: {_SHOWN[hole.verdict]}"
        yield f"\n{_safe(hole.situation)}"
        if hole.consequence:
            yield f"\n{_safe(hole.consequence)}"
        about = [f"Clauses: {listed(map(_safe, hole.clauses))}"]
        if hole.readings:
            about.append(f"Questions: {listed(map(_safe, hole.readings))}")
        about.append(f"{_SHOWN[hole.verdict].capitalize()}: {_safe(hole.detail)}")
        yield f"\n{'. '.join(about)}."
        yield from _game(hole.game, hole.others)


def _question(question: Question) -> Iterator[str]:
    yield f"\n### {_safe(question.id)}: {_VERDICTS[question.verdict]}"
    yield f"\n{_safe(question.question)} ({_safe(question.clause)})"
    yield f"\n- In force, `{question.standing}`: {_safe(question.meaning)}"
    for answer in question.answers:
        yield f"- `{answer.value}`: {_safe(answer.meaning)}"
    for answer in question.answers:
        yield from _answer(question, answer)


def _answer(question: Question, answer: Answer) -> Iterator[str]:
    yield f"\n**`{answer.value}` against `{question.standing}`: {_VERDICTS[answer.verdict]}** ({_safe(answer.detail)})"
    yield from _game(answer.game, answer.others)
    if answer.parting:
        yield ""
    for value, lines in answer.parting.items():
        yield f"- under `{value}`: {_safe('; '.join(lines)) or 'nothing of the kind'}"


def _game(game: Game | None, others: Mapping[str, str]) -> Iterator[str]:
    if game is None:
        return
    under = f", under {listed(f'{id}={value}' for id, value in others.items())}" if others else ""
    yield f"\n{_safe(game.title + under)}:\n"
    for step in game.steps:
        clauses = f" ({_safe(', '.join(step.clauses))})" if step.clauses else ""
        yield f"{step.number}. {_safe(step.text)}{clauses}"
    if not game.steps:
        yield "The answers differ from the start."


def _matrix(report: ReadingsReport) -> Iterator[str]:
    yield (
        "\nExplored, answer by answer, the other readings standing, in the set-ups named. A number is the moves of the "
        "shortest game found that breaks the property; a dot: nothing breaks it there. Properties that nothing breaks "
        "under any answer are left out of the table; an answer without a row was not looked at."
    )
    broken = broken_properties(report.matrix)
    if not report.matrix:
        return
    yield ""
    yield "| Answer | " + " | ".join(_safe(id) for id in broken) + (" | " if broken else "") + "States | Set-ups |"
    yield "|---" * (len(broken) + 3) + "|"
    for row in report.matrix:
        moves = {cell.property: cell.moves for cell in row.cells if cell.verdict == "REFUTED"}
        cells = [str(moves[id]) if id in moves else "." for id in broken]
        more = "" if row.complete else ", not all to the end"
        yield "| " + " | ".join([named(row), *cells, f"{row.states:,}{more}", _safe(", ".join(row.setups))]) + " |"


def broken_properties(matrix: Sequence[MatrixRow]) -> list[str]:
    """The properties that some answer breaks, in the order of their declaration."""
    return list(
        dict.fromkeys(cell.property for row in matrix for cell in row.cells if cell.verdict == "REFUTED")
    )


def named(row: MatrixRow) -> str:
    """The answer of a row."""
    return f"{row.reading}={row.value}" if row.reading else "the standing readings"


def _safe(text: str) -> str:
    return _MARKUP.sub(r"\\\1", visible(text))


# -- the terminal ------------------------------------------------------------------------------------------------------
def summary(report: ReadingsReport, width: int = WIDTH) -> str:
    """The result in at most `width` columns."""
    console = Console(
        file=StringIO(), width=width, height=WIDTH, color_system=None, highlight=False, markup=False, emoji=False
    )
    with console.capture() as capture:
        console.print(Text(f"{shortened(report.title, 60)}. {headline(report)}"))
        console.print(_questions(report))
        if report.holes:
            console.print(_hole_table(report.holes))
        broken = broken_properties(report.matrix)
        looked = counted(len(report.matrix), "set of readings", "sets of readings")
        console.print(Text(f"Properties looked at under {looked}; broken under some: {listed(broken or ['none'])}."))
        console.print(Text(f"Took {duration(report.seconds)}."))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()).strip() + "\n"


def _questions(report: ReadingsReport) -> Table:
    table = Table("Question", "Answer", "Verdict", "Moves", "Where they part", box=SIMPLE_HEAD, pad_edge=False)
    table.columns[0].no_wrap = table.columns[2].no_wrap = True
    table.columns[3].justify, table.columns[4].ratio = "right", 1
    for question in report.readings:
        for answer in question.answers:
            last = answer.game.steps[-1].text if answer.game and answer.game.steps else answer.detail
            table.add_row(
                Text(shortened(question.id, 24)), Text(shortened(answer.value, 16)), Text(_VERDICTS[answer.verdict]),
                "" if answer.moves is None else str(answer.moves), Text(shortened(last, 100)),
            )  # fmt: skip
    return table


def _hole_table(holes: Sequence[Hole]) -> Table:
    table = Table("Hole", "Verdict", "How", box=SIMPLE_HEAD, pad_edge=False)
    table.columns[2].ratio = 1
    for hole in holes:
        table.add_row(
            Text(shortened(hole.id, 30)), Text(_SHOWN[hole.verdict]), Text(shortened(hole.detail, 100))
        )
    return table


def print_summary(report: ReadingsReport, stream: TextIO | None = None) -> None:
    """Print the summary on `stream`, standard output by default."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "utf-8"
    stream.write(summary(report).encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
