"""Claims about the rules as a whole: what is planted in a toy game is told with the right verdict."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.language import Game
from reports import ruling
from reports.document import PropertyResult, exit_status
from reports.proving import ProofRequest, prove_game
from reports.registry import Entry
from tests.language.toy import GAME
from tests.reports.test_proving import stones_of
from tests.solver.relations.test_conflict import declare
from tests.solver.relations.test_secrecy import LEAKING, SECRET

ANY_STONES: Any = stones_of


def ruled(out: Path, game: Game) -> tuple[dict[str, PropertyResult], int]:
    request = ProofRequest(Entry(replace(game, setup=ANY_STONES), ()), out, budget=30.0, rules=True)
    report = prove_game(request)
    assert (out / "rules.json").exists() and (out / "rules.html").exists()
    return {result.id: result for result in report.properties}, exit_status(report)


def test_a_game_without_faults(tmp_path: Path) -> None:
    results, _ = ruled(tmp_path, SECRET)
    assert results["conflict.none"].verdict == "HOLDS"
    assert results["ends.draw"].verdict == results["ends.decide"].verdict == "PROVED"
    assert results["secrecy"].verdict != "REFUTED"


def test_a_leak_is_told_with_its_clause(tmp_path: Path) -> None:
    results, status = ruled(tmp_path, LEAKING)
    leak = results["secrecy"]
    assert (leak.verdict, leak.clauses, status) == ("REFUTED", ["end.three"], 2)
    assert leak.game is not None and any("Open there" in line for line in leak.counterexample)


def test_a_conflict_is_told_with_a_game(tmp_path: Path) -> None:
    results, status = ruled(tmp_path, replace(GAME, actions=(*GAME.actions, declare)))
    refuted = [result for id, result in results.items() if id.startswith("conflict.") and result.verdict == "REFUTED"]
    assert len(refuted) == 1 and refuted[0].game is not None and status == 2




def test_a_task_that_is_lost_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruling, "_proved", lambda *_: os._exit(9))
    results, status = ruled(tmp_path, SECRET)
    assert results["undecided.the printed size"].verdict == "UNDETERMINED" and status == 3
    assert "conflict.none" in results
