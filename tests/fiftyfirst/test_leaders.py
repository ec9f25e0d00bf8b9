"""Leaders: one a player, played free, replaced for a gun; their triggers and caps; Baby Swift."""

from __future__ import annotations

from typing import Any

import pytest

from model.fiftyfirst.table import Phase, Zone
from model.fiftyfirst.vocabulary import Asset
from tests.fiftyfirst.positions import APPALACHIA, GUILD, MUTANTS, Position, table

LEADERS = {"Tommy the Gun": 1, "Uncle Hammer": 1, "Mr. President": 1}


# -- playing and replacing -----------------------------------------------------------------------------------------
def test_the_first_leader_is_free_and_brings_its_goods() -> None:
    """act.leader_play, leader.goods, vp.count"""
    at = table(LEADERS, hands={0: ["Tommy the Gun"]})
    at.play("play_leader", leader="Tommy the Gun")
    assert at.where("Tommy the Gun") == (Zone.PLAY, 0) and at.lying("Tommy the Gun") == {"gun": 2}
    assert at.state.base_vp[0] == 0 and at.state.player == 1
    at.phase(Phase.VICTORY_POINTS)
    at.play("count_points")
    assert list(at.state.score) == [1, 0]


def test_no_second_leader_besides_the_first() -> None:
    """act.leader_one: also not another player's business"""
    at = table(LEADERS, hands={0: ["Tommy the Gun"], 1: ["Uncle Hammer"]}, in_play={0: ["Mr. President"]})
    assert at.refused("play_leader", leader="Tommy the Gun") == "act.leader_one"
    assert at.refused("play_leader", leader="Uncle Hammer") == "act.leader_play"
    at.turn(1)
    assert at.refused("play_leader", leader="Uncle Hammer") is None


def test_replacing_costs_a_gun_and_keeps_what_lay_on_the_old_one() -> None:
    """act.leader_replace, leader.goods, vp.redeveloped"""
    at = table(LEADERS, hands={0: ["Uncle Hammer"]}, in_play={0: ["Tommy the Gun"]}, base={0: {"gun": 1}},
               on_card={"Tommy the Gun": {"gun": 2}}, tokens={"Tommy the Gun": 4})  # fmt: skip
    at.play("replace_leader", old="Tommy the Gun", leader="Uncle Hammer", gun={"gun on the base": 1})
    assert at.where("Tommy the Gun") == (Zone.DISCARD, 2) and at.vp("Tommy the Gun") == 0
    assert at.lying("Tommy the Gun") == {} and at.lying("Uncle Hammer") == {"brick": 2} and at.vp("Uncle Hammer") == 0
    assert at.has(0) == {"gun": 2} and at.state.base_vp[0] == 4 + 1 and at.state.player == 1


@pytest.mark.parametrize(
    ("tokens", "payment", "clause"),
    [
        ({"gun": 1}, {"gun": 1}, None),
        ({"universal": 1}, {"universal": 1}, None),
        ({"gun": 1}, {}, "act.leader_replace"),
        ({"gun": 2}, {"gun": 2}, "act.leader_replace"),
        ({"brick": 1}, {"brick": 1}, "act.leader_replace"),
        ({}, {"gun": 1}, "act.leader_replace"),
    ],
)
def test_the_price_of_replacing(tokens: dict[str, int], payment: dict[str, int], clause: str | None) -> None:
    """act.leader_replace"""
    at = table(LEADERS, hands={0: ["Uncle Hammer"]}, in_play={0: ["Mr. President"]}, base={0: tokens})
    assert at.refused("replace_leader", old="Mr. President", leader="Uncle Hammer", gun=payment) == clause


def test_the_gun_may_lie_on_the_leader_that_goes() -> None:
    """leader.goods"""
    at = table(LEADERS, hands={0: ["Uncle Hammer"]}, in_play={0: ["Tommy the Gun"]},
               on_card={"Tommy the Gun": {"gun": 2}})  # fmt: skip
    at.play("replace_leader", gun={"gun on Tommy the Gun": 1})
    assert at.has(0) == {"gun": 1}


def test_only_an_own_leader_is_replaced_by_one_of_the_own_hand() -> None:
    """act.leader_replace"""
    at = table(LEADERS, hands={0: ["Uncle Hammer"]}, in_play={1: ["Tommy the Gun"]}, base={0: {"gun": 1}})
    swap = {"old": "Tommy the Gun", "leader": "Uncle Hammer", "gun": {"gun": 1}}
    assert at.refused("replace_leader", **swap) == "act.leader_replace"
    assert at.refused("replace_leader", **{**swap, "old": "Uncle Hammer"}) == "act.leader_replace"
    at.put(Zone.PLAY, "Tommy the Gun", owner=0)
    assert at.refused("replace_leader", **{**swap, "leader": "Mr. President"}) == "act.leader_replace"
    assert at.refused("replace_leader", **swap) is None


