"""Victory Points, Cleanup and the end of the game, clause by clause, with every reading that speaks of them."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.fiftyfirst.cleanup import beats
from model.fiftyfirst.table import Phase, Zone
from model.fiftyfirst.vocabulary import GOODS, Asset
from properties.playing import Director, Policy
from tests.fiftyfirst.staging import Stage

CARDS = {"Old Depot": 2, "Petrol Station": 1, "Warehouse": 1, "Bunker": 1, "Borgo the Almighty": 1, "Mr. President": 1,
         "Pub": 1, "Punks": 9}  # fmt: skip


def stage_at(phase: Phase, players: int = 2, **more: Any) -> Stage:
    stage = Stage(CARDS, players, **more)
    stage.phase(phase)
    return stage


def finish(stage: Stage) -> Stage:
    """From the last pass to the end of the round."""
    stage.phase(Phase.VICTORY_POINTS)
    stage.do("count_points")
    stage.do("clean_up")
    return stage


# -- counting ------------------------------------------------------------------------------------------------------
def test_the_score_is_counted_anew_from_the_table() -> None:
    """vp.count, vp.tokens: locations, leader, tokens by their face, the base; not what lies under hosts or in hand"""
    stage = stage_at(Phase.VICTORY_POINTS)
    stage.put(Zone.PLAY, "Old Depot", "Petrol Station", "Borgo the Almighty", owner=0)
    stage.put(Zone.SPOILS, "Old Depot #2", owner=0)
    stage.put(Zone.HAND, "Warehouse", owner=0)
    stage.put(Zone.PLAY, "Bunker", owner=1)
    stage.state.base_vp[0], stage.state.base_vp[1] = 4, 1
    stage.state.tokens[stage.card("Petrol Station")] = 3  # of face 2
    stage.state.tokens[stage.card("Borgo the Almighty")] = 5
    stage.state.score[0] = stage.state.score[1] = 20  # of the round before: not added to
    stage.do("count_points")
    assert list(stage.state.score) == [4 + 1 + 1 + 6 + 1 + 5, 1 + 1]
    assert stage.state.phase == Phase.CLEANUP


@pytest.mark.parametrize(("points", "last"), [(29, False), (30, True), (31, True)])
@pytest.mark.parametrize("player", [0, 1])
def test_thirty_points_make_the_round_the_last(points: int, last: bool, player: int) -> None:
    """end.trigger"""
    stage = stage_at(Phase.VICTORY_POINTS)
    stage.state.base_vp[player] = points
    stage.do("count_points")
    assert stage.state.last_round is last and not stage.model.over(stage.state)
    stage.do("clean_up")
    assert stage.model.over(stage.state) is last
    assert stage.state.winner == (player if last else 2)


def test_two_at_thirty_in_one_round() -> None:
    """end.trigger, end.winner: the first to get there has no advantage"""
    for mine, other, winner in [(30, 31, 1), (31, 30, 0), (30, 30, 2)]:
        stage = stage_at(Phase.VICTORY_POINTS)
        stage.state.base_vp[0], stage.state.base_vp[1] = mine, other
        finish(stage)
        assert stage.state.phase == Phase.END and stage.state.winner == winner


# -- Cleanup -------------------------------------------------------------------------------------------------------
def test_cleanup_discards_what_is_left_and_leaves_vp_and_cards() -> None:
    """clean.assets, vp.tokens"""
    stage = stage_at(Phase.CLEANUP)
    stage.put(Zone.PLAY, "Old Depot", "Petrol Station", owner=0)
    stage.put(Zone.DEAL, "Old Depot #2", owner=0)
    for asset in Asset:
        stage.give(0, asset, 2)
        stage.give(1, asset, 1)
    stage.state.on_card[stage.card("Old Depot")][Asset.SCRAP] = 1
    stage.state.tokens[stage.card("Petrol Station")] = 2
    stage.state.base_vp[0] = 7
    zones = list(stage.state.zone)
    stage.do("clean_up")
    assert [sum(row) for row in stage.state.base] == [0, 0]
    assert stage.state.on_card[stage.card("Old Depot")][Asset.SCRAP] == 0
    assert stage.state.tokens[stage.card("Petrol Station")] == 2 and stage.state.base_vp[0] == 7
    assert list(stage.state.zone) == zones


def test_kept_goods_pile_up() -> None:
    """clean.keep, leader.goods"""
    stage = stage_at(Phase.CLEANUP)
    stage.put(Zone.PLAY, "Warehouse", "Borgo the Almighty", owner=0)
    on_card = stage.state.on_card
    on_card[stage.card("Warehouse")][Asset.FUEL] = 2
    on_card[stage.card("Borgo the Almighty")][Asset.GUN] = 2
    stage.do("clean_up")
    assert on_card[stage.card("Warehouse")][Asset.FUEL] == 2
    assert on_card[stage.card("Borgo the Almighty")][Asset.GUN] == 2


@pytest.mark.parametrize(("reading", "left"), [("stay", 1), ("discarded", 0)])
def test_r_combo_clean(reading: str, left: int) -> None:
    """abl.combo, clean.assets"""
    stage = stage_at(Phase.CLEANUP, readings={"R-COMBO-CLEAN": reading})
    stage.put(Zone.PLAY, "Bunker", owner=0)
    stage.state.on_card[stage.card("Bunker")][Asset.FUEL] = 1
    stage.do("clean_up")
    assert stage.state.on_card[stage.card("Bunker")][Asset.FUEL] == left


@pytest.mark.parametrize(("reading", "left"), [("kept", 1), ("discarded", 0)])
def test_r_leader_token(reading: str, left: int) -> None:
    """leader.goods, clean.keep: Mr. President's redevelopment token"""
    stage = stage_at(Phase.CLEANUP, readings={"R-LEADER-TOKEN": reading})
    stage.put(Zone.PLAY, "Mr. President", owner=0)
    stage.state.on_card[stage.card("Mr. President")][Asset.REDEVELOPMENT] = 1
    stage.give(0, Asset.REDEVELOPMENT, 1)
    stage.do("clean_up")
    assert stage.state.on_card[stage.card("Mr. President")][Asset.REDEVELOPMENT] == left
    assert stage.state.base[0][Asset.REDEVELOPMENT] == 0  # on the base it goes in any case


