"""Lookout (p.3): the display, two parts of choosing, the leftover card, a draw each; and the hand limit of ten.

What the order leaves open (display after a draw from the deck, the moment of the leftover, entering with more than ten)
stands here as readings at their clauses.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import draw_cards
from model.fiftyfirst.drawing import (
    card_missing,
    display_short,
    in_deck,
    is_last,
    piles_empty,
    somebody_over_limit,
    two_wanted,
)
from model.fiftyfirst.table import (
    Pending,
    Phase,
    Table,
    Zone,
    after,
    choosing,
    every_card,
    hand_size,
    held,
    in_hand,
    in_turn,
    in_zone,
    locations,
    own,
    possibly,
    put_away,
    reshuffle_waits,
    undisturbed,
)  # fmt: skip
from model.fiftyfirst.vocabulary import Ability
from model.language import (
    CHANCE,
    PLAYER,
    RULES,
    Having,
    One,
    action,
    all_of,
    any_of,
    cite,
    negate,
    require,
    where,
)

PICKS = (Phase.FIRST_PICK, Phase.SECOND_PICK)


# -- conditions ----------------------------------------------------------------------------------------------------
def face_up(state: Table, card: int) -> Any:
    """The card lies in the display."""
    return state.zone[card] == Zone.DISPLAY


face_up_cards = Having(zone=Zone.DISPLAY)


def owns(state: Table, player: int, ability: Ability) -> Any:
    """Whether a location with the ability stands in play before the player (abl.feature)."""
    deck = state.setup.deck
    return any_of(
        all_of(deck.ability[card] == ability, held(state, player, card, Zone.PLAY)) for card in locations(state)
    )


def hand_full(state: Table, player: int) -> Any:
    """The player has as many cards as the limit allows, or more."""
    return hand_size(state, player) >= state.setup.hand_limit


def display_long(state: Table) -> Any:
    """Whether the player in turn must first discard from the display (R-DISPLAY-LEFT `next_pick`)."""
    opening, others, second = state.setup.display
    in_first = where(state.player == state.first, opening, others)
    in_second = where(is_last(state), second - 1, second)
    size = where(state.phase == Phase.FIRST_PICK, in_first, in_second)
    trims = state.under("R-DISPLAY-LEFT", "next_pick")
    return all_of(trims, in_zone(state, Zone.DISPLAY) > size)


def may_pick(state: Table) -> Any:
    """The player in turn may choose: nothing is outstanding and the display is as it should be, or can't be."""
    short = all_of(display_short(state), negate(piles_empty(state)))
    return all_of(
        undisturbed(state), negate(short), negate(display_long(state)), negate(somebody_over_limit(state))
    )


def may_reveal(state: Table) -> Any:
    """A card must be turned up."""
    return all_of(display_short(state), negate(somebody_over_limit(state)))


def next_in_lookout(state: Table, player: int, next_phase: Any) -> None:
    """Pass the turn clockwise; after the last player the next part begins with the first player again."""
    state.phase = where(is_last(state), next_phase, state.phase)
    state.player = after(state, player)


def part_after(state: Table) -> Any:
    """The part that follows the one now running (R-LEFTOVER)."""
    at_end = state.under("R-LEFTOVER", "at_end")
    after_second = where(at_end, Phase.THIRD_DRAW, Phase.LEFTOVER)
    after_third = where(at_end, Phase.LEFTOVER, Phase.PRODUCTION)
    after_leftover = where(at_end, Phase.PRODUCTION, Phase.THIRD_DRAW)
    return where(
        state.phase == Phase.FIRST_PICK,
        Phase.SECOND_PICK,
        where(
            state.phase == Phase.SECOND_PICK,
            after_second,
            where(state.phase == Phase.THIRD_DRAW, after_third, after_leftover),
        ),
    )


# -- the display ---------------------------------------------------------------------------------------------------
@action(
    clauses=("lookout.hand_limit",),
    phases=(Phase.FIRST_PICK,),
    when=lambda state: all_of(somebody_over_limit(state), negate(reshuffle_waits(state))),
    player=One("player"),
    card=One("card", in_hand, "lookout.hand_limit"),
    log="{player} enters Lookout with too many cards and discards {card}",
)
def discard_down(state: Table, player: int, card: int) -> None:
    require(hand_size(state, player) > state.setup.hand_limit, "lookout.hand_limit")
    put_away(state, card)


