"""What workers do, turns and passing: own action locations, theft, visits, trade; and the discard action."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.fiftyfirst.deck import Deck
from model.fiftyfirst.table import Pending, Phase, Zone, named
from model.fiftyfirst.vocabulary import Ability, Asset, Cost, Gain
from tests.fiftyfirst.positions import Position, table

GOODS = ("scrap", "fuel", "gun", "brick", "universal")


# -- turns and passing ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_clockwise_past_those_who_have_passed(players: int) -> None:
    """act.turns, act.pass"""
    for first in range(players):
        for out in range(players):
            at = table({"Punks": 1}, players=players, player=first, passed=[out] if out != first else [])
            at.play("pass_turn")
            expected = [(first + step) % players for step in range(1, players)]
            expected = [seat for seat in expected if seat != out or out == first]
            if expected:
                assert (at.state.phase, at.state.player) == (Phase.ACTION, expected[0])
                assert at.refused("pass_turn", player=first) == "act.turns"
            else:
                assert at.state.phase == Phase.VICTORY_POINTS


def test_the_phase_ends_with_the_last_pass_and_the_last_player_acts_on_alone() -> None:
    """act.turns, act.pass"""
    at = table({"Punks": 1}, players=3, base={1: {"worker": 4}}, passed=[0, 2], player=1)
    for _ in range(2):
        at.play("trade", goods={"gun": 1})
        assert (at.state.phase, at.state.player) == (Phase.ACTION, 1)
    at.play("pass_turn")
    assert at.state.phase == Phase.VICTORY_POINTS and all(at.state.passed)


def test_an_action_waits_for_the_cards_of_the_one_before() -> None:
    """act.turns, setup.piles"""
    at = table({"Punks": 3}, hands={0: ["Punks", "Punks #2"]}, base={1: {"worker": 2}})
    at.play("discard_and_draw")
    assert at.state.player == 1 and at.names() == {"draw"}
    at.draw_all()
    assert "trade" in at.names() and at.where("Punks #3") == (Zone.HAND, 0)


# -- discard two, draw one -----------------------------------------------------------------------------------------
def test_discard_two_draw_one() -> None:
    """act.discard_draw: exactly two, of the own hand"""
    at = table({"Punks": 4}, hands={0: ["Punks", "Punks #2", "Punks #3"], 1: ["Punks #4"]})
    for cards in ([], ["Punks"], ["Punks", "Punks #2", "Punks #3"], ["Punks", "Punks #4"]):
        assert at.refused("discard_and_draw", cards=cards) == "act.discard_draw"
    at.play("discard_and_draw", cards=["Punks", "Punks #3"])
    assert at.state.draws == 1 and at.size(Zone.DISCARD) == 2
    assert not table({"Punks": 2}, hands={0: ["Punks"]}).legal("discard_and_draw")


# -- own action locations ------------------------------------------------------------------------------------------
def trader(**more: Any) -> Position:
    """A trader that takes a scrap for a VP token, workers and scrap at hand."""
    settings = {"base": {0: {"worker": 6, "scrap": 6}}, **more}
    return table({"Scrap Trader": 1, "Old Depot": 1}, in_play={0: ["Scrap Trader"]}, **settings)


def test_a_worker_and_the_price_give_the_token_on_the_card() -> None:
    """act.worker"""
    at = trader()
    at.play("use_location", card="Scrap Trader")
    assert at.has(0) == {"worker": 5, "scrap": 5} and at.vp("Scrap Trader") == 1
    assert at.state.base_vp[0] == 0 and at.state.player == 1


@pytest.mark.parametrize(("card", "printed"), [("Road Vehicles", 1), ("Barracks", 2)])
def test_workers_of_the_first_and_the_second_use(card: str, printed: int) -> None:
    """act.worker, act.worker_second: one, then two; two, then three; no third use"""
    at = table({card: 1}, in_play={0: [card]}, base={0: {"worker": 9, "scrap": 9}})
    scrap = {"scrap": 1} if card == "Road Vehicles" else {}
    for used, needed in ((0, printed), (1, printed + 1), (2, None)):
        for sent in range(5):
            clause = at.refused("use_location", card=card, workers={"worker": sent} if sent else {}, price=scrap)
            if needed is None:
                assert clause == ("act.worker_second" if sent <= printed + 1 else "act.worker")
            elif sent == needed:
                assert clause is None
            else:
                assert clause in ("act.worker", "act.worker_second")
        if needed:
            at.play("use_location", card=card)
            assert at.state.used[at.card(card)] == used + 1
            at.turn(0)
    assert at.has(0)["worker"] == 9 - printed - (printed + 1) and not at.legal("use_location")
    at.phase(Phase.CLEANUP)
    at.play("clean_up")
    assert at.state.used[at.card(card)] == 0


def test_workers_wherever_they_lie() -> None:
    """act.worker, act.incorporation: a worker that lies on a location"""
    at = trader(base={0: {"scrap": 1}})
    assert not at.legal("use_location")
    at = table({"Scrap Trader": 1, "School": 1}, in_play={0: ["Scrap Trader", "School"]}, base={0: {"scrap": 1}},
               on_card={"School": {"worker": 1}})  # fmt: skip
    at.play("use_location", workers={"worker on School": 1})
    assert at.lying("School") == {}


def test_a_worker_that_pays_is_not_the_worker_that_works() -> None:
    """act.worker: nothing is spent twice"""
    for workers, clause in ((1, "act.worker"), (2, None)):
        at = table({"Archive": 1}, in_play={0: ["Archive"]}, base={0: {"worker": workers}})
        assert at.refused("use_location", card="Archive", workers={"worker": 1}, price={"worker": 1}) == clause
        assert bool(at.legal("use_location")) == (clause is None)


def test_only_own_action_locations_in_play_are_worked() -> None:
    """act.worker, abl.closed"""
    at = table({"Scrap Trader": 3, "Old Depot": 1}, in_play={0: ["Old Depot"], 1: ["Scrap Trader"]},
               hands={0: ["Scrap Trader #2"]}, base={0: {"worker": 3, "scrap": 1}})  # fmt: skip
    for label in ("Old Depot", "Scrap Trader", "Scrap Trader #2"):
        assert at.refused("use_location", card=label, workers={"worker": 1}, price={"scrap": 1}) == "act.worker"


def test_each_copy_has_its_own_uses_and_tokens() -> None:
    """act.worker_second, cap.vp_location"""
    at = table({"Scrap Trader": 2}, in_play={0: ["Scrap Trader", "Scrap Trader #2"]},
               base={0: {"worker": 6, "scrap": 4}})  # fmt: skip
    for label in ("Scrap Trader", "Scrap Trader #2") * 2:
        at.play("use_location", card=label)
        at.turn(0)
    assert at.vp("Scrap Trader") == at.vp("Scrap Trader #2") == 2 and at.has(0) == {}


def test_what_is_made_goes_to_the_base_and_cards_come_from_the_deck() -> None:
    """act.worker, prod.store"""
    at = table({"Watchtower": 1, "Convoy": 1}, in_play={0: ["Watchtower", "Convoy"]},
               base={0: {"worker": 2, "universal": 1, "fuel": 1}})  # fmt: skip
    at.play("use_location", card="Watchtower", price={"universal": 1})
    at.turn(0)
    at.play("use_location", card="Convoy", price={"fuel": 1})
    assert at.has(0) == {"worker": 3, "negotiation:3": 1}


@pytest.mark.parametrize(
    ("card", "cost", "worth"), [("Scrap Trader", {"scrap": 1}, 1), ("Petrol Station", {"fuel": 2}, 2)]
)
def test_three_tokens_and_no_fourth(card: str, cost: dict[str, int], worth: int) -> None:
    """cap.vp_location: 3 or 6 VP"""
    for before, after in ((2, 3), (3, 3)):
        at = table({card: 1}, in_play={0: [card]}, tokens={card: before}, base={0: {"worker": 1, **cost}})
        at.play("use_location")
        assert at.vp(card) == after and at.has(0) == {}
        at.phase(Phase.VICTORY_POINTS)
        at.play("count_points")
        assert at.state.score[0] == 1 + after * worth


def test_r_trigger_cap_for_a_location() -> None:
    """cap.vp_location: a full card worked for VP only; one that also makes something else may be"""
    use = {"workers": {"worker": 1}, "price": {"scrap": 1}}
    for reading, clause in (("lost", None), ("blocked", "cap.vp_location")):
        at = trader(tokens={"Scrap Trader": 3}, readings={"R-TRIGGER-CAP": reading})
        assert at.refused("use_location", card="Scrap Trader", **use) == clause
        at = trader(tokens={"Scrap Trader": 2}, readings={"R-TRIGGER-CAP": reading})
        assert at.refused("use_location", card="Scrap Trader", **use) is None

    def also_a_gun(deck: Deck) -> None:
        deck.gain[deck.label.index("Scrap Trader")][Asset.GUN] = 1

    at = trader(tokens={"Scrap Trader": 3}, readings={"R-TRIGGER-CAP": "blocked"}, printed=also_a_gun)
    assert at.refused("use_location", card="Scrap Trader", **use) is None


def test_r_universal() -> None:
    """act.worker: a printed universal cost paid with another good; the other direction is ruled"""
    for reading, clause in (("any_good", None), ("own_kind", "act.worker")):
        at = table({"Market": 1, "Scrap Trader": 1}, in_play={0: ["Market", "Scrap Trader"]},
                   base={0: {"worker": 1, "gun": 1, "universal": 1}}, readings={"R-UNIVERSAL": reading})  # fmt: skip
        worker = {"workers": {"worker": 1}}
        assert at.refused("use_location", card="Market", **worker, price={"gun": 1}) == clause
        assert at.refused("use_location", card="Market", **worker, price={"universal": 1}) is None
        assert at.refused("use_location", card="Scrap Trader", **worker, price={"universal": 1}) is None
        assert at.refused("use_location", card="Scrap Trader", **worker, price={"gun": 1}) == "act.worker"


# An independent oracle: try every assignment of the paid tokens to the printed icons.
def pays(cost: dict[str, int], paid: dict[str, int], any_good: bool) -> bool:
    """Whether the paid tokens can be laid on the icons of the cost, one each and none left over."""
    icons = [icon for icon, number in cost.items() for _ in range(number)]
    tokens = [token for token, number in paid.items() for _ in range(number)]
    if not icons or not tokens:
        return not icons and not tokens
    first, rest = icons[0], dict(cost)
    rest[first] -= 1
    for token in set(tokens):
        if token in (first, "universal") or (first == "universal" and any_good):
            left = dict(paid)
            left[token] -= 1
            if pays(rest, left, any_good):
                return True
    return False


amounts = st.fixed_dictionaries({good: st.integers(0, 2) for good in GOODS})


@settings(deadline=None)
@given(amounts, amounts, st.sampled_from(["any_good", "own_kind"]))
def test_a_payment_is_offered_exactly_when_it_settles(
    cost: dict[str, int], stock: dict[str, int], reading: str
) -> None:
    """act.worker, R-UNIVERSAL: against brute force over all combinations of tokens"""

    def priced(deck: Deck) -> None:
        deck.cost[deck.label.index("Scrap Trader")][:5] = [cost[good] for good in GOODS]

    at = trader(base={0: {"worker": 1, **stock}}, readings={"R-UNIVERSAL": reading}, printed=priced)
    offered = []
    for move in at.legal("use_location"):
        price = dict.fromkeys(GOODS, 0)
        for (_, asset), amount in move.values[3].items():
            price[named(asset)] += amount
        offered.append(price)
    wanted = [
        dict(zip(GOODS, chosen, strict=True))
        for chosen in product(*[range(stock[good] + 1) for good in GOODS])
        if pays(cost, dict(zip(GOODS, chosen, strict=True)), reading == "any_good")
    ]
    assert sorted(list(price.values()) for price in offered) == sorted(list(price.values()) for price in wanted)


@pytest.mark.parametrize("cost", list(product((0, 1), repeat=4)))
def test_cards_as_a_price_are_what_the_icons_ask_for(cost: tuple[int, ...]) -> None:
    """abl.discard_for, p.10: so many of the hand, spoils, deals, and spoils or deals"""
    hand, spoils, deals, either = cost

    def priced(deck: Deck) -> None:
        deck.cost[deck.label.index("Scrap Trader")][:] = [0] * len(Asset) + list(cost)

    labels = ["Old Depot", *[f"Old Depot #{n}" for n in range(2, 9)]]
    at = table({"Scrap Trader": 1, "Old Depot": 8}, in_play={0: ["Scrap Trader"]}, base={0: {"worker": 1}},
               hands={0: labels[:2], 1: labels[6:]}, spoils={0: labels[2:4]}, deals={0: labels[4:6]},
               printed=priced)  # fmt: skip
    use = {"card": "Scrap Trader", "workers": {"worker": 1}}
    for held, red, blue, foreign in product(range(3), range(3), range(3), range(2)):
        chosen = labels[:held] + labels[2 : 2 + red] + labels[4 : 4 + blue] + labels[6 : 6 + foreign]
        asked = [(hand, spoils + extra, deals + either - extra, 0) for extra in range(either + 1)]
        clause = None if (held, red, blue, foreign) in asked else "abl.discard_for"
        assert at.refused("use_location", **use, discards=chosen) == clause
    assert len(at.legal("use_location")) > 0


def test_a_deal_as_price() -> None:
    """abl.discard_for: a deal in play for 2 VP, which lie on the card"""
    at = table({"Deal Broker": 1, "Old Depot": 2}, in_play={0: ["Deal Broker"]}, deals={0: ["Old Depot"]},
               spoils={0: ["Old Depot #2"]}, base={0: {"worker": 1}}, readings={"R-DROP-DEAL": "gain"})  # fmt: skip
    assert at.refused("use_location", card="Deal Broker", workers={"worker": 1}) == "abl.discard_for"
    at.play("use_location", discards=["Old Depot"])
    assert at.where("Old Depot") == (Zone.DISCARD, 2) and at.vp("Deal Broker") == 1
    assert at.has(0) == {}  # it is discarded for the VP, not dropped to make room


# -- theft ---------------------------------------------------------------------------------------------------------
THIEVES = {"Thieves' Caravan": 1, "Old Depot": 1, "Warehouse": 1, "Bunker": 1, "Tommy the Gun": 1}


def thieves(**more: Any) -> Position:
    """Player 1 can send thieves; player 2 has a scrap on the base and goods on each sort of card."""
    settings: dict[str, Any] = {
        "base": {0: {"worker": 5}, 1: {"scrap": 1, "worker": 1}},
        "on_card": {"Old Depot": {"scrap": 1}, "Warehouse": {"gun": 3}, "Bunker": {"fuel": 1},
                    "Tommy the Gun": {"gun": 2}},
        **more,
    }  # fmt: skip
    return table(THIEVES, in_play={0: ["Thieves' Caravan"], 1: list(THIEVES)[1:]}, **settings)


def booty(at: Position) -> set[str]:
    """From where a good can be stolen."""
    label = at.model.families["source"].label
    return {label[source] for move in at.legal("steal") for source in move.values[6]}


def test_thieves_take_one_good_of_an_opponent() -> None:
    """abl.steal, act.worker: two workers, three the second time, no third"""
    at = thieves()
    send = {"card": "Thieves' Caravan", "victim": 1, "booty": {"scrap": 1}}
    assert at.refused("steal", **send, workers={"worker": 1}) == "act.worker"
    assert at.refused("use_location", card="Thieves' Caravan", workers={"worker": 2}) == "abl.steal"
    at.play("steal", booty={"scrap on the base": 1}, workers={"worker": 2})
    assert at.has(0) == {"worker": 3, "scrap": 1} and at.has(1) == {"worker": 1} and at.state.player == 1
    at.turn(0)
    at.play("steal", booty={"scrap on Old Depot": 1}, workers={"worker": 3})
    assert at.has(0) == {"scrap": 2} and at.lying("Old Depot") == {}
    at.put_tokens(0, worker=3)
    at.turn(0)
    assert at.refused("steal", card="Thieves' Caravan", victim=1, booty={"gun on Tommy the Gun": 1},
                      workers={"worker": 3}) == "act.worker_second"  # fmt: skip


def test_r_steal_from() -> None:
    """abl.steal, abl.store, abl.combo: never from storage or combo"""
    unprotected = {"scrap on the base", "scrap on Old Depot", "gun on Tommy the Gun"}
    assert booty(thieves()) == unprotected
    assert booty(thieves(readings={"R-STEAL-FROM": "leader_safe"})) == unprotected - {"gun on Tommy the Gun"}
    assert booty(thieves(readings={"R-STEAL-FROM": "base_only"})) == {"scrap on the base"}


def test_r_combo_full_for_thieves() -> None:
    """abl.combo: a complete set"""
    full = {"Bunker": {"fuel": 1, "scrap": 1, "brick": 1}}
    lying = {f"{good} on Bunker" for good in full["Bunker"]}
    for reading, found in (("protected", set()), ("open", lying)):
        readings = {"R-COMBO-FULL": reading}
        assert booty(thieves(readings=readings, on_card=full)) == {"scrap on the base"} | found
        assert booty(thieves(readings=readings, on_card={"Bunker": {"fuel": 1, "scrap": 1}})) == {"scrap on the base"}


def test_r_steal_passed() -> None:
    """abl.steal: an opponent who has passed"""
    for reading, clause in (("forbidden", "abl.steal"), ("allowed", None)):
        at = thieves(readings={"R-STEAL-PASSED": reading}, passed=[1])
        send = {"card": "Thieves' Caravan", "victim": 1, "booty": {"scrap": 1}, "workers": {"worker": 2}}
        assert at.refused("steal", **send) == clause


def test_one_cannot_steal_from_oneself_nor_where_nothing_lies() -> None:
    """abl.steal"""
    at = thieves(on_card={}, base={0: {"worker": 5, "scrap": 1}, 1: {"worker": 3}})
    send = {"card": "Thieves' Caravan", "workers": {"worker": 2}, "booty": {"scrap": 1}}
    assert at.refused("steal", **send, victim=0) == "abl.steal"
    assert at.refused("steal", **send, victim=1) == "abl.steal"
    assert at.refused("steal", **{**send, "booty": {"worker": 1}}, victim=1) == "abl.steal"


def test_r_steal_which() -> None:
    """abl.steal: the victim chooses, and the turn goes on from the thief"""
    assert not thieves().legal("send_thieves") and thieves().legal("steal")
    at = thieves(readings={"R-STEAL-WHICH": "victim"}, players=3)
    assert not at.legal("steal")
    at.play("send_thieves", victim=1)
    assert at.names() == {"surrender"} and at.state.pending == Pending.SURRENDER and at.has(0) == {"worker": 3}
    assert at.refused("surrender", victim=2, booty={"scrap": 1}) == "abl.steal"
    assert at.refused("surrender", victim=1, booty={"gun on Warehouse": 1}) == "abl.steal"
    at.play("surrender", booty={"gun on Tommy the Gun": 1})
    assert at.has(0) == {"worker": 3, "gun": 1} and at.lying("Tommy the Gun") == {"gun": 1}
    assert at.state.player == 1 and at.state.pending == Pending.NOTHING
    at = thieves(readings={"R-STEAL-WHICH": "victim"}, on_card={}, base={0: {"worker": 5}})
    assert at.refused("send_thieves", card="Thieves' Caravan", victim=1, workers={"worker": 2}) == "abl.steal"


@pytest.mark.parametrize("reading", ["thief", "victim"])
def test_thieves_with_a_price_are_paid(reading: str) -> None:
    """abl.steal, act.worker: in another deck a theft may cost goods and cards"""

    def priced(deck: Deck) -> None:
        cost = deck.cost[deck.label.index("Thieves' Caravan")]
        cost[Asset.GUN] = cost[Cost.CARD] = 1

    at = thieves(readings={"R-STEAL-WHICH": reading}, printed=priced)
    name = "steal" if reading == "thief" else "send_thieves"
    assert not at.legal(name)
    at.put_tokens(0, gun=1)
    assert not at.legal(name)
    at.put(Zone.HAND, "Old Depot", owner=0)
    at.play(name, **({"booty": {"scrap on the base": 1}} if reading == "thief" else {}))
    assert "gun" not in at.has(0) and at.zone("Old Depot") == Zone.DISCARD


# -- visits --------------------------------------------------------------------------------------------------------
def visitor(**more: Any) -> Position:
    """Player 2 has open production, player 1 workers."""
    settings = {"base": {0: {"worker": 4}}, "in_play": {1: [*DEPOTS, "Scrapyard"]}, **more}
    return table({"Old Depot": 5, "Scrapyard": 1}, **settings)


DEPOTS = ["Old Depot", "Old Depot #2", "Old Depot #3", "Old Depot #4"]
VISIT = {"owner": 1, "worker": {"worker": 1}}


def test_a_visit_takes_what_the_location_makes_and_the_owner_gets_the_worker() -> None:
    """act.opponent: from the pile, not from the location"""
    at = visitor(on_card={"Old Depot": {"scrap": 1}})
    at.play("visit", card="Old Depot")
    assert at.has(0) == {"worker": 3, "scrap": 1} and at.has(1) == {"worker": 1}
    assert at.lying("Old Depot") == {"scrap": 1} and at.state.visited[at.card("Old Depot")][0]
    assert at.state.player == 1


def test_where_one_may_not_go() -> None:
    """abl.closed, act.opponent_passed, act.opponent"""
    at = visitor()
    assert at.refused("visit", card="Old Depot", **VISIT) is None
    assert at.refused("visit", card="Scrapyard", **VISIT) == "abl.closed"
    assert at.refused("visit", card="Old Depot #5", **VISIT) == "abl.closed"  # not in play
    assert at.refused("visit", card="Old Depot", owner=0, worker={"worker": 1}) == "act.opponent_passed"
    assert at.refused("visit", card="Old Depot", owner=1, worker={}) == "act.opponent"
    assert at.refused("visit", card="Old Depot", owner=1, worker={"worker": 2}) == "act.opponent"
    at = visitor(passed=[1])
    assert at.refused("visit", card="Old Depot", **VISIT) == "act.opponent_passed"
    assert not visitor(base={}).legal("visit")


def test_a_location_once_a_round_for_each_visitor() -> None:
    """act.opponent_once"""
    at = visitor(players=3, base={0: {"worker": 2}, 2: {"worker": 1}})
    at.play("visit", card="Old Depot")
    at.turn(0)
    assert at.refused("visit", card="Old Depot", **VISIT) == "act.opponent_once"
    assert at.refused("visit", card="Old Depot #2", **VISIT) is None
    at.turn(2)
    assert at.refused("visit", card="Old Depot", **VISIT) is None
    at.phase(Phase.CLEANUP)
    at.play("clean_up")
    at.phase(Phase.ACTION)
    at.put_tokens(0, worker=1)
    assert at.refused("visit", card="Old Depot", **VISIT) is None


def test_r_visits() -> None:
    """act.opponent_limit: three, and a fourth in the next round or never"""
    for reading, later in (("per_round", None), ("per_game", "act.opponent_limit")):
        at = visitor(readings={"R-VISITS": reading})
        for label in DEPOTS[:3]:
            assert at.refused("visit", card=label, **VISIT) is None
            at.play("visit", card=label)
            at.turn(0)
        assert at.refused("visit", card="Old Depot #4", **VISIT) == "act.opponent_limit"
        at.phase(Phase.CLEANUP)
        at.play("clean_up")
        at.phase(Phase.ACTION)
        at.put_tokens(0, worker=1)
        assert at.refused("visit", card="Old Depot #4", **VISIT) == later


def test_r_visit_worker() -> None:
    """act.opponent: to the owner, or laid on the card"""
    for reading, workers in (("to_owner", {"worker": 1}), ("on_card", {})):
        at = visitor(readings={"R-VISIT-WORKER": reading})
        at.play("visit", card="Old Depot")
        assert at.has(1) == workers and at.has(0) == {"worker": 3, "scrap": 1}


def test_r_at_once_for_visits() -> None:
    """act.opponent: workers, contact tokens, cards and VP of the location; VP lie on the visitor's base"""

    def makes_all(deck: Deck) -> None:
        gain = deck.gain[deck.label.index("Old Depot")]
        gain[Asset.WORKER] = gain[Asset.CONQUEST_1] = gain[Gain.CARD] = gain[Gain.VP] = 1

    for reading, more, vp in (("everything", {"worker": 4, "conquest:1": 1}, 1), ("goods_only", {"worker": 3}, 0)):
        at = visitor(readings={"R-AT-ONCE": reading}, printed=makes_all)
        at.play("visit", card="Old Depot")
        assert at.has(0) == {"scrap": 1, **more}
        assert at.state.base_vp[0] == vp and at.state.draws == vp and at.vp("Old Depot") == 0
        assert at.state.drawer == (0 if vp else 2)


