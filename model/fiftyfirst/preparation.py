"""Setup (p.2): factions are drawn, and each player is dealt cards."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import draw_cards
from model.fiftyfirst.table import Phase, Table, after, in_turn, undisturbed
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
    everybody = after(state, player) == 0
    state.player = after(state, player)
    state.phase = where(everybody, Phase.DEAL, Phase.FACTIONS)


@action(
    clauses=("setup.deal", "setup.piles", "setup.first"),
    phases=(Phase.DEAL,),
    by=RULES,
    when=undisturbed,
    player=One("player", in_turn, "setup.deal"),
    log="{player} is dealt cards from the shuffled deck",
)
def deal(state: Table, player: int) -> None:
    draw_cards(state, player, state.setup.deal)
    everybody = after(state, player) == state.first
    state.player = after(state, player)
    state.phase = where(everybody, Phase.FIRST_PICK, Phase.DEAL)
