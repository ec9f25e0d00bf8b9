"""What is no action: storage, combo, and features that turn one thing into another."""

from __future__ import annotations

from typing import Any

import pytest

from model.fiftyfirst.deck import Deck
from model.fiftyfirst.table import Phase, Zone
from model.fiftyfirst.vocabulary import Asset, Cost, Gain
from tests.fiftyfirst.positions import Position, table

MOMENTS = [(Phase.PRODUCTION, 1), (Phase.ACTION, 1), (Phase.VICTORY_POINTS, 0), (Phase.CLEANUP, 0)]


# -- storage -------------------------------------------------------------------------------------------------------
def storing(**more: Any) -> Position:
    settings: dict[str, Any] = {"base": {0: {"gun": 3, "fuel": 1, "worker": 1}}, **more}
    return table({"Warehouse": 1, "Basement": 1, "Old Depot": 1}, in_play={0: ["Warehouse"], 1: ["Basement"]},
                 **settings)  # fmt: skip


def test_three_goods_of_any_kind_and_no_fourth() -> None:
    """abl.store: free, and no action"""
    at = storing()
    for good in ("gun", "fuel", "gun"):
        assert at.refused("store", storage="Warehouse", good={good: 1}) is None
        at.play("store", good={good: 1})
    assert at.lying("Warehouse") == {"gun": 2, "fuel": 1} and at.has(0) == {"gun": 1, "worker": 1}
    assert at.state.player == 0
    assert at.refused("store", storage="Warehouse", good={"gun": 1}) == "abl.store"
    at.play("take_out", good="fuel")
    assert at.lying("Warehouse") == {"gun": 2} and at.has(0) == {"gun": 1, "fuel": 1, "worker": 1}
    assert at.refused("take_out", storage="Warehouse", good="fuel") == "abl.store"
    assert at.refused("store", storage="Warehouse", good={"gun": 1}) is None


def test_only_goods_in_own_storages() -> None:
    """abl.store"""
    at = storing(on_card={"Basement": {"gun": 1}})
    assert at.refused("store", storage="Warehouse", good={"worker": 1}) == "abl.store"
    assert at.refused("store", storage="Warehouse", good={"gun": 2}) == "abl.store"
    assert at.refused("store", storage="Warehouse", good={"brick": 1}) == "abl.store"
    assert at.refused("store", storage="Basement", good={"gun": 1}) == "abl.store"
    assert at.refused("take_out", storage="Basement", good="gun") == "abl.store"


def test_goods_come_from_locations_and_leaders_too() -> None:
    """abl.store, prod.store"""
    at = storing(on_card={"Old Depot": {"scrap": 1}})
    at.put(Zone.PLAY, "Old Depot", owner=0)
    at.play("store", good={"scrap on Old Depot": 1})
    assert at.lying("Warehouse") == {"scrap": 1} and at.lying("Old Depot") == {}


def test_r_any_time_for_storage() -> None:
    """abl.store, R-ANY-TIME"""
    for reading, clause in (("own_turn", "abl.store"), ("always", None)):
        at = storing(readings={"R-ANY-TIME": reading}, on_card={"Warehouse": {"gun": 1}})
        for phase, player in MOMENTS:
            at.phase(phase, player)
            assert at.refused("store", player=0, storage="Warehouse", good={"gun": 1}) == clause
            assert at.refused("take_out", player=0, storage="Warehouse", good="gun") == clause
        for phase in (Phase.PRODUCTION, Phase.ACTION):
            at.phase(phase, 0)
            assert at.refused("store", storage="Warehouse", good={"gun": 1}) is None


# -- combo ---------------------------------------------------------------------------------------------------------
SET = {"fuel": 1, "scrap": 1, "brick": 1}


def bunker(**more: Any) -> Position:
    """A combo of fuel, scrap and brick."""
    settings: dict[str, Any] = {"base": {0: {"fuel": 2, "scrap": 1, "brick": 1, "worker": 1}}, **more}
    return table({"Bunker": 1, "Scrap Trader": 1}, in_play={0: ["Bunker", "Scrap Trader"]}, **settings)


def test_a_complete_set_and_a_worker_make_two_vp() -> None:
    """abl.combo: placing is free, turning in takes a worker"""
    at = bunker()
    for good in SET:
        assert at.refused("use_location", card="Bunker", workers={"worker": 1}) == "abl.combo"
        at.play("place_on_combo", good=good, token={good: 1})
        assert at.state.player == 0
    assert at.lying("Bunker") == SET and at.has(0) == {"fuel": 1, "worker": 1}
    at.play("use_location", card="Bunker")
    assert at.lying("Bunker") == {} and at.vp("Bunker") == 1 and at.has(0) == {"fuel": 1}
    at.phase(Phase.VICTORY_POINTS)
    at.play("count_points")
    assert at.state.score[0] == 2 + 2