def test_r_bank_a_leader_comes_without_what_the_pile_lacks() -> None:
    """R-BANK: act.leader_play; the gun paid is in the pile again"""
    for reading, bricks in (("unlimited", {"brick": 2}), ("box_only", {"brick": 1})):
        at = table(LEADERS, hands={0: ["Uncle Hammer"]}, in_play={0: ["Mr. President"]}, readings={"R-BANK": reading},
                   base={0: {"gun": 1, "scrap": 38}})  # fmt: skip
        at.play("replace_leader")
        assert at.lying("Uncle Hammer") == bricks


# -- triggers ------------------------------------------------------------------------------------------------------
TRIGGERS = {
    "Borgo the Almighty": {"conquest"},
    "Greedy Pete": {"negotiation"},
    "Junky Joe": {"incorporation Scrapyard", "redevelop Scrapyard"},
    "Nitro Belle": {"incorporation Fuel Tank"},
    "Tommy the Gun": {"incorporation Arena"},
    "Uncle Hammer": {"incorporation Quarry"},
    "Mr. President": {"redevelop"},
    "Baby Swift": set(),
}
PLAYED = ["Scrapyard", "Fuel Tank", "Arena", "Quarry"]


@pytest.mark.parametrize("leader", TRIGGERS)
def test_each_leader_takes_a_token_for_its_own_events(leader: str) -> None:
    """leader.triggers"""
    seen = set()
    for action in ("conquest", "negotiation", "incorporation", "redevelop"):
        for card in PLAYED if action != "redevelop" else ["Scrapyard"]:
            at = table({leader: 1, "Old Depot": 1, **dict.fromkeys(PLAYED, 1)}, hands={0: [card]},
                       in_play={0: [leader, "Old Depot"]}, base={0: {"any:3": 1, "brick": 1}})  # fmt: skip
            at.play(action, **{"new" if action == "redevelop" else "card": card})
            assert at.vp(leader) in (0, 1)
            if at.vp(leader):
                seen.add(f"{action} {card}")
    general = {event for event in seen if event.split()[0] in TRIGGERS[leader]}
    assert {event.split()[0] for event in general} | (seen - general) == TRIGGERS[leader]
    assert len(general) in (0, 1, len(PLAYED))


def test_a_leader_ignores_what_others_play_and_what_came_before() -> None:
    """leader.triggers: only events after it came into play, of its own player"""
    at = table({"Borgo the Almighty": 1, "Old Depot": 2}, hands={0: ["Borgo the Almighty"], 1: ["Old Depot #2"]},
               spoils={0: ["Old Depot"]}, base={1: {"any:3": 1}})  # fmt: skip
    at.play("play_leader")
    assert at.vp("Borgo the Almighty") == 0
    at.play("conquest")
    assert at.vp("Borgo the Almighty") == 0
    at = table({"Borgo the Almighty": 1, "Old Depot": 1}, hands={0: ["Borgo the Almighty", "Old Depot"]},
               base={0: {"any:3": 1}})  # fmt: skip
    at.play("conquest")
    assert at.vp("Borgo the Almighty") == 0  # still in hand


def test_r_typed_card() -> None:
    """leader.triggers: a scrap card as spoils or deal"""
    for reading, tokens in (("locations", 0), ("any_use", 1)):
        for action, others in (("conquest", tokens), ("negotiation", tokens), ("incorporation", 1)):
            at = table({"Junky Joe": 1, "Old Depot": 1}, hands={0: ["Old Depot"]}, in_play={0: ["Junky Joe"]},
                       base={0: {"any:3": 1}}, readings={"R-TYPED-CARD": reading})  # fmt: skip
            at.play(action)
            assert at.vp("Junky Joe") == others


def test_at_the_cap_the_event_happens_and_the_token_is_lost() -> None:
    """cap.vp_leader: five; a conquest has other fruit under R-TRIGGER-CAP blocked too"""
    for reading in ("lost", "blocked"):
        for before, after in ((4, 5), (5, 5)):
            at = table({"Borgo the Almighty": 1, "Old Depot": 1}, hands={0: ["Old Depot"]},
                       in_play={0: ["Borgo the Almighty"]}, tokens={"Borgo the Almighty": before},
                       base={0: {"any:3": 1}}, readings={"R-TRIGGER-CAP": reading})  # fmt: skip
            at.play("conquest")
            assert at.vp("Borgo the Almighty") == after