@pytest.mark.parametrize(("reading", "visits"), [("per_round", [0, 0]), ("per_game", [3, 1])])
def test_r_visits(reading: str, visits: list[int]) -> None:
    """act.opponent_limit, clean.markers"""
    stage = stage_at(Phase.CLEANUP, readings={"R-VISITS": reading})
    stage.put(Zone.PLAY, "Old Depot", owner=1)
    stage.state.visits[0], stage.state.visits[1] = 3, 1
    stage.state.visited[stage.card("Old Depot")][0] = True
    stage.do("clean_up")
    assert list(stage.state.visits) == visits
    assert not any(stage.state.visited[stage.card("Old Depot")])


def test_nothing_of_the_round_is_remembered() -> None:
    """clean.payments, clean.markers, act.permanent_once, act.pass"""
    stage = stage_at(Phase.CLEANUP, readings={"R-REDEV-TOKENS": "paid_too"})
    state, card = stage.state, stage.card("Petrol Station")
    stage.put(Zone.PLAY, "Petrol Station", owner=0)
    state.used[card], state.paid[card][Asset.FUEL] = 2, 4
    for player in (0, 1):
        state.passed[player] = state.redeveloped[player] = True
    for contact in range(12):
        state.contact_used[contact] = True
    stage.do("clean_up")
    assert (state.used[card], state.paid[card][Asset.FUEL]) == (0, 0)
    assert not any([*state.passed, *state.redeveloped, *state.contact_used])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_marker_moves_to_the_left(players: int) -> None:
    """clean.first, setup.first"""
    for first in range(players):
        stage = stage_at(Phase.CLEANUP, players)
        stage.phase(Phase.CLEANUP, 0, first)
        stage.do("clean_up")
        left = (first + 1) % players
        assert (stage.state.first, stage.state.player, stage.state.phase) == (left, left, Phase.FIRST_PICK)


