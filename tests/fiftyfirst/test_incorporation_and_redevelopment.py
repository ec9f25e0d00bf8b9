"""Locations coming into play and giving way: incorporation, per-icon features, redevelopment and what lay there."""

from __future__ import annotations

from typing import Any

import pytest

from model.fiftyfirst.deck import Deck
from model.fiftyfirst.table import NOWHERE, Pending, Phase, Zone
from model.fiftyfirst.vocabulary import Ability, Asset, Gain
from properties.agreement import check_agreement
from tests.fiftyfirst.positions import APPALACHIA, GUILD, Position, table


def incorporating(card: str, others: dict[str, int] | None = None, **more: Any) -> Position:
    """A player who can incorporate the card with universal tokens."""
    return table({card: 1, **(others or {})}, hands={0: [card]}, base={0: {"any:3": 3}}, **more)


# -- incorporation -------------------------------------------------------------------------------------------------
def test_incorporation_puts_the_card_into_play_as_a_location() -> None:
    """act.incorporation, vp.count: worth 1 VP; red and blue parts no longer count"""
    at = incorporating("Scrap Trader")
    at.play("incorporation", card="Scrap Trader", tokens={"any:3": 1})
    assert at.where("Scrap Trader") == (Zone.PLAY, 0) and at.state.host[at.card("Scrap Trader")] == NOWHERE
    assert at.has(0) == {"any:3": 2} and at.lying("Scrap Trader") == {} and at.vp("Scrap Trader") == 0
    assert at.refused("cash_spoils", player=1, card="Scrap Trader") == "prod.spoils"
    at.phase(Phase.VICTORY_POINTS)
    at.play("count_points")
    assert list(at.state.score) == [1, 0]


@pytest.mark.parametrize(
    ("card", "goods"),
    [("Old Depot", {"scrap": 1}), ("Locked Armoury", {"gun": 2}), ("Old Parking Lot", {}), ("Scrap Trader", {})],
)
def test_production_locations_come_with_their_goods_on_them(card: str, goods: dict[str, int]) -> None:
    """act.incorporation: open and closed ones, no others"""
    at = incorporating(card, readings={"R-ICON-SELF": "others_only"})
    at.play("incorporation", card=card, tokens={"any:3": 1})
    assert at.lying(card) == goods and at.has(0) == {"any:3": 2}


@pytest.mark.parametrize("reading", ["everything", "goods_only"])
def test_r_at_once_when_played(reading: str) -> None:
    """act.incorporation, act.redevelop_vp: workers, contacts, cards, VP of a production location"""

    def makes_all(deck: Deck) -> None:
        gain = deck.gain[deck.label.index("Old Depot")]
        gain[Asset.WORKER] = gain[Asset.CONQUEST_1] = gain[Gain.CARD] = gain[Gain.VP] = 1
        deck.token[deck.label.index("Old Depot")] = 1

    for action in ("incorporation", "redevelop"):
        at = incorporating("Old Depot", {"Scrapyard": 1}, readings={"R-AT-ONCE": reading}, printed=makes_all)
        at.put(Zone.PLAY, "Scrapyard", owner=0)
        at.put_tokens(0, brick=1)
        at.play(action, **{"card" if action == "incorporation" else "new": "Old Depot"})
        everything = reading == "everything"
        assert at.lying("Old Depot") == ({"scrap": 1, "worker": 1, "conquest:1": 1} if everything else {"scrap": 1})
        assert at.vp("Old Depot") == at.state.draws == int(everything)


@pytest.mark.parametrize("reading", ["on_location", "on_base"])
def test_r_prod_vp_when_played(reading: str) -> None:
    """prod.vp: a production location that makes VP"""

    def makes_vp(deck: Deck) -> None:
        deck.gain[deck.label.index("Old Depot")][Gain.VP] = deck.token[deck.label.index("Old Depot")] = 2

    at = incorporating("Old Depot", readings={"R-PROD-VP": reading}, printed=makes_vp)
    at.play("incorporation", card="Old Depot")
    assert (at.vp("Old Depot"), at.state.base_vp[0]) == ((1, 0) if reading == "on_location" else (0, 2))
    at.phase(Phase.VICTORY_POINTS)
    at.play("count_points")
    assert at.state.score[0] == 3


