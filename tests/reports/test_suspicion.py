"""What makes no difference is found: dead guards, implications never met, variables never changed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.language import Variable, action, between, implies, require
from model.language.game import Game
from properties.declaration import Property, invariant, step
from reports.verification import verify
from tests.language.toy import GAME, Phase, Place, Table, draw, variables
from tests.reports.test_verification import request


class Wider(Table):
    spare: int


@action(clauses=("draw.stone",), phases=(Phase.DRAW,), by=draw.by, stone=draw.choices["stone"])
def draw_unless_over(state: Any, stone: Any) -> None:
    require(state.banked[0] < 3, "end.three")  # else the game is over
    state.place[stone] = Place.TABLE
    state.phase = Phase.DECIDE


SUSPECT = replace(
    GAME, actions=(draw_unless_over, *GAME.actions[1:]), state=Wider,
    variables=lambda setup, family: [*variables(setup, family), Variable("spare", between(0, 3))],
)  # fmt: skip


@invariant("never-four", "Who has banked six stones has won.", ("end.three",), over=("player",))
def never_four(state: Any, player: int) -> Any:
    return implies(state.banked[player] == 6, state.phase == Phase.END)


@invariant("three-ends", "Who has banked three stones has won.", ("end.three",), over=("player",))
def three_ends(state: Any, player: int) -> Any:
    return implies(state.banked[player] == 3, state.phase == Phase.END)


@step("six-stay", "Six stones stay six.", ("end.three",), over=("player",))
def six_stay(before: Any, after: Any, move: Any, player: int) -> Any:
    return implies(before.banked[player] == 6, after.banked[player] == 6)


@step("two-stay", "Two stones do not become fewer.", ("end.three",), over=("player",))
def two_stay(before: Any, after: Any, move: Any, player: int) -> Any:
    return implies(before.banked[player] == 2, after.banked[player] >= 2)


def findings(out: Path, game: Game, *properties: Property) -> Mapping[str, Any]:
    return {finding.id: finding for finding in verify(request(out, properties, game=game)).findings}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    return findings(tmp_path_factory.mktemp("suspect"), SUSPECT, never_four, three_ends, six_stay, two_stay)


def test_a_guard_that_never_decides_is_found_with_its_clause_and_line(found: Mapping[str, Any]) -> None:
    dead = {id: finding for id, finding in found.items() if finding.type == "guard that never decides"}
    line = draw_unless_over.function.__code__.co_firstlineno
    assert {id: finding.clause for id, finding in dead.items()} == {f"idle-guard:test_suspicion.py:{line + 2}": "end.three"}
    assert next(iter(dead.values())).place == f"test_suspicion.py:{line + 2}"


def test_an_implication_that_is_never_met_is_found(found: Mapping[str, Any]) -> None:
    untriggered = {id for id, finding in found.items() if finding.type == "implication never triggered"}
    assert untriggered == {"untriggered:never-four", "untriggered:six-stay"}


def test_a_variable_that_never_changes_is_found(found: Mapping[str, Any]) -> None:
    assert [id for id, finding in found.items() if finding.type == "variable never changed"] == ["unchanged:spare"]


def test_nothing_of_the_sort_is_said_of_a_game_without_such_faults(tmp_path: Path) -> None:
    kinds = {finding.type for finding in findings(tmp_path, GAME, three_ends, two_stay).values()}
    assert not kinds & {"guard that never decides", "implication never triggered", "variable never changed"}