# -- the winner ----------------------------------------------------------------------------------------------------
def ending(vp: list[int], hands: list[int], goods: list[int], reading: str = "before_cleanup") -> Any:
    """The winner of a game that ends with these points, cards and unused goods."""
    stage = stage_at(Phase.VICTORY_POINTS, len(vp), readings={"R-TIE": reading})
    for player in range(len(vp)):
        stage.state.base_vp[player] = vp[player]
        stage.hand(player, hands[player])
        stage.give(player, Asset.SCRAP, goods[player] // 2)
        stage.give(player, Asset.WORKER, goods[player] - goods[player] // 2)
        stage.give(player, Asset.ANY_3, 9 - goods[player])  # contact tokens don't count
    finish(stage)
    return stage.state.winner


def test_ties_are_broken_in_order() -> None:
    """end.winner: VP, cards in hand, goods and workers, nobody"""
    assert ending([31, 30], [0, 5], [0, 9]) == 0
    assert ending([30, 30], [1, 2], [9, 0]) == 1
    assert ending([30, 30], [2, 2], [4, 3]) == 0
    assert ending([30, 30], [2, 2], [4, 4]) == 2
    assert ending([30, 30, 12], [2, 2, 9], [4, 4, 9]) == 3
    assert ending([30, 30, 30], [2, 2, 2], [4, 4, 5]) == 2
    assert ending([30, 30, 30, 29], [2, 2, 3, 9], [4, 4, 0, 9]) == 2
    assert ending([30, 29, 30], [2, 9, 2], [1, 9, 1]) == 3


def test_r_tie() -> None:
    """end.winner: after Cleanup only what is kept can break the tie"""
    assert ending([30, 30], [2, 2], [4, 3], "before_cleanup") == 0
    assert ending([30, 30], [2, 2], [4, 3], "after_cleanup") == 2
    for reading, winner in [("before_cleanup", 0), ("after_cleanup", 1)]:
        stage = stage_at(Phase.VICTORY_POINTS, readings={"R-TIE": reading})
        stage.put(Zone.PLAY, "Warehouse", owner=1)
        stage.state.on_card[stage.card("Warehouse")][Asset.GUN] = 1
        stage.state.base_vp[0], stage.state.base_vp[1] = 30, 29
        stage.give(0, Asset.SCRAP, 3)
        finish(stage)
        assert list(stage.state.leftover) == ([3, 1] if reading == "before_cleanup" else [0, 1])
        assert stage.state.winner == winner


def test_goods_anywhere_count_for_the_tie() -> None:
    """end.winner: in storage, on leaders, on combos and locations; not those on cards out of play"""
    stage = stage_at(Phase.VICTORY_POINTS)
    stage.put(Zone.PLAY, "Warehouse", "Borgo the Almighty", "Bunker", "Old Depot", owner=0)
    stage.state.base_vp[0] = 26
    stage.state.base_vp[1] = 30
    for label, asset in [("Warehouse", Asset.FUEL), ("Borgo the Almighty", Asset.GUN), ("Bunker", Asset.BRICK),
                         ("Old Depot", Asset.SCRAP)]:  # fmt: skip
        stage.state.on_card[stage.card(label)][asset] = 1
    stage.give(1, Asset.UNIVERSAL, 4)
    finish(stage)
    assert list(stage.state.leftover) == [4, 4] and stage.state.winner == 2


SCORES = st.lists(st.tuples(st.integers(28, 31), st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=4)


def ranked(results: list[tuple[int, int, int]]) -> Callable[[int, int], bool]:
    """The rule's own comparison on these results."""
    stage = Stage({"Punks": 2}, len(results))
    for player, (vp, _, left) in enumerate(results):
        stage.state.score[player], stage.state.leftover[player] = vp, left
    hands = [hand for _, hand, _ in results]
    return lambda one, other: bool(beats(stage.state, one, other, hands))


@settings(max_examples=40, deadline=None)
@given(SCORES)
def test_ranking_is_lexicographic_total_and_blind_to_seats(results: list[tuple[int, int, int]]) -> None:
    """end.winner"""
    better = ranked(results)
    for one, other in itertools.product(range(len(results)), repeat=2):
        assert better(one, other) == (results[one] > results[other])
    order = list(reversed(range(len(results))))
    turned = ranked([results[player] for player in order])
    for one, other in itertools.product(range(len(results)), repeat=2):
        assert turned(one, other) == better(order[one], order[other])
    raised = ranked([(results[0][0] + 1, *results[0][1:]), *results[1:]])
    assert all(raised(0, other) or not better(0, other) for other in range(1, len(results)))
    assert not any(raised(other, 0) and not better(other, 0) for other in range(1, len(results)))


@settings(max_examples=30, deadline=None)
@given(SCORES)
def test_the_winner_is_the_only_best_or_nobody(results: list[tuple[int, int, int]]) -> None:
    """end.winner: no winner exactly when the best two agree in all three"""
    if max(vp for vp, _, _ in results) < 30:
        return
    winner = ending([vp for vp, _, _ in results], [hand for _, hand, _ in results], [left for _, _, left in results])
    best = max(results)
    assert winner == (results.index(best) if results.count(best) == 1 else len(results))


# -- whole games ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_have_had_the_same_number_of_everything_when_the_game_ends(players: int) -> None:
    """end.trigger, round.phases, prod.order"""
    stage = Stage({"Old Depot": 2, "Fuel Tank": 2, "Quarry": 2, "Scrap Trader": 2, "Road": 9, "Punks": 9}, players,
                  end_score=5)  # fmt: skip
    chance, director = random.Random(players), Director(Policy())
    taken, reached = Counter[tuple[str, int]](), []
    for _ in range(6000):
        if stage.model.over(stage.state):
            break
        move = director.choose(stage.state, stage.model.legal(stage.state), chance.random)
        if move.action.name in ("pick_card", "pick_nothing", "third_draw", "produce", "pass_turn"):
            taken[move.action.name.replace("nothing", "card"), move.values[0]] += 1
        stage.make(move)
        if move.action.name == "count_points":
            reached.append(max(stage.state.score) >= 5)
    assert stage.state.phase == Phase.END
    rounds = len(reached)
    assert reached == [False] * (rounds - 1) + [True]
    for player in range(players):
        numbers = [taken[name, player] for name in ("pick_card", "third_draw", "produce", "pass_turn")]
        assert numbers == [2 * rounds, rounds, rounds, rounds]
    assert stage.model.legal(stage.state) == []
    assert stage.state.draws == 0


def test_r_empty_end_leads_to_the_end() -> None:
    """R-EMPTY end: the round in which a card is missing is the last, whatever the score"""
    for reading, over in [("skip", False), ("end", True)]:
        stage = Stage({"Punks": 2}, readings={"R-EMPTY": reading}, deal=1)
        stage.settle()
        while stage.state.phase not in (Phase.END, Phase.CLEANUP):
            stage.make(next(iter(stage.model.legal(stage.state))))
        stage.do("clean_up")
        assert stage.model.over(stage.state) is over


def test_every_good_is_counted_as_good() -> None:
    """end.winner"""
    for asset in (*GOODS, Asset.WORKER):
        stage = stage_at(Phase.VICTORY_POINTS)
        stage.state.base_vp[0] = stage.state.base_vp[1] = 30
        stage.give(1, asset, 1)
        assert finish(stage).state.winner == 1
