"""Turns of the action phase (p.3-4, p.10): clockwise, one action or a pass, until all have passed; and free moves."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import Phase, Table, in_turn, undisturbed
from model.language import One, action, all_of, any_of, negate, require, where

FREE_PHASES = (Phase.PRODUCTION, Phase.ACTION, Phase.VICTORY_POINTS, Phase.CLEANUP)


def in_own_step(state: Table, player: int) -> Any:
    """Whether it is the player's step of Production or the player's turn of the action phase."""
    step = any_of(state.phase == Phase.PRODUCTION, state.phase == Phase.ACTION)
    return all_of(step, state.player == player)


def may_play_freely(state: Table, player: int) -> Any:
    """Whether the player may do what is no action: in the own turn, or always (R-ANY-TIME)."""
    return any_of(state.under("R-ANY-TIME", "always"), in_own_step(state, player))


def end_turn(state: Table, player: int, condition: Any = True) -> None:
    """The next player clockwise who has not passed is in turn (act.turns), where the condition holds."""
    following = player
    for distance in range(state.setup.players - 1, 0, -1):
        seat = (player + distance) % state.setup.players
        following = where(state.passed[seat], following, seat)
    state.player = where(condition, following, state.player)


@action(
    clauses=("act.pass", "act.turns"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    log="{player} passes",
)
def pass_turn(state: Table, player: int) -> None:
    require(negate(state.passed[player]), "act.pass")
    everybody = all_of(state.passed[seat] for seat in range(state.setup.players) if seat != player)
    state.passed[player] = True
    end_turn(state, player)
    state.phase = where(everybody, Phase.VICTORY_POINTS, Phase.ACTION)


