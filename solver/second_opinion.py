"""What else than Z3 says: each obligation of a proof is put to cvc5, and written out for any other solver.

cvc5 reads SMT-LIB text that is written from our expressions, so that Z3 is checked, and our translation for it too. It
*confirms* (unsat), or does not get there in the time it is given, which is counted and told, never passed over; or it
*contradicts*: it knows values under which all conditions hold that Z3 says can't hold together. One of the two
solvers, or one of our two translations, is then wrong. No proof of that run can be trusted, so it ends; the reference
evaluator, which is told the values, says which side to look at.

It is told not to learn from the formula before it begins: on long questions that takes most of its time (the longest of
a printed game: 4.3 s with, 0.4 s without). No option for its decisions, arithmetic or simplification gained as much.

cvc5 is optional. It is loaded when it is asked for, by whoever forks the workers, so that they need not load it again.
"""

from __future__ import annotations

import importlib
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model.language.errors import InputError
from model.language.evaluate import evaluate
from model.language.expression import INFINITY
from solver.obligation import Obligation
from solver.smtlib import Script

SECONDS = 5.0  # for one obligation, by the clock; the hardest of a printed game takes one
OPTIONS = {"produce-models": "true", "static-learning": "false"}


class Disagreement(Exception):
    """The two solvers contradict each other: an error of ours, or of one of them. Names the obligation and its file."""


class SecondOpinion:
    """Asks cvc5 about the obligations of one proof after another, and writes them out.

    Args:
        cross_check: ask cvc5. directory: where each property gets a folder of SMT-LIB files; none: nothing is written.

    Raises:
        InputError: cvc5 is asked for but not installed; the directory can't be written to.
    """

    def __init__(self, cross_check: bool = True, directory: Path | None = None, seconds: float = SECONDS) -> None:
        self.cross_check = cross_check
        self.directory = directory
        self.seconds = seconds
        self._confirmed: set[frozenset[int]] = set()  # a lemma is an obligation of many proofs: confirmed once
        if cross_check:
            _cvc5()
        if directory is not None:
            try:
                directory.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"--smtlib {directory}: {error.strerror}; give a directory to write to") from None
            if not os.access(directory, os.W_OK):
                raise InputError(f"--smtlib {directory}: you may not write there; give another directory")

    def confirmed(self, obligations: Sequence[Obligation], deadline: float = INFINITY) -> int | None:
        """How many of a property's obligations cvc5 confirms; nothing where it isn't asked.

        Args:
            deadline: on `time.monotonic`; what is not asked by then is not confirmed.

        Raises:
            Disagreement: cvc5 contradicts Z3.
        """
        if self.directory is not None:
            _write(obligations, self.directory)
        if not self.cross_check:
            return None
        return sum(self._confirms(obligation, deadline) for obligation in obligations)

    def _confirms(self, obligation: Obligation, deadline: float) -> bool:
        seconds = min(self.seconds, deadline - time.monotonic())
        if obligation.key not in self._confirmed and seconds > 0:
            try:
                status, values = answer(obligation.script, seconds)
            except MemoryError:
                return False
            if status == "sat":
                raise Disagreement(_told(obligation, values))
            if status == "unsat":
                self._confirmed.add(obligation.key)
        return obligation.key in self._confirmed


def answer(script: Script, seconds: float = SECONDS) -> tuple[str, dict[Any, Any]]:
    """What cvc5 says of a script: `unsat`, `unknown`, or `sat` with values by variable name.

    Raises:
        InputError: cvc5 is not installed.
    """
    cvc5 = _cvc5()
    manager = cvc5.TermManager()
    solver, symbols = cvc5.Solver(manager), cvc5.SymbolManager(manager)
    solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))  # 0 would be no limit
    for name, value in OPTIONS.items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script.text, "obligation")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, symbols)
    status = said.split(maxsplit=1)[0]  # "unknown (TIMEOUT)" says why
    if status not in ("sat", "unsat", "unknown"):
        raise ValueError(f"cvc5 does not understand what it is asked: {said}")
    if status != "sat":
        return status, {}
    variables = [(script.variables.get(term.getSymbol()), term) for term in symbols.getDeclaredTerms()]
    return status, {node.detail[0]: solver.getValue(term).toPythonObj() for node, term in variables if node is not None}


def _cvc5() -> Any:
    try:
        return importlib.import_module("cvc5")
    except ImportError:
        raise InputError("the second solver, cvc5, is not installed: pip install 'ruleproof[cross-check]'") from None


def _told(obligation: Obligation, values: Mapping[Any, Any]) -> str:
    """Where the solvers disagree, who is wrong as far as we can tell, and where to look."""
    with tempfile.NamedTemporaryFile("w", prefix="ruleproof-", suffix=".smt2", encoding="utf-8", delete=False) as file:
        file.write(obligation.script.text)
    holds = all(evaluate(obligation.terms, values))
    wrong = "Z3, or what solver/terms.py tells it," if holds else "cvc5, or what solver/smtlib.py tells it,"
    return (
        f"Z3 and cvc5 contradict each other on property {obligation.prop.id}, rule {obligation.rule}: "
        f"by the reference evaluator {wrong} is wrong; see {file.name}"
    )


def _write(obligations: Sequence[Obligation], directory: Path) -> None:
    """A folder for the property, with a file for each obligation and none of an earlier proof."""
    for obligation in obligations[:1]:
        folder = directory / obligation.prop.id
        folder.mkdir(exist_ok=True)
        for earlier in folder.glob("*.smt2"):
            earlier.unlink()
    for number, obligation in enumerate(obligations, 1):
        file = directory / obligation.prop.id / f"{number:04}-{obligation.rule}.smt2"
        file.write_text(obligation.script.text, encoding="utf-8")
