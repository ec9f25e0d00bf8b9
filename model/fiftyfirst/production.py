"""Production (p.3): clockwise, each player may cash spoils and then takes what base, deals and locations give."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import gain
from model.fiftyfirst.locations import icon_income, location_vp, produces
from model.fiftyfirst.table import Phase, Table, Zone, after, cards_of, in_turn, locations, possibly, undisturbed
from model.fiftyfirst.vocabulary import Ability, Asset, Gain
from model.language import One, action, all_of, any_of, cite, minimum, pick, where


@action(
    clauses=("prod.order", "prod.base", "prod.deals", "prod.locations", "prod.store", "prod.vp", "round.phases"),
    phases=(Phase.PRODUCTION,),
    when=undisturbed,
    player=One("player", in_turn, "prod.order"),
    log="{player} takes the production of base, deals and locations",
)
def produce(state: Table, player: int) -> None:
    base_gives(state, player)
    for card, is_deal in cards_of(state, player, Zone.DEAL, locations(state)):
        deal_gives(state, player, card, is_deal)
    for card, stands in cards_of(state, player, Zone.PLAY, locations(state)):
        makes = all_of(stands, produces(state, card), state.setup.deck.ability[card] != Ability.ONCE)
        location_gives(state, player, card, makes)
    if state.under("R-ICON-PAY", "each_production"):
        cite("abl.per_icon")
        icon_income(state, player)
    everybody = any_of(all_of(state.first == seat, after(state, player) == seat) for seat in range(state.setup.players))
    state.player = after(state, player)
    state.phase = where(everybody, Phase.ACTION, Phase.PRODUCTION)


def base_gives(state: Table, player: int) -> None:
    """The base gives its printed good and three workers (prod.base)."""
    cite("prod.base")
    for faction, clause in enumerate(("faction.ny", "faction.guild", "faction.appalachia", "faction.mutants")):
        if possibly(state.faction[player] == faction):
            cite(clause)
    workers: list[Any] = [0] * len(Asset)
    workers[Asset.WORKER] = state.setup.workers
    gain(state, player, workers)
    printed = state.setup.factions.base_good
    for good in sorted(set(printed)):
        mine = pick([1 if other == good else 0 for other in (*printed, -1)], state.faction[player])
        gain(state, player, [mine if asset == good else 0 for asset in Asset])


def deal_gives(state: Table, player: int, card: int, condition: Any) -> None:
    """A deal gives its blue part; VP go on the base, under whatever host it lies (prod.deals, prod.vp)."""
    deal = state.setup.deck.deal[card]
    gain(state, player, deal, condition, tokens=False)
    vp = where(condition, deal[Gain.VP], 0)
    if state.under("R-CAP-DEAL", "three"):
        cite("cap.vp_location")
        vp = minimum(vp, 3 - state.given[card])
        state.given[card] = state.given[card] + vp
    state.base_vp[player] = state.base_vp[player] + vp


def location_gives(state: Table, player: int, card: int, condition: Any) -> None:
    """A production location gives its grey part; its VP stay on it, or go to the base (R-PROD-VP)."""
    made = state.setup.deck.gain[card]
    gain(state, player, made, condition, tokens=False)
    location_vp(state, player, card, where(condition, made[Gain.VP], 0))
