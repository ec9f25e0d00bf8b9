"""Locations in play (p.6, p.8-9, p.11): how one comes into play, what it brings, and how it leaves.

Incorporation and redevelopment end in the same way, `arrive`; redevelopment and nothing else makes a location `leave`.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import add_tokens, available, draw_cards, entries, vp_on
from model.fiftyfirst.table import NOWHERE, Table, Zone, cards_of, locations, possibly, put_away
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, Gain, Icon, Kind
from model.language import all_of, any_of, cite, count, negate, total, where


def produces(state: Table, card: int) -> Any:
    """Whether the location is of open or closed production."""
    kind = state.setup.deck.kind[card]
    return any_of(kind == Kind.OPEN, kind == Kind.CLOSED)


def arrive(state: Table, player: int, card: int) -> None:
    """Put a location from hand into play: fresh, with its goods if it produces, counted by per-icon features.

    What bears the once icon gives all it shows now and never again, whatever R-AT-ONCE says (abl.once).
    """
    deck = state.setup.deck
    once = deck.ability[card] == Ability.ONCE
    if possibly(once):
        cite("abl.once")
    everything = any_of(state.under("R-AT-ONCE", "everything"), once)
    state.zone[card] = Zone.PLAY
    state.owner[card] = player
    state.host[card] = NOWHERE
    makes = any_of(produces(state, card), once)
    for kind, amount in entries(deck.gain[card]):
        now = where(all_of(makes, True if kind in GOODS else everything), amount, 0)
        if kind == Gain.CARD:
            draw_cards(state, player, now)
        elif kind == Gain.VP:
            location_vp(state, player, card, now)
        elif possibly(now != 0):
            state.on_card[card][kind] = available(state, kind, now)
    if state.under("R-ICON-PAY", "when_played"):
        pay_for_icons(state, player, card)
        pay_new_feature(state, player, card)


def location_vp(state: Table, player: int, card: int, vp: Any) -> None:
    """VP that a production location makes: one token on it, or the VP on the base (prod.vp, R-PROD-VP)."""
    if not possibly(vp != 0):
        return
    if state.under("R-PROD-VP", "on_base"):
        state.base_vp[player] = state.base_vp[player] + vp
    else:
        add_tokens(state, card, where(vp > 0, 1, 0))


# -- per-icon features ---------------------------------------------------------------------------------------------
def counts(state: Table, feature: int, card: int) -> Any:
    """Whether the feature counts cards of a type that the card has (abl.per_icon)."""
    deck = state.setup.deck
    return any_of(all_of(deck.counts_icon[feature][icon] == 1, deck.icons[card][icon] == 1) for icon in Icon)


def give_for_icons(state: Table, player: int, feature: int, times: Any, amount_for: Any) -> None:
    """Let a per-icon feature give for several cards: goods to the base, VP as tokens on it, at most three.

    Args:
        times: how many cards count. amount_for: amount -> what it comes to over those cards.
    """
    for kind, amount in entries(state.setup.deck.gain[feature]):
        if kind == Gain.CARD:
            draw_cards(state, player, amount_for(amount))
        elif kind == Gain.VP:
            add_tokens(state, feature, where(amount == 0, 0, times))
        else:
            state.base[player][kind] = state.base[player][kind] + available(state, kind, amount_for(amount))


def pay_for_icons(state: Table, player: int, card: int) -> None:
    """The player's other per-icon features give for the card just played (abl.per_icon)."""
    deck = state.setup.deck
    for feature, stands in cards_of(state, player, Zone.PLAY, locations(state)):
        if feature == card:
            continue
        pays = all_of(deck.ability[feature] == Ability.PER_ICON, stands, counts(state, feature, card))
        if possibly(pays):
            cite("abl.per_icon")
            give_for_icons(
                state, player, feature, where(pays, 1, 0), lambda amount, pays=pays: where(pays, amount, 0)
            )


def pay_new_feature(state: Table, player: int, feature: int) -> None:
    """A per-icon feature gives at once for what lies there already (R-ICON-SELF, R-ICON-WHERE)."""
    is_feature = state.setup.deck.ability[feature] == Ability.PER_ICON
    if possibly(is_feature):
        cite("abl.per_icon")
        counted = counted_cards(state, player, feature, is_feature)
        give_for_icons(
            state, player, feature, count(counted), lambda amount: total(where(one, amount, 0) for one in counted)
        )