@pytest.mark.parametrize("card", ["Old Depot", "Old Parking Lot"])
@pytest.mark.parametrize("reading", ["everything", "goods_only"])
def test_a_once_card_gives_all_when_it_is_played_and_nothing_later(card: str, reading: str) -> None:
    """abl.once: whatever kind of location it is, and whatever R-AT-ONCE says"""

    def once(deck: Deck) -> None:
        number = deck.label.index(card)
        deck.ability[number], deck.counts_icon[number] = Ability.ONCE, [0] * 9
        deck.gain[number][Asset.SCRAP] = deck.gain[number][Asset.WORKER] = 2

    at = incorporating(card, printed=once, readings={"R-AT-ONCE": reading})
    at.play("incorporation", card=card)
    assert at.lying(card) == {"scrap": 2, "worker": 2}
    at.put_tokens(1, worker=1)
    assert at.refused("visit", player=1, owner=0, card=card, worker={"worker": 1}) in ("abl.once", "abl.closed")
    at.phase(Phase.PRODUCTION)
    at.play("produce")
    assert at.has(0) == {"any:3": 2, "scrap": 1, "worker": 3}


# -- per-icon features ---------------------------------------------------------------------------------------------
def parking(**more: Any) -> Position:
    """A scrap-counting feature in play beside two scrap cards (one is the opponent's), a third one in hand."""
    cards = {"Old Parking Lot": 1, "Old Depot": 3, "Quarry": 1, "Scrap Trader": 1}
    return table(cards, hands={0: ["Old Depot #3", "Quarry"]}, base={0: {"any:3": 3}},
                 in_play={0: ["Old Parking Lot", "Old Depot"], 1: ["Old Depot #2"]}, **more)  # fmt: skip


def test_a_feature_gives_for_each_card_of_its_type_played_later() -> None:
    """abl.per_icon: own cards, of that type"""
    at = parking()
    at.play("incorporation", card="Quarry", tokens={"any:3": 1})
    assert at.has(0) == {"any:3": 2}
    at.turn(0)
    at.play("incorporation", card="Old Depot #3", tokens={"any:3": 1})
    assert at.has(0) == {"any:3": 1, "scrap": 1}
    assert at.has(1) == {}


def test_a_new_feature_gives_at_once_for_what_lies_there() -> None:
    """abl.per_icon: R-ICON-PAY when_played, R-ICON-SELF"""
    for reading, scrap in (("self_counts", 2), ("others_only", 1)):
        at = incorporating("Old Parking Lot", {"Old Depot": 3}, readings={"R-ICON-SELF": reading})
        at.put(Zone.PLAY, "Old Depot", owner=0)
        at.put(Zone.PLAY, "Old Depot #2", owner=1)
        at.put(Zone.SPOILS, "Old Depot #3", owner=0)
        at.play("incorporation", card="Old Parking Lot", tokens={"any:3": 1})
        assert at.has(0) == {"any:3": 2, "scrap": scrap}


def test_r_icon_pay() -> None:
    """abl.per_icon: when a card is played, or in each Production"""
    for reading, now, later in (("when_played", 1, 0), ("each_production", 0, 3)):
        at = parking(readings={"R-ICON-PAY": reading})
        at.play("incorporation", card="Old Depot #3", tokens={"any:3": 1})
        assert at.has(0).get("scrap", 0) == now
        at.phase(Phase.PRODUCTION)
        at.play("produce")
        made = 1 + 1 + 1  # the base, two depots
        assert at.has(0)["scrap"] == now + made + later


