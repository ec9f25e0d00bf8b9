"""Spoils and deals (p.5-6, p.8): conquest and negotiation put cards under a host, cashing and dropping free it."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import gain
from model.fiftyfirst.contacts import reach, require_contacts, use_contacts, within_range
from model.fiftyfirst.leaders import trigger
from model.fiftyfirst.locations import pay_for_icons
from model.fiftyfirst.production import deal_gives
from model.fiftyfirst.table import (
    BASE,
    NOWHERE,
    Pending,
    Phase,
    Table,
    Zone,
    choosing,
    held,
    locations,
    own,
    possibly,
    put_away,
    undisturbed,
)  # fmt: skip
from model.fiftyfirst.turns import FREE_PHASES, end_turn, may_play_freely
from model.fiftyfirst.vocabulary import Ability, Colour, Trigger
from model.language import One, Selection, action, all_of, any_of, cite, count_where, negate, require, where

SLOTS = 3


def attached(state: Table, player: int, host: int) -> Any:
    """How many spoils and deals lie under the host; each player has a base of his own."""
    if host == BASE:
        return count_where(state.host, BASE, state.owner, player)
    return count_where(state.host, host)


def is_own_host(state: Table, player: int, host: int) -> Any:
    """Whether the host is the player's base or a location of the player's that gives slots (abl.slots)."""
    if host == BASE:
        return True
    ability = state.setup.deck.ability[host]
    slots = any_of(ability == Ability.SLOTS_ANY, ability == Ability.SLOTS_SPOILS)
    return all_of(slots, held(state, player, host, Zone.PLAY))


def takes_deals(state: Table, host: int) -> Any:
    """Whether deals may lie under the host (R-SLOTS-KIND)."""
    if host == BASE:
        return True
    spoils_only = state.setup.deck.ability[host] == Ability.SLOTS_SPOILS
    return any_of(negate(spoils_only), state.under("R-SLOTS-KIND", "any_mix"))


def free_for_spoils(state: Table, player: int, host: int) -> Any:
    """The host is the player's and has a free slot."""
    return all_of(is_own_host(state, player, host), attached(state, player, host) < SLOTS)


def free_for_deals(state: Table, player: int, host: int) -> Any:
    """The host is the player's, takes deals and has a free slot."""
    return all_of(free_for_spoils(state, player, host), takes_deals(state, host))


