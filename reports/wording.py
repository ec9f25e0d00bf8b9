"""The words all views share: text from outside made safe to show, numbers as people write them, the headline.

A deck is the user's own, so a card's name may hold anything: terminal escapes, direction overrides, ten thousand
letters. `visible` turns what would act into what can be read, and is applied by every view to everything it shows.
"""

import re
from collections.abc import Iterable

from reports.document import Report, Verdict

# Control characters other than tab and newline, the marks that reorder text around them, and line separators.
_ACTING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)

VERDICTS: dict[Verdict, str] = {
    "REFUTED": "A game from set-up breaks it.",
    "UNDETERMINED": "Neither shown nor broken within the budget. Never counted as a pass.",
    "NOT_REACHED": "No game was found that gets there. Never counted as a pass.",
    "PROVED": "Holds in every reachable position, for every deck in scope (Z3).",
    "HOLDS": "No explored position and no test breaks it. Evidence, not a proof.",
    "REACHED": "A game from set-up gets there.",
}


def visible(text: str) -> str:
    r"""The text with each acting character written out, such as `\x1b` for escape; ordinary text is unchanged."""
    return _ACTING.sub(lambda match: _escaped(match[0]), text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shortened(text: str, limit: int) -> str:
    """The text on one line and visible, cut to at most `limit` characters with an ellipsis when it is longer."""
    line = " ".join(visible(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 state`, `1,105,621 states`; `many` is for plurals that don't just take an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[object]) -> str:
    """The words as a sentence lists them: `2`, `2 and 3`, `2, 3 and 4`."""
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last


def duration(seconds: float) -> str:
    """A time as people say it: `0.04 s`, `12.3 s`, `2 min 05 s`, `1 h 02 min`."""
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def headline(report: Report) -> str:
    """The whole result in a few plain sentences, bad news first."""
    wrong, holes = len(report.standing("wrong")), len(report.standing("hole"))
    undetermined, passed = len(report.standing("undetermined")), len(report.standing("passed"))
    sentences = []
    if report.interrupted_at is not None:
        sentences.append(f"The run was interrupted at {report.interrupted_at}; this is what was known by then.")
    elif not report.complete:
        sentences.append("The run did not finish; this is what was known by then.")
    if wrong:
        sentences.append(f"{counted(wrong, 'property', 'properties')} came out wrong.")
    if holes:
        sentences.append(f"The rulebook itself breaks {counted(holes, 'property', 'properties')}, as explained below.")
    if report.properties and not wrong:
        sentences.append("Nothing else was refuted." if holes else "Nothing was refuted.")
    if undetermined:
        sentences.append(f"{undetermined:,} could not be decided.")
    sentences.append(f"{passed:,} of {counted(len(report.properties), 'property', 'properties')} passed.")
    return " ".join(sentences)


def coverage(report: Report) -> str:
    """Clause coverage in one sentence."""
    exercised, silent = len(report.covered("exercised")), len(report.covered("not applicable"))
    never = len(report.covered("never exercised"))
    sentence = f"{exercised:,} of {counted(len(report.clauses), 'clause')} exercised"
    if silent:
        sentence += f", {silent:,} not applicable"
    return f"{sentence}, {never:,} never exercised." if never else f"{sentence}."