def counted_cards(state: Table, player: int, feature: int, condition: Any) -> list[Any]:
    """For each card of the player's area, whether the feature counts it (R-ICON-SELF, R-ICON-WHERE)."""
    attached_too = state.under("R-ICON-WHERE", "attached_too")
    itself = state.under("R-ICON-SELF", "self_counts")
    counted = []
    for card in locations(state):
        attached = any_of(state.zone[card] == Zone.SPOILS, state.zone[card] == Zone.DEAL)
        there = any_of(state.zone[card] == Zone.PLAY, all_of(attached_too, attached))
        one = all_of(state.owner[card] == player, there, counts(state, feature, card), condition)
        if card == feature:
            one = all_of(one, itself)
        if possibly(one):
            counted.append(one)
    return counted


def icon_income(state: Table, player: int) -> None:
    """Per-icon features give in Production (R-ICON-PAY `each_production`)."""
    deck = state.setup.deck
    for feature, stands in cards_of(state, player, Zone.PLAY, locations(state)):
        condition = all_of(stands, deck.ability[feature] == Ability.PER_ICON)
        if possibly(condition):
            counted = counted_cards(state, player, feature, condition)
            give_for_icons(
                state,
                player,
                feature,
                count(counted),
                lambda amount, counted=counted: total(where(one, amount, 0) for one in counted),
            )


# -- leaving -------------------------------------------------------------------------------------------------------
def leave(state: Table, player: int, card: int) -> None:
    """Discard a redeveloped location: goods and VP to the base, other tokens as R-REDEV-TOKENS says."""
    cite("act.redevelop_moves")
    goods_only = state.under("R-REDEV-TOKENS", "goods_only")
    for asset in Asset:
        unspent = state.on_card[card][asset]
        moved = unspent if asset in GOODS else where(goods_only, 0, unspent)
        if not (moved.__class__ is int and moved == 0):
            state.base[player][asset] = state.base[player][asset] + moved
        if not (unspent.__class__ is int and unspent == 0):
            state.on_card[card][asset] = 0
    paid_too = state.under("R-REDEV-TOKENS", "paid_too")
    for asset in Asset:
        paid = state.paid[card][asset]
        if possibly(paid != 0):
            if asset in GOODS:
                state.base[player][asset] = state.base[player][asset] + where(paid_too, paid, 0)
            state.paid[card][asset] = 0
    state.base_vp[player] = state.base_vp[player] + vp_on(state, card)
    clear_marks(state, card)
    put_away(state, card)


def clear_marks(state: Table, card: int) -> None:
    """What is said of a card in play is gone with it."""
    state.tokens[card] = 0
    state.used[card] = 0
    for visitor in range(state.setup.players):
        if possibly(state.visited[card][visitor]):
            state.visited[card][visitor] = False


def release_attached(state: Table, player: int, old: int, new: int) -> Any:
    """What becomes of spoils and deals under a discarded location (R-ATTACHED).

    Returns whether some of them now wait for the player to find them a new host.
    """
    cite("abl.slots")
    deck = state.setup.deck
    stay, moved = state.under("R-ATTACHED", "stay"), state.under("R-ATTACHED", "moved")
    waiting = []
    for card in locations(state):
        under = state.host[card] == old
        if not possibly(under):
            continue
        fits = any_of(
            deck.ability[new] == Ability.SLOTS_ANY,
            all_of(deck.ability[new] == Ability.SLOTS_SPOILS, fits_spoils_slot(state, card)),
        )
        stays = all_of(under, stay, fits)
        waits = all_of(under, moved)
        goes = all_of(under, negate(stays), negate(waits))
        if possibly(stays):
            state.host[card] = where(stays, new, state.host[card])
        state.host[card] = where(waits, NOWHERE, state.host[card])
        put_away(state, card, goes)
        waiting.append(waits)
    return any_of(waiting)


def fits_spoils_slot(state: Table, card: int) -> Any:
    """Whether the attached card may lie in a slot that is meant for spoils (R-SLOTS-KIND)."""
    return any_of(state.zone[card] == Zone.SPOILS, state.under("R-SLOTS-KIND", "any_mix"))
