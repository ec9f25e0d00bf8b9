"""Production, clause by clause, with every reading that speaks of it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from model.fiftyfirst.table import Phase, Zone
from model.fiftyfirst.vocabulary import Ability, Asset, Gain
from tests.fiftyfirst.staging import Stage

GOOD_OF_SEAT = (Asset.SCRAP, Asset.FUEL, Asset.BRICK, Asset.GUN)


def stage_of(cards: dict[str, int], **more: Any) -> Stage:
    """A game that stands at the first player's Production."""
    stage = Stage({**cards, "Punks": 9}, **more)
    stage.phase(Phase.PRODUCTION)
    return stage


def tokens(stage: Stage, player: int) -> dict[str, int]:
    """What lies on the player's base."""
    return {asset.name: n for asset, n in zip(Asset, stage.state.base[player], strict=True) if n}


# -- order and base ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_produces_once_clockwise_from_the_first(players: int) -> None:
    """prod.order, prod.base, prod.store, round.phases, faction.ny, .guild, .appalachia, .mutants"""
    for first in range(players):
        stage = stage_of({}, players=players)
        stage.phase(Phase.PRODUCTION, first, first)
        order = []
        while stage.state.phase == Phase.PRODUCTION:
            order.append(stage.state.player)
            assert stage.refusal("produce", (stage.state.player + 1) % players) == "prod.order"
            stage.do("produce")
        assert order == [(first + turn) % players for turn in range(players)]
        assert (stage.state.phase, stage.state.player) == (Phase.ACTION, first)
        for player in range(players):
            assert tokens(stage, player) == {GOOD_OF_SEAT[player].name: 1, "WORKER": 3}


def test_the_base_has_no_maximum() -> None:
    """prod.store, comp.unlimited"""
    stage = stage_of({})
    stage.give(0, Asset.SCRAP, 60)
    stage.give(0, Asset.WORKER, 40)
    stage.do("produce")
    assert tokens(stage, 0) == {"SCRAP": 61, "WORKER": 43}


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_two_players_makes_no_difference(seed: int) -> None:
    """prod.order: production steps commute, cards drawn apart"""
    results = []
    for order in ((0, 1), (1, 0)):
        chance = random.Random(seed)
        stage = Stage(None, 2)
        for card in stage.model.families["location"]:
            zone = chance.choice([Zone.DECK, Zone.PLAY, Zone.PLAY, Zone.DEAL])
            if zone != Zone.DECK:
                stage.put(zone, stage.model.setup.deck.label[card], owner=chance.randrange(2))
        for player in order:
            stage.phase(Phase.PRODUCTION, player, order[0])
            stage.state.draws, stage.state.drawer = 0, 2
            stage.do("produce", f"Player {player + 1}")
        results.append(([list(row) for row in stage.state.base], list(stage.state.base_vp), list(stage.state.tokens)))
    assert results[0] == results[1]


# -- deals ---------------------------------------------------------------------------------------------------------
def test_deals_give_their_blue_part_in_every_round_and_not_before() -> None:
    """prod.deals, act.negotiation: nothing at once"""
    stage = stage_of({"Fuel Tank": 1, "Guardhouse": 1, "Pub": 1})
    stage.put(Zone.DEAL, "Fuel Tank", "Guardhouse", owner=0)
    stage.put(Zone.DEAL, "Pub", owner=1)
    for rounds in (1, 2):
        stage.phase(Phase.PRODUCTION)
        stage.do("produce")
        assert stage.state.draws == 0  # the other player's deal gives no card here
        assert tokens(stage, 0) == {"SCRAP": rounds, "FUEL": rounds, "WORKER": 3 * rounds, "CONQUEST_1": rounds}
    stage.do("produce", "Player 2")
    stage.draw_all()
    assert stage.size(Zone.HAND, 1) == 1 and not stage.state.limited


def test_a_deal_under_a_location_pays_too_and_its_vp_lie_on_the_base() -> None:
    """prod.deals, prod.vp: under whatever host"""
    stage = stage_of({"Office Block": 1, "Fuel Tank": 1})
    card = stage.card("Fuel Tank")
    stage.model.setup.deck.deal[card][Gain.VP] = 2
    stage.put(Zone.PLAY, "Office Block", owner=0)
    stage.put(Zone.DEAL, "Fuel Tank", owner=0, host="Office Block")
    stage.do("produce")
    assert stage.state.base_vp[0] == 2 and list(stage.state.tokens) == [0] * len(stage.state.tokens)
    assert tokens(stage, 0) == {"SCRAP": 1, "FUEL": 1, "WORKER": 3}


def test_r_cap_deal() -> None:
    """prod.vp: a deal that brings VP, round after round"""
    for reading, vp in [("no_cap", [1, 2, 3, 4, 5]), ("three", [1, 2, 3, 3, 3])]:
        stage = stage_of({"Fuel Tank": 1}, readings={"R-CAP-DEAL": reading})
        stage.model.setup.deck.deal[stage.card("Fuel Tank")][Gain.VP] = 1
        stage.put(Zone.DEAL, "Fuel Tank", owner=0)
        seen = []
        for _ in vp:
            stage.phase(Phase.PRODUCTION)
            stage.do("produce")
            seen.append(stage.state.base_vp[0])
        assert seen == vp
        assert stage.state.base[0][Asset.FUEL] == 5  # goods go on


