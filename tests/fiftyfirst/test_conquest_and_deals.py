"""Conquest, negotiation and what lies under hosts: range, contacts and their prices, slots, cashing and dropping."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.fiftyfirst.deck import Deck
from model.fiftyfirst.table import Phase, Zone
from model.fiftyfirst.vocabulary import Asset, Gain
from tests.fiftyfirst.positions import APPALACHIA, GUILD, MUTANTS, NEW_YORK, Position, table


# -- the two actions -----------------------------------------------------------------------------------------------
def test_conquest_lays_the_card_under_the_base_and_gives_nothing() -> None:
    """act.conquest, act.contact_cost, act.permanent_once, act.turns"""
    at = table({"Petrol Station": 1}, seats=(MUTANTS, GUILD), hands={0: ["Petrol Station"]}, base={0: {"gun": 2}})
    at.play("conquest", card="Petrol Station", permanents=["Mutants"], price={"gun": 1}, host="the base")
    assert at.where("Petrol Station") == (Zone.SPOILS, 0)
    assert at.has(0) == {"gun": 1} and at.used("Mutants")
    assert at.state.player == 1


def test_negotiation_lays_the_card_under_the_base_and_gives_nothing() -> None:
    """act.negotiation, faction.guild: distance 3 by the Caravan"""
    at = table({"Petrol Station": 1}, seats=(GUILD, MUTANTS), hands={0: ["Petrol Station"]}, base={0: {"fuel": 1}})
    at.play("negotiation", card="Petrol Station", permanents=["Caravan"], price={"fuel": 1})
    assert at.where("Petrol Station") == (Zone.DEAL, 0)
    assert at.has(0) == {} and at.state.base_vp[0] == 0


@pytest.mark.parametrize("action", ["conquest", "negotiation"])
def test_only_location_cards_of_the_own_hand_can_be_played(action: str) -> None:
    """act.conquest, act.negotiation"""
    at = table({"Old Depot": 3, "Borgo the Almighty": 1}, hands={0: ["Old Depot"], 1: ["Old Depot #2"]},
               base={0: {"any:3": 1}})  # fmt: skip
    assert at.legal(action) == at.legal(action, card="Old Depot", host="the base") != []
    for other in ("Old Depot #2", "Old Depot #3", "Borgo the Almighty"):
        assert at.refused(action, card=other, host="the base", tokens={"any:3": 1}) == "act.range"


@pytest.mark.parametrize("action", ["conquest", "negotiation", "incorporation"])
def test_only_the_player_in_turn_acts_in_the_action_phase(action: str) -> None:
    """act.turns, round.phases"""
    at = table({"Old Depot": 2}, hands={0: ["Old Depot"], 1: ["Old Depot #2"]}, base={1: {"any:3": 1}})
    host = {} if action == "incorporation" else {"host": "the base"}
    assert at.refused(action, player=1, card="Old Depot #2", tokens={"any:3": 1}, **host) == "act.turns"
    at.turn(1)
    assert at.refused(action, player=1, card="Old Depot #2", tokens={"any:3": 1}, **host) is None
    at.phase(Phase.PRODUCTION, 1)
    assert at.refused(action, player=1, card="Old Depot #2", tokens={"any:3": 1}, **host) == "round.phases"


# -- range ---------------------------------------------------------------------------------------------------------
COLOURS = {"conquest": "Punks", "negotiation": "Junk Train", "incorporation": "Road"}


@pytest.mark.parametrize("action", COLOURS)
@pytest.mark.parametrize(
    ("card", "distance"), [("Old Depot", 1), ("Office Block", 2), ("Petrol Station", 3)]
)
def test_the_range_must_reach_the_distance(action: str, card: str, distance: int) -> None:
    """act.range: exactly enough, one more, one short"""
    for reach in (1, 2, 3):
        at = table({card: 1}, hands={0: [card]}, base={0: {f"{action}:{reach}": 1}})
        host = {} if action == "incorporation" else {"host": "the base"}
        clause = at.refused(action, card=card, tokens={f"{action}:{reach}": 1}, **host)
        assert clause == (None if reach >= distance else "act.range")
        assert bool(at.legal(action, card=card)) == (reach >= distance)


@pytest.mark.parametrize("action", COLOURS)
def test_range_of_another_colour_does_not_count(action: str) -> None:
    """act.range: that colour"""
    for other, contact in COLOURS.items():
        at = table({"Old Depot": 1, contact: 1}, seats=(NEW_YORK, GUILD), hands={0: ["Old Depot", contact]})
        at.put_tokens(0, **{f"{other}:3": 1})
        assert bool(at.legal(action, tokens={f"{other}:3": 1})) == (other == action)
        assert bool(at.legal(action, contacts=[contact])) == (other == action)


@pytest.mark.parametrize("action", COLOURS)
def test_universal_tokens_reach_in_every_colour(action: str) -> None:
    """act.range, contact tokens of range 1 and 3"""
    for token, enough in (("any:1", False), ("any:3", True)):
        at = table({"Petrol Station": 1}, hands={0: ["Petrol Station"]}, base={0: {token: 1}})
        assert bool(at.legal(action)) == enough


def test_cards_and_tokens_add_up_and_surplus_is_lost() -> None:
    """act.range, act.single_discard"""
    at = table({"Petrol Station": 1, "Old Depot": 1, "Punks": 2}, seats=(NEW_YORK, GUILD),
               hands={0: ["Petrol Station", "Old Depot", "Punks", "Punks #2"]},
               base={0: {"gun": 1, "conquest:1": 2}})  # fmt: skip
    station = {"card": "Petrol Station", "host": "the base"}
    assert at.refused("conquest", **station, contacts=["Punks"]) == "act.range"
    assert at.refused("conquest", **station, tokens={"conquest:1": 2}) == "act.range"
    assert at.refused("conquest", **station, contacts=["Punks"], tokens={"conquest:1": 1}) is None
    assert at.refused("conquest", **station, permanents=["Police"], tokens={"conquest:1": 1}, price={"gun": 1}) is None
    assert at.refused("conquest", **station, contacts=["Punks", "Punks #2"]) is None  # 4 for 3
    at.play("conquest", card="Old Depot", contacts=["Punks", "Punks #2"], tokens={"conquest:1": 2}, permanents=[])
    assert at.zone("Punks") == at.zone("Punks #2") == Zone.DISCARD
    assert at.has(0) == {"gun": 1}  # nothing is left of the six
    at.turn(0)
    assert at.refused("conquest", **station, tokens={"conquest:1": 2}) == "act.range"
    assert at.refused("conquest", **station, contacts=["Punks"]) == "act.range"


def test_a_contact_works_only_from_the_own_hand() -> None:
    """act.range"""
    at = table({"Old Depot": 1, "Punks": 3}, hands={0: ["Old Depot", "Punks"], 1: ["Punks #2"]})
    assert [at.refused("conquest", card="Old Depot", host="the base", contacts=[contact])
            for contact in ("Punks", "Punks #2", "Punks #3")] == [None, "act.range", "act.range"]  # fmt: skip


def test_a_permanent_contact_is_the_factions_own_and_works_once_a_round() -> None:
    """act.permanent_once, setup.faction"""
    at = table({"Old Depot": 2}, seats=(NEW_YORK, MUTANTS), hands={0: ["Old Depot", "Old Depot #2"]},
               base={0: {"gun": 2}})  # fmt: skip
    mutants = {"permanents": ["Mutants"], "price": {"gun": 1}, "host": "the base"}
    assert at.refused("conquest", card="Old Depot", **mutants) == "act.permanent_once"
    police = {**mutants, "permanents": ["Police"]}
    at.play("conquest", card="Old Depot", permanents=["Police"])
    at.turn(0)
    assert at.refused("conquest", card="Old Depot #2", **police) == "act.permanent_once"
    assert not at.legal("conquest")
    at.phase(Phase.CLEANUP)
    at.play("clean_up")
    at.phase(Phase.ACTION)
    at.put_tokens(0, gun=1)
    assert at.refused("conquest", card="Old Depot #2", **police) is None


def test_a_contact_with_a_price_needs_it_paid_exactly() -> None:
    """act.contact_cost"""
    at = table({"Old Depot": 1}, seats=(NEW_YORK, GUILD), hands={0: ["Old Depot"]},
               base={0: {"fuel": 3, "scrap": 2}})  # fmt: skip
    deal = {"card": "Old Depot", "host": "the base", "permanents": ["Expedition"]}
    assert at.refused("negotiation", **deal) == "act.contact_cost"
    assert at.refused("negotiation", **deal, price={"fuel": 1}) == "act.contact_cost"
    assert at.refused("negotiation", **deal, price={"fuel": 3}) == "act.contact_cost"
    assert at.refused("negotiation", **deal, price={"fuel": 1, "scrap": 1}) == "act.contact_cost"
    assert at.refused("negotiation", **deal, price={"fuel": 2}) is None
    at.put_tokens(0, fuel=1)
    assert not at.legal("negotiation")
    at.put_tokens(0, universal=1)
    assert at.refused("negotiation", **deal, price={"fuel": 1, "universal": 1}) is None


def test_prices_of_several_contacts_are_paid_together() -> None:
    """act.contact_cost: two scrap for one, a fuel for the other"""

    def priced(deck: Deck) -> None:
        deck.distance[deck.label.index("Old Depot")] = 3
        deck.cost[deck.label.index("Road")][Asset.FUEL] = 1

    at = table({"Old Depot": 1, "Road": 1}, seats=(MUTANTS, GUILD), hands={0: ["Old Depot", "Road"]},
               base={0: {"scrap": 3, "fuel": 2}}, printed=priced)  # fmt: skip
    both = {"card": "Old Depot", "permanents": ["Scrap Haulers"], "contacts": ["Road"]}
    assert at.refused("incorporation", **both, price={"scrap": 2, "fuel": 1}) is None
    for wrong in ({"scrap": 1, "fuel": 2}, {"scrap": 3}, {"scrap": 2}, {"fuel": 1}):
        assert at.refused("incorporation", **both, price=wrong) == "act.contact_cost"
    assert at.refused("incorporation", **{**both, "contacts": []}, price={"scrap": 2}) == "act.range"
    at.put_tokens(0, scrap=1)
    assert not at.legal("incorporation")


def test_goods_on_cards_pay_too() -> None:
    """prod.store, leader.goods, act.contact_cost; those in a storage are taken out first"""
    at = table({"Old Depot": 1, "Tommy the Gun": 1, "Warehouse": 1}, seats=(MUTANTS, GUILD), hands={0: ["Old Depot"]},
               in_play={0: ["Tommy the Gun", "Warehouse"]}, on_card={"Warehouse": {"gun": 1}})  # fmt: skip
    shot = {"card": "Old Depot", "host": "the base", "permanents": ["Mutants"]}
    assert not at.legal("conquest")
    assert at.refused("conquest", **shot, price={"gun on Warehouse": 1}) == "act.contact_cost"
    at.state.on_card[at.card("Tommy the Gun")][Asset.GUN] = 2
    at.play("conquest", card="Old Depot", price={"gun on Tommy the Gun": 1})
    assert at.lying("Tommy the Gun") == {"gun": 1}


def rebuilding(hand: list[str]) -> Position:
    return table({"Office Block": 1, "Old Depot": 1, "Petrol Station": 1, "Road": 1, "Punks": 1},
                 seats=(APPALACHIA, GUILD), hands={0: hand}, base={0: {"brick": 1, "worker": 1}})  # fmt: skip


def test_rebuild_takes_a_brick_and_another_card() -> None:
    """act.rebuild_contact"""
    at = rebuilding(["Office Block", "Old Depot", "Petrol Station"])
    rebuild = {"permanents": ["Rebuild"], "price": {"brick": 1}}
    assert at.refused("incorporation", card="Office Block", **rebuild) == "act.rebuild_contact"
    assert at.refused("incorporation", card="Office Block", **rebuild, discards=["Office Block"]) == "act.range"
    assert at.refused("incorporation", card="Office Block", **{**rebuild, "price": {}},
                      discards=["Old Depot"]) == "act.contact_cost"  # fmt: skip
    assert at.refused("incorporation", card="Petrol Station", **rebuild, discards=["Old Depot"]) == "act.range"
    two = ["Old Depot", "Petrol Station"]
    assert at.refused("incorporation", card="Office Block", **rebuild, discards=two) == "act.rebuild_contact"
    at.play("incorporation", card="Office Block", permanents=["Rebuild"], discards=["Old Depot"])
    assert at.zone("Old Depot") == Zone.DISCARD and at.zone("Office Block") == Zone.PLAY
    assert at.has(0) == {"worker": 1}


def test_a_contact_card_does_not_both_reach_and_pay() -> None:
    """act.range, act.rebuild_contact"""
    at = rebuilding(["Petrol Station", "Road"])
    both = {"card": "Petrol Station", "permanents": ["Rebuild"], "contacts": ["Road"], "price": {"brick": 1}}
    assert at.refused("incorporation", **both, discards=["Road"]) == "act.range"
    at.put(Zone.HAND, "Punks", owner=0)
    assert at.refused("incorporation", **both, discards=["Punks"]) is None  # 2 + 2 for 3


def test_r_mutants() -> None:
    """faction.mutants: range 3, or 2 and a token for the third"""
    for reading, alone in (("three", None), ("two", "act.range")):
        at = table({"Petrol Station": 1}, seats=(MUTANTS, GUILD), readings={"R-MUTANTS": reading},
                   hands={0: ["Petrol Station"]}, base={0: {"gun": 1, "conquest:1": 1}})  # fmt: skip
        shot = {"card": "Petrol Station", "host": "the base", "permanents": ["Mutants"], "price": {"gun": 1}}
        assert at.refused("conquest", **shot) == alone
        assert at.refused("conquest", **shot, tokens={"conquest:1": 1}) is None


# -- slots ---------------------------------------------------------------------------------------------------------
def test_three_cards_under_the_base_and_no_fourth() -> None:
    """cap.attach: spoils and deals together, each base of its own"""
    at = table({"Old Depot": 5}, hands={0: ["Old Depot #4"], 1: ["Old Depot #5"]}, spoils={0: ["Old Depot"]},
               deals={0: ["Old Depot #2"]}, base={0: {"any:3": 1}, 1: {"any:3": 1}})  # fmt: skip
    third = {"card": "Old Depot #4", "host": "the base", "tokens": {"any:3": 1}}
    assert at.refused("conquest", **third) is None and at.refused("negotiation", **third) is None
    at.put(Zone.DEAL, "Old Depot #3", owner=0)
    assert at.refused("conquest", **third) == "cap.attach" and at.refused("negotiation", **third) == "cap.attach"
    at.turn(1)
    assert at.refused("conquest", **{**third, "card": "Old Depot #5"}) is None


def test_a_location_with_slots_takes_three_more() -> None:
    """abl.slots, cap.attach"""
    at = table({"Old Depot": 7, "Office Block": 1}, hands={0: ["Old Depot #7"]}, in_play={0: ["Office Block"]},
               spoils={0: ["Old Depot", "Old Depot #2", "Old Depot #3", "Old Depot #4 under Office Block"]},
               deals={0: ["Old Depot #5 under Office Block"]}, base={0: {"any:3": 1}})  # fmt: skip
    under = {"card": "Old Depot #7", "host": "Office Block", "tokens": {"any:3": 1}}
    assert at.refused("conquest", **{**under, "host": "the base"}) == "cap.attach"
    assert at.refused("negotiation", **under) is None
    at.play("conquest", card="Old Depot #7", host="Office Block")
    assert at.state.host[at.card("Old Depot #7")] == at.card("Office Block")
    at.put(Zone.HAND, "Old Depot #6", owner=0)
    at.put_tokens(0, **{"any:3": 1})
    at.turn(0)
    assert at.refused("conquest", **{**under, "card": "Old Depot #6"}) == "cap.attach"


def test_only_own_slots_in_play_are_hosts() -> None:
    """cap.attach, abl.slots"""
    for zone, owner, allowed in ((Zone.PLAY, 0, True), (Zone.PLAY, 1, False), (Zone.HAND, 0, False)):
        at = table({"Old Depot": 1, "Office Block": 1}, hands={0: ["Old Depot"]}, base={0: {"any:3": 1}})
        at.put(zone, "Office Block", owner=owner)
        assert bool(at.legal("conquest", host="Office Block", card="Old Depot")) == allowed


@pytest.mark.parametrize("host", ["Hideout", "Old Slaughterhouse"])
def test_r_slots_kind(host: str) -> None:
    """abl.slots: deals under the hosts that p.8 lists for spoils"""
    for reading, clause in (("by_list", "cap.attach"), ("any_mix", None)):
        at = table({"Old Depot": 1, host: 1}, readings={"R-SLOTS-KIND": reading}, hands={0: ["Old Depot"]},
                   in_play={0: [host]}, base={0: {"any:3": 1}})  # fmt: skip
        under = {"card": "Old Depot", "host": host, "tokens": {"any:3": 1}}
        assert at.refused("negotiation", **under) == clause
        assert at.refused("conquest", **under) is None
        assert at.refused("negotiation", **{**under, "host": "the base"}) is None


# -- cashing spoils and dropping deals -----------------------------------------------------------------------------
def spoils_and_deal(**more: Any) -> Position:
    """Spoils that give two VP, a deal that gives a fuel, in the hands of the player in turn."""
    return table({"Refinery": 1, "Fuel Tank": 1, "Old Depot": 1}, spoils={0: ["Refinery"]}, deals={0: ["Fuel Tank"]},
                 **more)  # fmt: skip


def test_spoils_pay_their_red_part_and_go_and_it_is_no_action() -> None:
    """act.free_slots_any_time, prod.vp: VP on the base"""
    at = spoils_and_deal()
    at.play("cash_spoils", card="Refinery")
    assert at.where("Refinery") == (Zone.DISCARD, 2) and at.state.base_vp[0] == 2
    assert at.state.player == 0  # still in turn
    assert at.refused("cash_spoils", card="Refinery") == "prod.spoils"


def test_spoils_that_give_goods_and_cards() -> None:
    """prod.spoils, setup.piles: cards come from the deck before all else"""
    at = table({"Guardhouse": 1, "Punks": 1}, spoils={0: ["Guardhouse"]})
    at.play("cash_spoils", card="Guardhouse")
    assert at.has(0) == {"conquest:3": 1} and at.names() == {"draw"}
    at.draw_all()
    assert at.where("Punks") == (Zone.HAND, 0)


def test_cashing_frees_a_slot() -> None:
    """act.free_slots_any_time: to make room"""
    at = table({"Old Depot": 4}, spoils={0: ["Old Depot", "Old Depot #2", "Old Depot #3"]}, hands={0: ["Old Depot #4"]},
               base={0: {"any:3": 1}})  # fmt: skip
    assert not at.legal("conquest")
    at.play("cash_spoils", card="Old Depot #2")
    at.play("conquest", card="Old Depot #4")


def test_r_cash() -> None:
    """prod.spoils against act.free_slots_any_time"""
    outcome = {}
    for reading in ("any_time", "production_only", "drop_unpaid"):
        at = spoils_and_deal(readings={"R-CASH": reading})
        acting = at.refused("cash_spoils", card="Refinery"), at.refused("drop_spoils", card="Refinery")
        at.phase(Phase.PRODUCTION)
        producing = at.refused("cash_spoils", card="Refinery"), at.refused("drop_spoils", card="Refinery")
        outcome[reading] = acting, producing
    no = "act.free_slots_any_time"
    assert outcome == {
        "any_time": ((None, no), (None, no)),
        "production_only": ((no, no), (None, no)),
        "drop_unpaid": ((no, None), (None, "prod.spoils")),
    }
    at = spoils_and_deal(readings={"R-CASH": "drop_unpaid"})
    at.play("drop_spoils", card="Refinery")
    assert at.zone("Refinery") == Zone.DISCARD and at.state.base_vp[0] == 0


def test_r_drop_deal() -> None:
    """act.free_slots_any_time: a deal dropped to make room"""
    for reading, tokens in (("no_gain", {}), ("gain", {"fuel": 1})):
        at = spoils_and_deal(readings={"R-DROP-DEAL": reading})
        at.play("drop_deal", card="Fuel Tank")
        assert at.where("Fuel Tank") == (Zone.DISCARD, 2) and at.has(0) == tokens
        assert at.state.player == 0 and not at.legal("drop_deal")


@pytest.mark.parametrize(("reading", "vp"), [("no_cap", 4), ("three", 3)])
def test_a_dropped_deal_brings_no_vp_beyond_its_third_token(reading: str, vp: int) -> None:
    """R-CAP-DEAL three, R-DROP-DEAL gain"""
    def brings_vp(deck: Deck) -> None:
        deck.deal[deck.label.index("Fuel Tank")][Gain.VP] = 1

    at = spoils_and_deal(readings={"R-DROP-DEAL": "gain", "R-CAP-DEAL": reading}, printed=brings_vp)
    for _ in range(3):
        at.phase(Phase.PRODUCTION)
        at.play("produce", player=0)
    at.phase(Phase.ACTION)
    at.play("drop_deal", card="Fuel Tank")
    assert at.state.base_vp[0] == vp


def test_r_any_time_for_spoils_and_deals() -> None:
    """act.free_slots_any_time: in others' turns, after passing, before Cleanup discards"""
    for reading, clause in (("own_turn", "act.free_slots_any_time"), ("always", None)):
        at = spoils_and_deal(readings={"R-ANY-TIME": reading})
        moments = [(Phase.PRODUCTION, 1), (Phase.ACTION, 1), (Phase.VICTORY_POINTS, 0), (Phase.CLEANUP, 0)]
        for phase, player in moments:
            at.phase(phase, player)
            assert at.refused("cash_spoils", player=0, card="Refinery") == clause
            assert at.refused("drop_deal", player=0, card="Fuel Tank") == clause
        for phase in (Phase.PRODUCTION, Phase.ACTION):
            at.phase(phase, 0)
            assert at.refused("cash_spoils", player=0, card="Refinery") is None
            assert at.refused("drop_deal", player=0, card="Fuel Tank") is None
        at.phase(Phase.FIRST_PICK, 0)
        assert at.refused("cash_spoils", player=0, card="Refinery") == "round.phases"