@action(
    clauses=("lookout.reveal",),
    phases=PICKS,
    by=CHANCE,
    when=may_reveal,
    card=One("card", in_deck, "lookout.reveal"),
    log="{card} is turned face up",
)
def reveal(state: Table, card: int) -> None:
    cite("lookout.first_pick")
    state.zone[card] = Zone.DISPLAY


@action(
    clauses=("lookout.first_pick",),
    phases=PICKS,
    when=lambda state: all_of(undisturbed(state), display_long(state)),
    player=One("player", in_turn, "lookout.first_pick"),
    card=One("card", face_up_cards, "lookout.first_pick"),
    log="{player} discards {card} from a display that is too long",
)
def trim_display(state: Table, player: int, card: int) -> None:
    put_away(state, card)


# -- first and second part -----------------------------------------------------------------------------------------
@action(
    clauses=("lookout.first_pick", "lookout.second_pick"),
    phases=PICKS,
    when=may_pick,
    player=One("player", in_turn, "lookout.first_pick"),
    card=One("card", face_up_cards, "lookout.first_pick"),
    log="{player} takes {card} from the display",
)
def pick_card(state: Table, player: int, card: int) -> None:
    cite("lookout.hand_limit")
    full = hand_full(state, player)
    display_ran_out(state)
    state.zone[card] = where(full, Zone.DISCARD, Zone.HAND)
    state.owner[card] = where(full, state.setup.players, player)
    end_pick(state, player)


@action(
    clauses=("abl.lookout_deck", "card.override"),
    phases=PICKS,
    when=may_pick,
    player=One("player", in_turn, "lookout.first_pick"),
    log="{player} draws from the deck instead of choosing",
)
def pick_from_deck(state: Table, player: int) -> None:
    require(owns(state, player, Ability.LOOKOUT_DECK), "abl.lookout_deck")
    require(in_zone(state, Zone.DISPLAY) > 0, "lookout.no_faceup")  # else the deck gives the card anyway
    require(negate(discards_display_instead(state, player)), "lookout.hand_limit")
    display_ran_out(state)
    draw_cards(state, player, 1, limited=True)
    end_pick(state, player)


@action(
    clauses=("lookout.no_faceup",),
    phases=PICKS,
    by=RULES,
    when=may_pick,
    player=One("player", in_turn, "lookout.first_pick"),
    log="{player} finds no card in the display and draws from the deck, if it has one",
)
def pick_nothing(state: Table, player: int) -> None:
    require(in_zone(state, Zone.DISPLAY) == 0, "lookout.no_faceup")
    draw_cards(state, player, 1, limited=True)
    end_pick(state, player)


def display_ran_out(state: Table) -> None:
    """The display could not be filled up for the player in turn, who chooses among fewer (R-EMPTY)."""
    if possibly(state.under("R-EMPTY", "end")):
        card_missing(state, all_of(display_short(state), piles_empty(state)))


def end_pick(state: Table, player: int) -> None:
    """After a choice: the denial ability, then the next player."""
    denies = all_of(
        state.phase == Phase.FIRST_PICK, owns(state, player, Ability.LOOKOUT_DENY), in_zone(state, Zone.DISPLAY) > 0
    )
    part = part_after(state)
    state.pending = where(denies, Pending.DENY, Pending.NOTHING)
    state.chooser = where(denies, player, state.setup.players)
    state.phase = where(all_of(negate(denies), is_last(state)), part, state.phase)
    state.player = where(denies, player, after(state, player))


def denying(state: Table) -> Any:
    """The player who has chosen first may deny a card."""
    return all_of(state.draws == 0, state.pending == Pending.DENY, negate(reshuffle_waits(state)))


@action(
    clauses=("abl.lookout_deny",),
    phases=(Phase.FIRST_PICK,),
    when=denying,
    player=One("player", choosing, "abl.lookout_deny"),
    card=One("card", face_up_cards, "abl.lookout_deny"),
    log="{player} discards {card} from the display",
)
def deny(state: Table, player: int, card: int) -> None:
    put_away(state, card)
    decided(state)
    next_in_lookout(state, player, Phase.SECOND_PICK)


