"""Gaining and paying: how tokens come from the pile and go back to it.

A *source* is a place (the base, a card) and a kind of token there. Who pays says from which sources, so that every way
to pay exists and nothing is spent twice. A price must be met exactly: no token may be wasted on it.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import BASE, Table, Zone, every_card, held, possibly, put_away
from model.fiftyfirst.vocabulary import BASIC_GOODS, GOODS, Ability, Asset, CardType, Cost, Gain
from model.language import (
    Amounts,
    Selection,
    Subset,
    all_of,
    any_of,
    cite,
    maximum,
    minimum,
    total,
    where,
)  # fmt: skip

CONTACT_TOKENS = tuple(Asset)[Asset.CONQUEST_1 : Asset.ANY_3 + 1]
REDEVELOPMENTS = (Asset.REDEVELOPMENT, Asset.UNIVERSAL_REDEVELOPMENT)
BOX = {"goods": 39, "workers": 16, "contacts": 11, "redevelopment": 2}


def category(asset: int) -> int:
    """Which of the pile's categories a token belongs to: goods, workers, contacts, redevelopment (comp.tokens)."""
    if asset in GOODS:
        return 0
    return 1 if asset == Asset.WORKER else 2 if asset in CONTACT_TOKENS else 3


def entries(bundle: Any) -> list[tuple[int, Any]]:
    """The entries of a gain or cost table that are not plainly zero."""
    return [(index, amount) for index, amount in enumerate(bundle) if not (amount.__class__ is int and amount == 0)]


# -- gaining -------------------------------------------------------------------------------------------------------
def available(state: Table, asset: int, amount: Any) -> Any:
    """How much of what should be gained the pile can give (R-BANK)."""
    cite("comp.unlimited")
    if state.under("R-BANK", "box_only"):
        kind = category(asset)
        places = (*state.base, *state.on_card, *state.paid)
        out = total(row[other] for row in places for other in Asset if category(other) == kind)
        left = tuple(BOX.values())[kind] - out - state.laid[kind]
        return maximum(0, minimum(amount, left))
    return amount


def gain(state: Table, player: int, bundle: Any, condition: Any = True, tokens: Any = True) -> None:
    """Give a bundle to the player: tokens and VP to the base, cards from the deck (prod.store, prod.vp).

    Args:
        bundle: amounts by `Asset` and `Gain`. condition: give it only where this holds.
        tokens: False: VP are left out (they go elsewhere).
    """
    for kind, amount in entries(bundle):
        given = where(condition, amount, 0)
        if kind == Gain.CARD:
            draw_cards(state, player, given)
        elif kind == Gain.VP:
            if tokens:
                state.base_vp[player] = state.base_vp[player] + given
        else:
            state.base[player][kind] = state.base[player][kind] + available(state, kind, given)


def draw_cards(state: Table, player: int, number: Any, limited: bool = False) -> None:
    """Let the player draw from the deck before anything else happens; `limited`: under Lookout's hand limit."""
    asked = number > 0
    state.draws = state.draws + number
    state.drawer = where(asked, player, state.drawer)
    state.limited = where(asked, limited, state.limited)


# -- sources -------------------------------------------------------------------------------------------------------
def spendable(state: Table, player: int, source: tuple[int, int]) -> Any:
    """How many tokens the player may spend from the source.

    Goods in a storage are taken out first; those on a combo are bound (abl.combo, R-COMBO-FULL).
    """
    place, asset = source
    if place == BASE:
        return state.base[player][asset]
    lying = state.on_card[place][asset]
    if not possibly(lying != 0):
        return 0
    free = all_of(state.setup.deck.ability[place] != Ability.STORE, combo_open(state, place))
    return where(all_of(held(state, player, place, Zone.PLAY), free), lying, 0)


def combo_open(state: Table, card: int) -> Any:
    """Whether goods on the card are not bound: it is no combo, or a complete one under R-COMBO-FULL `open`."""
    no_combo = state.setup.deck.ability[card] != Ability.COMBO
    if no_combo is True:
        return True
    return any_of(no_combo, all_of(state.under("R-COMBO-FULL", "open"), combo_complete(state, card)))


def combo_complete(state: Table, card: int) -> Any:
    """Whether all three goods lie on the combo."""
    return all_of(state.on_card[card][good] == state.setup.deck.combo[card][good] for good in GOODS)