def test_only_the_given_goods_each_once() -> None:
    """abl.combo"""
    at = bunker(base={0: {"fuel": 2, "gun": 1, "universal": 1, "scrap": 1}}, on_card={"Bunker": {"fuel": 1}})
    place = {"combo": "Bunker"}
    assert at.refused("place_on_combo", **place, good="fuel", token={"fuel": 1}) == "abl.combo"
    assert at.refused("place_on_combo", **place, good="gun", token={"gun": 1}) == "abl.combo"
    assert at.refused("place_on_combo", **place, good="brick", token={"gun": 1}) == "abl.combo"
    assert at.refused("place_on_combo", **place, good="scrap", token={"scrap": 1}) is None
    assert at.refused("place_on_combo", **place, good="brick", token={"universal": 1}) is None
    at.turn(1)
    assert at.refused("place_on_combo", **place, good="scrap", token={"scrap": 1}) == "abl.combo"


def test_r_combo_full_for_the_owner() -> None:
    """abl.combo: placed goods are bound, until complete or until turned in"""
    use = {"card": "Scrap Trader", "workers": {"worker": 1}, "price": {"scrap on Bunker": 1}}
    for reading, clause in (("protected", "act.worker"), ("open", None)):
        at = bunker(base={0: {"worker": 1}}, on_card={"Bunker": SET}, readings={"R-COMBO-FULL": reading})
        assert at.refused("use_location", **use) == clause
        at = bunker(base={0: {"worker": 1}}, on_card={"Bunker": {"scrap": 1}}, readings={"R-COMBO-FULL": reading})
        assert at.refused("use_location", **use) == "act.worker"


def test_r_combo_clean() -> None:
    """abl.combo against clean.assets"""
    for reading, kept in (("stay", {"fuel": 1}), ("discarded", {})):
        at = bunker(on_card={"Bunker": {"fuel": 1}}, readings={"R-COMBO-CLEAN": reading}, phase=Phase.CLEANUP)
        at.play("clean_up")
        assert at.lying("Bunker") == kept


def test_r_any_time_for_a_combo() -> None:
    """abl.combo, R-ANY-TIME"""
    for reading, clause in (("own_turn", "abl.combo"), ("always", None)):
        at = bunker(readings={"R-ANY-TIME": reading})
        for phase, player in MOMENTS:
            at.phase(phase, player)
            assert at.refused("place_on_combo", player=0, combo="Bunker", good="fuel", token={"fuel": 1}) == clause


def test_r_trigger_cap_for_a_combo() -> None:
    """cap.vp_location: a complete set on a full card is given for nothing, or stays"""
    for reading, clause in (("lost", None), ("blocked", "cap.vp_location")):
        at = bunker(on_card={"Bunker": SET}, tokens={"Bunker": 3}, readings={"R-TRIGGER-CAP": reading})
        assert at.refused("use_location", card="Bunker", workers={"worker": 1}) == clause


def test_redevelopment_frees_what_was_bound() -> None:
    """act.redevelop_moves: p.9 against p.11"""
    at = table({"Bunker": 1, "Market": 1}, in_play={0: ["Bunker"]}, hands={0: ["Market"]}, base={0: {"brick": 1}},
               on_card={"Bunker": {"fuel": 1, "scrap": 1}})  # fmt: skip
    at.play("redevelop")
    assert at.has(0) == {"fuel": 1, "scrap": 1}


# -- discard one thing for another ---------------------------------------------------------------------------------
def toll(**more: Any) -> Position:
    """A feature: a fuel for a negotiation token of range 3."""
    settings: dict[str, Any] = {"base": {0: {"fuel": 2, "scrap": 1}}, **more}
    return table({"Toll Gate": 1, "Fuel Tank": 1, "Punks": 3}, in_play={0: ["Toll Gate"]}, **settings)


GATE = {"card": "Toll Gate", "price": {"fuel": 1}}


def test_a_fuel_for_a_token() -> None:
    """abl.discard_for, abl.feature: no worker"""
    at = toll()
    for price in ({}, {"fuel": 2}, {"scrap": 1}):
        assert at.refused("exchange", card="Toll Gate", price=price) == "abl.discard_for"
    at.play("exchange")
    assert at.has(0) == {"fuel": 1, "scrap": 1, "negotiation:3": 1}
    at.put(Zone.PLAY, "Toll Gate", owner=1)
    assert at.refused("exchange", **GATE) == "abl.discard_for"