# -- conquest and negotiation --------------------------------------------------------------------------------------
@action(
    clauses=("act.conquest", "act.range", "cap.attach"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    **reach(Colour.CONQUEST),
    host=One("host", free_for_spoils, "cap.attach"),
    card=One("location", within_range(Colour.CONQUEST), "act.range"),
    log="{player} conquers {card}: spoils under {host} "
    "(contacts: {permanents}, {contacts}, {tokens}; paid: {price}, {discards})",
)
def conquest(
    state: Table, player: int, permanents: Selection, contacts: Selection, tokens: Selection, price: Selection,
    discards: Selection, host: int, card: int,
) -> None:  # fmt: skip
    require_contacts(state, permanents, contacts, price, discards)
    use_contacts(state, player, permanents, contacts, tokens, price, discards)
    attach(state, player, card, host, Zone.SPOILS)
    trigger(state, player, Trigger.CONQUEST, card, located=False)
    end_turn(state, player)


@action(
    clauses=("act.negotiation", "act.range", "cap.attach"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    **reach(Colour.NEGOTIATION),
    host=One("host", free_for_deals, "cap.attach"),
    card=One("location", within_range(Colour.NEGOTIATION), "act.range"),
    log="{player} makes a deal with {card} under {host} "
    "(contacts: {permanents}, {contacts}, {tokens}; paid: {price}, {discards})",
)
def negotiation(
    state: Table, player: int, permanents: Selection, contacts: Selection, tokens: Selection, price: Selection,
    discards: Selection, host: int, card: int,
) -> None:  # fmt: skip
    require_contacts(state, permanents, contacts, price, discards)
    use_contacts(state, player, permanents, contacts, tokens, price, discards)
    attach(state, player, card, host, Zone.DEAL)
    trigger(state, player, Trigger.NEGOTIATION, card, located=False)
    end_turn(state, player)


def attach(state: Table, player: int, card: int, host: int, zone: Zone) -> None:
    """Lay the card under the host; features that count attached cards give for it (R-ICON-WHERE)."""
    if host != BASE:
        cite("abl.slots")
    state.zone[card] = zone
    state.owner[card] = player
    state.host[card] = host
    if all_of(state.under("R-ICON-WHERE", "attached_too"), state.under("R-ICON-PAY", "when_played")):
        pay_for_icons(state, player, card)


# -- cashing and dropping ------------------------------------------------------------------------------------------
own_spoils = own(Zone.SPOILS)
own_deal = own(Zone.DEAL)


def in_own_production(state: Table, player: int) -> Any:
    """It is the player's step of Production."""
    return all_of(state.phase == Phase.PRODUCTION, state.player == player)


@action(
    clauses=("prod.spoils", "act.free_slots_any_time", "prod.vp"),
    phases=FREE_PHASES,
    when=undisturbed,
    player=One("player", may_play_freely, "act.free_slots_any_time"),
    card=One("location", own_spoils, "prod.spoils"),
    log="{player} cashes the spoils {card}",
)
def cash_spoils(state: Table, player: int, card: int) -> None:
    require(
        any_of(in_own_production(state, player), state.under("R-CASH", "any_time")), "act.free_slots_any_time"
    )
    gain(state, player, state.setup.deck.spoils[card])
    put_away(state, card)


@action(
    clauses=("act.free_slots_any_time",),
    phases=FREE_PHASES,
    when=undisturbed,
    player=One("player", may_play_freely, "act.free_slots_any_time"),
    card=One("location", own_spoils, "prod.spoils"),
    log="{player} drops the spoils {card} for nothing",
)
def drop_spoils(state: Table, player: int, card: int) -> None:
    require(state.under("R-CASH", "drop_unpaid"), "act.free_slots_any_time")
    require(negate(in_own_production(state, player)), "prod.spoils")
    put_away(state, card)


@action(
    clauses=("act.free_slots_any_time",),
    phases=FREE_PHASES,
    when=undisturbed,
    player=One("player", may_play_freely, "act.free_slots_any_time"),
    card=One("location", own_deal, "prod.deals"),
    log="{player} drops the deal {card}",
)
def drop_deal(state: Table, player: int, card: int) -> None:
    paid = state.under("R-DROP-DEAL", "gain")
    if possibly(paid):
        deal_gives(state, player, card, paid)
    put_away(state, card)


# -- a new host for what lay under a discarded one (R-ATTACHED `moved`) ---------------------------------------------
def homeless(state: Table, player: int, card: int) -> Any:
    """The card is spoils or a deal of the player's that has lost its host."""
    kept = any_of(state.zone[card] == Zone.SPOILS, state.zone[card] == Zone.DEAL)
    return all_of(kept, state.owner[card] == player, state.host[card] == NOWHERE)


def rehousing(state: Table) -> Any:
    """Attached cards wait for a new host."""
    return all_of(state.draws == 0, state.pending == Pending.REHOUSE)


@action(
    clauses=("act.redevelop_moves",),
    phases=(Phase.ACTION,),
    when=rehousing,
    player=One("player", choosing, "act.redevelop_moves"),
    card=One("location", homeless, "act.redevelop_moves"),
    host=One("host", free_for_spoils, "cap.attach"),
    log="{player} moves {card} under {host}",
)
def rehouse(state: Table, player: int, card: int, host: int) -> None:
    require(any_of(state.zone[card] == Zone.SPOILS, takes_deals(state, host)), "abl.slots")
    state.host[card] = host
    end_rehousing(state, player)


@action(
    clauses=("act.redevelop_moves",),
    phases=(Phase.ACTION,),
    when=rehousing,
    player=One("player", choosing, "act.redevelop_moves"),
    card=One("location", homeless, "act.redevelop_moves"),
    log="{player} has no host for {card} and discards it",
)
def discard_homeless(state: Table, player: int, card: int) -> None:
    is_deal = state.zone[card] == Zone.DEAL
    hosts = [BASE, *(host for host in state_hosts(state))]
    room = any_of(
        all_of(free_for_spoils(state, player, host), any_of(negate(is_deal), takes_deals(state, host)))
        for host in hosts
    )
    require(negate(room), "act.redevelop_moves")
    put_away(state, card)
    end_rehousing(state, player)


def state_hosts(state: Table) -> list[Any]:
    """The locations that can be hosts."""
    ability = state.setup.deck.ability
    return [
        card
        for card in locations(state)
        if possibly(any_of(ability[card] == Ability.SLOTS_ANY, ability[card] == Ability.SLOTS_SPOILS))
    ]


def end_rehousing(state: Table, player: int) -> None:
    """When every card has a host again, the turn ends."""
    left = any_of(homeless(state, player, card) for card in locations(state))
    state.pending = where(left, Pending.REHOUSE, Pending.NOTHING)
    state.chooser = where(left, player, state.setup.players)
    end_turn(state, player, negate(left))