def test_spoils_of_others_are_theirs() -> None:
    """prod.spoils"""
    at = spoils_and_deal(player=1, readings={"R-ANY-TIME": "always"})
    assert at.refused("cash_spoils", player=1, card="Refinery") == "prod.spoils"
    assert at.refused("drop_deal", player=1, card="Fuel Tank") == "prod.deals"


# -- an independent oracle for invariant 10 --------------------------------------------------------------------------
@settings(deadline=None)
@given(
    st.integers(1, 3),
    st.fixed_dictionaries({good: st.integers(0, 2) for good in ("scrap", "fuel", "gun", "brick", "universal")}),
    st.fixed_dictionaries({token: st.integers(0, 1) for token in ("conquest:1", "conquest:2", "any:1")}),
    st.integers(0, 2),
    st.booleans(),
)
def test_conquest_is_possible_exactly_when_the_card_can_be_reached(
    distance: int, goods: dict[str, int], tokens: dict[str, int], punks: int, used: bool
) -> None:
    """act.range, act.contact_cost, act.permanent_once: everything one has must do"""
    at = table({"Old Depot": 1, "Punks": 2}, seats=(NEW_YORK, GUILD), base={0: {**goods, **tokens}},
               printed=lambda deck: deck.distance.__setitem__(deck.label.index("Old Depot"), distance))  # fmt: skip
    at.put(Zone.HAND, "Old Depot", *["Punks", "Punks #2"][:punks], owner=0)
    at.state.contact_used[at.model.families["permanent"].by_label["Police"]] = used
    reach = tokens["conquest:1"] + 2 * tokens["conquest:2"] + tokens["any:1"] + 2 * punks
    if not used and goods["gun"] + goods["universal"] > 0:
        reach += 2  # Police
    assert ("conquest" in at.names()) == (reach >= distance)