def has_some(state: Table, player: int, source: tuple[int, int]) -> Any:
    """The player can spend something from the source."""
    return spendable(state, player, source) > 0


def of_kind(source_filter: Any) -> Any:
    """A `where` for sources of certain assets that hold something the player can spend."""

    def qualifies(state: Table, player: int, source: tuple[int, int]) -> Any:
        return has_some(state, player, source) if source_filter(source[1]) else False

    return qualifies


def spend(state: Table, player: int, payment: Selection, condition: Any = True) -> None:
    """Take the chosen tokens from their sources (to the pile, or onto the card they pay for)."""
    for (place, asset), amount in payment.items():
        spent = where(condition, amount, 0)
        if place == BASE:
            state.base[player][asset] = state.base[player][asset] - spent
        else:
            state.on_card[place][asset] = state.on_card[place][asset] - spent


def spent_once(state: Table, player: int, one: Selection, other: Selection) -> Any:
    """Whether two payments together take no more from any source than is there."""
    return all_of(
        one[source] + other[source] <= spendable(state, player, source) for source in one if source in other
    )


def lay(state: Table, card: int, payment: Selection) -> None:
    """Note the paid tokens as lying on the location until Cleanup, where a reading makes that matter (clean.payments).

    R-REDEV-TOKENS `paid_too` gives the goods back, and R-BANK `box_only` misses all tokens in the pile.
    """
    goods, all_kinds = state.under("R-REDEV-TOKENS", "paid_too"), state.under("R-BANK", "box_only")
    for asset in Asset:
        noted = any_of(all_kinds, goods) if asset in GOODS else all_kinds
        if possibly(noted):
            amount = amount_of(payment, asset)
            if possibly(amount != 0):
                state.paid[card][asset] = state.paid[card][asset] + where(noted, amount, 0)


def lay_on_contacts(state: Table, payment: Selection) -> None:
    """Note tokens paid for contacts as out of the pile until Cleanup (R-BANK)."""
    if state.under("R-BANK", "box_only"):
        for kind in range(4):
            laid = [amount for (_, asset), amount in payment.items() if category(asset) == kind]
            state.laid[kind] = state.laid[kind] + total(laid)


def amount_of(payment: Selection, asset: int) -> Any:
    """How many tokens of the kind are in the payment."""
    return payment.sum_of(lambda source: 1 if source[1] == asset else 0)


def goods_to_take(state: Table, victim: int, source: tuple[int, int]) -> Any:
    """How many goods there an opponent may steal: never from a storage nor from a bound combo (R-STEAL-FROM)."""
    place, _ = source
    deck = state.setup.deck
    if place == BASE:
        return spendable(state, victim, source)
    base_only, leader_safe = state.under("R-STEAL-FROM", "base_only"), state.under("R-STEAL-FROM", "leader_safe")
    is_leader = deck.type[place] == CardType.LEADER
    safe = any_of(base_only, all_of(leader_safe, is_leader))
    return where(safe, 0, spendable(state, victim, source))


# -- prices --------------------------------------------------------------------------------------------------------
def price_in_tokens(cost: Any) -> Any:
    """How many tokens the cost takes in all."""
    return total(cost[: len(Asset)])


def settles(state: Table, payment: Selection, cost: Any) -> Any:
    """Whether the payment is exactly the cost, universal goods standing for what is named (R-UNIVERSAL).

    Args:
        payment: tokens by source. cost: amounts by `Asset` (entries beyond are not tokens).
    """
    any_good = state.under("R-UNIVERSAL", "any_good")
    surplus = []
    for good in BASIC_GOODS:
        paid = amount_of(payment, good)
        surplus.append(maximum(0, paid - cost[good]))
    exact = [amount_of(payment, asset) == cost[asset] for asset in Asset if asset not in GOODS]
    universal = cost[Asset.UNIVERSAL]
    return all_of(
        *exact,
        payment.size() == price_in_tokens(cost),
        total(surplus) <= where(any_good, universal, 0),
    )