@pytest.mark.parametrize("action", ["conquest", "negotiation"])
def test_r_icon_where(action: str) -> None:
    """abl.per_icon: spoils and deals of the type"""
    for reading, scrap in (("locations", 0), ("attached_too", 1)):
        at = parking(readings={"R-ICON-WHERE": reading})
        at.play(action, card="Old Depot #3", tokens={"any:3": 1})
        assert at.has(0).get("scrap", 0) == scrap
    for reading, scrap in (("locations", 1), ("attached_too", 3)):  # itself; the two cards under the base
        at = incorporating("Old Parking Lot", {"Old Depot": 2}, readings={"R-ICON-WHERE": reading})
        at.put(Zone.SPOILS, "Old Depot", owner=0)
        at.put(Zone.DEAL, "Old Depot #2", owner=0)
        at.play("incorporation", card="Old Parking Lot", tokens={"any:3": 1})
        assert at.has(0)["scrap"] == scrap


def test_cards_under_a_redeveloped_host_are_gone_before_the_new_feature_counts() -> None:
    """R-ATTACHED discarded with R-ICON-WHERE attached_too: they are discarded with the host"""
    for reading, guns in (("discarded", 1), ("moved", 2)):
        at = table({"Hideout": 1, "Arena": 1, "Cutthroats' Dive": 1}, hands={0: ["Arena"]}, in_play={0: ["Hideout"]},
                   spoils={0: ["Cutthroats' Dive under Hideout"]}, base={0: {"brick": 1}},
                   readings={"R-ATTACHED": reading, "R-ICON-WHERE": "attached_too"})  # fmt: skip
        at.play("redevelop", new="Arena")
        assert at.has(0) == {"gun": guns}


def test_a_feature_takes_three_vp_tokens_and_no_more() -> None:
    """abl.per_icon, cap.vp_location"""
    at = incorporating("Refinery", {"Fuel Tank": 5})
    at.put(Zone.PLAY, "Fuel Tank", owner=0)
    at.play("incorporation", card="Refinery", tokens={"any:3": 1})
    assert at.vp("Refinery") == 2
    for label, tokens in (("Fuel Tank #2", 3), ("Fuel Tank #3", 3)):
        at.put(Zone.HAND, label, owner=0)
        at.turn(0)
        at.play("incorporation", card=label, tokens={"any:3": 1})
        assert at.vp("Refinery") == tokens


# -- redevelopment -------------------------------------------------------------------------------------------------
def rebuilding(old: str = "Heavy Gear", new: str = "Scrapyard", base: dict[str, int] | None = None,
               more_cards: dict[str, int] | None = None, **more: Any) -> Position:  # fmt: skip
    """A player with a location in play, another in hand, and a brick."""
    return table({old: 1, new: 1, **(more_cards or {})}, seats=(APPALACHIA, GUILD), hands={0: [new]},
                 in_play={0: [old]}, base={0: base if base is not None else {"brick": 1}}, **more)  # fmt: skip


def test_redevelopment_replaces_one_location_by_another() -> None:
    """act.redevelop, act.redevelop_moves, act.redevelop_vp: the example of p.9"""
    at = rebuilding(on_card={"Heavy Gear": {"incorporation:1": 1}}, tokens={"Heavy Gear": 2})
    at.play("redevelop", old="Heavy Gear", new="Scrapyard", means={"brick": 1})
    assert at.where("Heavy Gear") == (Zone.DISCARD, 2) and at.where("Scrapyard") == (Zone.PLAY, 0)
    assert at.vp("Heavy Gear") == 0 and at.state.base_vp[0] == 2 + 1
    assert at.lying("Scrapyard") == {"scrap": 1} and at.has(0) == {"incorporation:1": 1}
    assert at.state.player == 1


def test_distance_does_not_matter_but_a_type_in_common_does() -> None:
    """act.redevelop"""
    assert rebuilding("Fuel Tank", "Petrol Station").refused("redevelop", old="Fuel Tank", new="Petrol Station",
                                                             means={"brick": 1}) is None  # fmt: skip
    assert rebuilding("Quarry", "Petrol Station").refused("redevelop", old="Quarry", new="Petrol Station",
                                                          means={"brick": 1}) == "act.redevelop"  # fmt: skip


