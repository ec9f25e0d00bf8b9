"""The three-slot rule, and victory points: their caps, how they move, how they are counted."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import vp_on
from model.fiftyfirst.attachments import attached
from model.fiftyfirst.table import (
    BASE,
    Phase,
    Table,
    Zone,
    every_card,
    held,
    leaders,
    locations,
)  # fmt: skip
from model.fiftyfirst.vocabulary import Ability, Gain, Kind
from model.language import Move, all_of, any_of, count, implies, negate, total, where
from properties.declaration import invariant, step
from properties.fiftyfirst.situations import chosen


@invariant("cap.attach_base", "At most three spoils and deals lie under a base.", ("cap.attach",), over=("player",))
def base_slots(state: Table, player: int) -> Any:
    return attached(state, player, BASE) <= 3


@invariant("cap.attach", "At most three spoils and deals lie under a location.", ("cap.attach",), over=("location",))
def location_slots(state: Table, host: int) -> Any:
    return count(state.host[card] == host for card in locations(state)) <= 3


@invariant(
    "abl.slots_spoils", "No deal lies under a host for spoils.", ("abl.slots",), over=("location", "location"),
)  # fmt: skip
def spoils_slots(state: Table, card: int, host: int) -> Any:
    is_deal = all_of(state.host[card] == host, state.zone[card] == Zone.DEAL)
    for_spoils = all_of(
        state.setup.deck.ability[host] == Ability.SLOTS_SPOILS, state.under("R-SLOTS-KIND", "by_list")
    )
    return implies(is_deal, negate(for_spoils))

def points(state: Table, player: int) -> Any:
    """What the player's table is worth (vp.count): a VP a card in play, and the VP tokens, of faces 1 and 2."""
    faces = state.setup.deck.token
    worth = [
        where(held(state, player, card, Zone.PLAY), where(faces[card] == 2, tokens + tokens, tokens) + 1, 0)
        for card, tokens in zip(every_card(state), state.tokens, strict=True)
    ]
    return total(worth) + state.base_vp[player]


@invariant(
    "cap.vp_location", "At most three VP tokens lie on a location, worth at most 6 VP.",
    ("cap.vp_location",), over=("location",),
)  # fmt: skip
def location_vp_cap(state: Table, card: int) -> Any:
    return all_of(state.tokens[card] <= 3, vp_on(state, card) <= 6)


@invariant("cap.vp_leader", "At most five VP tokens lie on a leader.", ("cap.vp_leader",), over=("leader",))
def leader_vp_cap(state: Table, leader: int) -> Any:
    return state.tokens[leader] <= 5


@invariant("act.leader_one", "A player has at most one leader in play.", ("act.leader_one",), over=("player",))
def one_leader(state: Table, player: int) -> Any:
    return count(held(state, player, leader, Zone.PLAY) for leader in leaders(state)) <= 1


@step(
    "leader.triggers", "A leader gains at most one VP token a move, and none in the move that brings it into play.",
    ("leader.triggers",), over=("leader",),
)  # fmt: skip
def one_trigger_a_move(before: Table, after: Table, move: Move, leader: int) -> Any:
    arrives = all_of(before.zone[leader] != Zone.PLAY, after.zone[leader] == Zone.PLAY)
    return all_of(
        after.tokens[leader] <= before.tokens[leader] + 1, implies(arrives, after.tokens[leader] == 0)
    )


@step(
    "vp.never_falls", "What a player would score never becomes less.",
    ("vp.count", "vp.tokens", "act.redevelop_moves", "act.leader_replace"), over=("player",),
)  # fmt: skip
def score_never_falls(before: Table, after: Table, move: Move, player: int) -> Any:
    return points(after, player) >= points(before, player)


@step(
    "act.redevelop_vp", "A redevelopment adds to the base the discarded location's VP tokens and one VP.",
    ("act.redevelop_vp", "act.redevelop_moves", "vp.redeveloped"), actions=("redevelop", "redevelop_at_once"),
)  # fmt: skip
def redevelopment_adds_one(before: Table, after: Table, move: Move) -> Any:
    player, old, new = chosen(move, "player"), chosen(move, "old"), chosen(move, "new")
    extra = where(before.under("R-REDEV-VP", "token_1"), 1, 2)
    deck = before.setup.deck
    to_base = all_of(before.under("R-PROD-VP", "on_base"), before.under("R-AT-ONCE", "everything"))
    produces = any_of(deck.kind[new] == Kind.OPEN, deck.kind[new] == Kind.CLOSED)
    made = where(all_of(to_base, produces), deck.gain[new][Gain.VP], 0)
    return after.base_vp[player] == before.base_vp[player] + vp_on(before, old) + extra + made


@step(
    "act.leader_replace_vp", "Replacing a leader adds to the base the old leader's VP tokens and one VP.",
    ("act.leader_replace", "vp.redeveloped"), actions=("replace_leader",),
)  # fmt: skip
def replacing_adds_one(before: Table, after: Table, move: Move) -> Any:
    player, old = chosen(move, "player"), chosen(move, "old")
    extra = where(before.under("R-REDEV-VP", "token_1"), 1, 2)
    return after.base_vp[player] == before.base_vp[player] + before.tokens[old] + extra


@invariant("vp.recount", "After counting, each marker shows what the table says.", ("vp.count",), over=("player",))
def marker_is_right(state: Table, player: int) -> Any:
    counted = all_of(state.phase == Phase.CLEANUP, state.under("R-ANY-TIME", "own_turn"))
    return implies(counted, state.score[player] == points(state, player))