def test_r_discard_for() -> None:
    """abl.discard_for: any number free, one as the action, once free"""
    for reading, turn, again in (
        ("free", 0, None), ("action", 1, "abl.discard_for"), ("once", 0, "abl.discard_for"),
    ):  # fmt: skip
        at = toll(readings={"R-DISCARD-FOR": reading})
        at.play("exchange", price={"fuel": 1})
        assert at.state.player == turn
        assert at.refused("exchange", player=0, **GATE) == again
        at.turn(0)
        assert at.refused("exchange", player=0, **GATE) == (again if reading == "once" else None)
        at.phase(Phase.PRODUCTION)
        at.state.used[at.card("Toll Gate")] = 0
        assert at.refused("exchange", **GATE) == ("abl.discard_for" if reading == "action" else None)


def test_once_a_round() -> None:
    """R-DISCARD-FOR once"""
    at = toll(readings={"R-DISCARD-FOR": "once"})
    at.play("exchange")
    at.phase(Phase.CLEANUP)
    at.play("clean_up")
    at.phase(Phase.ACTION)
    at.put_tokens(0, fuel=1)
    assert at.refused("exchange", **GATE) is None


@pytest.mark.parametrize("anytime", ["own_turn", "always"])
@pytest.mark.parametrize("reading", ["free", "action", "once"])
def test_an_exchange_belongs_to_the_own_turn(anytime: str, reading: str) -> None:
    """R-DISCARD-FOR: own turn; R-ANY-TIME is about spoils, deals, storage and combo"""
    at = toll(readings={"R-DISCARD-FOR": reading, "R-ANY-TIME": anytime})
    for phase, player in MOMENTS:
        at.phase(phase, player)
        assert at.refused("exchange", player=0, **GATE) in ("abl.discard_for", "round.phases")


def test_what_is_discarded_does_not_come_back() -> None:
    """abl.discard_for, setup.piles: it goes to the pile, not onto the card (R-REDEV-TOKENS paid_too)"""
    at = toll(readings={"R-REDEV-TOKENS": "paid_too", "R-BANK": "box_only"}, base={0: {"fuel": 1, "brick": 1}})
    at.play("exchange")
    at.put(Zone.HAND, "Fuel Tank", owner=0)
    at.play("redevelop")
    assert at.has(0) == {"negotiation:3": 1}


@pytest.mark.parametrize(("before", "reading", "clause", "after"), [
    (2, "lost", None, 3), (3, "lost", None, 3), (2, "blocked", None, 3), (3, "blocked", "cap.vp_location", 3),
])  # fmt: skip
def test_cards_for_vp_up_to_three_tokens(before: int, reading: str, clause: str | None, after: int) -> None:
    """abl.discard_for, cap.vp_location, R-TRIGGER-CAP: a card of the hand for a VP token on the feature"""

    def card_for_vp(deck: Deck) -> None:
        gate = deck.label.index("Toll Gate")
        deck.cost[gate][Asset.FUEL], deck.cost[gate][Cost.CARD] = 0, 1
        deck.gain[gate][Asset.NEGOTIATION_3], deck.gain[gate][Gain.VP], deck.token[gate] = 0, 1, 1

    at = toll(tokens={"Toll Gate": before}, readings={"R-TRIGGER-CAP": reading}, printed=card_for_vp,
              hands={0: ["Punks", "Punks #2"], 1: ["Punks #3"]})  # fmt: skip
    for wrong in ([], ["Punks", "Punks #2"], ["Punks #3"]):
        assert at.refused("exchange", card="Toll Gate", discards=wrong) == "abl.discard_for"
    assert at.refused("exchange", card="Toll Gate", discards=["Punks"]) == clause
    if clause is None:
        at.play("exchange", discards=["Punks"])
        assert at.vp("Toll Gate") == after and at.zone("Punks") == Zone.DISCARD and at.state.player == 0


def test_features_make_nothing_in_production() -> None:
    """abl.feature, prod.locations"""
    at = table({"Toll Gate": 1, "Old Parking Lot": 1, "Office Block": 1}, phase=Phase.PRODUCTION,
               in_play={0: ["Toll Gate", "Old Parking Lot", "Office Block"]})  # fmt: skip
    at.play("produce")
    assert at.has(0) == {"scrap": 1, "worker": 3}
