"""The round: its phases in order, and whose turn it is outside the action phase."""

from __future__ import annotations

import itertools
from typing import Any

from model.fiftyfirst.table import (
    Pending,
    Phase,
    Table,
)  # fmt: skip
from model.language import Move, all_of, any_of, implies
from properties.declaration import step

FOLLOWING = {
    Phase.FACTIONS: (Phase.DEAL, Phase.FIRST_PICK),
    Phase.DEAL: (Phase.FIRST_PICK,),
    Phase.FIRST_PICK: (Phase.SECOND_PICK,),
    Phase.SECOND_PICK: (Phase.LEFTOVER, Phase.THIRD_DRAW),
    Phase.LEFTOVER: (Phase.THIRD_DRAW, Phase.PRODUCTION),
    Phase.THIRD_DRAW: (Phase.LEFTOVER, Phase.PRODUCTION),
    Phase.PRODUCTION: (Phase.ACTION,),
    Phase.ACTION: (Phase.VICTORY_POINTS,),
    Phase.VICTORY_POINTS: (Phase.CLEANUP,),
    Phase.CLEANUP: (Phase.FIRST_PICK, Phase.END),
    Phase.END: (),
}


@step("round.phases", "The phases of a round, and the parts of Lookout, follow each other in their order.",
      ("round.phases", "lookout.third_draw", "abl.lookout_leftover"))  # fmt: skip
def phases_in_order(before: Table, after: Table, move: Move) -> Any:
    return all_of(
        implies(before.phase == phase, any_of(after.phase == following for following in (phase, *after_it)))
        for phase, after_it in FOLLOWING.items()
    )


@step(
    "round.parts", "The leftover card is dealt with before the third part of Lookout, or after it (R-LEFTOVER).",
    ("lookout.leftover", "lookout.third_draw", "abl.lookout_leftover"),
)  # fmt: skip
def parts_by_reading(before: Table, after: Table, move: Move) -> Any:
    order = {
        "before_third": (Phase.SECOND_PICK, Phase.LEFTOVER, Phase.THIRD_DRAW, Phase.PRODUCTION),
        "at_end": (Phase.SECOND_PICK, Phase.THIRD_DRAW, Phase.LEFTOVER, Phase.PRODUCTION),
    }
    return all_of(
        implies(
            all_of(before.under("R-LEFTOVER", value), before.phase == part, after.phase != part),
            after.phase == following,
        )
        for value, parts in order.items()
        for part, following in itertools.pairwise(parts)
    )


@step(
    "round.clockwise", "In Lookout and Production the turn goes clockwise, and a part ends when all have had theirs.",
    ("lookout.first_pick", "lookout.second_pick", "lookout.third_draw", "prod.order"),
    actions=("pick_card", "pick_from_deck", "pick_nothing", "deny", "deny_nothing", "third_draw", "draw_one",
             "keep_one", "keep_nothing", "discard_face_up", "produce"),
)  # fmt: skip
def parts_go_clockwise(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    goes_on = any_of(
        all_of(before.player == seat, after.player == (seat + 1) % players) for seat in range(players)
    )
    waits = all_of(after.player == before.player, after.phase == before.phase, after.pending != Pending.NOTHING)
    ends, all_done = after.phase != before.phase, all_of(goes_on, after.player == after.first)
    return all_of(any_of(goes_on, waits), implies(ends, all_done), implies(all_done, ends))