def test_the_universal_icon_matches_only_itself() -> None:
    """abl.universal_type"""
    for new, clause in (("Scrapyard", None), ("Locked Pump", "act.redevelop")):  # Warehouse is universal only
        at = rebuilding("Warehouse", new)
        assert at.refused("redevelop", old="Warehouse", new=new, means={"brick": 1}) == clause


def test_only_own_locations_give_way_to_a_card_of_the_own_hand() -> None:
    """act.redevelop"""
    at = rebuilding(more_cards={"Old Depot": 2})
    at.put(Zone.PLAY, "Old Depot", owner=1)
    swap = {"old": "Heavy Gear", "new": "Scrapyard", "means": {"brick": 1}}
    assert at.refused("redevelop", **swap) is None
    assert at.refused("redevelop", **{**swap, "old": "Old Depot"}) == "act.redevelop"
    assert at.refused("redevelop", **{**swap, "new": "Old Depot #2"}) == "act.redevelop"
    at.turn(1)
    assert at.refused("redevelop", player=0, **swap) == "act.turns"


def test_it_costs_exactly_one_brick_or_universal_good() -> None:
    """act.redevelop"""
    swap = {"old": "Heavy Gear", "new": "Scrapyard"}
    for base, means, clause in (
        ({"brick": 2}, {}, "act.redevelop"),
        ({"brick": 2}, {"brick": 1}, None),
        ({"brick": 2}, {"brick": 2}, "act.redevelop"),
        ({"universal": 1}, {"universal": 1}, None),
        ({"scrap": 1}, {"scrap": 1}, "act.redevelop"),
        ({}, {"brick": 1}, "act.redevelop"),
        ({"redevelopment": 1, "brick": 1}, {"redevelopment": 1, "brick": 1}, "act.redevelop"),
    ):
        assert rebuilding(base=base).refused("redevelop", **swap, means=means) == clause


def test_by_brick_only_once_a_round_by_token_any_number_in_any_order() -> None:
    """act.redevelop"""
    at = rebuilding(base={"brick": 1, "universal": 1, "redevelopment": 2}, more_cards={"Old Depot": 2})
    steps = [("Scrapyard", {"redevelopment": 1}), ("Old Depot", {"brick": 1}), ("Old Depot #2", {"redevelopment": 1})]
    old = "Heavy Gear"
    for new, means in steps:
        at.put(Zone.HAND, new, owner=0)
        at.turn(0)
        at.play("redevelop", old=old, new=new, means=means)
        old = new
    at.put(Zone.HAND, "Heavy Gear", owner=0)
    at.turn(0)
    again = {"old": old, "new": "Heavy Gear"}
    assert at.refused("redevelop", **again, means={"universal": 1}) == "act.redevelop"
    at.put_tokens(0, redevelopment=1)
    assert at.refused("redevelop", **again, means={"redevelopment": 1}) is None
    assert at.state.base_vp[0] == 3
    at.phase(Phase.CLEANUP)
    at.play("clean_up")
    at.phase(Phase.ACTION)
    at.put_tokens(0, brick=1)
    assert at.refused("redevelop", **again, means={"brick": 1}) is None


def test_a_universal_token_ignores_types_a_plain_one_does_not() -> None:
    """act.redevelop, R-REDEV-ICON token"""
    at = rebuilding("Quarry", "Petrol Station", {"redevelopment": 1, "universal redevelopment": 1})
    swap = {"old": "Quarry", "new": "Petrol Station"}
    assert at.refused("redevelop", **swap, means={"redevelopment": 1}) == "act.redevelop"
    at.play("redevelop", **swap, means={"universal redevelopment": 1})
    assert at.has(0) == {"redevelopment": 1} and not at.state.redeveloped[0]


def test_the_brick_may_lie_on_the_location_that_goes_and_the_token_on_the_leader() -> None:
    """act.redevelop, leader.goods"""
    at = rebuilding("Quarry", "Brickyard", {}, {"Mr. President": 1}, on_card={"Quarry": {"brick": 1}},
                    readings={"R-ICON-SELF": "others_only"})  # fmt: skip
    at.play("redevelop", means={"brick on Quarry": 1})
    assert at.has(0) == {}
    at = rebuilding("Quarry", "Brickyard", {}, {"Mr. President": 1}, readings={"R-ICON-SELF": "others_only"})
    at.put(Zone.PLAY, "Mr. President", owner=0)
    at.state.on_card[at.card("Mr. President")][Asset.REDEVELOPMENT] = 1
    at.play("redevelop", means={"redevelopment on Mr. President": 1})
    assert at.lying("Mr. President") == {} and at.vp("Mr. President") == 1


