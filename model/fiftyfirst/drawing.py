"""Drawing from the deck, in whatever phase a rule asks for it, and what happens when the deck runs out (p.3).

A rule that gives cards only notes how many; chance then deals them one by one, before anything else happens. The deck
has no order: any card in it may come.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import (
    Pending,
    Phase,
    Table,
    Zone,
    every_card,
    hand_size,
    in_zone,
    possibly,
    reshuffle_waits,
)  # fmt: skip
from model.language import CHANCE, RULES, Having, One, action, all_of, any_of, cite, negate, require, where

in_deck = Having(zone=Zone.DECK)


def cards_wanted(state: Table) -> Any:
    """Whether a rule waits for draws."""
    return state.draws > 0


def drawing(state: Table, player: int) -> Any:
    """The player is the one to draw."""
    return state.drawer == player


@action(
    clauses=("lookout.hidden",),
    by=CHANCE,
    when=cards_wanted,
    player=One("player", drawing, "setup.piles"),
    card=One("card", in_deck, "setup.piles"),
    log="{player} draws {card} from the deck",
)
def draw(state: Table, player: int, card: int) -> None:
    require(negate(reshuffle_waits(state)), "lookout.reshuffle")
    state.draws = state.draws - 1
    cite("lookout.hand_limit")
    full = all_of(state.limited, hand_size(state, player) >= state.setup.hand_limit)
    state.zone[card] = where(full, Zone.DISCARD, Zone.HAND)
    state.owner[card] = where(full, state.setup.players, player)
    state.drawer = where(state.draws == 0, state.setup.players, player)
    state.limited = where(state.draws == 0, False, state.limited)


def deck_needed(state: Table) -> Any:
    """Whether a card must come from the deck now."""
    shown = all_of(display_short(state), negate(somebody_over_limit(state)))
    return any_of(state.draws > 0, two_wanted(state), shown)


def two_wanted(state: Table) -> Any:
    """Fewer than two cards have been looked at, and there are more (abl.lookout_two)."""
    more = all_of(in_zone(state, Zone.ASIDE) < 2, negate(piles_empty(state)))
    return all_of(state.pending == Pending.LOOK_AT_TWO, more)


def somebody_over_limit(state: Table) -> Any:
    """Whether a player must still discard on entering Lookout (R-HAND `discard_down`)."""
    discards = state.under("R-HAND", "discard_down")
    if not possibly(discards):
        return False
    over = any_of(hand_size(state, player) > state.setup.hand_limit for player in range(state.setup.players))
    entering = all_of(state.phase == Phase.FIRST_PICK, state.player == state.first)
    return all_of(discards, entering, over)


def display_size(state: Table) -> Any:
    """How many face-up cards the player in turn chooses among (lookout.first_pick, lookout.second_pick)."""
    opening, others, second = state.setup.display
    is_first = state.player == state.first
    first_part = where(is_first, opening, others)
    second_part = where(is_last(state), 0, second)
    return where(state.phase == Phase.FIRST_PICK, first_part, where(state.phase == Phase.SECOND_PICK, second_part, 0))


def is_last(state: Table) -> Any:
    """Whether the player in turn is the last of the round's order."""
    players = state.setup.players
    return any_of(all_of(state.player == seat, state.first == (seat + 1) % players) for seat in range(players))


def display_short(state: Table) -> Any:
    """Whether fewer cards lie face up than the player in turn chooses among."""
    return all_of(
        state.draws == 0,
        state.pending == Pending.NOTHING,
        any_of(state.phase == Phase.FIRST_PICK, state.phase == Phase.SECOND_PICK),
        in_zone(state, Zone.DISPLAY) < display_size(state),
    )


def reshuffle_due(state: Table) -> Any:
    """When the discard pile becomes the deck: on need, or as soon as the deck is empty (R-RESHUFFLE)."""
    due = any_of(deck_needed(state), state.under("R-RESHUFFLE", "at_once"))
    over = state.phase == Phase.END
    return all_of(due, negate(over), in_zone(state, Zone.DECK) == 0, in_zone(state, Zone.DISCARD) > 0)


@action(clauses=("lookout.reshuffle",), by=RULES, when=reshuffle_due, log="the discard pile becomes the new deck")
def reshuffle(state: Table) -> None:
    for card in every_card(state):
        state.zone[card] = where(state.zone[card] == Zone.DISCARD, Zone.DECK, state.zone[card])


def piles_empty(state: Table) -> Any:
    """Deck and discard pile are both empty."""
    return all_of(in_zone(state, Zone.DECK) == 0, in_zone(state, Zone.DISCARD) == 0)


def draws_impossible(state: Table) -> Any:
    """Draws are owed but there is no card anywhere to draw."""
    return all_of(state.draws > 0, piles_empty(state))


@action(clauses=("lookout.reshuffle",), by=RULES, when=draws_impossible, log="no card is left to draw")
def go_without(state: Table) -> None:
    state.draws = 0
    state.drawer = state.setup.players
    state.limited = False
    card_missing(state, True)


def card_missing(state: Table, condition: Any) -> None:
    """A card should come and none is there: it is not taken, and the round may become the last (R-EMPTY)."""
    ends = state.under("R-EMPTY", "end")
    if possibly(ends):
        state.last_round = any_of(state.last_round, all_of(ends, condition))

