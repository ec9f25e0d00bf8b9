"""51st State (2010) as a game of the rule language: all rules in the order of the rulebook."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst import (
    attachments,
    cleanup,
    drawing,
    free_moves,
    incorporation,
    leaders,
    lookout,
    preparation,
    presets,
    production,
    redevelopment,
    scoring,
    turns,
    workers,
)  # fmt: skip
from model.fiftyfirst.table import Phase, Table, families, observe, variables
from model.language import Game


def over(state: Table) -> Any:
    """The last round has been cleaned up (end.trigger)."""
    return state.phase == Phase.END


ACTIONS = (
    preparation.draw_faction,
    preparation.deal,
    preparation.deal_short,
    drawing.draw,
    drawing.reshuffle,
    drawing.go_without,
    lookout.discard_down,
    lookout.reveal,
    lookout.trim_display,
    lookout.pick_card,
    lookout.pick_from_deck,
    lookout.pick_nothing,
    lookout.deny,
    lookout.deny_nothing,
    lookout.take_leftover,
    lookout.draw_leftover,
    lookout.skip_leftover,
    lookout.discard_leftover,
    lookout.third_draw,
    lookout.discard_face_up,
    lookout.draw_one,
    lookout.draw_two,
    lookout.set_aside,
    lookout.keep_one,
    lookout.keep_nothing,
    production.produce,
    attachments.cash_spoils,
    attachments.drop_spoils,
    attachments.drop_deal,
    free_moves.store,
    free_moves.take_out,
    free_moves.place_on_combo,
    free_moves.exchange,
    attachments.conquest,
    attachments.negotiation,
    incorporation.incorporation,
    redevelopment.redevelop,
    redevelopment.redevelop_at_once,
    redevelopment.forgo_redevelopment,
    attachments.rehouse,
    attachments.discard_homeless,
    leaders.play_leader,
    leaders.replace_leader,
    leaders.discard_for_vp,
    workers.use_location,
    workers.steal,
    workers.send_thieves,
    workers.surrender,
    workers.visit,
    workers.trade,
    workers.discard_and_draw,
    turns.pass_turn,
    scoring.count_points,
    cleanup.clean_up,
)

GAME = Game(
    id="51st-state-2010",
    title="51st State (2010)",
    version="1",
    catalogue=presets.catalogue(),
    actions=ACTIONS,
    phases=[phase.name for phase in Phase],
    presets=presets.PRESETS,
    player_counts=(2, 3, 4),
    setup=presets.setup,
    families=families,
    variables=variables,
    state=Table,
    over=over,
    observe=observe,
    turn_clause="act.turns",
    phase_clause="round.phases",
)
