"""Who may move, and when: each decision in its phase, by the player whose it is, and what is outstanding first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.fiftyfirst.table import Pending, Phase, Table, Zone, in_zone
from model.language import Move, all_of, any_of, implies, negate
from properties.declaration import step
from properties.fiftyfirst.situations import chosen

PICKS = (Phase.FIRST_PICK, Phase.SECOND_PICK)
THIRD, ACTION = (Phase.THIRD_DRAW,), (Phase.ACTION,)
FREELY = (Phase.PRODUCTION, Phase.ACTION, Phase.VICTORY_POINTS, Phase.CLEANUP)

# What takes a player's turn in the action phase.
ACTIONS = (
    "conquest", "negotiation", "incorporation", "redevelop", "play_leader", "replace_leader", "discard_for_vp",
    "use_location", "steal", "visit", "trade", "discard_and_draw", "pass_turn",
)  # fmt: skip
# What completes one: the rest of the action, with the decision that was outstanding.
COMPLETIONS: Mapping[str, tuple[Pending, ...]] = {
    "redevelop_at_once": (Pending.REDEVELOP, Pending.REDEVELOP_ANY),
    "forgo_redevelopment": (Pending.REDEVELOP, Pending.REDEVELOP_ANY),
    "rehouse": (Pending.REHOUSE,),
    "discard_homeless": (Pending.REHOUSE,),
    "surrender": (Pending.SURRENDER,),
}
OTHER_DECISIONS: Mapping[str, tuple[Pending, ...]] = {
    "deny": (Pending.DENY,), "deny_nothing": (Pending.DENY,),
    "set_aside": (Pending.LOOK_AT_TWO,), "keep_one": (Pending.LOOK_AT_TWO,), "keep_nothing": (Pending.LOOK_AT_TWO,),
}  # fmt: skip
DECISIONS = {**COMPLETIONS, **OTHER_DECISIONS}
LOOKING = ("set_aside", "keep_one", "keep_nothing")  # no cards are owed while a player looks at two
FREE = ("cash_spoils", "drop_spoils", "drop_deal", "store", "take_out", "place_on_combo", "exchange")
PHASES: Mapping[str, tuple[Phase, ...]] = {
    "draw_faction": (Phase.FACTIONS,), "deal": (Phase.DEAL,), "deal_short": (Phase.DEAL,),
    "discard_down": (Phase.FIRST_PICK,), "reveal": PICKS, "trim_display": PICKS, "pick_card": PICKS,
    "pick_from_deck": PICKS, "pick_nothing": PICKS, "deny": (Phase.FIRST_PICK,), "deny_nothing": (Phase.FIRST_PICK,),
    "take_leftover": (Phase.LEFTOVER,), "draw_leftover": (Phase.LEFTOVER,), "skip_leftover": (Phase.LEFTOVER,),
    "discard_leftover": (Phase.LEFTOVER,), "third_draw": THIRD, "discard_face_up": THIRD, "draw_one": THIRD,
    "draw_two": THIRD, "set_aside": THIRD, "keep_one": THIRD, "keep_nothing": THIRD,
    "produce": (Phase.PRODUCTION,), "count_points": (Phase.VICTORY_POINTS,), "clean_up": (Phase.CLEANUP,),
    "send_thieves": ACTION, "exchange": (Phase.PRODUCTION, Phase.ACTION),
    **dict.fromkeys((*ACTIONS, *COMPLETIONS), ACTION),
    **{name: FREELY for name in FREE if name != "exchange"},
}  # fmt: skip


@step(
    "turns.phase", "Each kind of move is made in its own phase of the round.",
    ("round.phases", "lookout.first_pick", "lookout.second_pick", "lookout.third_draw", "lookout.leftover",
     "act.turns", "prod.order"),
)  # fmt: skip
def moves_in_their_phase(before: Table, after: Table, move: Move) -> Any:
    phases = PHASES.get(move.action.name, tuple(Phase))
    return any_of(before.phase == phase for phase in phases)


@step(
    "turns.due", "A move is made by the player in turn, or by whoever has an outstanding decision, which comes first.",
    ("act.turns", "prod.order", "lookout.first_pick", "abl.lookout_deny", "abl.lookout_two", "abl.steal",
     "abl.redevelop", "setup.piles"),
)  # fmt: skip
def who_is_due_moves(before: Table, after: Table, move: Move) -> Any:
    name = move.action.name
    player = next((chosen(move, seat) for seat in ("player", "victim") if seat in move.action.choices), None)
    if name == "draw":
        return all_of(before.draws > 0, before.drawer == player)
    if name in ("reshuffle", "go_without"):
        nothing = in_zone(before, Zone.DECK) == 0
        some = in_zone(before, Zone.DISCARD) > 0
        return all_of(nothing, some) if name == "reshuffle" else all_of(nothing, negate(some), before.draws > 0)
    quiet = before.draws == 0
    if name in DECISIONS:
        asked = any_of(before.pending == pending for pending in DECISIONS[name])
        decider = before.chooser == (chosen(move, "victim") if name == "surrender" else player)
        return all_of(True if name in LOOKING else quiet, asked, decider)
    quiet = all_of(quiet, before.pending == Pending.NOTHING)
    if player is None or name == "discard_down":
        return quiet
    anybody = before.under("R-ANY-TIME", "always") if name in FREE and name != "exchange" else False
    return all_of(quiet, any_of(before.player == player, anybody))


@step(
    "turns.next", "After an action the next player clockwise who has not passed is in turn; nothing else moves it.",
    ("act.turns", "act.pass"),
    actions=(*ACTIONS, *COMPLETIONS, "send_thieves", *FREE, "draw", "reshuffle", "go_without"),
)  # fmt: skip
def turn_goes_on_after_an_action(before: Table, after: Table, move: Move) -> Any:
    name, players = move.action.name, before.setup.players
    same = all_of(after.player == before.player, after.phase == before.phase)
    takes_turn = name in ACTIONS or name in COMPLETIONS
    if name == "exchange":
        takes_turn = before.under("R-DISCARD-FOR", "action")
    if takes_turn is False:
        return same
    done = all_of(after.pending == Pending.NOTHING, takes_turn)

    def goes_to_next(now: int) -> Any:
        order = [(now + distance) % players for distance in range(1, players)]
        passed = after.passed
        goes = [
            all_of(after.player == seat, negate(passed[seat]), *[passed[other] for other in order[:position]])
            for position, seat in enumerate(order)
        ]
        alone = all_of(after.player == now, *[passed[seat] for seat in order])
        return implies(before.player == now, any_of(*goes, alone))

    moved_on = all_of(goes_to_next(now) for now in range(players))
    return any_of(all_of(done, moved_on), all_of(negate(done), same))


@step(
    "turns.outstanding", "A decision comes up only through the ability that asks for it, and is gone once it is made.",
    ("abl.lookout_deny", "abl.lookout_two", "abl.redevelop", "abl.steal", "act.redevelop_moves"),
)  # fmt: skip
def decisions_come_and_go(before: Table, after: Table, move: Move) -> Any:
    name = move.action.name
    asks: Mapping[str, tuple[Pending, ...]] = {
        "pick_card": (Pending.DENY,), "pick_from_deck": (Pending.DENY,), "pick_nothing": (Pending.DENY,),
        "draw_two": (Pending.LOOK_AT_TWO,), "use_location": (Pending.REDEVELOP, Pending.REDEVELOP_ANY),
        "send_thieves": (Pending.SURRENDER,), "redevelop": (Pending.REHOUSE,), "redevelop_at_once": (Pending.REHOUSE,),
        "rehouse": (Pending.REHOUSE,), "discard_homeless": (Pending.REHOUSE,),
    }  # fmt: skip
    must = name in ("draw_two", "send_thieves")
    kept = all_of(after.pending == before.pending, after.chooser == before.chooser)
    if name in ("set_aside", "draw", "reshuffle", "go_without", *FREE) or name not in (*asks, *DECISIONS):
        return kept
    gone = after.pending == Pending.NOTHING
    asked = any_of(after.pending == pending for pending in asks.get(name, ()))
    return asked if must else any_of(gone, asked)
