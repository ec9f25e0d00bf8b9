"""Cleanup's result, the end of the game and its winner."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import goods_and_workers
from model.fiftyfirst.table import (
    Pending,
    Phase,
    Table,
    hand_size,
)  # fmt: skip
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, CardType
from model.language import Move, all_of, any_of, implies, negate, where
from properties.declaration import invariant, step
from properties.fiftyfirst.situations import before_production


def may_stay(state: Table, card: int, asset: int) -> Any:
    """Whether the card has the keep icon for such a token, or binds it (R-LEADER-TOKEN, R-COMBO-CLEAN)."""
    deck = state.setup.deck
    if deck.type[card] == CardType.LEADER:
        token = asset in (Asset.REDEVELOPMENT, Asset.UNIVERSAL_REDEVELOPMENT)
        return any_of(asset in GOODS, all_of(token, state.under("R-LEADER-TOKEN", "kept")))
    bound = all_of(deck.ability[card] == Ability.COMBO, state.under("R-COMBO-CLEAN", "stay"))
    return all_of(asset in GOODS, any_of(deck.ability[card] == Ability.STORE, bound))


@invariant(
    "clean.assets",
    "Before Production and at the end no token lies on a base and no mark of the last round is left on a player.",
    ("clean.assets", "clean.markers", "clean.payments"), over=("player",),
)  # fmt: skip
def bases_are_clean(state: Table, player: int) -> Any:
    clean = all_of(
        *[amount == 0 for amount in state.base[player]],
        negate(state.passed[player]),
        negate(state.redeveloped[player]),
        implies(state.under("R-VISITS", "per_round"), state.visits[player] == 0),
        *[amount == 0 for amount in state.laid],
    )
    return implies(any_of(before_production(state), state.phase == Phase.END), clean)


@invariant(
    "clean.keep",
    "Before Production and at the end goods lie only on leaders, storages and combos, and no use or visit is counted.",
    ("clean.keep", "clean.payments", "clean.markers"), over=("card",),
)  # fmt: skip
def cards_are_clean(state: Table, card: int) -> Any:
    clean = all_of(
        state.used[card] == 0,
        *[negate(marker) for marker in state.visited[card]],
        *[any_of(amount == 0, may_stay(state, card, asset)) for asset, amount in enumerate(state.on_card[card])],
        *[amount == 0 for amount in state.paid[card]],
    )
    return implies(any_of(before_production(state), state.phase == Phase.END), clean)


@step(
    "clean.kept", "What a card may keep lies on it after Cleanup as before.", ("clean.keep", "abl.store", "abl.combo"),
    over=("card", "asset"), actions=("clean_up",),
)  # fmt: skip
def kept_tokens_stay(before: Table, after: Table, move: Move, card: int, asset: int) -> Any:
    kept = may_stay(before, card, asset)
    return after.on_card[card][asset] == where(kept, before.on_card[card][asset], 0)


@step(
    "end.noted", "In the last round, and in no other, unused goods and workers are noted for the tie.",
    ("end.winner",), over=("player",), actions=("clean_up",),
)  # fmt: skip
def leftovers_are_noted(before: Table, after: Table, move: Move, player: int) -> Any:
    lying = goods_and_workers(before, player)
    early = before.under("R-TIE", "before_cleanup")
    return implies(early, after.leftover[player] == where(before.last_round, lying, 0))


@invariant(
    "clean.contacts", "Before Production and at the end no permanent contact counts as used.",
    ("clean.payments", "act.permanent_once"), over=("permanent",),
)  # fmt: skip
def contacts_are_ready(state: Table, permanent: int) -> Any:
    return implies(any_of(before_production(state), state.phase == Phase.END), negate(state.contact_used[permanent]))


@step("clean.vp", "Cleanup takes no VP and moves no card.", ("clean.assets", "vp.tokens"),
      over=("player", "card"), actions=("clean_up",))  # fmt: skip
def cleanup_spares_vp(before: Table, after: Table, move: Move, player: int, card: int) -> Any:
    return all_of(
        after.base_vp[player] == before.base_vp[player],
        after.tokens[card] == before.tokens[card],
        after.zone[card] == before.zone[card],
        after.owner[card] == before.owner[card],
    )


@step("clean.first", "The first-player marker moves one seat to the left at the end of a round, and at no other time.",
      ("clean.first", "setup.first"))  # fmt: skip
def first_player_rotates(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    moves_on = any_of(
        all_of(before.first == seat, after.first == (seat + 1) % players) for seat in range(players)
    )
    next_round = all_of(before.phase == Phase.CLEANUP, after.phase == Phase.FIRST_PICK)
    return where(next_round, moves_on, after.first == before.first)


@invariant(
    "end.trigger", "A round is known to be the last only after somebody has reached the end score in it, and then the "
    "game ends with it.", ("end.trigger",),
)  # fmt: skip
def end_is_triggered(state: Table) -> Any:
    reached = any_of(score >= state.setup.end_score for score in state.score)
    closing = any_of(state.phase == Phase.CLEANUP, state.phase == Phase.END)
    return all_of(
        implies(all_of(state.last_round, state.under("R-EMPTY", "skip")), all_of(reached, closing)),
        implies(state.phase == Phase.END, state.last_round),
        implies(all_of(state.phase == Phase.CLEANUP, reached), state.last_round),
    )


@step("end.known", "What is known to be the last round stays the last.", ("end.trigger",))
def known(before: Table, after: Table, move: Move) -> Any:
    return implies(before.last_round, after.last_round)


@step(
    "vp.then_cleanup", "Points are counted once in a round, and Cleanup follows.", ("vp.count", "round.phases"),
    actions=("count_points",),
)  # fmt: skip
def then_cleanup(before: Table, after: Table, move: Move) -> Any:
    return after.phase == Phase.CLEANUP


@invariant("end.quiet", "When the game is over nothing is outstanding.", ("end.trigger",))
def nothing_is_outstanding(state: Table) -> Any:
    return implies(state.phase == Phase.END, all_of(state.draws == 0, state.pending == Pending.NOTHING))


@invariant(
    "end.winner", "The winner has most VP; in a tie most cards, then most unused goods and workers; else nobody wins.",
    ("end.winner",), over=("player", "player"),
)  # fmt: skip
def winner_is_best(state: Table, one: int, other: int) -> Any:
    if one == other:
        return True
    score, left = state.score, state.leftover
    hands = hand_size(state, one), hand_size(state, other)
    better = any_of(
        score[one] > score[other],
        all_of(
            score[one] == score[other],
            any_of(hands[0] > hands[1], all_of(hands[0] == hands[1], left[one] > left[other])),
        ),
    )
    return implies(all_of(state.phase == Phase.END, state.winner == one), better)


@invariant(
    "end.decided", "Whoever is better than every other player has won.", ("end.winner",), over=("player",)
)
def best_has_won(state: Table, one: int) -> Any:
    def ahead(other: int) -> Any:
        score, left, hand = state.score, state.leftover, hand_size(state, other)
        third = all_of(mine == hand, left[one] > left[other])
        return any_of(
            score[one] > score[other], all_of(score[one] == score[other], any_of(mine > hand, third))
        )

    mine = hand_size(state, one)
    best = all_of(ahead(other) for other in range(state.setup.players) if other != one)
    return implies(all_of(state.phase == Phase.END, best), state.winner == one)


@invariant(
    "end.leftover", "Counted after Cleanup, only goods and workers still lying there break a tie.",
    ("end.winner", "clean.keep"), over=("player",),
)  # fmt: skip
def leftover_is_what_lies_there(state: Table, player: int) -> Any:
    counted = all_of(state.phase == Phase.END, state.under("R-TIE", "after_cleanup"))
    return implies(counted, state.leftover[player] == goods_and_workers(state, player))
