"""What can go wrong when a rule is written or a game is played, and how each error says where and how to mend it.

`RuleError` is a mistake in a rule or a declaration: it names the rule, its file and line and what to write instead.
`Refused` is no mistake: it is how a rule says no, and carries the clause that forbids the move.
"""

import sys
from pathlib import Path
from types import FrameType

_LANGUAGE = str(Path(__file__).parent)


class RuleError(Exception):
    """A rule is written in a way the language cannot run, trace or trust."""

    def __init__(self, what: str, mend: str, place: str = "") -> None:
        self.place = place or rule_place()
        super().__init__(f"{self.place}: {what}. {mend}")


class OutsideDomain(RuleError):
    """A rule gives the cell `label` a value outside its domain."""

    def __init__(self, label: str, what: str, mend: str) -> None:
        self.label = label
        super().__init__(what, mend)


class Refused(Exception):
    """A move is not allowed; `clause` is the rulebook clause that forbids it."""

    def __init__(self, clause: str) -> None:
        self.clause = clause
        super().__init__(clause)


class InputError(ValueError):
    """What a user gave (a name, a file, a saved game) cannot be used: one line, what, where, how to mend."""


def rule_place(frame: FrameType | None = None) -> str:
    """Where the rule now running stands: `rule conquest, spoils.py line 41`.

    The line is the innermost one outside the language; a comprehension or lambda there goes by the name of the
    function it is written in.
    """
    frame = frame or sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith((_LANGUAGE, "<")):
            names = [name for name in code.co_qualname.split(".") if not name.startswith("<")]
            name = names[-1] if names else code.co_name
            return f"rule {name}, {Path(code.co_filename).name} line {frame.f_lineno}"
        frame = frame.f_back
    return "outside any rule"


def raised_at(error: BaseException) -> str:
    """Where the rule stood when it raised the error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return rule_place(trace.tb_frame) if trace is not None else rule_place()
