"""Redevelopment (p.9-11): a location in play gives way to one from hand that shares a type icon with it."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import of_kind, spend, spendable
from model.fiftyfirst.leaders import token_for_replacing, trigger
from model.fiftyfirst.locations import arrive, leave, release_attached
from model.fiftyfirst.table import (
    Pending,
    Phase,
    Table,
    choosing,
    in_hand,
    in_play,
    in_turn,
    undisturbed,
)  # fmt: skip
from model.fiftyfirst.turns import end_turn
from model.fiftyfirst.vocabulary import Asset, Icon, Trigger
from model.language import (
    Amounts,
    One,
    Selection,
    action,
    all_of,
    any_of,
    cite,
    negate,
    require,
    where,
)  # fmt: skip

BRICKS = (Asset.BRICK, Asset.UNIVERSAL)
MEANS = (*BRICKS, Asset.REDEVELOPMENT, Asset.UNIVERSAL_REDEVELOPMENT)


def share_type(state: Table, one: int, other: int) -> Any:
    """Whether the two cards share a type icon; the universal icon is a type of its own (abl.universal_type)."""
    icons = state.setup.deck.icons
    return any_of(all_of(icons[one][icon] == 1, icons[other][icon] == 1) for icon in Icon)


def pays_redevelopment(asset: int) -> bool:
    """A brick (or universal good), or a redevelopment token."""
    return asset in MEANS


@action(
    clauses=("act.redevelop", "act.redevelop_vp", "act.redevelop_moves", "vp.redeveloped", "abl.universal_type"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    old=One("location", in_play, "act.redevelop"),
    new=One("location", in_hand, "act.redevelop"),
    means=Amounts("source", of_kind(pays_redevelopment), "act.redevelop", limit=spendable, total=lambda state: 1),
    log="{player} redevelops {old} into {new}, paying {means}",
)
def redevelop(state: Table, player: int, old: int, new: int, means: Selection) -> None:
    by_brick = means.sum_of(lambda source: 1 if source[1] in BRICKS else 0) > 0
    any_type = means.sum_of(lambda source: 1 if source[1] == Asset.UNIVERSAL_REDEVELOPMENT else 0) > 0
    require(any_of(negate(by_brick), negate(state.redeveloped[player])), "act.redevelop")
    require(any_of(share_type(state, old, new), any_type), "act.redevelop")
    spend(state, player, means)
    state.redeveloped[player] = any_of(state.redeveloped[player], by_brick)
    replace(state, player, old, new)


def replace(state: Table, player: int, old: int, new: int) -> None:
    """Put the new location in the old one's place, with a VP on the base (act.redevelop_vp)."""
    leave(state, player, old)
    waits = release_attached(state, player, old, new)
    arrive(state, player, new)
    state.base_vp[player] = state.base_vp[player] + token_for_replacing(state)
    trigger(state, player, Trigger.REDEVELOPMENT, new, located=True)
    state.pending = where(waits, Pending.REHOUSE, Pending.NOTHING)
    state.chooser = where(waits, player, state.setup.players)
    end_turn(state, player, negate(waits))


# -- as part of another action (R-REDEV-ICON `at_once`) ------------------------------------------------------------
def redevelopment_due(state: Table) -> Any:
    """A redevelopment is part of the action just done."""
    return all_of(
        state.draws == 0, any_of(state.pending == Pending.REDEVELOP, state.pending == Pending.REDEVELOP_ANY)
    )


@action(
    clauses=("abl.redevelop", "abl.redevelop_universal", "act.redevelop_vp", "abl.universal_type"),
    phases=(Phase.ACTION,),
    when=redevelopment_due,
    player=One("player", choosing, "abl.redevelop"),
    old=One("location", in_play, "act.redevelop"),
    new=One("location", in_hand, "act.redevelop"),
    log="{player} redevelops {old} into {new} as part of the action",
)
def redevelop_at_once(state: Table, player: int, old: int, new: int) -> None:
    require(any_of(share_type(state, old, new), state.pending == Pending.REDEVELOP_ANY), "act.redevelop")
    replace(state, player, old, new)


@action(
    clauses=("abl.redevelop",),
    phases=(Phase.ACTION,),
    when=redevelopment_due,
    player=One("player", choosing, "abl.redevelop"),
    log="{player} does without the redevelopment",
)
def forgo_redevelopment(state: Table, player: int) -> None:
    cite("abl.redevelop_universal")
    state.pending = Pending.NOTHING
    state.chooser = state.setup.players
    end_turn(state, player)
