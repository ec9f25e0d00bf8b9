"""Setup (p.2): factions are drawn, and each player is dealt cards."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.drawing import in_deck
from model.fiftyfirst.table import Phase, Table, Zone, after, hand_size, in_turn, in_zone
from model.language import CHANCE, RULES, One, action, all_of, require, where

NO_FACTION = 4


def unclaimed(state: Table, faction: int) -> Any:
    """No player has the faction yet."""
    return all_of(other != faction for other in state.faction)


@action(
    clauses=("setup.faction", "setup.players", "setup.markers", "comp.cards"),
    phases=(Phase.FACTIONS,),
    by=CHANCE,
    player=One("player", in_turn, "setup.faction"),
    faction=One("faction", unclaimed, "setup.faction"),
    log="{player} draws the faction {faction}",
)
def draw_faction(state: Table, player: int, faction: int) -> None:
    require(state.faction[player] == NO_FACTION, "setup.faction")
    state.faction[player] = faction
    everybody = after(state, player) == state.first
    state.player = after(state, player)
    begins = Phase.DEAL if state.setup.deal else Phase.FIRST_PICK
    state.phase = where(everybody, begins, Phase.FACTIONS)


@action(
    clauses=("setup.deal", "setup.piles", "setup.first"),
    phases=(Phase.DEAL,),
    by=CHANCE,
    player=One("player", in_turn, "setup.deal"),
    card=One("card", in_deck, "setup.deal"),
    log="{player} is dealt {card}",
)
def deal(state: Table, player: int, card: int) -> None:
    state.zone[card] = Zone.HAND
    state.owner[card] = player
    end_deal(state, player, hand_size(state, player) == state.setup.deal)


@action(
    clauses=("setup.deal",),
    phases=(Phase.DEAL,),
    by=RULES,
    when=lambda state: in_zone(state, Zone.DECK) == 0,
    player=One("player", in_turn, "setup.deal"),
    log="{player} is dealt no more, as the deck is empty",
)
def deal_short(state: Table, player: int) -> None:
    end_deal(state, player, True)


def end_deal(state: Table, player: int, complete: Any) -> None:
    """With a complete hand, deal to the next player; after the last the first round begins (setup.first)."""
    following = after(state, player)
    everybody = all_of(complete, following == state.first)
    state.player = where(complete, following, player)
    state.phase = where(everybody, Phase.FIRST_PICK, Phase.DEAL)
