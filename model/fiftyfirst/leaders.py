"""Leaders (p.6-7, p.9, p.11): one a player, their goods, their triggers, and Baby Swift's action."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import available, entries, of_kind, spend, spendable
from model.fiftyfirst.table import (
    Phase,
    Table,
    Zone,
    cards_of,
    in_hand,
    in_play,
    in_turn,
    leaders,
    possibly,
    put_away,
    undisturbed,
)  # fmt: skip
from model.fiftyfirst.turns import end_turn
from model.fiftyfirst.vocabulary import Asset, Gain, Icon, Trigger
from model.language import (
    Amounts,
    One,
    Selection,
    Subset,
    action,
    all_of,
    any_of,
    cite,
    count,
    negate,
    require,
    where,
)  # fmt: skip

MOST = 5
TYPED = {
    Trigger.CARD_SCRAP: Icon.SCRAP,
    Trigger.CARD_FUEL: Icon.FUEL,
    Trigger.CARD_GUN: Icon.GUN,
    Trigger.CARD_BRICK: Icon.BRICK,
}


# -- triggers ------------------------------------------------------------------------------------------------------
def trigger(state: Table, player: int, event: Trigger | None, card: int, located: bool) -> None:
    """Let the player's leader take a VP token for what has just been played (leader.triggers).

    Args:
        event: a conquest, negotiation or redevelopment, if it was one. card: the card played.
        located: whether it was played as a location (R-TYPED-CARD).
    """
    deck = state.setup.deck
    typed = True if located else state.under("R-TYPED-CARD", "any_use")
    for leader, stands in cards_of(state, player, Zone.PLAY, leaders(state)):
        of_type = any_of(
            all_of(deck.trigger[leader] == kind, deck.icons[card][icon] == 1) for kind, icon in TYPED.items()
        )
        happened = all_of(typed, of_type)
        if event is not None:
            happened = any_of(happened, deck.trigger[leader] == event)
        happened = all_of(stands, happened)
        if possibly(happened):
            cite("leader.triggers")
            take_token(state, leader, happened)


def room_on_leader(state: Table, leader: int) -> Any:
    """Whether the leader may take another VP token: five at most (cap.vp_leader, R-CAP-RETURN)."""
    per_game = all_of(state.under("R-CAP-RETURN", "per_game"), state.given[leader] >= MOST)
    return all_of(state.tokens[leader] < MOST, negate(per_game))


def take_token(state: Table, leader: int, condition: Any) -> None:
    """Put a VP token on the leader unless it has had all it may have."""
    cite("cap.vp_leader")
    takes = where(all_of(condition, room_on_leader(state, leader)), 1, 0)
    state.tokens[leader] = state.tokens[leader] + takes
    if state.under("R-CAP-RETURN", "per_game"):
        state.given[leader] = state.given[leader] + takes


# -- playing and replacing -----------------------------------------------------------------------------------------
@action(
    clauses=("act.leader_play", "leader.goods"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    leader=One("leader", in_hand, "act.leader_play"),
    log="{player} puts the leader {leader} into play",
)
def play_leader(state: Table, player: int, leader: int) -> None:
    require(count(in_play(state, player, other) for other in leaders(state)) == 0, "act.leader_one")
    come(state, player, leader)
    end_turn(state, player)


def pays_gun(asset: int) -> bool:
    """A gun, or a universal good in its place."""
    return asset in (Asset.GUN, Asset.UNIVERSAL)


@action(
    clauses=("act.leader_replace", "leader.goods", "vp.redeveloped"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    old=One("leader", in_play, "act.leader_replace"),
    leader=One("leader", in_hand, "act.leader_replace"),
    gun=Amounts("source", of_kind(pays_gun), "act.leader_replace", limit=spendable, total=lambda state: 1),
    log="{player} replaces the leader {old} by {leader}, paying {gun}",
)
def replace_leader(state: Table, player: int, old: int, leader: int, gun: Selection) -> None:
    spend(state, player, gun)
    for asset in Asset:
        if possibly(state.on_card[old][asset] != 0):
            state.base[player][asset] = state.base[player][asset] + state.on_card[old][asset]
            state.on_card[old][asset] = 0
    state.base_vp[player] = state.base_vp[player] + state.tokens[old] + token_for_replacing(state)
    state.tokens[old] = 0
    put_away(state, old)
    come(state, player, leader)
    end_turn(state, player)


def token_for_replacing(state: Table) -> Any:
    """The VP of a redevelopment or of replacing a leader (R-REDEV-VP)."""
    return where(state.under("R-REDEV-VP", "token_1"), 1, 2)


def come(state: Table, player: int, leader: int) -> None:
    """Put a leader into play with its goods."""
    state.zone[leader] = Zone.PLAY
    state.owner[leader] = player
    for kind, amount in entries(state.setup.deck.gain[leader]):
        if kind < Gain.CARD:
            state.on_card[leader][kind] = available(state, kind, amount)


# -- Baby Swift ----------------------------------------------------------------------------------------------------
@action(
    clauses=("act.baby_swift",),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    leader=One("leader", in_play, "act.baby_swift"),
    cards=Subset("card", in_hand, "act.baby_swift", total=lambda state: 2),
    log="{player} discards {cards} for a VP on {leader}",
)
def discard_for_vp(state: Table, player: int, leader: int, cards: Selection) -> None:
    require(state.setup.deck.trigger[leader] == Trigger.DISCARD_TWO, "act.baby_swift")
    room = room_on_leader(state, leader)
    require(any_of(room, state.under("R-TRIGGER-CAP", "lost")), "cap.vp_leader")
    for card, chosen in cards.items():
        put_away(state, card, chosen)
    take_token(state, leader, True)
    end_turn(state, player)