def test_once_cards_give_a_visitor_nothing_and_are_not_visited() -> None:
    """abl.once"""

    def once(deck: Deck) -> None:
        deck.ability[deck.label.index("Old Depot")] = Ability.ONCE

    assert visitor(printed=once).refused("visit", card="Old Depot", **VISIT) == "abl.once"


# -- trade ---------------------------------------------------------------------------------------------------------
def test_two_workers_for_a_basic_good() -> None:
    """act.trade: no universal good"""
    at = table({"Punks": 1}, base={0: {"worker": 3}})
    assert {at.model.families["good"].label[good] for move in at.legal("trade") for good in move.values[1]} == {
        "scrap", "fuel", "gun", "brick",
    }  # fmt: skip
    assert at.refused("trade", goods={}, workers={}) == "act.trade"
    for workers, clause in ((1, "act.trade"), (2, None), (3, "act.trade")):
        assert at.refused("trade", goods={"gun": 1}, workers={"worker": workers}) == clause
    at.play("trade", goods={"gun": 1})
    assert at.has(0) == {"worker": 1, "gun": 1} and at.state.player == 1


def test_r_trade() -> None:
    """act.trade: one, or any number of pairs, with no bound but one's workers"""
    for reading, clause in (("one", "act.trade"), ("several", None)):
        at = table({"Punks": 1}, base={0: {"worker": 20}}, readings={"R-TRADE": reading})
        for goods in ({"gun": 2}, {"gun": 1, "fuel": 1}, {"scrap": 10}):
            assert at.refused("trade", goods=goods, workers={"worker": 2 * sum(goods.values())}) == clause
        assert at.refused("trade", goods={"gun": 11}, workers={"worker": 22}) == "act.trade"
        assert at.refused("trade", goods={"gun": 2}, workers={"worker": 3}) == "act.trade"
    at = table({"Punks": 1}, base={0: {"worker": 5}}, readings={"R-TRADE": "several"})
    at.play("trade", goods={"gun": 1, "fuel": 1})
    assert at.has(0) == {"worker": 1, "gun": 1, "fuel": 1}


