"""Situations that some game should reach; one that none reaches would make other statements hollow."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import combo_complete
from model.fiftyfirst.attachments import attached
from model.fiftyfirst.table import (
    BASE,
    Phase,
    Table,
    Zone,
    hand_size,
    in_zone,
    locations,
)  # fmt: skip
from model.fiftyfirst.vocabulary import Ability
from model.language import all_of, any_of
from properties.declaration import witness
from properties.fiftyfirst.situations import in_lookout


@witness("seen.full_host", "A base with three cards under it.", ("cap.attach",), over=("player",))
def full_host(state: Table, player: int) -> Any:
    return attached(state, player, BASE) == 3


@witness("seen.second_host", "Cards lie under a location.", ("abl.slots",), over=("location",))
def second_host(state: Table, host: int) -> Any:
    return any_of(state.host[card] == host for card in locations(state))


@witness("seen.full_hand", "A player in Lookout holds exactly the most cards allowed.", ("lookout.hand_limit",),
         over=("player",))  # fmt: skip
def full_hand(state: Table, player: int) -> Any:
    return all_of(in_lookout(state), hand_size(state, player) == state.setup.hand_limit)


@witness("seen.three_tokens", "A location has all the VP tokens it may have.", ("cap.vp_location",), over=("location",))
def three_tokens(state: Table, card: int) -> Any:
    return state.tokens[card] == 3


@witness("seen.visit", "A visitor's marker lies on a location.", ("act.opponent",), over=("location", "player"))
def visited(state: Table, card: int, player: int) -> Any:
    return state.visited[card][player]


@witness("seen.second_use", "A location has been used twice in a round.", ("act.worker_second",), over=("location",))
def used_twice(state: Table, card: int) -> Any:
    return state.used[card] == 2


@witness("seen.combo", "All three goods of a combo lie on it.", ("abl.combo",), over=("location",))
def combo_is_complete(state: Table, card: int) -> Any:
    is_combo = state.setup.deck.ability[card] == Ability.COMBO
    return all_of(is_combo, state.zone[card] == Zone.PLAY, combo_complete(state, card))


@witness("seen.no_cards", "Deck and discard pile are both empty.", ("lookout.reshuffle",))
def both_piles_empty(state: Table) -> Any:
    return all_of(in_zone(state, Zone.DECK) == 0, in_zone(state, Zone.DISCARD) == 0)


@witness("seen.leader", "A leader has a VP token.", ("leader.triggers",), over=("leader",))
def leader_with_token(state: Table, leader: int) -> Any:
    return state.tokens[leader] > 0


@witness("seen.end", "The game has ended with a winner.", ("end.winner",))
def ended(state: Table) -> Any:
    return all_of(state.phase == Phase.END, state.winner < state.setup.players)


@witness("seen.no_winner", "The game has ended without a winner.", ("end.winner",))
def ended_undecided(state: Table) -> Any:
    return all_of(state.phase == Phase.END, state.winner == state.setup.players)
