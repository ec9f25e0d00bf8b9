"""Victory Points (p.4, p.7): each round the score is counted anew from what lies on the table."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import vp_on
from model.fiftyfirst.table import Phase, Table, Zone, every_card, held, undisturbed
from model.language import RULES, action, any_of, total, where


def points(state: Table, player: int) -> Any:
    """One for each location in play and for the leader, and the VP tokens on base, locations and leader (vp.count)."""
    in_play = total(
        where(held(state, player, card, Zone.PLAY), vp_on(state, card) + 1, 0) for card in every_card(state)
    )
    return state.base_vp[player] + in_play


@action(
    clauses=("vp.count", "vp.tokens", "end.trigger"),
    phases=(Phase.VICTORY_POINTS,),
    by=RULES,
    when=undisturbed,
    log="the victory points are counted",
)
def count_points(state: Table) -> None:
    for player in range(state.setup.players):
        state.score[player] = points(state, player)
    reached = any_of(state.score[player] >= state.setup.end_score for player in range(state.setup.players))
    state.last_round = any_of(state.last_round, reached)
    state.phase = Phase.CLEANUP