def test_a_deal_that_has_left_starts_afresh_when_it_comes_back() -> None:
    """R-CAP-DEAL three: however it left, here as a price (Deal Broker)"""
    stage = stage_of({"Fuel Tank": 1, "Deal Broker": 1}, readings={"R-CAP-DEAL": "three"})
    stage.model.setup.deck.deal[stage.card("Fuel Tank")][Gain.VP] = 1
    stage.put(Zone.PLAY, "Deal Broker", owner=0)
    stage.put(Zone.DEAL, "Fuel Tank", owner=0)
    for _ in range(3):
        stage.phase(Phase.PRODUCTION)
        stage.do("produce")
    assert stage.state.given[stage.card("Fuel Tank")] == 3
    stage.phase(Phase.ACTION)
    stage.do("use_location", "Fuel Tank")
    assert stage.where("Fuel Tank") == (Zone.DISCARD, 2)
    assert stage.state.given[stage.card("Fuel Tank")] == 0


# -- spoils --------------------------------------------------------------------------------------------------------
def test_any_number_of_spoils_may_be_cashed_for_their_red_part() -> None:
    """prod.spoils, prod.vp: goods, cards and VP, all on the base"""
    stage = stage_of({"Old Depot": 1, "Scrap Trader": 1, "City Hall": 1, "Road": 1})
    stage.put(Zone.SPOILS, "Old Depot", "Scrap Trader", "City Hall", owner=0)
    assert len(stage.options("cash_spoils")) == 3
    stage.do("cash_spoils", "Old Depot")
    stage.do("cash_spoils", "City Hall")
    assert tokens(stage, 0) == {"SCRAP": 2} and stage.state.base_vp[0] == 2
    stage.do("cash_spoils", "Scrap Trader")
    assert stage.names() == {"draw"}  # the card comes before all else
    stage.draw_all()
    assert tokens(stage, 0) == {"SCRAP": 5} and stage.size(Zone.HAND, 0) == 1
    assert stage.size(Zone.SPOILS) == 0 and stage.size(Zone.DISCARD) == 3
    stage.do("produce")
    assert tokens(stage, 0) == {"SCRAP": 6, "WORKER": 3}  # nothing is given for spoils that are kept or gone


def test_spoils_are_kept_if_the_player_wants_and_are_the_players_own() -> None:
    """prod.spoils"""
    stage = stage_of({"Old Depot": 2})
    stage.put(Zone.SPOILS, "Old Depot", owner=0)
    stage.put(Zone.SPOILS, "Old Depot #2", owner=1)
    assert stage.refusal("cash_spoils", 0, stage.card("Old Depot #2")) == "prod.spoils"
    assert stage.refusal("cash_spoils", 1, stage.card("Old Depot #2")) == "act.free_slots_any_time"
    stage.do("produce")
    assert stage.where("Old Depot") == (Zone.SPOILS, 0) and tokens(stage, 0) == {"SCRAP": 1, "WORKER": 3}


def test_r_cash() -> None:
    """prod.spoils, act.free_slots_any_time: in Production always, in the action phase as the reading says"""
    for reading, free in [("any_time", {"cash_spoils"}), ("production_only", set()), ("drop_unpaid", {"drop_spoils"})]:
        stage = stage_of({"Old Depot": 1}, readings={"R-CASH": reading})
        stage.put(Zone.SPOILS, "Old Depot", owner=0)
        assert stage.names() == {"produce", "cash_spoils"}
        stage.phase(Phase.ACTION)
        assert stage.names() & {"cash_spoils", "drop_spoils"} == free
        for name in free:
            stage.do(name)
            assert stage.where("Old Depot") == (Zone.DISCARD, 2)
            assert tokens(stage, 0) == ({"SCRAP": 2} if reading == "any_time" else {})


# -- locations -----------------------------------------------------------------------------------------------------
def test_open_and_closed_production_gives_every_round_and_nothing_else_does() -> None:
    """prod.locations, abl.feature, abl.once"""
    stage = stage_of({"Old Depot": 1, "Locked Armoury": 1, "Pub": 1, "Scrap Trader": 1, "Warehouse": 1, "Toll Gate": 1})
    labels = ("Old Depot", "Locked Armoury", "Scrap Trader", "Warehouse", "Toll Gate")
    stage.put(Zone.PLAY, *labels, owner=0)
    stage.put(Zone.PLAY, "Pub", owner=1)
    stage.do("produce")
    assert tokens(stage, 0) == {"SCRAP": 2, "GUN": 2, "WORKER": 3}
    assert stage.state.draws == 0 and list(stage.state.tokens) == [0] * len(stage.state.tokens)


