"""What is no action (p.11): goods in and out of storage, goods onto a combo, and features that turn one thing into
another. Free, any number of times, at the moments that R-ANY-TIME and R-DISCARD-FOR allow.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import (
    add_tokens,
    amount_of,
    discard_all,
    discards_for_card,
    discards_settle,
    draw_cards,
    entries,
    gain,
    of_kind,
    price_of_card,
    room_for_token,
    settles,
    spend,
    spendable,
)  # fmt: skip
from model.fiftyfirst.table import Phase, Table, Zone, own, possibly, undisturbed
from model.fiftyfirst.turns import FREE_PHASES, end_turn, in_own_step, may_play_freely
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, Gain
from model.fiftyfirst.workers import gives_only_vp
from model.language import (
    Amounts,
    One,
    Selection,
    action,
    all_of,
    any_of,
    negate,
    require,
    total,
    where,
)  # fmt: skip


def is_good(asset: int) -> bool:
    """One of the five kinds of good."""
    return asset in GOODS


def with_ability(ability: Ability) -> Any:
    """A `where` for the player's locations with an ability."""

    def has(state: Table, card: int) -> Any:
        return state.setup.deck.ability[card] == ability

    return own(Zone.PLAY, has)


ONE_GOOD = Amounts("source", of_kind(is_good), "abl.store", limit=spendable, total=lambda state: 1)


@action(
    clauses=("abl.store",),
    phases=FREE_PHASES,
    when=undisturbed,
    player=One("player", may_play_freely, "abl.store"),
    storage=One("location", with_ability(Ability.STORE), "abl.store"),
    good=ONE_GOOD,
    log="{player} puts {good} into {storage}",
)
def store(state: Table, player: int, storage: int, good: Selection) -> None:
    stored = total(state.on_card[storage][kind] for kind in GOODS)
    require(stored < state.setup.deck.amount[storage], "abl.store")
    spend(state, player, good)
    for kind in GOODS:
        put_in = amount_of(good, kind)
        if possibly(put_in != 0):
            state.on_card[storage][kind] = state.on_card[storage][kind] + put_in


def stored_good(state: Table, storage: int, asset: int) -> Any:
    """The storage holds such a good."""
    return state.on_card[storage][asset] > 0 if asset in GOODS else False


@action(
    clauses=("abl.store",),
    phases=FREE_PHASES,
    when=undisturbed,
    player=One("player", may_play_freely, "abl.store"),
    storage=One("location", with_ability(Ability.STORE), "abl.store"),
    good=One("asset", stored_good, "abl.store"),
    log="{player} takes {good} out of {storage}",
)
def take_out(state: Table, player: int, storage: int, good: int) -> None:
    state.on_card[storage][good] = state.on_card[storage][good] - 1
    state.base[player][good] = state.base[player][good] + 1


def missing_good(state: Table, combo: int, good: int) -> Any:
    """The combo still lacks such a good."""
    if good not in GOODS:
        return False
    return state.on_card[combo][good] < state.setup.deck.combo[combo][good]


def stands_for(state: Table, player: int, good: int, source: tuple[int, int]) -> Any:
    """The token at the source is the good, or a universal one that will stand for it."""
    suits = source[1] == good or source[1] == Asset.UNIVERSAL
    return spendable(state, player, source) > 0 if suits else False


@action(
    clauses=("abl.combo",),
    phases=FREE_PHASES,
    when=undisturbed,
    player=One("player", may_play_freely, "abl.combo"),
    combo=One("location", with_ability(Ability.COMBO), "abl.combo"),
    good=One("asset", missing_good, "abl.combo"),
    token=Amounts("source", stands_for, "abl.combo", limit=spendable, total=lambda state: 1),
    log="{player} places {token} on {combo} as {good}",
)
def place_on_combo(state: Table, player: int, combo: int, good: int, token: Selection) -> None:
    spend(state, player, token)
    state.on_card[combo][good] = state.on_card[combo][good] + 1


def may_exchange(state: Table, player: int) -> Any:
    """When a discard-for feature may be used: in the own turn, freely or as its action (R-DISCARD-FOR)."""
    acting = any_of(state.phase == Phase.ACTION, negate(state.under("R-DISCARD-FOR", "action")))
    return all_of(acting, in_own_step(state, player))


@action(
    clauses=("abl.discard_for", "abl.feature"),
    phases=(Phase.PRODUCTION, Phase.ACTION),
    when=undisturbed,
    player=One("player", may_exchange, "abl.discard_for"),
    card=One("location", with_ability(Ability.DISCARD_FOR), "abl.discard_for"),
    price=price_of_card("abl.discard_for"),
    discards=discards_for_card(),
    log="{player} gives up {price}, {discards} at {card}",
)
def exchange(state: Table, player: int, card: int, price: Selection, discards: Selection) -> None:
    deck = state.setup.deck
    cost, once = deck.cost[card], state.under("R-DISCARD-FOR", "once")
    require(settles(state, price, cost), "abl.discard_for")
    require(discards_settle(state, discards, cost), "abl.discard_for")
    require(any_of(negate(once), state.used[card] == 0), "abl.discard_for")
    pointless = all_of(gives_only_vp(state, card), negate(room_for_token(state, card)))
    require(any_of(negate(pointless), state.under("R-TRIGGER-CAP", "lost")), "cap.vp_location")
    spend(state, player, price)
    discard_all(state, discards)
    state.used[card] = where(once, 1, state.used[card])
    for kind, amount in entries(deck.gain[card]):
        if kind == Gain.VP:
            add_tokens(state, card, where(amount != 0, 1, 0))
        elif kind == Gain.CARD:
            draw_cards(state, player, amount)
        else:
            gain(state, player, [amount if kind == asset else 0 for asset in Asset])
    if state.under("R-DISCARD-FOR", "action"):
        end_turn(state, player)
