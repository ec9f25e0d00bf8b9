"""Lookout: what is shown, chosen and drawn, and the hand limit with its hole."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.drawing import piles_empty, somebody_over_limit
from model.fiftyfirst.table import (
    Pending,
    Phase,
    Table,
    Zone,
    hand_size,
    held,
    in_zone,
)  # fmt: skip
from model.language import Move, all_of, any_of, implies, negate, where
from properties.declaration import invariant, step
from properties.fiftyfirst.situations import before_production, chosen, in_lookout


def choice_size(state: Table) -> Any:
    """Among how many cards the player in turn should choose; the last in the second part among one fewer."""
    opening, others, second = state.setup.display
    players = state.setup.players
    last = any_of(
        all_of(state.player == seat, state.first == (seat + 1) % players) for seat in range(players)
    )
    first_part = where(state.player == state.first, opening, others)
    return where(state.phase == Phase.FIRST_PICK, first_part, where(last, second - 1, second))


@step("lookout.reveal", "Cards are turned up only to give a player the due choice, and never for the last one.",
      ("lookout.reveal", "lookout.first_pick", "lookout.second_pick"), actions=("reveal",))  # fmt: skip
def reveals_to_the_size(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    last = any_of(
        all_of(before.player == seat, before.first == (seat + 1) % players) for seat in range(players)
    )
    closing = all_of(before.phase == Phase.SECOND_PICK, last)
    return all_of(in_zone(after, Zone.DISPLAY) <= choice_size(before), negate(closing))


@step("lookout.choice", "A player chooses among the due number of cards, unless there are no more to turn up.",
      ("lookout.first_pick", "lookout.second_pick"), actions=("pick_card", "pick_from_deck"))  # fmt: skip
def chooses_among_enough(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    last = any_of(
        all_of(before.player == seat, before.first == (seat + 1) % players) for seat in range(players)
    )
    lying, size = in_zone(before, Zone.DISPLAY), choice_size(before)
    closing = all_of(before.phase == Phase.SECOND_PICK, last)
    trims = before.under("R-DISPLAY-LEFT", "next_pick")
    return all_of(
        any_of(lying >= size, closing, piles_empty(before)), implies(trims, lying <= size)
    )


@invariant(
    "lookout.hand_limit_down", "Under R-HAND discard_down nobody holds more than the limit once Lookout has begun.",
    ("lookout.hand_limit",), over=("player",),
)  # fmt: skip
def hand_is_cut_down(state: Table, player: int) -> Any:
    entering = all_of(
        state.phase == Phase.FIRST_PICK, state.player == state.first, state.draws == 0,
        state.pending == Pending.NOTHING,
    )  # fmt: skip
    applies = all_of(state.under("R-HAND", "discard_down"), in_lookout(state), negate(entering))
    return implies(applies, hand_size(state, player) <= state.setup.hand_limit)


@invariant(
    "lookout.hand_limit_strict", "No player ever holds more than the hand limit during Lookout.",
    ("lookout.hand_limit",), over=("player",), expected="REFUTED",
    explanation="p.3 forbids only the taking of a card. Who enters Lookout with more than ten (by cashing spoils or by "
    "deals that give cards) keeps them, and the sentence that no hand is ever above ten is broken. Under the reading "
    "R-HAND=discard_down it holds.",
)  # fmt: skip
def hand_within_limit(state: Table, player: int) -> Any:
    settled = all_of(in_lookout(state), negate(somebody_over_limit(state)))
    return implies(settled, hand_size(state, player) <= state.setup.hand_limit)


@step(
    "lookout.hand_limit", "Taking a card in Lookout never lifts a hand above the limit, nor a hand already above it.",
    ("lookout.hand_limit", "lookout.first_pick", "lookout.third_draw"), over=("player",),
)  # fmt: skip
def taking_respects_limit(before: Table, after: Table, move: Move, player: int) -> Any:
    old, new = hand_size(before, player), hand_size(after, player)
    return implies(any_of(in_lookout(before), before.limited), any_of(new <= before.setup.hand_limit, new <= old))


@step(
    "lookout.full_hand", "A card taken in Lookout with a full hand goes to the discard pile.",
    ("lookout.hand_limit",), actions=("pick_card", "take_leftover", "keep_one", "draw"),
)  # fmt: skip
def full_hand_discards(before: Table, after: Table, move: Move) -> Any:
    player, card = chosen(move, "player"), chosen(move, "card")
    in_force = before.limited if move.action.name == "draw" else True
    full = all_of(in_force, hand_size(before, player) >= before.setup.hand_limit)
    return all_of(
        implies(full, after.zone[card] == Zone.DISCARD),
        implies(negate(full), held(after, player, card, Zone.HAND)),
    )


@invariant(
    "lookout.display", "Once the leftover is gone no card lies face up until the next Lookout.",
    ("lookout.leftover", "abl.lookout_leftover"), over=("card",),
)  # fmt: skip
def display_until_leftover(state: Table, card: int) -> Any:
    shown = any_of(state.phase == phase for phase in (Phase.FIRST_PICK, Phase.SECOND_PICK, Phase.LEFTOVER))
    third = all_of(state.phase == Phase.THIRD_DRAW, state.under("R-LEFTOVER", "at_end"))
    return implies(state.zone[card] == Zone.DISPLAY, any_of(shown, third))


@invariant("draws.limited", "Whatever is drawn in Lookout falls under the hand limit.", ("lookout.hand_limit",))
def lookout_draws_are_limited(state: Table) -> Any:
    return implies(all_of(before_production(state), state.draws > 0), all_of(in_lookout(state), state.limited))
