"""What was proved before is found again exactly as long as nothing it rests on has changed."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.language import Model, action, require, where
from properties.declaration import Property, invariant, step
from solver import content
from solver.induction import Prover, Verdict
from solver.proof_cache import ProofCache
from solver.prove import prove
from solver.ranges import range_properties
from tests.language.toy import GAME, Phase, Place, draw
from tests.solver import stones
from tests.solver.stones import any_stones


@invariant("phased", "A stone lies on the table only when a player decides.", (), over=("stone",))
def phased(state: Any, stone: Any) -> Any:
    return where(state.phase == Phase.DRAW, state.place[stone] != Place.TABLE, True)


@step("few", "A player banks a stone of those on the table at most.", (), actions=("bank",))
def few(before: Any, after: Any, move: Any) -> Any:
    return after.banked[before.turn] <= before.banked[before.turn] + 6


@action(clauses=("draw.stone",), phases=(Phase.DRAW,), by=draw.by, stone=draw.choices["stone"])
def draw_first(state: Any, stone: Any) -> None:
    require(state.turn == 0, "draw.stone")
    state.place[stone] = Place.TABLE
    state.phase = Phase.DECIDE


def redrawn() -> Model:
    """The same game with another rule for drawing."""
    parameters = any_stones().setup
    return replace(GAME, actions=(draw_first, *GAME.actions[1:])).model(parameters)


def proved(
    cache: ProofCache, properties: list[Property] = stones.TRUE, factory: Callable[[], Model] = any_stones, **how: Any
) -> dict[str, Verdict]:
    return {verdict.id: verdict for verdict in prove(factory, properties, processes=2, cache=cache, **how)}


@pytest.fixture
def cache(tmp_path: Path) -> ProofCache:
    return ProofCache(tmp_path / "folder" / "proofs.sqlite")


def test_the_second_time_nothing_is_asked(cache: ProofCache) -> None:
    first, second = proved(cache), proved(cache)
    assert all(verdict.proved for verdict in (*first.values(), *second.values()))
    assert sum(verdict.checks for verdict in first.values()) > 0
    assert [(verdict.checks, verdict.remembered > 0) for verdict in second.values() if verdict.remembered] != []
    assert sum(verdict.checks for verdict in second.values()) == 0
    assert {id: v.hypotheses for id, v in second.items()} == {id: v.hypotheses for id, v in first.items()}


def test_a_changed_rule_costs_only_the_claims_about_it(cache: ProofCache) -> None:
    first = proved(cache)
    again = proved(cache, factory=redrawn)
    assert (len(first["counted"].fresh), again["counted"].remembered, len(again["counted"].fresh)) == (3, 2, 1)
    assert (len(first["no.return"].fresh), again["no.return"].remembered, again["no.return"].checks) == (2, 2, 0)
    assert all(verdict.checks == 0 for verdict in proved(cache, factory=redrawn).values())


def test_a_helper_that_says_something_else_helps_no_more(cache: ProofCache) -> None:
    """That stones are banked within bounds follows from `idle`, and from nothing that says less."""
    prover = Prover(any_stones(), [stones.idle], known={})
    verdict = prover.examine(next(prop for prop in _ranges(prover) if prop.id == "range.banked"))
    assert verdict.hypotheses == {"idle"} and verdict.fresh
    same = Prover(any_stones(), [stones.idle], known=verdict.fresh)
    assert same.examine(_ranges(same)[3]).remembered == 2
    weaker = replace(stones.idle, function=lambda state, player: state.banked[player] <= 1)
    other = Prover(any_stones(), [weaker], known=verdict.fresh)
    found = other.examine(_ranges(other)[3])
    assert found.remembered == 0 and not found.proved
    forbidden = same.examine(_ranges(same)[3], without={"idle"})
    assert forbidden.remembered == 0 and not forbidden.proved


def _ranges(prover: Prover) -> list[Property]:
    found = range_properties(prover.model)
    assert found[3].id == "range.banked"
    return found


def test_what_is_not_proved_is_not_kept(cache: ProofCache) -> None:
    first = proved(cache, [stones.idle])["idle"]
    second = proved(cache, [stones.idle])["idle"]
    assert not first.proved and not second.proved and second.checks > 0


def test_without_a_cache_nothing_is_looked_up_or_noted() -> None:
    verdicts = prove(any_stones, stones.TRUE, processes=1)
    assert not any(verdict.remembered or verdict.fresh for verdict in verdicts)


def test_another_version_of_the_program_begins_anew(cache: ProofCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.keep_claims({b"a": {"x": "1"}})
    cache.keep_result(b"run", "text")
    assert (cache.claims(), cache.result(b"run")) == ({b"a": {"x": "1"}}, "text")
    monkeypatch.setattr(content, "of_prover", lambda: b"other")
    assert cache.claims() == {}
    cache.keep_claims({b"b": {}})
    monkeypatch.undo()
    assert cache.claims() == {}


def test_a_file_that_is_no_database_is_an_empty_cache_and_is_replaced(cache: ProofCache) -> None:
    cache.file.parent.mkdir()
    cache.file.write_text("not a database, but long enough to be taken for the header of one, or so it seems" * 20)
    assert cache.claims() == {} and cache.result(b"run") is None
    cache.keep_claims({b"a": {}})
    assert cache.claims() == {b"a": {}}


def test_a_place_that_cannot_be_written_costs_nothing_but_the_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = ProofCache(tmp_path / "file" / "proofs.sqlite")
    assert all(verdict.proved for verdict in proved(cache).values())
    assert cache.claims() == {}


def test_a_locked_file_is_left_as_it_is(cache: ProofCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proof_cache.PATIENCE", 0.05)
    cache.keep_claims({b"a": {}})
    other = sqlite3.connect(cache.file)
    other.execute("begin exclusive")
    cache.keep_claims({b"b": {}})
    other.rollback()
    assert cache.claims() == {b"a": {}}


def test_the_source_of_the_program_is_part_of_its_version(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("one")
    first = content._of_folders(tmp_path)
    (tmp_path / "rules.py").write_text("two")
    assert content._of_folders(tmp_path) != first
    assert content.of_program() != content.of_prover()
