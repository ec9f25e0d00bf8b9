"""A whole verification, on toy games small enough to take seconds: what is found, how it is told, what is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.language import InputError, action, count, require, total, where
from model.language.game import Game
from properties.declaration import Property, invariant, step, witness
from reports import verification
from reports.atomic import OutputError
from reports.document import PropertyResult, Report, exit_status
from reports.registry import Entry
from reports.terminal import SilentBar, SilentProgress
from reports.verdicts import ContradictionError
from reports.verification import Request, verify
from solver.induction import Verdict
from tests.language.toy import GAME, Phase, Place, bank, draw

CLAUSE = ("bank.colour",)


@invariant("books-agree", "As many stones are banked as lie in the bank.", CLAUSE)
def books_agree(state: Any) -> Any:
    return total(state.banked) == count(place == Place.BANK for place in state.place)


@invariant("enough-stones", "Nobody banks more stones than there are.", ("end.three",), over=("player",), prove=False)
def enough_stones(state: Any, player: int) -> Any:
    return state.banked[player] <= 6


@step("banks-grow", "A bank never shrinks.", CLAUSE, over=("player",))
def banks_grow(before: Any, after: Any, move: Any, player: int) -> Any:
    return after.banked[player] >= before.banked[player]


@invariant("at-most-one", "Nobody banks more than one stone.", CLAUSE, over=("player",))
def at_most_one(state: Any, player: int) -> Any:
    return state.banked[player] <= 1


@witness("someone-greedy", "Somebody has banked nothing.", ("end.three",), over=("player",))
def someone_greedy(state: Any, player: int) -> Any:
    return state.greedy[player]


@witness("seven", "Somebody has banked seven of the six stones.", CLAUSE, over=("player",))
def seven(state: Any, player: int) -> Any:
    return state.banked[player] == 7


GOOD = (books_agree, enough_stones, banks_grow, someone_greedy)


@action(
    clauses=("bank.colour", "end.three"), phases=(Phase.DECIDE,), player=bank.choices["player"],
    stones=bank.choices["stones"],
)  # fmt: skip
def bank_badly(state: Any, player: int, stones: Any) -> None:
    require(stones.size() <= 3, "bank.colour")
    state.banked[player] = where(stones.size() == 2, 0, state.banked[player] + stones.size())
    for stone, chosen in stones.items():
        state.place[stone] = where(chosen, Place.BANK, state.place[stone])
    state.phase = where(state.banked[player] >= 3, Phase.END, Phase.DRAW)
    state.turn = 1 - player


def entry(properties: Sequence[Property] = GOOD, *, game: Game = GAME) -> Entry:
    return Entry(game, tuple(properties))


def request(out: Path, properties: Sequence[Property] = GOOD, *, game: Game = GAME, **more: Any) -> Request:
    return Request(entry(properties, game=game), out, games=6, budget=30, **more)


class Announced(SilentProgress):
    """Says on standard output which stage begins."""

    def stage(self, name: str, total: int | None = None) -> SilentBar:
        print(name, flush=True)
        return super().stage(name, total)


def by_id(report: Report) -> Mapping[str, PropertyResult]:
    return {result.id: result for result in report.properties}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """A toy game in which everything is as it should be, verified."""
    out = tmp_path_factory.mktemp("good")
    return verify(request(out)), out


def test_every_property_gets_the_verdict_it_deserves(good: tuple[Report, Path]) -> None:
    results = by_id(good[0])
    assert (results["books-agree"].verdict, results["books-agree"].method) == (
        "PROVED", "proved + explored + tested",
    )  # fmt: skip
    assert results["banks-grow"].verdict == "PROVED"
    assert (results["enough-stones"].verdict, results["enough-stones"].method) == ("HOLDS", "explored + tested")
    assert results["someone-greedy"].verdict == "REACHED"
    assert results["someone-greedy"].game is not None
    assert {results[id].kind for id in ("progress", "refusal", "rules-total")} == {"game"}
    assert results["progress"].verdict == "HOLDS"
    assert results["range"].verdict == "PROVED"
    assert exit_status(good[0]) == 0
    assert good[0].finished


def test_every_clause_tells_what_exercised_it_and_where_it_stands(good: tuple[Report, Path]) -> None:
    clauses = {clause.id: clause for clause in good[0].clauses}
    assert list(clauses) == list(GAME.catalogue.clauses)
    assert all(clause.exercised for clause in clauses.values())
    assert clauses["bank.colour"].by == ["explored", "tested", "refused", "proved"]
    assert bank.place in clauses["bank.colour"].rules
    assert "books-agree" in clauses["bank.colour"].properties


def test_files_are_written_and_agree(good: tuple[Report, Path]) -> None:
    report, out = good
    written = json.loads((out / "report.json").read_text("utf-8"))
    assert [result["id"] for result in written["properties"]] == [result.id for result in report.properties]
    assert "<html" in (out / "report.html").read_text("utf-8")
    assert {path.suffix for path in (out / "graphs").iterdir()} == {".dot", ".svg", ".graphml", ".json"}
    graph = json.loads((out / "graphs/phases.json").read_text("utf-8"))
    assert {node["label"] for node in graph["nodes"]} == {"Draw", "Decide", "End"}
    assert not [name for name in os.listdir(out) if name.endswith(".tmp")]


def test_an_exploration_is_told_to_its_end(good: tuple[Report, Path]) -> None:
    (setup,) = good[0].setups
    assert setup.complete and setup.deadlocks == 0 and setup.terminal_states > 0
    assert sum(setup.depth_histogram) == setup.states


def test_a_planted_bug_is_refuted_by_a_shortest_game(tmp_path: Path) -> None:
    game = replace(GAME, actions=(draw, bank_badly))
    report = verify(request(tmp_path, game=game))
    result = by_id(report)["banks-grow"]
    assert result.verdict == "REFUTED" and result.standing == "wrong"
    assert result.game is not None
    assert "bank badly" in result.game.steps[-1].text
    assert result.game.steps[-1].actor in ("Player 1", "Player 2")
    assert result.game.steps[0].chance
    assert all("draw.stone" in step.clauses for step in result.game.steps if step.chance)
    assert exit_status(report) == 2


def test_a_known_hole_is_a_finding_and_no_failure(tmp_path: Path) -> None:
    hole = replace(at_most_one, expected="REFUTED", explanation="The book forgot it.")
    report = verify(request(tmp_path, (*GOOD, hole)))
    assert by_id(report)["at-most-one"].standing == "hole"
    assert [finding.type for finding in report.findings if finding.clause == "bank.colour"] == ["hole of the rulebook"]
    assert exit_status(report) == 0


def test_under_another_answer_at_the_clause_no_hole_is_expected(tmp_path: Path) -> None:
    hole = replace(books_agree, expected="REFUTED", explanation="Only under the default.")
    default = verify(request(tmp_path, (hole,)))
    assert by_id(default)["books-agree"].standing == "wrong"
    other = verify(request(tmp_path, (hole,), readings={"R-BLACK": "wild"}))
    assert by_id(other)["books-agree"].expected is None
    assert other.readings == {"R-BLACK": "wild"}


def test_what_nothing_reaches_is_not_a_pass(tmp_path: Path) -> None:
    report = verify(request(tmp_path, (seven,)))
    assert by_id(report)["seven"].verdict == "NOT_REACHED"
    assert exit_status(report) == 3


def test_an_unused_rule_and_its_clause_are_findings(tmp_path: Path) -> None:
    @action(clauses=("end.three",), phases=(Phase.END,), player=bank.choices["player"])
    def celebrate(state: Any, player: int) -> None:
        require(state.banked[player] > 6, "end.three")
        state.turn = player

    report = verify(request(tmp_path, game=replace(GAME, actions=(draw, bank, celebrate))))
    types = {finding.id: finding.type for finding in report.findings}
    assert types["dead-action:celebrate"] == "action never enabled"


def test_running_out_of_time_is_told(tmp_path: Path) -> None:
    report = verify(replace(request(tmp_path), budget=0.01, games=10_000))
    assert not report.complete and report.interrupted_at is None
    assert "games cut short" in {finding.type for finding in report.findings}
    assert exit_status(report) == 3


def test_a_proof_that_a_game_contradicts_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def credulous(*_: Any, **__: Any) -> list[Verdict]:
        return [Verdict("at-most-one", "PROVED")]

    monkeypatch.setattr(verification, "prove", credulous)
    with pytest.raises(ContradictionError, match="at-most-one is proved, and yet broken by a game"):
        verify(request(tmp_path, (at_most_one,)))


def test_bad_requests_are_told_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such preset"):
        verify(request(tmp_path, preset="huge"))
    with pytest.raises(InputError, match="no such reading"):
        verify(request(tmp_path, readings={"R-WHITE": "plain"}))
    with pytest.raises(InputError, match="players"):
        verify(request(tmp_path, players=9))
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        verify(request(tmp_path / "file"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_is_done(tmp_path: Path, number: signal.Signals) -> None:
    # Thousands of games: the run is in its second stage for as long as we like.
    script = (
        "import sys; from pathlib import Path; from dataclasses import replace\n"
        "from tests.reports.test_verification import Announced, request, verify, exit_status\n"
        f"wanted = replace(request(Path({str(tmp_path)!r})), games=10**7, budget=600)\n"
        "sys.exit(exit_status(verify(wanted, Announced())))\n"
    )
    root = Path(__file__).parents[2]
    run = subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert [run.stdout.readline() for _ in range(2)] == ["Exploring\n", "Random games\n"]
    time.sleep(1)
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors) == (3, "")
    report = Report.model_validate_json((tmp_path / "report.json").read_text("utf-8"))
    assert report.interrupted_at == "random games" and not report.complete
    assert [setup.complete for setup in report.setups] == [True]
    assert by_id(report)["enough-stones"].verdict == "HOLDS"
    assert by_id(report)["banks-grow"].verdict == "UNDETERMINED"
    assert "interrupted" in (tmp_path / "report.html").read_text("utf-8")


def test_thorough_properties_are_left_to_runs_with_more_time(tmp_path: Path) -> None:
    left = replace(banks_grow, id="left", thorough=True)
    results = by_id(verify(request(tmp_path, [books_agree, left])))
    assert "books-agree" in results and "left" not in results


def test_a_second_run_remembers_what_was_proved(tmp_path: Path) -> None:
    cache = tmp_path / "proofs.sqlite"
    assert by_id(verify(request(tmp_path, cache=cache)))["books-agree"].verdict == "PROVED"
    assert "proved before" in by_id(verify(request(tmp_path, cache=cache)))["books-agree"].detail
