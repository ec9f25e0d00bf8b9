"""Production: what base, deals and locations give, and to whom."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import (
    Table,
)  # fmt: skip
from model.fiftyfirst.vocabulary import Asset
from model.language import Move, all_of, implies
from properties.declaration import step
from properties.fiftyfirst.situations import chosen, same


@step(
    "prod.base", "In Production a base gives its good and the workers.",
    ("prod.base", "prod.store", "faction.ny", "faction.guild", "faction.appalachia", "faction.mutants"),
    actions=("produce",),
)  # fmt: skip
def base_produces(before: Table, after: Table, move: Move) -> Any:
    player = chosen(move, "player")
    old, new = before.base[player], after.base[player]
    given = [
        implies(before.faction[player] == faction, new[good] >= old[good] + 1)
        for faction, good in enumerate(before.setup.factions.base_good)
    ]
    workers = new[Asset.WORKER] >= old[Asset.WORKER] + before.setup.workers
    return implies(before.under("R-BANK", "unlimited"), all_of(workers, *given))


@step(
    "prod.own", "A player's Production changes nothing of another player's.",
    ("prod.order", "prod.store"), over=("player", "card"), actions=("produce",),
)  # fmt: skip
def production_is_own(before: Table, after: Table, move: Move, player: int, card: int) -> Any:
    others = chosen(move, "player") != player
    owned = before.owner[card] == player
    lying = all_of(after.tokens[card] == before.tokens[card], same(before.on_card[card], after.on_card[card]))
    untouched = all_of(
        same(before.base[player], after.base[player]),
        before.base_vp[player] == after.base_vp[player],
        implies(owned, lying),
    )
    moves = all_of(after.zone[card] == before.zone[card], after.owner[card] == before.owner[card])
    return all_of(implies(others, untouched), moves)
