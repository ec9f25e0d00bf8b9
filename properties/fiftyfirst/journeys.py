"""Where cards go: each move takes the cards it names from one place to another, and leaves all others where they are.

What the rulebook says in many places of one action each ("put it under", "discard", "take into your hand") is here one
table, the second telling of the same facts that the rules are measured against.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.fiftyfirst.table import NOWHERE, Table, Zone
from model.language import Move, Selection, all_of, any_of, implies, negate
from properties.declaration import step
from properties.fiftyfirst.situations import chosen

OWNED = (Zone.HAND, Zone.SPOILS, Zone.DEAL, Zone.PLAY, Zone.ASIDE)
TAKEN = (Zone.HAND, Zone.DISCARD)  # the hand limit decides
Journey = tuple[tuple[Zone, ...], tuple[Zone, ...]]

FROM_HAND: Journey = ((Zone.HAND,), (Zone.DISCARD,))
AS_PRICE: Journey = ((Zone.HAND, Zone.SPOILS, Zone.DEAL), (Zone.DISCARD,))
INTO_PLAY: Journey = ((Zone.HAND,), (Zone.PLAY,))
OUT_OF_PLAY: Journey = ((Zone.PLAY,), (Zone.DISCARD,))
UNCOVERED: Journey = ((Zone.DISPLAY,), (Zone.DISCARD,))
TO_REACH = {"contacts": FROM_HAND, "discards": FROM_HAND}
JOURNEYS: Mapping[str, Mapping[str, Journey]] = {
    "deal": {"card": ((Zone.DECK,), (Zone.HAND,))},
    "draw": {"card": ((Zone.DECK,), TAKEN)},
    "discard_down": {"card": FROM_HAND},
    "reveal": {"card": ((Zone.DECK,), (Zone.DISPLAY,))},
    "trim_display": {"card": UNCOVERED},
    "pick_card": {"card": ((Zone.DISPLAY,), TAKEN)},
    "deny": {"card": UNCOVERED},
    "take_leftover": {"card": ((Zone.DISPLAY,), TAKEN)},
    "discard_face_up": {"card": UNCOVERED},
    "set_aside": {"card": ((Zone.DECK,), (Zone.ASIDE,))},
    "keep_one": {"card": ((Zone.ASIDE,), TAKEN)},
    "cash_spoils": {"card": ((Zone.SPOILS,), (Zone.DISCARD,))},
    "drop_spoils": {"card": ((Zone.SPOILS,), (Zone.DISCARD,))},
    "drop_deal": {"card": ((Zone.DEAL,), (Zone.DISCARD,))},
    "conquest": {"card": ((Zone.HAND,), (Zone.SPOILS,)), **TO_REACH},
    "negotiation": {"card": ((Zone.HAND,), (Zone.DEAL,)), **TO_REACH},
    "incorporation": {"card": INTO_PLAY, **TO_REACH},
    "redevelop": {"old": OUT_OF_PLAY, "new": INTO_PLAY},
    "redevelop_at_once": {"old": OUT_OF_PLAY, "new": INTO_PLAY},
    "discard_homeless": {"card": ((Zone.SPOILS, Zone.DEAL), (Zone.DISCARD,))},
    "play_leader": {"leader": INTO_PLAY},
    "replace_leader": {"old": OUT_OF_PLAY, "leader": INTO_PLAY},
    "discard_for_vp": {"cards": FROM_HAND},
    "discard_and_draw": {"cards": FROM_HAND},
    "use_location": {"discards": AS_PRICE},
    "steal": {"discards": AS_PRICE},
    "send_thieves": {"discards": AS_PRICE},
    "exchange": {"discards": AS_PRICE},
}
# Cards that a move does not name but takes along, always or (False) only in some situations.
SWEPT: Mapping[str, tuple[tuple[Zone, ...], Zone, bool]] = {
    "reshuffle": ((Zone.DISCARD,), Zone.DECK, True),
    "discard_leftover": ((Zone.DISPLAY,), Zone.DISCARD, True),
    "take_leftover": ((Zone.DISPLAY,), Zone.DISCARD, False),
    "draw_leftover": ((Zone.DISPLAY,), Zone.DISCARD, False),
    "keep_one": ((Zone.ASIDE,), Zone.DISCARD, True),
    "redevelop": ((Zone.SPOILS, Zone.DEAL), Zone.DISCARD, False),
    "redevelop_at_once": ((Zone.SPOILS, Zone.DEAL), Zone.DISCARD, False),
}


def lies(state: Table, card: int, zones: tuple[Zone, ...], player: Any) -> Any:
    """Whether the card is in one of the zones: the player's there, or nobody's in a pile."""
    return any_of(
        all_of(state.zone[card] == zone, state.owner[card] == (player if zone in OWNED else state.setup.players))
        for zone in zones
    )


@step(
    "cards.journey", "A move takes the cards it names from where they must lie to where they belong, and no other.",
    ("act.conquest", "act.negotiation", "act.incorporation", "act.redevelop", "act.leader_play", "act.leader_replace",
     "act.discard_draw", "act.single_discard", "lookout.first_pick", "lookout.leftover", "lookout.reshuffle",
     "abl.discard_for", "abl.lookout_two", "prod.spoils", "setup.deal"),
    over=("card",),
)  # fmt: skip
def cards_go_where_they_belong(before: Table, after: Table, move: Move, card: int) -> Any:
    name = move.action.name
    player = chosen(move, "player") if "player" in move.action.choices else before.setup.players
    named, told = [], []
    for choice, (start, end) in JOURNEYS.get(name, {}).items():
        value = chosen(move, choice)
        taken = value[card] if isinstance(value, Selection) else value == card
        if taken is not False:
            named.append(taken)
            told.append(implies(taken, all_of(lies(before, card, start, player), lies(after, card, end, player))))
    stays = all_of(after.zone[card] == before.zone[card], after.owner[card] == before.owner[card])
    if name in SWEPT:
        start, end_zone, always = SWEPT[name]
        lay = any_of(before.zone[card] == zone for zone in start)
        goes = all_of(after.zone[card] == end_zone, after.owner[card] == after.setup.players)
        stays = any_of(all_of(lay, goes if always else any_of(goes, stays)), all_of(negate(lay), stays))
    return all_of(*told, any_of(*named, stays))


@step(
    "cards.under", "A card laid under a host lies under the one that was named; nothing else changes hosts.",
    ("act.conquest", "act.negotiation", "act.redevelop_moves", "abl.slots"), over=("location",),
)  # fmt: skip
def cards_lie_where_they_are_put(before: Table, after: Table, move: Move, card: int) -> Any:
    name = move.action.name
    kept = after.host[card] == before.host[card]
    loose = after.host[card] == NOWHERE
    if name in ("conquest", "negotiation", "rehouse"):
        laid = chosen(move, "card") == card
        return after.host[card] == chosen(move, "host") if laid else kept
    if name in ("redevelop", "redevelop_at_once"):
        was_under = before.host[card] == chosen(move, "old")
        by_new = after.host[card] == chosen(move, "new")
        stay, moved = before.under("R-ATTACHED", "stay"), before.under("R-ATTACHED", "moved")
        removed = after.zone[card] == Zone.DISCARD
        freed = any_of(
            all_of(loose, removed, negate(moved)), all_of(stay, by_new), all_of(moved, loose, negate(removed))
        )
        return any_of(all_of(was_under, freed), all_of(negate(was_under), kept))
    return any_of(kept, all_of(loose, after.zone[card] == Zone.DISCARD))


@step(
    "leader.taken", "Only a player's own leader takes a token, and only in that player's move.",
    ("leader.triggers", "act.baby_swift"), over=("leader",),
)  # fmt: skip
def leaders_take_their_own(before: Table, after: Table, move: Move, leader: int) -> Any:
    if "player" not in move.action.choices:
        return after.tokens[leader] == before.tokens[leader]
    mine = all_of(before.owner[leader] == chosen(move, "player"), before.zone[leader] == Zone.PLAY)
    return any_of(mine, after.tokens[leader] <= before.tokens[leader])