def test_a_once_location_gives_nothing_in_production() -> None:
    """abl.once"""
    for ability, scrap in [(Ability.NONE, 2), (Ability.ONCE, 1)]:
        stage = stage_of({"Old Depot": 1})
        stage.model.setup.deck.ability[stage.card("Old Depot")] = ability
        stage.put(Zone.PLAY, "Old Depot", owner=0)
        stage.do("produce")
        assert tokens(stage, 0) == {"SCRAP": scrap, "WORKER": 3}


def test_r_prod_vp() -> None:
    """prod.vp, cap.vp_location: VP of a production location, three tokens at most or on the base"""
    for reading, on_card, on_base in [("on_location", [1, 2, 3, 3], [0] * 4), ("on_base", [0] * 4, [2, 4, 6, 8])]:
        stage = stage_of({"Old Depot": 1}, readings={"R-PROD-VP": reading})
        deck, card = stage.model.setup.deck, stage.card("Old Depot")
        deck.gain[card][Gain.VP], deck.token[card] = 2, 2
        stage.put(Zone.PLAY, "Old Depot", owner=0)
        seen = []
        for _ in on_card:
            stage.phase(Phase.PRODUCTION)
            stage.do("produce")
            seen.append((stage.state.tokens[card], stage.state.base_vp[0]))
        assert seen == list(zip(on_card, on_base, strict=True))


def test_features_that_count_icons_pay_in_production_where_the_reading_says_so() -> None:
    """R-ICON-PAY, abl.per_icon"""
    for reading, scrap in [("when_played", 2), ("each_production", 4)]:
        stage = stage_of({"Old Parking Lot": 1, "Scrapyard": 1}, readings={"R-ICON-PAY": reading})
        stage.put(Zone.PLAY, "Old Parking Lot", "Scrapyard", owner=0)
        stage.do("produce")
        assert stage.state.base[0][Asset.SCRAP] == scrap


# -- the supply ----------------------------------------------------------------------------------------------------
def test_r_bank() -> None:
    """comp.unlimited, comp.tokens: 16 workers, 39 goods, 11 contact and 2 redevelopment tokens"""
    cases = [
        (Asset.WORKER, Asset.WORKER, 15, 1), (Asset.WORKER, Asset.WORKER, 13, 3), (Asset.WORKER, Asset.WORKER, 16, 0),
        (Asset.GUN, Asset.FUEL, 38, 1), (Asset.GUN, Asset.FUEL, 39, 0),
        (Asset.ANY_3, Asset.CONQUEST_1, 10, 1), (Asset.ANY_3, Asset.CONQUEST_1, 11, 0),
        (Asset.UNIVERSAL_REDEVELOPMENT, Asset.REDEVELOPMENT, 1, 1),
        (Asset.UNIVERSAL_REDEVELOPMENT, Asset.REDEVELOPMENT, 2, 0),
    ]  # fmt: skip
    made = {Asset.WORKER: 3, Asset.FUEL: 1, Asset.CONQUEST_1: 1, Asset.REDEVELOPMENT: 1}
    for reading in ("unlimited", "box_only"):
        for held, gained, out, left in cases:
            stage = stage_of({"Guardhouse": 1, "Excavator": 1}, readings={"R-BANK": reading})
            stage.model.setup.deck.deal[stage.card("Guardhouse")][Asset.CONQUEST_1] = 1
            stage.put(Zone.DEAL, "Guardhouse", owner=1)
            stage.put(Zone.PLAY, "Excavator", owner=1)
            stage.give(0, held, out)
            stage.phase(Phase.PRODUCTION, 1, 1)
            before = stage.state.base[1][gained]
            stage.do("produce", "Player 2")
            assert stage.state.base[1][gained] - before == (left if reading == "box_only" else made[gained])


def test_the_second_to_produce_may_find_the_supply_empty() -> None:
    """R-BANK box_only: production does not commute"""
    for first in (0, 1):
        stage = stage_of({}, readings={"R-BANK": "box_only"})
        stage.give(0, Asset.WORKER, 13)
        stage.phase(Phase.PRODUCTION, first, first)
        stage.do("produce")
        stage.do("produce")
        assert stage.state.base[1][Asset.WORKER] == (0 if first == 0 else 3)


def test_tokens_laid_down_as_payment_are_missing_until_cleanup() -> None:
    """R-BANK box_only, clean.payments"""
    stage = stage_of({"Old Depot": 1}, readings={"R-BANK": "box_only"})
    stage.give(0, Asset.SCRAP, 1)
    stage.put(Zone.HAND, "Old Depot")
    stage.phase(Phase.ACTION)
    stage.do("incorporation", "Railway", "1 scrap on the base")
    assert list(stage.state.laid) == [1, 0, 0, 0]
    stage.phase(Phase.CLEANUP)
    stage.do("clean_up")
    assert list(stage.state.laid) == [0, 0, 0, 0]


def test_production_cannot_be_done_twice_nor_in_another_phase() -> None:
    """round.phases, prod.order"""
    stage = stage_of({})
    stage.do("produce")
    assert stage.refusal("produce", 0) == "prod.order"
    stage.phase(Phase.ACTION)
    assert stage.refusal("produce", 0) == "round.phases"
