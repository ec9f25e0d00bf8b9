"""Setup and Lookout, clause by clause, with every reading that speaks of them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from model.fiftyfirst.preparation import NO_FACTION
from model.fiftyfirst.table import LOOKOUT, Pending, Phase, Zone
from model.language import PLAYER
from tests.fiftyfirst.staging import Stage

PUNKS = [f"Punks #{copy}" for copy in range(2, 10)]


def plain(punks: int = 9, roads: int = 0, **more: Any) -> Stage:
    """A game of cards without abilities, before Lookout."""
    cards = {"Punks": punks} | ({"Road": roads} if roads else {})
    return Stage(cards, deal=0, **more)


# -- setup ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_draws_a_faction_and_four_cards(players: int) -> None:
    """setup.players, setup.faction, setup.markers, setup.deal, setup.piles, setup.first, comp.cards"""
    stage = Stage(None, players, seats=None)
    assert len(stage.state.zone) == 94 and len(stage.model.families["permanent"]) == 12
    assert stage.state.phase == Phase.FACTIONS and set(stage.state.faction) == {NO_FACTION}
    stage.settle()
    # Settling stops at the first decision of a player: the first pick, with five cards up.
    assert sorted(Counter(move.action.name for move in stage.moves).items()) == [
        ("deal", 4 * players), ("draw_faction", players), ("reveal", 5),
    ]  # fmt: skip
    assert len(set(stage.state.faction)) == players and NO_FACTION not in stage.state.faction
    assert [stage.size(Zone.HAND, player) for player in range(players)] == [4] * players
    assert stage.state.phase == Phase.FIRST_PICK and stage.state.player == stage.state.first == 0
    assert list(stage.state.score) == list(stage.state.visits) == [0] * players


def test_a_drawn_faction_is_gone_for_the_others() -> None:
    """setup.faction"""
    stage = Stage(None, 2, seats=None)
    drawn = stage.do("draw_faction", "Mutants").values[1]
    assert stage.refusal("draw_faction", 1, drawn) == "setup.faction"
    assert stage.refusal("draw_faction", 0, 0) == "setup.faction"  # the other player is next
    assert len(stage.options("draw_faction")) == 3


def test_an_empty_deck_ends_the_dealing() -> None:
    """setup.deal"""
    stage = Stage({"Punks": 3}, deal=2)
    stage.settle()
    assert [stage.size(Zone.HAND, player) for player in (0, 1)] == [2, 1]
    assert "deal_short" in {move.action.name for move in stage.moves}


# -- the two parts -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_what_lookout_shows_takes_leaves_and_draws(players: int, seed: int) -> None:
    """lookout.reveal, lookout.first_pick, lookout.second_pick, lookout.leftover, lookout.third_draw, round.phases

    2n + 1 are shown, n - 2 of them refilled in each part; 2n are taken, one is left; the deck gives 3n + 1.
    """
    stage = Stage(None, players)
    chance = random.Random(seed)
    stage.settle(seed)
    first = seed % players
    stage.state.first = stage.state.player = first
    dealt = stage.size(Zone.DECK) + 5
    refills, chosen_among, order = Counter[int](), [], []
    while stage.state.phase in LOOKOUT:
        move = chance.choice(stage.model.legal(stage.state))
        phase = stage.state.phase
        if move.action.name == "reveal":
            refills[phase] += 1
        if move.action.name == "pick_card":
            chosen_among.append(stage.size(Zone.DISPLAY))
        if move.action.name in ("pick_card", "third_draw"):
            order.append(stage.state.player)
        if move.action.name == "discard_leftover":
            assert stage.size(Zone.DISPLAY) == 1 and stage.size(Zone.DISCARD) == 0
        stage.make(move)
    stage.draw_all()
    assert (refills[Phase.FIRST_PICK], refills[Phase.SECOND_PICK]) == (players - 2, players - 2)
    assert chosen_among == [5] + [4] * (players - 1) + [3] * (players - 1) + [2]
    assert order == [(first + turn) % players for turn in range(players)] * 3
    assert dealt - stage.size(Zone.DECK) == 3 * players + 1
    assert stage.size(Zone.DISCARD) == 1 and stage.size(Zone.DISPLAY) == 0
    assert [stage.size(Zone.HAND, player) for player in range(players)] == [4 + 3] * players
    assert (stage.state.phase, stage.state.player) == (Phase.PRODUCTION, first)


def test_the_display_is_filled_up_only_to_what_the_player_is_due() -> None:
    """lookout.first_pick, lookout.second_pick"""
    for phase, player, lying, wanted in [
        (Phase.FIRST_PICK, 0, 4, True), (Phase.FIRST_PICK, 0, 5, False),
        (Phase.FIRST_PICK, 1, 3, True), (Phase.FIRST_PICK, 1, 4, False),
        (Phase.SECOND_PICK, 0, 2, True), (Phase.SECOND_PICK, 0, 3, False),
        (Phase.SECOND_PICK, 1, 1, False), (Phase.SECOND_PICK, 1, 2, False),
    ]:  # fmt: skip
        stage = plain()
        stage.put(Zone.DISPLAY, *PUNKS[:lying])
        stage.phase(phase, player)
        assert stage.names() == ({"reveal"} if wanted else {"pick_card"}), (phase, player, lying)


def test_only_the_player_in_turn_takes_a_face_up_card() -> None:
    """lookout.first_pick"""
    stage = plain()
    stage.put(Zone.DISPLAY, *PUNKS[:5])
    assert stage.refusal("pick_card", 1, stage.card(PUNKS[0])) == "lookout.first_pick"
    assert stage.refusal("pick_card", 0, stage.card("Punks")) == "lookout.first_pick"  # in the deck
    stage.do("pick_card", PUNKS[0])
    assert stage.where(PUNKS[0]) == (Zone.HAND, 0)


def test_without_face_up_cards_the_deck_gives_them() -> None:
    """lookout.no_faceup"""
    stage = plain()
    stage.phase(Phase.SECOND_PICK, 1)
    assert stage.names() == {"pick_nothing"}
    stage.do("pick_nothing")
    stage.draw_all()
    assert stage.size(Zone.HAND, 1) == 1
    stage = plain()
    stage.put(Zone.DISPLAY, PUNKS[0])
    stage.phase(Phase.SECOND_PICK, 1)
    assert stage.names() == {"pick_card"}


# -- the hand limit ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("held", "after"), [(8, 9), (9, 10), (10, 10), (11, 11)])
def test_the_eleventh_card_is_taken_and_discarded(held: int, after: int) -> None:
    """lookout.hand_limit: taken from the display, drawn in the third part, taken as leftover, kept of two"""
    def fresh(phase: Phase) -> Stage:
        stage = Stage({"Noticeboard": 1, "Observatory": 1, "Punks": 9, "Road": 9}, deal=0)
        stage.put(Zone.DISPLAY, *PUNKS[:5])
        stage.hand(0, held)
        stage.phase(phase)
        return stage

    stage = fresh(Phase.FIRST_PICK)
    stage.do("pick_card", PUNKS[0])
    assert stage.size(Zone.HAND, 0) == after
    assert stage.where(PUNKS[0]) == ((Zone.HAND, 0) if after > held else (Zone.DISCARD, 2))

    stage = fresh(Phase.THIRD_DRAW)
    stage.do("third_draw")
    stage.draw_all()
    assert (stage.size(Zone.HAND, 0), stage.size(Zone.DISCARD)) == (after, 1 + held - after)

    stage = fresh(Phase.LEFTOVER)
    stage.put(Zone.PLAY, "Noticeboard", owner=0)
    before = stage.size(Zone.HAND, 0)
    stage.do("take_leftover", PUNKS[0])
    assert (stage.size(Zone.HAND, 0) > before) == (before < 10)

    stage = fresh(Phase.THIRD_DRAW)
    stage.put(Zone.PLAY, "Observatory", owner=0)
    before = stage.size(Zone.HAND, 0)
    stage.do("draw_two")
    stage.settle()
    stage.do("keep_one")
    assert stage.size(Zone.HAND, 0) == min(max(before, 10), before + 1) and stage.size(Zone.ASIDE) == 0


def test_the_last_draw_of_lookout_is_still_limited_and_others_are_not() -> None:
    """lookout.hand_limit: the limit holds in no other phase"""
    stage = plain(9, 9)
    stage.hand(1, 10)
    stage.phase(Phase.THIRD_DRAW, 1)
    stage.do("third_draw")
    assert stage.state.phase == Phase.PRODUCTION and stage.state.draws == 1
    stage.draw_all()
    assert stage.size(Zone.HAND, 1) == 10
    stage.phase(Phase.ACTION, 1)
    stage.do("discard_and_draw")
    assert not stage.state.limited
    stage.hand(1, 2)
    stage.draw_all()
    assert stage.size(Zone.HAND, 1) == 11


def test_r_hand() -> None:
    """lookout.hand_limit: who enters with more than ten"""
    for reading, names, size in [("no_gain", {"pick_card"}, 12), ("discard_down", {"discard_down"}, 10)]:
        stage = plain(9, 9, readings={"R-HAND": reading})
        stage.put(Zone.DISPLAY, *PUNKS[:5])
        stage.hand(1, 12)
        assert stage.names() == names
        while stage.names() == {"discard_down"}:
            stage.do("discard_down", "Player 2")
        assert stage.size(Zone.HAND, 1) == size
        assert stage.names() == {"pick_card"}


def test_nothing_is_shown_before_all_have_discarded() -> None:
    """R-HAND discard_down, lookout.reshuffle: the deck is not renewed before a card must come"""
    stage = plain(9, 9, readings={"R-HAND": "discard_down"})
    stage.hand(0, 17)
    stage.put(Zone.DISCARD, "Punks", "Road #9")
    assert stage.size(Zone.DECK) == 0 or stage.names() == {"discard_down"}
    for card in stage.model.families["card"]:
        if stage.state.zone[card] == Zone.DECK:
            stage.state.zone[card] = Zone.DISCARD
    assert stage.names() == {"discard_down"}


def test_r_limit_card() -> None:
    """lookout.hand_limit: with a full hand a face-up card is discarded in place of the draw"""
    for reading, names in [("discard_taken", {"third_draw"}), ("discard_display", {"discard_face_up"})]:
        stage = plain(9, 9, readings={"R-LIMIT-CARD": reading, "R-LEFTOVER": "at_end"})
        stage.put(Zone.DISPLAY, PUNKS[0])
        stage.hand(0, 10)
        stage.phase(Phase.THIRD_DRAW)
        assert stage.names() == names
        deck = stage.size(Zone.DECK)
        stage.do(*names)
        stage.draw_all()
        assert stage.size(Zone.HAND, 0) == 10 and stage.size(Zone.DISCARD) == 1
        assert (stage.size(Zone.DECK) == deck) == (reading == "discard_display")
        stage = plain(9, 9, readings={"R-LIMIT-CARD": reading, "R-LEFTOVER": "at_end"})
        stage.put(Zone.DISPLAY, PUNKS[0])
        stage.hand(0, 9)
        stage.phase(Phase.THIRD_DRAW)
        assert stage.names() == {"third_draw"}  # nine is not full


def test_a_full_hand_does_not_draw_in_place_of_choosing_where_a_face_up_card_goes_instead() -> None:
    """R-LIMIT-CARD discard_display, abl.lookout_deck"""
    for reading, may in [("discard_taken", True), ("discard_display", False)]:
        for held in (9, 10):
            stage = Stage({"Scouts' Camp": 1, "Punks": 9, "Road": 9}, deal=0, readings={"R-LIMIT-CARD": reading})
            stage.put(Zone.PLAY, "Scouts' Camp", owner=0)
            stage.put(Zone.DISPLAY, *PUNKS[:5])
            stage.hand(0, held)
            assert ("pick_from_deck" in stage.names()) == (may or held == 9)


# -- empty piles ---------------------------------------------------------------------------------------------------
def test_r_reshuffle() -> None:
    """lookout.reshuffle: when a card must come and none is there, or as soon as the last has left"""
    for reading, names in [("on_need", {"produce"}), ("at_once", {"reshuffle"})]:
        stage = plain(4, readings={"R-RESHUFFLE": reading})
        stage.put(Zone.DISCARD, "Punks", *PUNKS[:3])
        stage.phase(Phase.PRODUCTION)
        assert stage.names() == names
        stage = plain(4, readings={"R-RESHUFFLE": reading})
        stage.put(Zone.DISCARD, "Punks", *PUNKS[:3])
        stage.phase(Phase.THIRD_DRAW)
        if reading == "on_need":
            stage.do("third_draw")
        assert stage.names() == {"reshuffle"}
        stage.do("reshuffle")
        assert (stage.size(Zone.DECK), stage.size(Zone.DISCARD)) == (4, 0)


def test_a_decision_waits_for_the_reshuffling() -> None:
    """R-RESHUFFLE at_once: denying, keeping one of two and discarding on entry come after it"""
    readings = {"R-RESHUFFLE": "at_once", "R-HAND": "discard_down"}
    stage = plain(6, readings=readings)
    stage.put(Zone.DISCARD, "Punks", *PUNKS[:2])
    stage.put(Zone.DISPLAY, *PUNKS[2:5])
    stage.state.pending, stage.state.chooser = Pending.DENY, 0
    assert stage.names() == {"reshuffle"}
    stage.do("reshuffle")
    assert stage.names() == {"deny", "deny_nothing"}

    stage = plain(6, readings=readings)
    stage.put(Zone.DISCARD, "Punks", *PUNKS[:3])
    stage.put(Zone.ASIDE, *PUNKS[3:5], owner=0)
    stage.phase(Phase.THIRD_DRAW)
    stage.state.pending, stage.state.chooser = Pending.LOOK_AT_TWO, 0
    assert stage.names() == {"reshuffle"}
    stage.do("reshuffle")
    assert stage.names() == {"keep_one"}

    stage = plain(6, readings=readings, hand_limit=3)
    stage.put(Zone.HAND, *PUNKS[:5], owner=1)
    stage.put(Zone.DISCARD, "Punks")
    assert stage.names() == {"reshuffle"}
    stage.do("reshuffle")
    assert stage.names() == {"discard_down"}


def test_two_cards_looked_at_need_no_further_card() -> None:
    """lookout.reshuffle, R-RESHUFFLE on_need"""
    stage = plain(6)
    stage.put(Zone.DISCARD, "Punks", *PUNKS[:3])
    stage.put(Zone.ASIDE, PUNKS[3], owner=0)
    stage.put(Zone.HAND, PUNKS[4], owner=0)
    stage.phase(Phase.THIRD_DRAW)
    stage.state.pending, stage.state.chooser = Pending.LOOK_AT_TWO, 0
    assert stage.names() == {"reshuffle"}  # a second card is wanted
    stage.put(Zone.ASIDE, PUNKS[4], owner=0)
    assert stage.names() == {"keep_one"}


def test_r_empty() -> None:
    """lookout.reshuffle: a card that should come and is nowhere: drawn, shown, or looked at"""
    for reading, last in [("skip", False), ("end", True)]:
        stage = plain(2, readings={"R-EMPTY": reading})
        stage.put(Zone.HAND, "Punks", PUNKS[0], owner=0)
        stage.phase(Phase.THIRD_DRAW)
        stage.do("third_draw")
        assert stage.names() == {"go_without"} and not stage.state.last_round
        stage.do("go_without")
        assert (stage.state.last_round, stage.state.draws, stage.state.limited) == (last, 0, False)

        stage = plain(2, readings={"R-EMPTY": reading})
        stage.put(Zone.DISPLAY, "Punks", PUNKS[0])
        stage.do("pick_card", PUNKS[0])
        assert stage.state.last_round is last  # two lie there where there should be five

        stage = plain(6, readings={"R-EMPTY": reading})
        stage.put(Zone.DISPLAY, *PUNKS[:5])
        stage.put(Zone.HAND, "Punks", owner=0)
        stage.do("pick_card", PUNKS[0])
        assert not stage.state.last_round  # no card is missing

        stage = Stage({"Observatory": 1, "Punks": 1}, readings={"R-EMPTY": reading}, deal=0)
        stage.put(Zone.PLAY, "Observatory", owner=0)
        stage.put(Zone.HAND, "Punks", owner=0)
        stage.phase(Phase.THIRD_DRAW)
        stage.do("draw_two")
        stage.do("keep_nothing")
        assert stage.state.last_round is last and stage.state.pending == Pending.NOTHING


def test_a_display_that_cannot_be_filled_is_chosen_from_as_it_is() -> None:
    """lookout.first_pick with deck and discard pile empty"""
    stage = plain(3)
    stage.put(Zone.DISPLAY, *PUNKS[:2])
    stage.put(Zone.HAND, "Punks", owner=1)
    stage.do("pick_card")
    stage.do("pick_card")
    assert stage.names() == {"pick_nothing"}


# -- abilities -----------------------------------------------------------------------------------------------------
def test_drawing_in_place_of_choosing() -> None:
    """abl.lookout_deck, card.override"""
    stage = Stage({"Scouts' Camp": 1, "Punks": 9}, deal=0)
    stage.put(Zone.PLAY, "Scouts' Camp", owner=1)
    stage.put(Zone.DISPLAY, *PUNKS[:5])
    assert stage.names() == {"pick_card"}
    assert stage.refusal("pick_from_deck", 0) == "abl.lookout_deck"
    stage.do("pick_card")
    stage.do("pick_from_deck", "Player 2")
    stage.draw_all()
    assert stage.size(Zone.DISPLAY) == 4 and stage.size(Zone.HAND, 1) == 1


def test_r_display_left() -> None:
    """lookout.first_pick: the surplus after a draw from the deck"""
    for reading, names in [("discard_all", {"pick_card"}), ("next_pick", {"trim_display"})]:
        stage = Stage({"Scouts' Camp": 1, "Punks": 9}, deal=0, readings={"R-DISPLAY-LEFT": reading})
        stage.put(Zone.PLAY, "Scouts' Camp", owner=0)
        stage.put(Zone.DISPLAY, *PUNKS[:5])
        stage.do("pick_from_deck")
        stage.draw_all()
        assert stage.names() == names
        if reading == "next_pick":
            stage.do("trim_display", "Player 2")
            assert stage.size(Zone.DISPLAY) == 4 and stage.names() == {"pick_card"}
    for player, size in [(0, 3), (1, 2)]:
        stage = plain(readings={"R-DISPLAY-LEFT": "next_pick"})
        stage.put(Zone.DISPLAY, *PUNKS[: size + 1])
        stage.phase(Phase.SECOND_PICK, player)
        assert stage.names() == {"trim_display"}
        stage.do("trim_display")
        assert stage.names() == {"pick_card"}


def test_denying_a_card_comes_after_the_own_first_choice_only() -> None:
    """abl.lookout_deny"""
    stage = Stage({"Saboteurs' Den": 1, "Punks": 9}, deal=0)
    stage.put(Zone.PLAY, "Saboteurs' Den", owner=1)
    stage.put(Zone.DISPLAY, *PUNKS[:5])
    stage.do("pick_card")
    assert stage.state.pending == Pending.NOTHING
    stage.do("pick_card", "Player 2")
    assert stage.names() == {"deny", "deny_nothing"}
    lying = stage.size(Zone.DISPLAY)
    stage.do("deny", "Player 2")
    assert (stage.size(Zone.DISPLAY), stage.size(Zone.DISCARD)) == (lying - 1, 1)
    assert (stage.state.phase, stage.state.player) == (Phase.SECOND_PICK, 0)
    assert stage.names() == {"reveal"}  # three are due, two are left
    stage.settle()
    stage.do("pick_card")
    stage.do("pick_card", "Player 2")
    assert stage.state.pending == Pending.NOTHING


def test_denying_after_a_first_card_from_the_deck() -> None:
    """abl.lookout_deny with abl.lookout_deck: the draw counts as the choice"""
    stage = Stage({"Saboteurs' Den": 1, "Scouts' Camp": 1, "Punks": 9}, deal=0)
    stage.put(Zone.PLAY, "Saboteurs' Den", "Scouts' Camp", owner=0)
    stage.put(Zone.DISPLAY, *PUNKS[:5])
    stage.do("pick_from_deck")
    assert stage.names() == {"draw"}
    stage.draw_all()
    assert stage.names() == {"deny", "deny_nothing"}
    stage.do("deny_nothing")
    assert (stage.size(Zone.DISPLAY), stage.state.player) == (5, 1)


def test_two_cards_are_looked_at_and_one_is_kept() -> None:
    """abl.lookout_two, lookout.third_draw"""
    stage = Stage({"Observatory": 1, "Punks": 9}, deal=0)
    stage.put(Zone.PLAY, "Observatory", owner=0)
    stage.phase(Phase.THIRD_DRAW)
    assert stage.names() == {"draw_one", "draw_two"}
    assert stage.refusal("third_draw", 0) == "abl.lookout_two"
    stage.do("draw_two")
    stage.settle()
    assert stage.size(Zone.ASIDE, 0) == 2 and len(stage.options("keep_one")) == 2
    stage.do("keep_one")
    assert [stage.size(zone) for zone in (Zone.HAND, Zone.DISCARD, Zone.ASIDE)] == [1, 1, 0]
    assert (stage.state.player, stage.names()) == (1, {"third_draw"})
    assert stage.refusal("draw_two", 1) == "abl.lookout_two"


def test_of_a_single_card_looked_at_that_one_is_kept() -> None:
    """abl.lookout_two with one card in all"""
    stage = Stage({"Observatory": 1, "Punks": 1}, deal=0)
    stage.put(Zone.PLAY, "Observatory", owner=0)
    stage.phase(Phase.THIRD_DRAW)
    stage.do("draw_two")
    stage.settle()
    stage.do("keep_one")
    assert stage.where("Punks") == (Zone.HAND, 0)


def leftovers(reading: str, lying: int, owners: tuple[int, ...]) -> Stage:
    stage = Stage({"Noticeboard": 2, "Punks": 9}, deal=0, readings={"R-LEFTOVER": reading})
    for owner, label in zip(owners, ("Noticeboard", "Noticeboard #2"), strict=False):
        stage.put(Zone.PLAY, label, owner=owner)
    stage.put(Zone.DISPLAY, *PUNKS[: lying + 1])
    stage.phase(Phase.SECOND_PICK, 1)
    stage.do("pick_card")
    return stage


def test_the_leftover_card_is_discarded() -> None:
    """lookout.leftover"""
    stage = leftovers("before_third", 1, ())
    assert stage.names() == {"discard_leftover"}
    stage.do("discard_leftover")
    assert stage.size(Zone.DISCARD) == 1 and (stage.state.phase, stage.state.player) == (Phase.THIRD_DRAW, 0)


def test_the_owner_takes_the_leftover_and_a_second_owner_draws() -> None:
    """abl.lookout_leftover: in turn order; none left: draw one"""
    stage = leftovers("before_third", 1, (1,))
    assert stage.names() == {"skip_leftover"}
    stage.do("skip_leftover")
    stage.do("take_leftover", "Player 2")
    assert stage.size(Zone.HAND, 1) == 2 and stage.size(Zone.DISCARD) == 0

    stage = leftovers("before_third", 1, (0, 1))
    stage.do("take_leftover", "Player 1")
    assert stage.names() == {"draw_leftover"}
    stage.do("draw_leftover", "Player 2")
    stage.draw_all()
    assert [stage.size(Zone.HAND, player) for player in (0, 1)] == [1, 2]

    stage = leftovers("before_third", 2, (0,))
    stage.do("take_leftover")
    stage.do("discard_leftover")
    assert (stage.size(Zone.DISCARD), stage.state.phase) == (1, Phase.THIRD_DRAW)


def test_r_leftover() -> None:
    """abl.lookout_leftover: before the third part, or after it"""
    for reading, then in [("before_third", Phase.LEFTOVER), ("at_end", Phase.THIRD_DRAW)]:
        stage = leftovers(reading, 1, (0,))
        assert stage.state.phase == then
        drawn = 0
        while stage.state.phase in (Phase.LEFTOVER, Phase.THIRD_DRAW) or stage.state.draws:
            name = stage.model.legal(stage.state)[0].action.name
            drawn += name == "third_draw"
            if name == "take_leftover":
                assert drawn == (0 if reading == "before_third" else 2)
            stage.make(stage.model.legal(stage.state)[0])
        assert (drawn, stage.size(Zone.HAND), stage.size(Zone.DISPLAY)) == (2, 1 + 1 + 2, 0)
        assert (stage.state.phase, stage.state.player) == (Phase.PRODUCTION, 0)


def test_a_location_looks_out_only_for_its_owner_and_only_in_play() -> None:
    """abl.feature"""
    for zone, owner, may in [(Zone.PLAY, 0, True), (Zone.PLAY, 1, False), (Zone.HAND, 0, False), (Zone.DEAL, 0, False)]:
        stage = Stage({"Observatory": 1, "Punks": 9}, deal=0)
        stage.put(zone, "Observatory", owner=owner)
        stage.phase(Phase.THIRD_DRAW)
        assert ("draw_two" in stage.names()) is may


def test_who_decides() -> None:
    """Only choices of players are players' moves: what has no alternative is done by the rules."""
    by = {action.name: action.by for action in Stage().model.actions.values()}
    assert {by[name] for name in ("pick_card", "pick_from_deck", "deny", "deny_nothing", "draw_one", "draw_two",
                                  "keep_one", "discard_down", "trim_display", "discard_face_up")} == {PLAYER}
    assert all(by[name] != PLAYER for name in ("reveal", "third_draw", "draw", "reshuffle", "set_aside"))
