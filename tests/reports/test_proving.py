"""`ruleproof prove` on a toy game: verdicts, games for what is false, what is remembered, what is written."""

import json
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from model.language import Game, InputError, all_of, negate
from model.language.expression import variable
from model.language.record import load
from properties.declaration import Property, invariant, step
from reports import proving
from reports.document import PropertyResult, Report, exit_status
from reports.proving import dependencies, prove_game
from reports.refuting import refutations
from reports.registry import Entry
from reports.subject import ANY, ProofRequest
from solver.induction import Verdict
from tests.language.toy import GAME, Place, Stones
from tests.reports.test_verification import at_most_one, books_agree, enough_stones, someone_greedy
from tests.solver.stones import no_return

hole = replace(at_most_one, id="hole", expected="REFUTED", explanation="Three may be banked at once.")


@invariant("out-of-reach", "No more stones are banked than there are.", ())
def out_of_reach(state: Any) -> Any:
    """True, since nobody banks what isn't there; not inductive by itself."""
    return state.banked[0] + state.banked[1] <= 6


@step(
    "no-black-with-red", "Black is not banked together with red.", ("bank.colour",), actions=("bank",),
    over=("stone", "stone"),
)  # fmt: skip
def no_black_with_red(before: Any, after: Any, move: Any, red: Any, black: Any) -> Any:
    colour = before.setup.colour
    came = [all_of(after.place[one] == Place.BANK, before.place[one] != Place.BANK) for one in (red, black)]
    return negate(all_of(colour[red] == 0, colour[black] == 2, *came))


def stones_of(name: str, players: int, readings: Mapping[str, str], deck: Any = None, symbolic: bool = False) -> Stones:
    """With either reading, and for proofs of any colours."""
    colours = [variable(("parameter", "colour", f"stone {i + 1}"), 0, 2) for i in range(6)]
    answers = {"R-BLACK": "plain", **readings}
    return Stones(colour=colours, readings=answers) if symbolic else Stones(readings=answers)


TWO_READINGS = replace(GAME, setup=stones_of)


def request(out: Path, properties: Sequence[Property], game: Game = GAME, **more: Any) -> ProofRequest:
    return ProofRequest(Entry(game, tuple(properties)), out, **({"budget": 30.0, "processes": 2} | more))


def by_id(report: Report) -> dict[str, PropertyResult]:
    return {result.id: result for result in report.properties}


def test_what_is_true_is_proved_and_what_is_false_has_a_shortest_game(tmp_path: Path) -> None:
    report = prove_game(request(tmp_path, [books_agree, no_return, hole, someone_greedy, enough_stones]))
    results = by_id(report)
    assert results["books-agree"].verdict == results["no.return"].verdict == "PROVED"
    assert {id for id in results if id.startswith("range.")} == {
        "range.phase", "range.turn", "range.place", "range.banked", "range.greedy"
    }  # fmt: skip
    assert "someone-greedy" not in results and "enough-stones" not in results  # a witness; not for the solver
    refuted = results["hole"]
    assert (refuted.verdict, refuted.standing, exit_status(report)) == ("REFUTED", "hole", 0)
    assert refuted.game is not None and len(refuted.game.steps) == 4  # a draw, nothing banked; a draw, two banked
    assert [finding.id for finding in report.findings] == ["hole:hole"]


def test_the_game_is_saved_so_that_it_can_be_replayed(tmp_path: Path) -> None:
    prove_game(request(tmp_path, [hole]))
    record = json.loads((tmp_path / "games" / "hole.json").read_text())
    model = GAME.model(GAME.setup())
    state = model.initial()
    for move in load(record, model):
        model.apply(state, move)
    assert not hole.holds(model, state)


def test_what_is_false_and_was_not_expected_to_be_is_refuted_after_the_proof_has_failed(tmp_path: Path) -> None:
    report = prove_game(request(tmp_path, [at_most_one, books_agree]))
    assert (by_id(report)["at-most-one"].verdict, exit_status(report)) == ("REFUTED", 2)


def test_a_position_that_no_game_reaches_leaves_it_undetermined(tmp_path: Path) -> None:
    lonely = replace(out_of_reach, id="lonely")
    report = prove_game(request(tmp_path, [lonely]))
    result = by_id(report)["lonely"]
    assert (result.verdict, exit_status(report)) == ("UNDETERMINED", 3)
    assert any(line.startswith("Before:") for line in result.counterexample)
    assert by_id(prove_game(request(tmp_path, [lonely, books_agree])))["lonely"].verdict == "PROVED"


def test_a_final_result_is_remembered_and_any_change_makes_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, properties = tmp_path / "proofs.sqlite", [books_agree, hole]
    first = prove_game(request(tmp_path / "out", properties, cache=cache))
    (tmp_path / "out" / "games" / "hole.json").unlink()

    def fail(*_: Any, **__: Any) -> Any:
        raise AssertionError("nothing needs to be done")

    with monkeypatch.context() as patched:
        patched.setattr(proving, "prove", fail)
        patched.setattr(proving, "refutations", fail)
        second = prove_game(request(tmp_path / "out", properties, cache=cache))
    assert second.properties == first.properties
    assert (tmp_path / "out" / "games" / "hole.json").exists()
    monkeypatch.setattr(proving.content, "of_program", lambda: b"another version")
    with pytest.raises(AssertionError, match="nothing needs"), monkeypatch.context() as patched:
        patched.setattr(proving, "refutations", fail)
        prove_game(request(tmp_path / "out", properties, cache=cache))