def test_r_redev_vp() -> None:
    """act.redevelop_vp, act.leader_replace, vp.redeveloped: the token's face"""
    for reading, vp in (("token_1", 1), ("token_2", 2)):
        at = rebuilding(readings={"R-REDEV-VP": reading})
        at.play("redevelop")
        assert at.state.base_vp[0] == vp
        at = table({"Tommy the Gun": 1, "Uncle Hammer": 1}, readings={"R-REDEV-VP": reading}, base={0: {"gun": 1}},
                   hands={0: ["Uncle Hammer"]}, in_play={0: ["Tommy the Gun"]})  # fmt: skip
        at.play("replace_leader")
        assert at.state.base_vp[0] == vp


def test_vp_tokens_of_face_two_keep_their_worth() -> None:
    """act.redevelop_moves, cap.vp_location"""
    at = rebuilding("Petrol Station", "Fuel Tank", tokens={"Petrol Station": 3})
    at.play("redevelop")
    assert at.state.base_vp[0] == 3 * 2 + 1


@pytest.mark.parametrize(
    ("reading", "base"),
    [
        ("unspent", {"scrap": 1, "worker": 1, "conquest:2": 1, "fuel": 1}),
        ("goods_only", {"scrap": 1, "fuel": 1}),
        ("paid_too", {"scrap": 1, "worker": 1, "conquest:2": 1, "fuel": 2}),
    ],
)
def test_r_redev_tokens(reading: str, base: dict[str, int]) -> None:
    """act.redevelop_moves: goods unspent and paid, workers, contact tokens"""

    def makes(deck: Deck) -> None:
        for asset in (Asset.SCRAP, Asset.WORKER, Asset.CONQUEST_2):
            deck.gain[deck.label.index("Old Depot")][asset] = 1

    at = table({"Old Depot": 1, "Oil Trader": 1, "Scrapyard": 1, "Fuel Tank": 1}, readings={"R-REDEV-TOKENS": reading},
               in_play={0: ["Old Depot", "Oil Trader"]}, hands={0: ["Scrapyard", "Fuel Tank"]}, printed=makes,
               base={0: {"worker": 1, "fuel": 2, "redevelopment": 2}},
               on_card={"Old Depot": {"scrap": 1, "worker": 1, "conquest:2": 1}})  # fmt: skip
    at.play("use_location", card="Oil Trader", price={"fuel": 1}, workers={"worker on the base": 1})
    at.turn(0)
    at.play("redevelop", old="Old Depot", new="Scrapyard", means={"redevelopment": 1})
    at.turn(0)
    at.play("redevelop", old="Oil Trader", new="Fuel Tank", means={"redevelopment": 1})
    assert at.has(0) == base


def test_the_new_location_is_unused_and_unvisited() -> None:
    """act.redevelop_moves: uses and markers are of a stay in play"""
    at = rebuilding("Old Depot", "Heavy Gear")
    at.state.used[at.card("Old Depot")], at.state.visited[at.card("Old Depot")][1] = 2, True
    at.state.visits[1] = 1
    at.play("redevelop")
    for label in ("Old Depot", "Heavy Gear"):
        assert not at.state.used[at.card(label)] and not any(at.state.visited[at.card(label)])
    assert at.state.visits[1] == 1