@action(
    clauses=("abl.lookout_deny",),
    phases=(Phase.FIRST_PICK,),
    when=denying,
    player=One("player", choosing, "abl.lookout_deny"),
    log="{player} leaves the display as it is",
)
def deny_nothing(state: Table, player: int) -> None:
    decided(state)
    next_in_lookout(state, player, Phase.SECOND_PICK)


def decided(state: Table) -> None:
    """The outstanding decision has been made."""
    state.pending = Pending.NOTHING
    state.chooser = state.setup.players


# -- the leftover --------------------------------------------------------------------------------------------------
def still_to_come(state: Table, ability: Ability) -> Any:
    """Whether the player in turn, or one after, owns the ability."""
    players = state.setup.players
    return any_of(
        all_of(
            owns(state, seat, ability),
            any_of(
                all_of(state.first == first, state.player == now)
                for first in range(players)
                for now in range(players)
                if (seat - first) % players >= (now - first) % players
            ),
        )
        for seat in range(players)
    )


@action(
    clauses=("abl.lookout_leftover",),
    phases=(Phase.LEFTOVER,),
    when=undisturbed,
    player=One("player", in_turn, "abl.lookout_leftover"),
    card=One("card", face_up_cards, "abl.lookout_leftover"),
    log="{player} takes the leftover card {card}",
)
def take_leftover(state: Table, player: int, card: int) -> None:
    require(owns(state, player, Ability.LOOKOUT_LEFTOVER), "abl.lookout_leftover")
    full = hand_full(state, player)
    state.zone[card] = where(full, Zone.DISCARD, Zone.HAND)
    state.owner[card] = where(full, state.setup.players, player)
    end_leftover(state, player)


@action(
    clauses=("abl.lookout_leftover",),
    phases=(Phase.LEFTOVER,),
    by=RULES,
    when=undisturbed,
    player=One("player", in_turn, "abl.lookout_leftover"),
    log="{player} finds no leftover card and draws one",
)
def draw_leftover(state: Table, player: int) -> None:
    require(owns(state, player, Ability.LOOKOUT_LEFTOVER), "abl.lookout_leftover")
    require(in_zone(state, Zone.DISPLAY) == 0, "abl.lookout_leftover")
    draw_cards(state, player, 1, limited=True)
    end_leftover(state, player)


def end_leftover(state: Table, player: int) -> None:
    """The next player; what lies there after the last is discarded."""
    last = is_last(state)
    part = part_after(state)
    clear_display(state, last)
    state.phase = where(last, part, state.phase)
    state.player = after(state, player)


@action(
    clauses=("abl.lookout_leftover",),
    phases=(Phase.LEFTOVER,),
    by=RULES,
    when=undisturbed,
    player=One("player", in_turn, "lookout.leftover"),
    log="{player} has no claim to the leftover card",
)
def skip_leftover(state: Table, player: int) -> None:
    require(negate(owns(state, player, Ability.LOOKOUT_LEFTOVER)), "abl.lookout_leftover")
    require(still_to_come(state, Ability.LOOKOUT_LEFTOVER), "lookout.leftover")
    state.player = after(state, player)


@action(
    clauses=("lookout.leftover",),
    phases=(Phase.LEFTOVER,),
    by=RULES,
    when=undisturbed,
    log="what is left in the display is discarded",
)
def discard_leftover(state: Table) -> None:
    require(negate(still_to_come(state, Ability.LOOKOUT_LEFTOVER)), "abl.lookout_leftover")
    clear_display(state, True)
    state.phase = part_after(state)
    state.player = state.first


def clear_display(state: Table, condition: Any) -> None:
    """Discard every face-up card where the condition holds."""
    for card in every_card(state):
        leftover = all_of(condition, face_up(state, card))
        state.zone[card] = where(leftover, Zone.DISCARD, state.zone[card])


# -- third part ----------------------------------------------------------------------------------------------------
def discards_display_instead(state: Table, player: int) -> Any:
    """Whether a full hand makes the player discard a face-up card instead of drawing (R-LIMIT-CARD)."""
    return all_of(
        state.under("R-LIMIT-CARD", "discard_display"), hand_full(state, player), in_zone(state, Zone.DISPLAY) > 0
    )