def pays_for(cost: Any, asset: int, any_good: Any) -> Any:
    """Whether a token of the kind can be part of paying the cost."""
    if asset == Asset.UNIVERSAL:
        return any_of(cost[good] != 0 for good in GOODS)
    if asset in BASIC_GOODS:
        return any_of(cost[asset] != 0, all_of(any_good, cost[Asset.UNIVERSAL] != 0))
    return cost[asset] != 0


def price_of_card(clause: str) -> Amounts:
    """The choice of tokens that pay the cost printed on the chosen `card`, as the clause asks."""

    def qualifies(state: Table, player: int, card: int, source: tuple[int, int]) -> Any:
        cost = state.setup.deck.cost[card]
        needed = pays_for(cost, source[1], state.under("R-UNIVERSAL", "any_good"))
        return all_of(needed, has_some(state, player, source)) if possibly(needed) else False

    def price(state: Table, card: int) -> Any:
        return price_in_tokens(state.setup.deck.cost[card])

    return Amounts("source", qualifies, clause, limit=spendable, total=price)


def discards_for_card() -> Subset:
    """The choice of own cards (hand, spoils, deals) that pay the cost printed on the chosen `card`."""

    def qualifies(state: Table, player: int, card: int, discard: int) -> Any:
        return discardable(state, player, state.setup.deck.cost[card], discard)

    def number(state: Table, card: int) -> Any:
        return total(state.setup.deck.cost[card][Cost.CARD : Cost.SPOILS_OR_DEAL + 1])

    return Subset("card", qualifies, "abl.discard_for", total=number)


def discardable(state: Table, player: int, cost: Any, card: int) -> Any:
    """Whether the cost asks for a card from where this one is."""
    either = cost[Cost.SPOILS_OR_DEAL] != 0
    zone = state.zone[card]
    asked = any_of(
        all_of(cost[Cost.CARD] != 0, zone == Zone.HAND),
        all_of(any_of(cost[Cost.SPOILS] != 0, either), zone == Zone.SPOILS),
        all_of(any_of(cost[Cost.DEAL] != 0, either), zone == Zone.DEAL),
    )
    return all_of(asked, state.owner[card] == player)


def discards_settle(state: Table, cards: Selection, cost: Any) -> Any:
    """Whether the discarded cards are what the cost asks for: so many from hand, spoils, deals, either."""

    def number(zone: Zone) -> Any:
        return cards.sum_of(lambda card: where(state.zone[card] == zone, 1, 0))

    hand, spoils, deals = number(Zone.HAND), number(Zone.SPOILS), number(Zone.DEAL)
    beyond = maximum(0, spoils - cost[Cost.SPOILS]) + maximum(0, deals - cost[Cost.DEAL])
    whole = cost[Cost.SPOILS] + cost[Cost.DEAL] + cost[Cost.SPOILS_OR_DEAL]
    return all_of(hand == cost[Cost.CARD], spoils + deals == whole, beyond <= cost[Cost.SPOILS_OR_DEAL])


def discard_all(state: Table, cards: Selection) -> None:
    """Put the chosen cards on the discard pile."""
    for card, chosen in cards.items():
        put_away(state, card, chosen)


# -- VP tokens on cards --------------------------------------------------------------------------------------------
def room_for_token(state: Table, card: int) -> Any:
    """Whether the location may take another VP token (cap.vp_location)."""
    return state.tokens[card] < 3


def add_tokens(state: Table, card: int, number: Any) -> None:
    """Put VP tokens on a location, as many as the three-slot rule lets (cap.vp_location, R-TRIGGER-CAP)."""
    cite("cap.vp_location")
    state.tokens[card] = minimum(3, state.tokens[card] + number)


def vp_on(state: Table, card: int) -> Any:
    """What the VP tokens on the card are worth: faces of 1 or 2 on a location, of 1 on a leader."""
    return where(state.setup.deck.token[card] == 2, state.tokens[card] + state.tokens[card], state.tokens[card])


def goods_and_workers(state: Table, player: int) -> Any:
    """The player's unused goods and workers, wherever they lie (end.winner)."""
    kinds = (*GOODS, Asset.WORKER)
    on_base = total(state.base[player][kind] for kind in kinds)
    on_cards = total(
        where(held(state, player, card, Zone.PLAY), total(state.on_card[card][kind] for kind in kinds), 0)
        for card in every_card(state)
    )
    return on_base + on_cards