# -- what lay under the old location (R-ATTACHED) --------------------------------------------------------------------
def hosting(new: str, reading: str, under_base: int = 0, **readings: str) -> Position:
    """Spoils and a deal lie under the Office Block, which has just been redeveloped into `new`."""
    cards = {"Hideout": 1, "Arena": 1, "City Hall": 1, "Office Block": 1, "Old Depot": 4, "Fuel Tank": 1}
    at = table(cards, in_play={0: ["Office Block"]}, hands={0: [new]}, base={0: {"universal redevelopment": 1}},
               spoils={0: ["Old Depot under Office Block", *[f"Old Depot #{n + 2}" for n in range(under_base)]]},
               deals={0: ["Fuel Tank under Office Block"]},
               readings={"R-ATTACHED": reading, "R-ICON-PAY": "each_production", **readings})  # fmt: skip
    at.play("redevelop", old="Office Block", new=new)
    return at


def test_r_attached_discarded() -> None:
    """act.redevelop_moves: with the host, even if the new location gives slots"""
    at = hosting("City Hall", "discarded")
    assert at.where("Old Depot") == at.where("Fuel Tank") == (Zone.DISCARD, 2) and at.has(0) == {}
    assert at.state.player == 1


@pytest.mark.parametrize(
    ("new", "slots", "spoils", "deal"),
    [
        ("City Hall", "by_list", Zone.SPOILS, Zone.DEAL),
        ("Hideout", "by_list", Zone.SPOILS, Zone.DISCARD),
        ("Hideout", "any_mix", Zone.SPOILS, Zone.DEAL),
        ("Arena", "by_list", Zone.DISCARD, Zone.DISCARD),
    ],
)
def test_r_attached_stay(new: str, slots: str, spoils: Zone, deal: Zone) -> None:
    """act.redevelop_moves: with the new location, if it gives slots for them"""
    at = hosting(new, "stay", **{"R-SLOTS-KIND": slots})
    assert (at.zone("Old Depot"), at.zone("Fuel Tank")) == (spoils, deal)
    for label in ("Old Depot", "Fuel Tank"):
        gone = at.zone(label) == Zone.DISCARD
        assert at.state.host[at.card(label)] == (NOWHERE if gone else at.card(new))
    assert at.state.player == 1


def test_r_attached_moved() -> None:
    """act.redevelop_moves, cap.attach: to hosts with free slots; only what finds none is discarded"""
    at = hosting("Hideout", "moved", under_base=2)
    assert at.state.pending == Pending.REHOUSE and at.names() == {"rehouse"}
    assert at.refused("rehouse", player=1, card="Old Depot", host="the base") == "act.redevelop_moves"
    assert at.refused("rehouse", card="Fuel Tank", host="Hideout") == "abl.slots"
    assert at.refused("discard_homeless", card="Fuel Tank") == "act.redevelop_moves"  # there is room
    assert at.refused("rehouse", card="Old Depot #2", host="the base") == "act.redevelop_moves"  # has a host
    at.play("rehouse", card="Old Depot", host="the base")
    assert at.refused("rehouse", card="Fuel Tank", host="the base") == "cap.attach"
    assert at.names() == {"discard_homeless"} and at.state.player == 0
    at.play("discard_homeless", card="Fuel Tank")
    assert at.where("Fuel Tank") == (Zone.DISCARD, 2) and at.state.player == 1
    at = hosting("Hideout", "moved", under_base=2)
    at.play("rehouse", card="Old Depot", host="Hideout")
    at.play("rehouse", card="Fuel Tank", host="the base")
    assert at.state.host[at.card("Old Depot")] == at.card("Hideout") and at.state.player == 1


def test_r_attached_changes_nothing_where_no_cards_are_attached() -> None:
    """act.redevelop: nothing waits"""
    for reading in ("discarded", "moved", "stay"):
        at = rebuilding(readings={"R-ATTACHED": reading})
        at.play("redevelop")
        assert at.state.pending == Pending.NOTHING and at.state.player == 1