@action(
    clauses=("lookout.third_draw",),
    phases=(Phase.THIRD_DRAW,),
    by=RULES,
    when=undisturbed,
    player=One("player", in_turn, "lookout.third_draw"),
    log="{player} draws a card in the third part",
)
def third_draw(state: Table, player: int) -> None:
    require(negate(owns(state, player, Ability.LOOKOUT_TWO)), "abl.lookout_two")
    require(negate(discards_display_instead(state, player)), "lookout.hand_limit")
    draw_cards(state, player, 1, limited=True)
    next_in_lookout(state, player, part_after(state))


@action(
    clauses=("lookout.hand_limit",),
    phases=(Phase.THIRD_DRAW,),
    by=PLAYER,
    when=undisturbed,
    player=One("player", in_turn, "lookout.third_draw"),
    card=One("card", face_up_cards, "lookout.hand_limit"),
    log="{player} has a full hand and discards {card} from the display instead of drawing",
)
def discard_face_up(state: Table, player: int, card: int) -> None:
    require(discards_display_instead(state, player), "lookout.hand_limit")
    put_away(state, card)
    next_in_lookout(state, player, part_after(state))


@action(
    clauses=("lookout.third_draw",),
    phases=(Phase.THIRD_DRAW,),
    when=undisturbed,
    player=One("player", in_turn, "lookout.third_draw"),
    log="{player} draws one card though two are allowed",
)
def draw_one(state: Table, player: int) -> None:
    require(owns(state, player, Ability.LOOKOUT_TWO), "abl.lookout_two")
    require(negate(discards_display_instead(state, player)), "lookout.hand_limit")
    draw_cards(state, player, 1, limited=True)
    next_in_lookout(state, player, part_after(state))


@action(
    clauses=("abl.lookout_two",),
    phases=(Phase.THIRD_DRAW,),
    when=undisturbed,
    player=One("player", in_turn, "lookout.third_draw"),
    log="{player} looks at two cards of the deck",
)
def draw_two(state: Table, player: int) -> None:
    require(owns(state, player, Ability.LOOKOUT_TWO), "abl.lookout_two")
    require(negate(discards_display_instead(state, player)), "lookout.hand_limit")
    state.pending = Pending.LOOK_AT_TWO
    state.chooser = player


looked_at = own(Zone.ASIDE)


def looked_enough(state: Table) -> Any:
    """Two cards have been looked at, or all there are."""
    looks = state.pending == Pending.LOOK_AT_TWO
    return all_of(looks, negate(two_wanted(state)), negate(reshuffle_waits(state)))


@action(
    clauses=("abl.lookout_two",),
    phases=(Phase.THIRD_DRAW,),
    by=CHANCE,
    when=two_wanted,
    player=One("player", choosing, "abl.lookout_two"),
    card=One("card", in_deck, "abl.lookout_two"),
    log="{player} looks at {card}",
)
def set_aside(state: Table, player: int, card: int) -> None:
    require(negate(reshuffle_waits(state)), "lookout.reshuffle")
    state.zone[card] = Zone.ASIDE
    state.owner[card] = player


@action(
    clauses=("abl.lookout_two",),
    phases=(Phase.THIRD_DRAW,),
    when=looked_enough,
    player=One("player", choosing, "abl.lookout_two"),
    card=One("card", looked_at, "abl.lookout_two"),
    log="{player} keeps {card}",
)
def keep_one(state: Table, player: int, card: int) -> None:
    cite("lookout.hand_limit")
    full = hand_full(state, player)
    for other in every_card(state):
        put_away(state, other, state.zone[other] == Zone.ASIDE)
    state.zone[card] = where(full, Zone.DISCARD, Zone.HAND)
    state.owner[card] = where(full, state.setup.players, player)
    decided(state)
    next_in_lookout(state, player, part_after(state))


@action(
    clauses=("abl.lookout_two",),
    phases=(Phase.THIRD_DRAW,),
    by=RULES,
    when=looked_enough,
    player=One("player", choosing, "abl.lookout_two"),
    log="{player} finds no card to look at",
)
def keep_nothing(state: Table, player: int) -> None:
    require(in_zone(state, Zone.ASIDE) == 0, "abl.lookout_two")
    card_missing(state, True)
    decided(state)
    next_in_lookout(state, player, part_after(state))
