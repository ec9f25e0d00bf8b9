"""`ruleproof mutate`: every mutant has a status, survivors are told, and what was not examined is not called killed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model.language import InputError
from model.language.record import decode
from reports import command_line, mutating, registry
from reports.mutating import Outcome, Request, mutate, summary, to_json
from reports.registry import Entry
from solver.mutation.mutants import Planted, mutants
from tests.solver.mutation import coins

ENTRY = Entry(coins.GAME, coins.PROPERTIES)


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return mutate(Request(ENTRY, budget=60, processes=1))


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The small game among those of the command line."""
    monkeypatch.setattr(registry, "ENTRIES", {"coins": ENTRY})
    yield


def entries(outcome: Outcome) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(to_json(outcome))["mutants"]
    return found


def status(outcome: Outcome, mutation: str) -> tuple[str, str | None]:
    entry = next(each for each in entries(outcome) if each["mutation"] == mutation)
    return entry["status"], entry["killed_by"]


def test_the_document_is_the_contract(outcome: Outcome) -> None:
    document = json.loads(to_json(outcome))
    assert document["complete"]
    for number, entry in enumerate(document["mutants"], 1):
        assert entry["id"] == f"M{number:04}"
        assert entry["status"] in ("killed", "equivalent", "survived")
        assert (entry["killed_by"] is not None) == (entry["status"] == "killed")
        assert entry["place"].startswith("coins.py:") and " -> " in entry["mutation"]
        assert entry["clause"] in coins.RULEBOOK.clauses
    assert sum(document["counts"].values()) == len(document["mutants"])
    assert sum(sum(kind.values()) for kind in document["kinds"].values()) == len(document["mutants"])
    known = {each.id for each in coins.PROPERTIES} | set(document["of_every_game"])
    assert {entry["killed_by"] for entry in document["mutants"]} <= known | {None}


def test_each_status_has_its_mutant(outcome: Outcome) -> None:
    assert status(outcome, "state.owner[coin] = player -> (nothing)") == ("killed", "owned")
    assert status(outcome, "require(held(state, player) <= HOLDS, 'take.room') -> (nothing)") == ("equivalent", None)
    silent = "state.score[player] = minimum(5, held(state, player)) -> (nothing)"
    assert status(outcome, silent) == ("survived", None)
    entry = next(each for each in entries(outcome) if each["mutation"] == silent)
    assert entry["reason"] == "it differs, and no property notices" and "count up" in entry["differs"]


def test_a_missing_property_is_nothing_refuted(outcome: Outcome) -> None:
    assert outcome.exit_status == 3


def test_where_it_is_equivalent_is_said(outcome: Outcome) -> None:
    entry = next(each for each in entries(outcome) if each["status"] == "equivalent")
    assert "six, 2 players" in entry["reason"] and "every reading" in entry["reason"]


def test_what_kills_can_be_replayed(outcome: Outcome) -> None:
    """The game of each kill by an invariant ends in a state that breaks it, under that mutant."""
    invariants = {each.id: each for each in coins.PROPERTIES if each.kind == "invariant"}
    shown = [each for each in entries(outcome) if each["killed_by"] in invariants and each["position"]["whole_game"]]
    assert len(shown) >= 5
    made = mutants(coins.GAME)
    for entry in shown:
        position = entry["position"]
        model = coins.GAME.model(coins.setup("six", position["players"], position["readings"]))
        state = model.initial()
        with Planted(made[entry["number"] - 1]):
            for move in position["moves"]:
                model.apply(state, decode(model, move))
        assert not invariants[entry["killed_by"]].holds(model, state), entry["mutation"]


def test_the_summary_fits_and_tells_the_survivors(outcome: Outcome) -> None:
    text = summary(outcome)
    assert max(map(len, text.splitlines())) <= 100
    assert "take.room" in text and "They differ, and no property notices" in text
    assert "minimum(5, held(state, player)) -> (nothing)" in " ".join(text.split())


def test_it_is_the_same_again_on_two_processes(outcome: Outcome) -> None:
    again = mutate(Request(ENTRY, budget=60, processes=2))
    assert [(each.status, each.killed_by) for each in again.examined] == [
        (each.status, each.killed_by) for each in outcome.examined
    ]


def test_only_one_clause(outcome: Outcome) -> None:
    some = mutate(Request(ENTRY, budget=60, processes=1, only="end"))
    assert {each.clause.partition(".")[0] for each in some.mutants} == {"end"}
    assert len(some.mutants) < len(outcome.mutants)
    with pytest.raises(InputError, match="--only nowhere: no mutant is of that clause"):
        mutate(Request(ENTRY, only="nowhere"))


def test_what_was_not_examined_has_survived_and_says_so() -> None:
    hurried = mutate(Request(ENTRY, budget=0.001, processes=1))
    assert {(each.status, each.reason) for each in hurried.examined} == {("survived", "not examined: out of time")}
    assert not json.loads(to_json(hurried))["complete"] and hurried.exit_status == 3
    assert "were not examined" in summary(hurried)


# -- the command -----------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("listed")
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.run(["mutate", "coins", "--only", "end", "--json", "--out", str(tmp_path / "out")]) == 3
    printed = capsys.readouterr().out
    assert printed == (tmp_path / "out" / "mutants.json").read_text(encoding="utf-8")
    assert command_line.run(["mutate", "coins", "--only", "lose"]) in (0, 3)
    assert "mutants of coins" in capsys.readouterr().out


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--budget", "0"], "--budget 0"),
        (["--only", "nowhere"], "--only nowhere"),
        (["--reading", "R-GREED"], "write ID=VALUE"),
        (["--players", "3"], "--players 3"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.run(["mutate", "coins", *arguments]) == 4
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


def test_an_interrupted_run_tells_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Iterator[Any]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(mutating, "run", interrupted)
    assert all(each.status == "survived" for each in mutate(Request(ENTRY, processes=1)).examined)


def test_mutants_are_compared_in_a_set_up_that_is_for_every_number_of_players() -> None:
    grounds = mutating.grounds_of(registry.entry_of("51st-state-2010"), None, {}, ())
    assert [ground.told.split(",")[:2] for ground in grounds] == [
        ["small", " 2 players"], ["small", " 4 players"], ["small", " 2 players"]
    ]  # fmt: skip
