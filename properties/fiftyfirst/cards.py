"""Cards: where each is, whose it is, what lies on it, and who decides what is outstanding."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.preparation import NO_FACTION
from model.fiftyfirst.table import (
    NOWHERE,
    Pending,
    Phase,
    Table,
    Zone,
    hand_size,
    is_host,
)  # fmt: skip
from model.fiftyfirst.vocabulary import CardType
from model.language import Move, all_of, any_of, implies, negate, where
from properties.declaration import invariant, step
from properties.fiftyfirst.situations import PILES


@invariant(
    "cards.owner", "A card in deck, discard pile or display is nobody's; any other card is one player's.",
    ("setup.piles", "comp.cards"), over=("card",),
)  # fmt: skip
def card_has_owner(state: Table, card: int) -> Any:
    in_pile = any_of(state.zone[card] == pile for pile in PILES)
    nobody = state.owner[card] == state.setup.players
    return all_of(implies(in_pile, nobody), implies(nobody, in_pile))


@invariant(
    "cards.kinds", "Only locations become spoils, deals or locations in play; single-use contacts never stay in play.",
    ("act.conquest", "act.negotiation", "act.single_discard", "act.leader_play"), over=("card",),
)  # fmt: skip
def zones_by_kind(state: Table, card: int) -> Any:
    kind = state.setup.deck.type[card]
    under_host = any_of(state.zone[card] == Zone.SPOILS, state.zone[card] == Zone.DEAL)
    return all_of(
        implies(under_host, kind == CardType.LOCATION), implies(state.zone[card] == Zone.PLAY, kind != CardType.CONTACT)
    )


@invariant(
    "cards.host", "Spoils and deals lie under a host (or are just being moved to one), and nothing else does.",
    ("act.conquest", "act.negotiation", "act.redevelop_moves"), over=("location",),
)  # fmt: skip
def attached_has_host(state: Table, card: int) -> Any:
    under_host = any_of(state.zone[card] == Zone.SPOILS, state.zone[card] == Zone.DEAL)
    hosted = state.host[card] != NOWHERE
    moving = all_of(state.pending == Pending.REHOUSE, state.owner[card] == state.chooser)
    return all_of(implies(hosted, under_host), implies(under_host, any_of(hosted, moving)))


@invariant(
    "cards.host_stands", "A location that is a host is in play, gives slots, and is its owner's.",
    ("abl.slots", "act.redevelop_moves"), over=("location", "location"),
)  # fmt: skip
def host_stands(state: Table, card: int, host: int) -> Any:
    stands = all_of(
        state.zone[host] == Zone.PLAY, state.owner[host] == state.owner[card], is_host(state.setup.deck, host)
    )
    return implies(state.host[card] == host, stands)


@invariant(
    "cards.marks", "VP tokens, goods, uses and visitors' markers are only on cards in play.",
    ("vp.tokens", "clean.payments", "act.redevelop_moves"), over=("card",),
)  # fmt: skip
def marks_in_play(state: Table, card: int) -> Any:
    clean = all_of(
        state.tokens[card] == 0,
        state.used[card] == 0,
        *[amount == 0 for amount in state.on_card[card]],
        *[negate(marker) for marker in state.visited[card]],
    )
    return any_of(state.zone[card] == Zone.PLAY, clean)


@invariant("setup.faction", "No two players have the same faction.", ("setup.faction",), over=("player", "player"))
def factions_differ(state: Table, one: int, other: int) -> Any:
    if one == other:
        return True
    return any_of(state.faction[one] != state.faction[other], state.faction[one] == NO_FACTION)


@invariant(
    "draws.owed", "Cards are owed to a player exactly while somebody has to draw them.", ("setup.piles",)
)
def draws_are_owed(state: Table) -> Any:
    nobody = state.drawer == state.setup.players
    return all_of(
        implies(state.draws == 0, nobody), implies(nobody, state.draws == 0), implies(state.limited, negate(nobody))
    )


@invariant(
    "pending.chooser", "An outstanding decision always has somebody to make it.", ("act.turns",)
)
def decisions_have_a_chooser(state: Table) -> Any:
    nobody = state.chooser == state.setup.players
    nothing = state.pending == Pending.NOTHING
    return all_of(implies(nothing, nobody), implies(nobody, nothing))


@step("setup.faction_stays", "A faction once drawn, its base and its permanent contacts never change.",
      ("setup.faction", "comp.cards"), over=("player",))  # fmt: skip
def faction_stays(before: Table, after: Table, move: Move, player: int) -> Any:
    return any_of(before.faction[player] == NO_FACTION, after.faction[player] == before.faction[player])


@invariant(
    "setup.deal", "Cards are dealt in turn: nobody gets more than are dealt, and none before the player's turn.",
    ("setup.deal", "setup.first"), over=("player",),
)  # fmt: skip
def dealt_hand(state: Table, player: int) -> Any:
    players, hand = state.setup.players, hand_size(state, player)
    later = any_of(
        all_of(state.first == first, state.player == now)
        for first in range(players)
        for now in range(players)
        if (player - first) % players > (now - first) % players
    )
    dealt = where(state.player == player, hand < state.setup.deal, hand <= state.setup.deal)
    return all_of(
        implies(state.phase == Phase.FACTIONS, hand == 0),
        implies(state.phase == Phase.DEAL, all_of(dealt, implies(later, hand == 0))),
    )


@invariant(
    "pending.player", "What is outstanding is the player's in turn to decide, except what a robbed player gives up.",
    ("act.turns", "abl.lookout_deny", "abl.lookout_two", "abl.redevelop", "abl.steal"),
)  # fmt: skip
def decider_is_in_turn(state: Table) -> Any:
    phases = {Pending.DENY: Phase.FIRST_PICK, Pending.LOOK_AT_TWO: Phase.THIRD_DRAW}
    own = [
        implies(
            state.pending == pending,
            all_of(state.chooser == state.player, state.phase == phases.get(pending, Phase.ACTION)),
        )
        for pending in Pending
        if pending not in (Pending.NOTHING, Pending.SURRENDER)
    ]
    quiet = any_of(
        all_of(state.chooser == seat, state.passed[seat]) for seat in range(state.setup.players)
    )
    robbed = all_of(
        state.chooser != state.player, state.phase == Phase.ACTION,
        any_of(negate(quiet), state.under("R-STEAL-PASSED", "allowed")),
    )  # fmt: skip
    return all_of(implies(state.pending == Pending.SURRENDER, robbed), *own)
