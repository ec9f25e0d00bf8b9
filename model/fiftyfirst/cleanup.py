"""Cleanup (p.4), the next round's first player (p.2), and the end of the game with its winner (p.2, p.4)."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import REDEVELOPMENTS, goods_and_workers
from model.fiftyfirst.table import Phase, Table, every_card, hand_size, possibly, undisturbed
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, CardType
from model.language import RULES, action, all_of, any_of, cite, pick, where


def keeps(state: Table, card: int, asset: int) -> Any:
    """Whether such tokens on the card survive Cleanup (clean.keep, R-LEADER-TOKEN, R-COMBO-CLEAN)."""
    deck = state.setup.deck
    if deck.type[card] == CardType.LEADER:
        if asset in GOODS:
            return True
        return state.under("R-LEADER-TOKEN", "kept") if asset in REDEVELOPMENTS else False
    if asset not in GOODS:
        return False
    combo = all_of(deck.ability[card] == Ability.COMBO, state.under("R-COMBO-CLEAN", "stay"))
    return any_of(deck.ability[card] == Ability.STORE, combo)


@action(
    clauses=("clean.assets", "clean.keep", "clean.payments", "clean.markers", "clean.first", "end.trigger"),
    phases=(Phase.CLEANUP,),
    by=RULES,
    when=undisturbed,
    log="Cleanup: leftover tokens are discarded",
)
def clean_up(state: Table) -> None:
    players = state.setup.players
    if state.under("R-TIE", "before_cleanup"):
        note_leftovers(state)
    discard_leftover_assets(state)
    if state.under("R-TIE", "after_cleanup"):
        note_leftovers(state)
    forget_the_round(state)
    following = pick([(first + 1) % players for first in range(players)], state.first)
    name_winner(state)
    state.first = where(state.last_round, state.first, following)
    state.player = state.first
    state.phase = where(state.last_round, Phase.END, Phase.FIRST_PICK)


def note_leftovers(state: Table) -> None:
    """Note unused goods and workers for the tie, in the last round (end.winner)."""
    for player in range(state.setup.players):
        state.leftover[player] = where(state.last_round, goods_and_workers(state, player), 0)


def discard_leftover_assets(state: Table) -> None:
    """Everything on the bases goes, and on cards what they do not keep (clean.assets, clean.keep)."""
    for player in range(state.setup.players):
        for asset in Asset:
            state.base[player][asset] = 0
    for card in every_card(state):
        for asset in Asset:
            lying = state.on_card[card][asset]
            if not (lying.__class__ is int and lying == 0):
                state.on_card[card][asset] = where(keeps(state, card, asset), lying, 0)


def forget_the_round(state: Table) -> None:
    """Paid tokens and markers leave the cards, and nobody has passed any more (clean.payments, clean.markers)."""
    cite("act.opponent_limit")
    for player in range(state.setup.players):
        state.passed[player] = False
        state.redeveloped[player] = False
        state.visits[player] = where(state.under("R-VISITS", "per_round"), 0, state.visits[player])
    for permanent in range(len(state.contact_used)):
        state.contact_used[permanent] = False
    for card in every_card(state):
        state.used[card] = 0
        for player in range(state.setup.players):
            state.visited[card][player] = False
        for asset in Asset:
            if possibly(state.paid[card][asset] != 0):
                state.paid[card][asset] = 0
    for kind in range(len(state.laid)):
        state.laid[kind] = 0


def name_winner(state: Table) -> None:
    """Most VP, then cards in hand, then unused goods and workers; still tied: nobody (end.winner)."""
    cite("end.winner")
    players = range(state.setup.players)
    hands = [hand_size(state, player) for player in players]
    winner: Any = state.setup.players
    for player in players:
        best = all_of(beats(state, player, other, hands) for other in players if other != player)
        winner = where(best, player, winner)
    state.winner = where(state.last_round, winner, state.setup.players)


def beats(state: Table, one: int, other: int, hands: list[Any]) -> Any:
    """Whether one player ranks above another (end.winner)."""
    score, leftover = state.score, state.leftover
    by_goods = leftover[one] > leftover[other]
    by_hand = any_of(hands[one] > hands[other], all_of(hands[one] == hands[other], by_goods))
    return any_of(score[one] > score[other], all_of(score[one] == score[other], by_hand))