# -- redevelopment as an ability (R-REDEV-ICON) ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("card", "token"), [("Bulldozer", "universal redevelopment"), ("Builders' Yard", "redevelopment")]
)
def test_r_redev_icon(card: str, token: str) -> None:
    """abl.redevelop, abl.redevelop_universal: a token for later, or now"""
    for reading in ("token", "at_once"):
        at = rebuilding("Quarry", "Brickyard", {"brick": 2, "worker": 1}, {card: 1, "Petrol Station": 1},
                        readings={"R-REDEV-ICON": reading, "R-ICON-PAY": "each_production"})  # fmt: skip
        at.put(Zone.PLAY, card, owner=0)
        at.put(Zone.HAND, "Petrol Station", owner=0)
        at.play("use_location", card=card, price={"brick": 1}, workers={"worker": 1})
        if reading == "token":
            assert at.has(0) == {"brick": 1, token: 1} and at.state.player == 1
            continue
        assert at.has(0) == {"brick": 1} and at.state.player == 0
        assert at.names() == {"redevelop_at_once", "forgo_redevelopment"}
        other = at.refused("redevelop_at_once", old="Quarry", new="Petrol Station")
        assert other == (None if card == "Bulldozer" else "act.redevelop")
        assert at.refused("redevelop_at_once", player=1, old="Quarry", new="Brickyard") == "abl.redevelop"
        at.play("redevelop_at_once", old="Quarry", new="Brickyard")
        assert at.has(0) == {"brick": 1} and not at.state.redeveloped[0] and at.state.base_vp[0] == 1
        assert at.state.player == 1 and at.state.pending == Pending.NOTHING


def test_a_redevelopment_at_once_may_be_left_out() -> None:
    """abl.redevelop"""
    at = rebuilding("Builders' Yard", "Brickyard", {"brick": 1, "worker": 1}, readings={"R-REDEV-ICON": "at_once"})
    at.play("use_location")
    at.play("forgo_redevelopment")
    assert at.state.player == 1 and at.zone("Builders' Yard") == Zone.PLAY and at.state.base_vp[0] == 0


@pytest.mark.parametrize("redev", ["unspent", "goods_only", "paid_too"])
def test_r_bank_what_was_paid_on_the_old_location_is_in_the_pile_again_or_on_the_base(redev: str) -> None:
    """R-BANK box_only with R-REDEV-TOKENS, setup.piles: it does not lie on a discarded card until Cleanup"""
    at = rebuilding("Scrap Trader", "Scrapyard", {"scrap": 39, "worker": 1, "redevelopment": 1},
                    readings={"R-BANK": "box_only", "R-REDEV-TOKENS": redev})  # fmt: skip
    at.play("use_location", price={"scrap": 1})
    at.turn(0)
    at.play("redevelop", means={"redevelopment": 1})
    assert at.lying("Scrapyard") == ({} if redev == "paid_too" else {"scrap": 1})
    assert at.has(0) == {"scrap": 39 if redev == "paid_too" else 38}


def test_r_bank_a_location_comes_without_what_the_pile_lacks() -> None:
    """R-BANK: act.incorporation"""
    for reading, guns in (("unlimited", {"gun": 2}), ("box_only", {"gun": 1})):
        at = incorporating("Locked Armoury", readings={"R-BANK": reading})
        at.put_tokens(1, scrap=38)
        at.play("incorporation", card="Locked Armoury")
        assert at.lying("Locked Armoury") == guns


# -- plain and symbolic runs say the same ------------------------------------------------------------------------------
@pytest.mark.parametrize("attached", ["discarded", "moved", "stay"])
@pytest.mark.parametrize("where", ["locations", "attached_too"])
@pytest.mark.parametrize("bank", ["unlimited", "box_only"])
def test_traced_redevelopment_agrees(attached: str, where: str, bank: str) -> None:
    """what a shortcut leaves out must change nothing"""
    at = table({"Hideout": 1, "Arena": 1, "Cutthroats' Dive": 2, "Uncle Hammer": 1}, hands={0: ["Arena"]},
               in_play={0: ["Hideout", "Uncle Hammer"]}, base={0: {"brick": 1}},
               spoils={0: ["Cutthroats' Dive under Hideout"]},
               readings={"R-ATTACHED": attached, "R-ICON-WHERE": where, "R-BANK": bank,
                         "R-REDEV-TOKENS": "paid_too"})  # fmt: skip
    for move in at.legal("redevelop"):
        assert check_agreement(at.model, at.state, move)
