"""Range (p.5, p.8): which contacts and contact tokens are used for a conquest, negotiation or incorporation.

All three actions are paid alike: by any set of the player's contacts of the colour, each used whole and once, with all
their prices paid together. `reach(colour)` declares these choices; `use_contacts` checks and pays.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import discard_all, entries, has_some, lay_on_contacts, pays_for, settles, spend, spendable
from model.fiftyfirst.table import Table, Zone, in_hand, in_turn, own, possibly, put_away
from model.fiftyfirst.vocabulary import Asset, Colour, Cost
from model.language import (
    Amounts,
    One,
    Selection,
    Subset,
    all_of,
    any_of,
    cite,
    negate,
    require,
    total,
    where,
)  # fmt: skip

TOKEN_RANGE = {
    Colour.CONQUEST: {Asset.CONQUEST_1: 1, Asset.CONQUEST_2: 2, Asset.CONQUEST_3: 3, Asset.ANY_1: 1, Asset.ANY_3: 3},
    Colour.NEGOTIATION: {
        Asset.NEGOTIATION_1: 1, Asset.NEGOTIATION_2: 2, Asset.NEGOTIATION_3: 3, Asset.ANY_1: 1, Asset.ANY_3: 3,
    },
    Colour.INCORPORATION: {
        Asset.INCORPORATION_1: 1, Asset.INCORPORATION_2: 2, Asset.INCORPORATION_3: 3, Asset.ANY_1: 1, Asset.ANY_3: 3,
    },
}  # fmt: skip


# -- permanent contacts: members 3 * faction + number ---------------------------------------------------------------
def permanent_range(state: Table, contact: int, colour: Colour) -> Any:
    """The range of a permanent contact (R-MUTANTS for the one that is disputed)."""
    factions = state.setup.factions
    printed = factions.range[contact // 3][contact % 3][colour]
    disputed = factions.disputed_range[contact // 3][contact % 3][colour]
    return printed if printed == disputed else where(state.under("R-MUTANTS", "three"), printed, disputed)


def permanent_price(state: Table, contact: int) -> Any:
    """The price of a permanent contact, by `Cost`."""
    return state.setup.factions.price[contact // 3][contact % 3]


def price_of(state: Table, permanents: Selection, contacts: Selection) -> list[Any]:
    """What all the contacts cost together, by `Cost` (act.contact_cost)."""
    cost: list[Any] = [0] * (len(Asset) + len(Cost))
    prices = [(permanent_price(state, contact), used) for contact, used in permanents.items()]
    prices += [(state.setup.deck.cost[card], used) for card, used in contacts.items()]
    for price, used in prices:
        for kind, amount in entries(price):
            cost[kind] = cost[kind] + where(used, amount, 0)
    return cost


def range_of(
    state: Table, colour: Colour, permanents: Selection, contacts: Selection, tokens: Selection
) -> Any:
    """The total range: cards and tokens add up (act.range)."""
    deck, values = state.setup.deck, TOKEN_RANGE[colour]
    return (
        permanents.sum_of(lambda contact: permanent_range(state, contact, colour))
        + contacts.sum_of(lambda card: deck.range[card][colour])
        + tokens.sum_of(lambda source: values[source[1]])
    )


def reach(colour: Colour) -> dict[str, Any]:
    """The choices of who reaches for a card: contacts, contact tokens, and what pays the contacts' prices."""

    def own_permanent(state: Table, player: int, permanent: int) -> Any:
        if state.setup.factions.range[permanent // 3][permanent % 3][colour] == 0:
            return False
        return all_of(state.faction[player] == permanent // 3, negate(state.contact_used[permanent]))

    def suits(state: Table, contact: int) -> Any:
        return state.setup.deck.range[contact][colour] != 0

    def contact_token(state: Table, player: int, source: tuple[int, int]) -> Any:
        return has_some(state, player, source) if source[1] in TOKEN_RANGE[colour] else False

    def pays(state: Table, player: int, permanents: Selection, contacts: Selection, source: tuple[int, int]) -> Any:
        has = has_some(state, player, source)
        if not possibly(has):
            return False
        cost = price_of(state, permanents, contacts)
        return all_of(has, pays_for(cost, source[1], state.under("R-UNIVERSAL", "any_good")))

    def price(state: Table, permanents: Selection, contacts: Selection) -> Any:
        return total(price_of(state, permanents, contacts)[: len(Asset)])

    def card_price(state: Table, permanents: Selection, contacts: Selection) -> Any:
        return price_of(state, permanents, contacts)[Cost.CARD]

    return {
        "player": One("player", in_turn, "act.turns"),
        "permanents": Subset("permanent", own_permanent, "act.permanent_once"),
        "contacts": Subset("contact", own(Zone.HAND, suits), "act.range"),
        "tokens": Amounts("source", contact_token, "act.range", limit=spendable),
        "price": Amounts("source", pays, "act.contact_cost", limit=spendable, total=price),
        "discards": Subset("card", in_hand, "act.rebuild_contact", total=card_price),
    }


def within_range(colour: Colour) -> Any:
    """A `where` for location cards in hand that the chosen contacts reach and that do not pay for them."""

    def reached(
        state: Table, permanents: Selection, contacts: Selection, tokens: Selection, discards: Selection, card: int
    ) -> Any:
        reach = range_of(state, colour, permanents, contacts, tokens)
        return all_of(reach >= state.setup.deck.distance[card], negate(discards[card]))

    return own(Zone.HAND, reached)


def require_contacts(
    state: Table, permanents: Selection, contacts: Selection, price: Selection, discards: Selection
) -> None:
    """The prices are paid exactly, and no single-use contact both reaches and pays."""
    require(settles(state, price, price_of(state, permanents, contacts)), "act.contact_cost")
    require(all_of(negate(all_of(used, discards[card])) for card, used in contacts.items()), "act.range")


def use_contacts(
    state: Table, player: int, permanents: Selection, contacts: Selection, tokens: Selection, price: Selection,
    discards: Selection,
) -> None:  # fmt: skip
    """Mark permanent contacts as used, discard single-use ones, return tokens to the pile, pay the prices."""
    for permanent, used in permanents.items():
        cite("act.permanent_once")
        if state.setup.factions.price[permanent // 3][permanent % 3][Cost.CARD]:
            cite("act.rebuild_contact")
        state.contact_used[permanent] = any_of(state.contact_used[permanent], used)
    for card, used in contacts.items():
        cite("act.single_discard")
        put_away(state, card, used)
    spend(state, player, tokens)
    spend(state, player, price)
    lay_on_contacts(state, price)
    discard_all(state, discards)

