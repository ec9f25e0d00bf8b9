"""Claims about the rules as a whole: what is planted in a toy game is told with the right verdict."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.language import Game, InputError
from reports import ruling
from reports.document import PropertyResult, exit_status
from reports.registry import Entry
from reports.ruling import rule_on
from reports.subject import ANY, ProofRequest
from solver.ruling import Ruling
from tests.language.toy import GAME
from tests.reports.test_proving import stones_of
from tests.reports.test_verification import at_most_one, books_agree
from tests.solver.relations.test_conflict import declare
from tests.solver.relations.test_secrecy import LEAKING, SECRET
from tests.solver.relations.test_symmetry import lift

ANY_STONES: Any = stones_of


def ruled(out: Path, game: Game, **more: Any) -> tuple[dict[str, PropertyResult], int]:
    request = ProofRequest(Entry(replace(game, setup=ANY_STONES), ()), out, budget=30.0, **more)
    report = rule_on(request)
    assert (out / "rules.json").exists() and (out / "rules.html").exists()
    return {result.id: result for result in report.properties}, exit_status(report)


def test_a_game_without_faults(tmp_path: Path) -> None:
    results, _ = ruled(tmp_path, SECRET)
    assert results["conflict.none"].verdict == "HOLDS"
    assert results["ends.draw"].verdict == results["ends.decide"].verdict == "PROVED"
    assert results["conflict.pairs"].verdict == "PROVED"
    assert results["secrecy"].verdict == "HOLDS"
    assert (results["symmetry"].verdict, results["symmetry"].method) == ("HOLDS", "traced")


def test_a_leak_is_told_with_its_clause(tmp_path: Path) -> None:
    results, status = ruled(tmp_path, LEAKING)
    leak = results["secrecy"]
    assert (leak.verdict, leak.clauses, status) == ("REFUTED", ["end.three"], 2)
    assert leak.game is not None and any("Open there" in line for line in leak.counterexample)


def test_a_conflict_is_told_with_a_game(tmp_path: Path) -> None:
    results, status = ruled(tmp_path, replace(GAME, actions=(*GAME.actions, declare)))
    refuted = [result for id, result in results.items() if id.startswith("conflict.") and result.verdict == "REFUTED"]
    assert len(refuted) == 1 and refuted[0].game is not None and status == 2
    pairs = results["conflict.pairs"]
    assert pairs.verdict == "UNDETERMINED" and any("declare" in line for line in pairs.counterexample)


def test_a_rule_that_names_a_member_is_told(tmp_path: Path) -> None:
    results, status = ruled(tmp_path, replace(GAME, actions=(*GAME.actions, lift)))
    assert results["symmetry"].verdict == "UNDETERMINED" and "rule lift" in results["symmetry"].detail
    assert status != 0


def test_a_task_that_is_lost_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruling._Ruling, "_phases", lambda *_: os._exit(9))
    results, status = ruled(tmp_path, SECRET)
    assert results["undecided.phases of the printed game"].verdict == "UNDETERMINED" and status == 3
    assert "conflict.none" in results


def test_what_a_ruling_rests_on_is_proved_or_it_does_not_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One helper is true; the other one is not."""
    told = Ruling("helped", "It holds.", (), "PROVED", hypotheses=frozenset({"books-agree"}))
    false = Ruling("hoped", "It holds.", (), "PROVED", hypotheses=frozenset({"at-most-one"}))
    monkeypatch.setattr(ruling._Ruling, "_phases", lambda self, prover, without: iter([told, false]))
    entry = Entry(replace(SECRET, setup=ANY_STONES), (books_agree, at_most_one))
    results = {result.id: result for result in rule_on(ProofRequest(entry, tmp_path, budget=30.0)).properties}
    assert (results["helped"].verdict, results["helped"].hypotheses) == ("PROVED", ["books-agree"])
    assert results["hoped"].verdict == "UNDETERMINED" and "at-most-one, which is not proved" in results["hoped"].detail


def test_questions_can_be_left_open_and_other_solvers_cannot_be_asked(tmp_path: Path) -> None:
    results, _ = ruled(tmp_path, SECRET, readings={"R-BLACK": ANY})
    assert "every answer to R-BLACK" in results["ends.draw"].scope
    with pytest.raises(InputError, match="leave out --cross-check"):
        ruled(tmp_path, SECRET, cross_check=True)


def test_interrupted_it_tells_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruling._Ruling, "_decide", lambda self: os.kill(os.getpid(), signal.SIGINT))
    report = rule_on(ProofRequest(Entry(SECRET, ()), tmp_path))
    assert report.interrupted_at == "rules as a whole" and (tmp_path / "rules.json").exists()
