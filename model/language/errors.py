"""What can go wrong when a rule is written or a game is played, and how each error says where and how to mend it.

`RuleError` is a mistake in a rule or a declaration: it names the rule, its file and line and what to write instead.
`Refused` is no mistake: it is how a rule says no, and carries the clause that forbids the move.
"""

import sys
from pathlib import Path

_LANGUAGE = str(Path(__file__).parent)


class RuleError(Exception):
    """A rule is written in a way the language cannot run, trace or trust."""

    def __init__(self, what: str, mend: str) -> None:
        self.place = rule_place()
        super().__init__(f"{self.place}: {what}. {mend}")


class Refused(Exception):
    """A move is not allowed; `clause` is the rulebook clause that forbids it."""

    def __init__(self, clause: str) -> None:
        self.clause = clause
        super().__init__(clause)


class InputError(ValueError):
    """What a user gave (a name, a file, a saved game) cannot be used: one line, what, where, how to mend."""


def rule_place() -> str:
    """Where the rule now running stands: `rule conquest, spoils.py line 41`."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_LANGUAGE) and not code.co_filename.startswith("<"):
            return f"rule {code.co_name}, {Path(code.co_filename).name} line {frame.f_lineno}"
        if frame.f_back is None:
            break
        frame = frame.f_back
    return "outside any rule"