# -- Baby Swift ----------------------------------------------------------------------------------------------------
def swift(hand: int, **more: Any) -> Position:
    labels = ["Punks", "Punks #2", "Punks #3", "Punks #4"][:hand]
    return table({"Baby Swift": 1, "Borgo the Almighty": 1, "Punks": 4}, hands={0: labels},
                 in_play={0: ["Baby Swift"]}, **more)  # fmt: skip


def test_baby_swift_turns_two_cards_into_a_token_as_often_as_wished() -> None:
    """act.baby_swift: an action without workers, repeatable in a round"""
    at = swift(4)
    pair = {"leader": "Baby Swift", "cards": ["Punks", "Punks #2"]}
    for cards, clause in ((["Punks"], "act.baby_swift"), (["Punks", "Punks #2", "Punks #3"], "act.baby_swift"),
                          (["Punks", "Borgo the Almighty"], "act.baby_swift")):  # fmt: skip
        assert at.refused("discard_for_vp", leader="Baby Swift", cards=cards) == clause
    at.play("discard_for_vp", **pair)
    assert at.zone("Punks") == at.zone("Punks #2") == Zone.DISCARD and at.vp("Baby Swift") == 1
    assert at.state.player == 1 and at.state.draws == 0
    at.turn(0)
    at.play("discard_for_vp")
    assert at.vp("Baby Swift") == 2
    at.turn(0)
    assert not at.legal("discard_for_vp")


def test_other_leaders_have_no_such_action() -> None:
    """act.baby_swift: nor has another player's, nor one in hand"""
    for zone, owner, label, clause in (
        (Zone.PLAY, 0, "Borgo the Almighty", "act.baby_swift"),
        (Zone.PLAY, 1, "Baby Swift", "act.baby_swift"),
        (Zone.HAND, 0, "Baby Swift", "act.baby_swift"),
        (Zone.PLAY, 0, "Baby Swift", None),
    ):
        at = swift(2)
        at.put(Zone.DECK, "Baby Swift")
        at.put(zone, label, owner=owner)
        assert at.refused("discard_for_vp", leader=label, cards=["Punks", "Punks #2"]) == clause


def test_r_trigger_cap_for_a_leader() -> None:
    """cap.vp_leader: an action that would give nothing but the token"""
    for reading, clause in (("lost", None), ("blocked", "cap.vp_leader")):
        at = swift(2, tokens={"Baby Swift": 5}, readings={"R-TRIGGER-CAP": reading})
        assert at.refused("discard_for_vp", leader="Baby Swift", cards=["Punks", "Punks #2"]) == clause
        if clause is None:
            at.play("discard_for_vp")
            assert at.vp("Baby Swift") == 5 and at.zone("Punks") == Zone.DISCARD
        at = swift(2, tokens={"Baby Swift": 4}, readings={"R-TRIGGER-CAP": reading})
        assert at.refused("discard_for_vp", leader="Baby Swift", cards=["Punks", "Punks #2"]) is None


def test_r_cap_return() -> None:
    """cap.vp_leader: a leader that comes back after having had five tokens"""
    for reading, tokens in (("per_stay", 1), ("per_game", 0)):
        at = table({"Borgo the Almighty": 1, "Uncle Hammer": 1, "Old Depot": 6}, seats=(MUTANTS, GUILD),
                   in_play={0: ["Borgo the Almighty"]}, hands={0: ["Uncle Hammer"]}, base={0: {"any:3": 7, "gun": 2}},
                   readings={"R-CAP-RETURN": reading})  # fmt: skip
        for label in ("Old Depot", *[f"Old Depot #{n}" for n in range(2, 6)]):
            at.put(Zone.HAND, label, owner=0)
            at.play("conquest", card=label, tokens={"any:3": 1})
            at.put(Zone.DISCARD, label)
            at.turn(0)
        assert at.vp("Borgo the Almighty") == 5
        at.play("replace_leader", gun={"gun": 1})
        at.put(Zone.HAND, "Borgo the Almighty", "Old Depot #6", owner=0)
        at.turn(0)
        at.play("replace_leader", leader="Borgo the Almighty")
        at.turn(0)
        at.play("conquest", card="Old Depot #6", tokens={"any:3": 1})
        assert at.vp("Borgo the Almighty") == tokens


def test_a_leader_brings_contact_and_redevelopment_tokens_along_to_the_base() -> None:
    """act.leader_replace, leader.goods: what is unspent"""
    at = table(LEADERS, seats=(APPALACHIA, GUILD), hands={0: ["Uncle Hammer"]}, in_play={0: ["Mr. President"]},
               base={0: {"gun": 1}})  # fmt: skip
    at.state.on_card[at.card("Mr. President")][Asset.REDEVELOPMENT] = 1
    at.play("replace_leader")
    assert at.has(0) == {"redevelopment": 1}