# -- the pile (R-BANK) -----------------------------------------------------------------------------------------------
def test_r_bank() -> None:
    """comp.unlimited: what the pile lacks is not gained"""
    for reading, workers in (("unlimited", 4), ("box_only", 2)):
        at = table({"Watchtower": 1}, in_play={0: ["Watchtower"]}, readings={"R-BANK": reading},
                   base={0: {"worker": 2, "universal": 1}, 1: {"worker": 13}})  # fmt: skip
        at.play("use_location", price={"universal": 1})
        assert at.has(0) == {"worker": workers}


def test_r_bank_discarded_workers_are_in_the_pile_at_once() -> None:
    """R-BANK box_only, act.trade: they are discarded, not laid on a card"""
    at = table({"School": 1}, in_play={1: ["School"]}, base={0: {"worker": 3}, 1: {"worker": 13}},
               readings={"R-BANK": "box_only"})  # fmt: skip
    at.play("trade", goods={"gun": 1})
    at.turn(0)
    at.play("visit")
    assert at.has(0) == {"gun": 1, "worker": 1} and at.has(1) == {"worker": 14}


@pytest.mark.parametrize("reading", ["to_owner", "on_card"])
def test_r_bank_a_visiting_worker_stays_out_of_the_pile(reading: str) -> None:
    """R-BANK box_only, R-VISIT-WORKER: with the owner or on the card"""
    at = table({"School": 1}, in_play={1: ["School"]}, base={0: {"worker": 1}, 1: {"worker": 15}},
               readings={"R-BANK": "box_only", "R-VISIT-WORKER": reading})  # fmt: skip
    at.play("visit")
    assert at.has(0) == {}