def test_an_open_verdict_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = request(tmp_path, [books_agree], cache=tmp_path / "proofs.sqlite")
    with monkeypatch.context() as patched:
        patched.setattr(proving, "prove", lambda *_, **__: [Verdict("books-agree", "UNDETERMINED", reason="late")])
        assert exit_status(prove_game(asked)) == 3
    assert exit_status(prove_game(asked)) == 0


def test_what_each_proof_rests_on_is_drawn(tmp_path: Path) -> None:
    report = prove_game(request(tmp_path, [books_agree, out_of_reach]))
    drawing = json.loads((tmp_path / report.graphs[0].files["json"]).read_text())
    edges = {(edge["source"], edge["target"]) for edge in drawing["edges"]}
    assert ("books-agree", "out-of-reach") in edges
    assert (tmp_path / report.graphs[0].files["svg"]).exists()
    assert nx.is_directed(dependencies(report.properties))


def test_games_are_looked_for_only_as_long_as_one_is_missing() -> None:
    entry = Entry(GAME, (at_most_one, books_agree))
    found = refutations(entry, [at_most_one], {}, time.monotonic() + 20, 2)
    assert list(found) == ["at-most-one"] and found["at-most-one"].setup == "six"
    assert refutations(entry, [], {}, time.monotonic() + 20, 2) == {}
    assert refutations(entry, [books_agree], {}, time.monotonic() + 20, 2) == {}


def test_a_worker_that_finds_nothing_costs_only_its_property(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Verdict("books-agree", "UNDETERMINED", reason="worker died (exit status -9)")
    monkeypatch.setattr(proving, "prove", lambda *_, **__: [lost, Verdict("no.return", "PROVED")])
    report = prove_game(request(tmp_path, [books_agree, no_return]))
    results = by_id(report)
    assert (results["books-agree"].verdict, results["no.return"].verdict) == ("UNDETERMINED", "PROVED")
    assert "worker died" in results["books-agree"].detail
    assert "probe out of budget" in {finding.type for finding in report.findings}


def test_interrupted_it_tells_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(proving, "prove", interrupted)
    report = prove_game(request(tmp_path, [books_agree, hole]))
    assert (report.interrupted_at, by_id(report)["hole"].verdict, exit_status(report)) == ("proofs", "REFUTED", 3)
    assert (tmp_path / "proofs.json").exists()


def test_a_question_left_open_is_proved_for_each_of_its_answers(tmp_path: Path) -> None:
    report = prove_game(request(tmp_path, [books_agree], readings={"R-BLACK": ANY}))
    result = by_id(report)["books-agree"]
    assert (result.verdict, report.readings["R-BLACK"]) == ("PROVED", ANY)
    assert "every answer to R-BLACK" in result.scope


def test_what_fails_under_one_of_the_answers_is_refuted_under_it(tmp_path: Path) -> None:
    """Black and red never go together as the game is played by default; where black is wild they do."""
    report = prove_game(request(tmp_path, [no_black_with_red], readings={"R-BLACK": ANY}, game=TWO_READINGS))
    result = by_id(report)["no-black-with-red"]
    assert (result.verdict, result.scope) == ("REFUTED", "under R-BLACK=wild")
    plain = prove_game(request(tmp_path, [no_black_with_red], game=TWO_READINGS))
    assert by_id(plain)["no-black-with-red"].verdict != "REFUTED"


def test_an_open_question_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean R-BLACK"):
        prove_game(request(tmp_path, [books_agree], readings={"R-BLAK": ANY}))


def test_a_second_solver_is_asked_and_what_it_was_asked_is_written_down(tmp_path: Path) -> None:
    asked = request(tmp_path / "out", [books_agree], cache=tmp_path / "proofs.sqlite")
    prove_game(asked)  # remembered, which must not keep the second solver from its work
    report = prove_game(replace(asked, cross_check=True, smtlib=tmp_path / "smtlib"))
    obligations = len(list((tmp_path / "smtlib" / "books-agree").glob("*.smt2")))
    assert obligations > 0
    assert f"{obligations} of {obligations} confirmed by cvc5" in by_id(report)["books-agree"].detail


def test_what_the_second_solver_leaves_open_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half = Verdict("books-agree", "PROVED", obligations=4, confirmed=2)
    monkeypatch.setattr(proving, "prove", lambda *_, **__: [half])
    report = prove_game(request(tmp_path, [books_agree], cross_check=True))
    assert [finding.id for finding in report.findings if finding.type == "second solver undecided"] == [
        "unconfirmed:books-agree"
    ]  # fmt: skip
