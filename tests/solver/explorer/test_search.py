"""The explorer counts what playing counts, and its shortest games are the shortest.

The toy game's 5,476 states and 13,471 transitions are pinned, and `plain.py` counts them again by playing.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from model.language import Game, Model, Move, State, Variable, action, between
from model.language.errors import OutsideDomain
from model.language.state import NATURAL
from model.language.trace import Path
from properties.declaration import Property, invariant, step, witness
from solver.explorer import program, search
from solver.explorer.frozen import thawed, whole
from solver.explorer.packing import Packing
from solver.explorer.search import ExplorationError, Limits, Result, explore
from tests.language import toy
from tests.solver.explorer import plain, small

HISTOGRAM = [1, 6, 12, 45, 94, 216, 444, 591, 1194, 814, 1271, 327, 461]


@pytest.fixture(scope="module")
def counted() -> plain.Counted:
    state_claims = [claim for claim in small.PROPERTIES if claim.kind != "step"]
    step_claims = [claim for claim in small.PROPERTIES if claim.kind == "step"]
    model = toy.GAME.model(small.SETUP)
    return plain.search(
        toy.GAME,
        small.SETUP,
        {claim.id: partial(_decides, claim, model) for claim in state_claims},
        {claim.id: partial(_violates, claim, model) for claim in step_claims},
    )


def _decides(claim: Property, model: Model, state: State) -> bool:
    return claim.holds(model, state) is (claim.kind == "witness")


def _violates(claim: Property, model: Model, before: State, after: State, move: Move) -> bool:
    return not claim.holds_for(model, before, after, move)


def same(result: Result, counted: plain.Counted) -> None:
    assert (result.states, result.transitions) == (counted.states, counted.transitions) == (5476, 13471)
    assert result.depth_histogram == counted.histogram == HISTOGRAM
    assert result.depth == 12
    assert result.action_counts == counted.actions
    assert result.clauses == counted.clauses
    assert (result.terminal, result.deadlocks) == (counted.terminal, counted.deadlocks)
    assert result.complete and not result.stopped and result.checked == result.states


@pytest.mark.parametrize("prepare", [thawed, whole])
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("block", [7, 500, 2**16])
def test_it_counts_what_playing_counts(counted: plain.Counted, prepare: Any, exact: bool, block: int) -> None:
    result, _ = explore(prepare(toy.GAME, small.SETUP), exact=exact, block=block)
    same(result, counted)
    assert result.never_enabled == ()
    assert result.collision_probability == (0 if exact else pytest.approx(5476 * 5475 / 2**64))


@pytest.mark.parametrize(
    ("domain", "words"), [(NATURAL, 1), (between(0, 40_000), 1), (between(-1, 2**40), 2), (between(0, 2**50), 3)]
)
def test_wide_states_count_the_same(counted: plain.Counted, domain: Any, words: int) -> None:
    result, _ = explore(thawed(small.with_banked(domain), small.SETUP))
    assert result.words == words
    assert (result.collision_probability > 0) == (words > 1)
    same(result, counted)


def test_the_initial_state_is_counted_once() -> None:
    game = small.with_action(small.put_back)
    expected = plain.search(game, small.SETUP)
    result, _ = explore(thawed(game, small.SETUP))
    assert (result.states, result.transitions) == (expected.states, expected.transitions)
    assert result.depth_histogram == expected.histogram and result.action_counts["put_back"] > 0


def test_clauses_of_what_never_happens_are_not_exercised() -> None:
    result, _ = explore(thawed(replace(toy.GAME, actions=(toy.draw, small.tax)), small.SETUP))
    assert result.never_enabled == ("tax",) and result.paths > 6
    assert result.clauses == {"draw.stone"}


@pytest.mark.parametrize("prepare", [thawed, whole])
@pytest.mark.parametrize("block", [100, 2**16])
def test_games_are_shortest_and_right(counted: plain.Counted, prepare: Any, block: int) -> None:
    result, exploration = explore(prepare(toy.GAME, small.SETUP), small.PROPERTIES, block=block)
    assert set(result.violations) == {"few", "modest", "rare"}
    assert set(result.witnesses) == {"both"}
    found = {**result.violations, **result.witnesses}
    assert {name: len(game.moves) for name, game in found.items()} == counted.shortest
    for claim in small.PROPERTIES:
        if claim.id not in found:
            continue
        model = exploration.plain
        state = before = model.initial()
        for move in found[claim.id].moves:
            before = state.copy()
            model.apply(state, move)
        if claim.kind == "step":
            assert not claim.holds_for(model, before, state, found[claim.id].moves[-1])
        else:
            assert claim.holds(model, state) is (claim.kind == "witness")
    assert found["modest"].log[-1].startswith("bank ")


def test_a_property_that_folds_to_false_is_violated_at_once() -> None:
    never = invariant("never", "", ())(lambda state: False)
    at_start = witness("start", "", ())(lambda state: True)
    no_draw = step("no draw", "", (), actions=("draw",))(lambda before, after, move: False)
    result, _ = explore(thawed(toy.GAME, small.SETUP), (never, at_start, no_draw))
    assert result.violations["never"].moves == () and result.witnesses["start"].moves == ()
    assert [move.action.name for move in result.violations["no draw"].moves] == ["draw"]


def test_every_state_is_rebuilt_by_its_game() -> None:
    _, exploration = explore(thawed(toy.GAME, small.SETUP), block=300)
    for depth, row in ((0, 0), (3, 44), (7, 300), (12, 460)):
        assert len(exploration.game(depth, row).moves) == depth  # replayed and compared inside


def test_a_wrong_successor_is_noticed_on_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    right = program._changes

    def forgetful(path: Path, packing: Packing) -> Any:
        updates = path.updates if path.action.name == "draw" else {0: toy.Phase.DRAW}
        return right(replace(path, updates=updates), packing)

    monkeypatch.setattr(program, "_changes", forgetful)
    with pytest.raises(ExplorationError, match="the explorer is wrong"):
        _, exploration = explore(thawed(toy.GAME, small.SETUP))
        for depth, level in enumerate(exploration.levels):
            exploration.game(depth, level.states - 1)


def test_a_state_other_than_its_game_reaches_is_noticed() -> None:
    _, exploration = explore(thawed(toy.GAME, small.SETUP))
    move = exploration.game(4, 3).moves[-1]
    exploration.levels[3].words[0] ^= np.uint64(2**21)  # whether somebody is greedy, which refuses no move
    for last in ((), (move,)):
        with pytest.raises(ExplorationError, match=r"greedy\[Player .\] is .* by rule"):
            exploration.game(3, int(exploration.levels[4].parents[3]), *last)


def test_stuck_games_are_deadlocks_and_ended_ones_are_not() -> None:
    endless = replace(toy.GAME, over=lambda state: False)
    expected = plain.search(endless, small.SETUP)
    result, _ = explore(thawed(endless, small.SETUP))
    assert (result.deadlocks, result.terminal) == (expected.deadlocks, 0) == (728, 0)
    assert result.deadlock is not None
    assert not endless.model(small.SETUP).legal(_play(endless, result.deadlock.moves))
    assert explore(thawed(toy.GAME, small.SETUP))[0].deadlock is None


def _play(game: Game, moves: Any) -> Any:
    model = game.model(small.SETUP)
    state = model.initial()
    for move in moves:
        model.apply(state, move)
    return state


# -- leaving a domain --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("prepare", [thawed, whole])
def test_a_value_outside_its_domain_is_an_error_with_its_game(prepare: Any) -> None:
    with pytest.raises(ExplorationError) as caught:
        explore(prepare(small.with_banked(between(0, 3)), small.SETUP))
    text = str(caught.value)
    assert "rule bank (toy.py:" in text and "gives banked[Player " in text and "outside its domain 0..3" in text
    assert "phase 1" in text and "1. draw stone" in text
    four = plain.search(toy.GAME, small.SETUP, {}, {"four": lambda before, after, move: max(after.banked) > 3})
    assert len(caught.value.found.moves) == four.shortest["four"] - 1
    model = small.with_banked(between(0, 3)).model(small.SETUP)
    state = _play(model.game, caught.value.found.moves)
    (move,) = (move for move in model.legal(state) if f"as `{model.describe(move)}`" in text)
    with pytest.raises(OutsideDomain):
        model.apply(state, move)


def test_a_write_to_a_cell_of_one_value_is_an_error() -> None:
    with pytest.raises(OutsideDomain, match="banked"):
        thawed(small.with_banked(between(0, 0)), small.SETUP)


def test_a_computed_write_to_a_cell_of_one_value_is_an_error() -> None:
    @action(clauses=("draw.stone",), phases=(toy.Phase.DECIDE,))
    def mark(state: Any) -> None:
        state.mark = state.turn

    def variables(setup: toy.Stones, family: dict[str, Any]) -> list[Variable]:
        return [*toy.variables(setup, family), Variable("mark", between(0, 0))]

    marked = replace(small.with_action(mark), variables=variables)
    with pytest.raises(ExplorationError, match=r"gives mark 1, outside its domain 0\.\.0"):
        explore(thawed(marked, small.SETUP))


def test_an_unbounded_variable_that_grows_is_an_error() -> None:
    @action(clauses=("draw.stone",), phases=(toy.Phase.DRAW,))
    def hoard(state: Any) -> None:
        state.banked[0] = state.banked[0] + 100

    grown = replace(small.with_banked(NATURAL), actions=(hoard,))
    with pytest.raises(ExplorationError, match=r"gives banked\[Player 1\] 300, outside its domain 0\.\.255"):
        explore(thawed(grown, small.SETUP))


# -- limits ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(states=1000), "1,000 states"), (Limits(seconds=0), "0 seconds"), (Limits(memory=1000), "1,000 bytes")],
)
def test_a_limit_leaves_an_incomplete_result(limits: Limits, reason: str) -> None:
    result, exploration = explore(thawed(toy.GAME, small.SETUP), small.PROPERTIES, limits, block=50)
    assert not result.complete and not exploration.complete and reason in result.stopped
    assert result.states == sum(result.depth_histogram) < 5476
    assert result.depth_histogram[:-1] == HISTOGRAM[: result.depth]
    assert result.checked <= result.states


def test_an_interrupt_keeps_what_is_known() -> None:
    def interrupt(states: int, frontier: int, depth: int) -> None:
        if depth == 5:
            raise KeyboardInterrupt

    result, _ = explore(thawed(toy.GAME, small.SETUP), small.PROPERTIES, progress=interrupt)
    assert not result.complete and result.stopped == "interrupted"
    assert result.depth_histogram == HISTOGRAM[:7]
    assert result.checked == sum(HISTOGRAM[:6])


def test_progress_is_told() -> None:
    told: list[tuple[int, int, int]] = []
    result, _ = explore(thawed(toy.GAME, small.SETUP), progress=lambda *now: told.append(now), block=100)
    assert [depth for _, _, depth in told] == sorted(depth for _, _, depth in told)
    assert told[-1] == (result.states, 0, result.depth)
    assert max(frontier for _, frontier, _ in told) == 1271 - 100


def test_successors_are_inserted_in_several_batches(monkeypatch: pytest.MonkeyPatch, counted: plain.Counted) -> None:
    sizes: list[int] = []
    blocks: list[int] = []
    insert = search._Search._insert

    def noted(self: Any, batch: Any, start: int) -> None:
        sizes.append(batch.states)
        insert(self, batch, start)

    monkeypatch.setattr(search._Search, "_insert", noted)
    same(explore(thawed(toy.GAME, small.SETUP), progress=lambda *now: blocks.append(1), block=2)[0], counted)
    assert len(sizes) > len(blocks)  # some blocks of two states have more than eight successors
    assert max(sizes) <= 8 + 2
