"""Planted rule defects, each caught by named properties within a move or two from a small position.

A property that no defect can break says nothing. The table below is the evidence: every invariant is broken by some
defect, and the untouched rules keep every property in the same positions. A defect replaces a piece of a rule's source.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from model.fiftyfirst import (
    assets,
    attachments,
    cleanup,
    contacts,
    drawing,
    leaders,
    locations,
    lookout,
    preparation,
    production,
    redevelopment,
    scoring,
    table,
    turns,
    workers,
)  # fmt: skip
from model.fiftyfirst.game import GAME
from model.fiftyfirst.table import Pending, Phase, Zone
from model.fiftyfirst.vocabulary import Asset
from model.language import RuleError
from model.language.rule import Action
from properties.fiftyfirst import PROPERTIES
from solver.mutation.mutants import Planted, mutants
from tests.fiftyfirst.staging import Stage

CLAIMS = {declared.id: declared for declared in PROPERTIES if declared.kind != "witness"}
HAND, PLAY, SPOILS, DEAL, DISPLAY = Zone.HAND, Zone.PLAY, Zone.SPOILS, Zone.DEAL, Zone.DISPLAY


# -- positions -------------------------------------------------------------------------------------------------------
def scene(
    phase: Phase,
    cards: Mapping[str, int],
    places: Iterable[tuple[Any, ...]] = (),
    goods: Iterable[tuple[int, Asset, int]] = (),
    change: Callable[[Stage], None] = lambda stage: None,
    **more: Any,
) -> Callable[[], Stage]:
    """A position, built when it is wanted.

    Args:
        places: zone, owner, label and, for spoils and deals, the host. goods: tokens on bases. change: anything else.
    """

    def build() -> Stage:
        options = dict(more)
        player, first = options.pop("player", 0), options.pop("first", 0)
        stage = Stage(cards, **options)
        stage.phase(phase, player, first)
        for zone, owner, label, *host in places:
            stage.put(zone, label, owner=owner, host=host[0] if host else None)
        for seat, asset, number in goods:
            stage.give(seat, asset, number)
        change(stage)
        return stage

    return build


def marked(label: str, variable: str, value: int, index: int | None = None) -> Callable[[Stage], None]:
    """A change: what lies on a card."""

    def change(stage: Stage) -> None:
        row, card = getattr(stage.state, variable), stage.card(label)
        if index is None:
            row[card] = value
        else:
            row[card][index] = value

    return change


def cell(variable: str, index: Any, value: Any) -> Callable[[Stage], None]:
    """A change of a variable that is indexed by a player, a contact, or not at all."""

    def change(stage: Stage) -> None:
        if index is None:
            setattr(stage.state, variable, value)
        else:
            getattr(stage.state, variable)[index] = value

    return change


def both(*changes: Callable[[Stage], None]) -> Callable[[Stage], None]:
    def change(stage: Stage) -> None:
        for one in changes:
            one(stage)

    return change


PUNKS = [f"Punks #{number}" for number in range(2, 10)]
PICKS = [(DISPLAY, 2, label) for label in PUNKS[:5]]
FULL_HOST = [(SPOILS, 0, label, "Office Block") for label in ("Old Depot", "Old Depot #2", "Fuel Tank")]
FULL_BASE = [(SPOILS, 0, label) for label in ("Old Depot", "Old Depot #2", "Fuel Tank")]
TANKS = {"Old Depot": 2, "Fuel Tank": 2, "Office Block": 1, "Hideout": 1, "Punks": 1, "Pilgrims": 1}
TO_CONQUER = [(HAND, 0, "Punks"), (HAND, 0, "Fuel Tank #2")]
TRADER = {"Scrap Trader": 1, "Oil Trader": 1, "Quarry": 1, "Punks": 2}
TRADES = [(0, Asset.WORKER, 3), (0, Asset.SCRAP, 2)]
BORGO = {"Borgo the Almighty": 1, "Tommy the Gun": 1, "Old Depot": 1, "Punks": 2}
VISIT = {"Old Depot": 1, "Punks": 2}
ICONS = {"Refinery": 1, "Oil Trader": 1, "Punks": 1}
THIEVES = {"Thieves' Caravan": 1, "Warehouse": 1, "Punks": 2}
STORED = marked("Warehouse", "on_card", 2, Asset.FUEL)
ROBBERY: dict[str, Any] = {
    "places": [(PLAY, 0, "Thieves' Caravan"), (PLAY, 1, "Warehouse")],
    "goods": [(0, Asset.WORKER, 2)],
    "change": STORED,
}


# -- the defects -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Defect:
    """A piece of a rule's source replaced, the position that shows it, how many moves deep, and what catches it."""

    name: str
    rule: Any
    old: str
    new: str
    position: Callable[[], Stage]
    killed_by: tuple[str, ...]
    depth: int = 1


DEFECTS = [
    Defect("a discarded card keeps its owner", table.put_away,
           "where(condition, state.setup.players, state.owner[card])", "state.owner[card]",
           scene(Phase.ACTION, TANKS, FULL_BASE), ("cards.journey", "cards.owner")),
    Defect("a single-use contact stays in play", contacts.use_contacts,
           "put_away(state, card, used)", "put_away(state, card, used, 6)",
           scene(Phase.ACTION, TANKS, TO_CONQUER), ("cards.kinds", "cards.owner", "act.range")),
    Defect("spoils are laid under nothing", attachments.attach,
           "state.host[card] = host", "state.host[card] = NOWHERE",
           scene(Phase.ACTION, TANKS, TO_CONQUER), ("cards.under", "cards.host")),
    Defect("a host need not be in play", attachments.is_own_host,
           "return all_of(slots, held(state, player, host, Zone.PLAY))", "return slots",
           scene(Phase.ACTION, TANKS, TO_CONQUER), ("needs.host", "cards.host_stands")),
    Defect("a redeveloped host keeps its cards", locations.release_attached,
           "put_away(state, card, goes)", "put_away(state, card, False)",
           scene(Phase.ACTION, {"Hideout": 1, "Cutthroats' Dive": 1, "Old Depot": 1, "Punks": 1},
                 [(PLAY, 0, "Hideout"), (HAND, 0, "Cutthroats' Dive"), (SPOILS, 0, "Old Depot", "Hideout")],
                 [(0, Asset.BRICK, 1)]), ("cards.host_stands",)),
    Defect("goods stay on a replaced leader", leaders.replace_leader,
           "state.on_card[old][asset] = 0", "pass",
           scene(Phase.ACTION, BORGO, [(PLAY, 0, "Borgo the Almighty"), (HAND, 0, "Tommy the Gun")],
                 [(0, Asset.GUN, 1)], marked("Borgo the Almighty", "on_card", 2, Asset.GUN)),
           ("pay.cards", "cards.marks")),
    Defect("two players draw the same faction", preparation.unclaimed,
           "return all_of(other != faction for other in state.faction)", "return True",
           scene(Phase.FACTIONS, {"Punks": 3}, seats=None), ("setup.faction",), depth=2),
    Defect("one card too many is dealt", preparation.deal,
           "== state.setup.deal", "> state.setup.deal",
           scene(Phase.DEAL, {"Punks": 6}, deal=1), ("setup.deal",), depth=2),
    Defect("whoever has drawn is still the one to draw", drawing.draw,
           "state.drawer = where(state.draws == 0, state.setup.players, player)", "state.drawer = player",
           scene(Phase.THIRD_DRAW, {"Punks": 6}), ("draws.owed",), depth=2),
    Defect("a choice leaves somebody to decide", lookout.end_pick,
           "state.chooser = where(denies, player, state.setup.players)", "state.chooser = player",
           scene(Phase.FIRST_PICK, {"Punks": 9}, PICKS), ("pending.chooser",)),
    Defect("the next player decides what was looked at", lookout.draw_two,
           "state.chooser = player", "state.chooser = after(state, player)",
           scene(Phase.THIRD_DRAW, {"Observatory": 1, "Punks": 4}, [(PLAY, 0, "Observatory")]), ("pending.player",)),
    Defect("on entering Lookout eleven cards are no more than ten", drawing.somebody_over_limit,
           "> state.setup.hand_limit", "> state.setup.hand_limit + 1",
           scene(Phase.FIRST_PICK, {"Punks": 9}, [*PICKS, (HAND, 1, "Punks"), (HAND, 1, PUNKS[5])],
                 hand_limit=1, readings={"R-HAND": "discard_down"}), ("lookout.hand_limit_down",)),
    Defect("a full hand takes an eleventh card", lookout.hand_full,
           ">=", ">",
           scene(Phase.FIRST_PICK, {"Punks": 9}, [*PICKS, (HAND, 0, "Punks")], hand_limit=1),
           ("lookout.hand_limit", "lookout.full_hand")),
    Defect("a drawn card is above the limit", drawing.draw,
           "full = all_of(state.limited, ", "full = all_of(False, ",
           scene(Phase.THIRD_DRAW, {"Punks": 9}, [(HAND, 1, "Punks")], player=1, hand_limit=1),
           ("lookout.hand_limit", "lookout.full_hand"), depth=2),
    Defect("the leftover card is left lying", lookout.clear_display,
           "all_of(condition, face_up(state, card))", "all_of(False, face_up(state, card))",
           scene(Phase.LEFTOVER, {"Punks": 9}, PICKS[:1]), ("lookout.display",)),
    Defect("the third draw is outside the limit", lookout.third_draw,
           "limited=True", "limited=False",
           scene(Phase.THIRD_DRAW, {"Punks": 9}), ("draws.limited",)),
    Defect("everybody chooses among five", drawing.display_size,
           "where(is_first, opening, others)", "opening",
           scene(Phase.FIRST_PICK, {"Punks": 9}, PICKS[:4], player=1), ("lookout.reveal",)),
    Defect("the display need not be filled up", lookout.may_pick,
           "negate(short)", "True",
           scene(Phase.FIRST_PICK, {"Punks": 9}, PICKS[:2]), ("lookout.choice",)),
    Defect("the turn of Production stays", production.produce,
           "state.player = after(state, player)", "state.player = state.player",
           scene(Phase.PRODUCTION, {"Punks": 3}), ("round.clockwise",)),
    Defect("a base gives two workers", production.base_gives,
           "workers[Asset.WORKER] = state.setup.workers", "workers[Asset.WORKER] = 2",
           scene(Phase.PRODUCTION, {"Punks": 3}), ("income.production", "prod.base")),
    Defect("a location produces for the next player", production.location_gives,
           "gain(state, player, made", "gain(state, after(state, player), made",
           scene(Phase.PRODUCTION, VISIT, [(PLAY, 0, "Old Depot")]), ("prod.own",)),
    Defect("a base holds four cards", attachments.free_for_spoils,
           "< SLOTS", "<= SLOTS",
           scene(Phase.ACTION, TANKS, [*FULL_BASE, *TO_CONQUER]), ("cap.attach_base",)),
    Defect("a location holds four cards", attachments.free_for_spoils,
           "< SLOTS", "<= SLOTS",
           scene(Phase.ACTION, TANKS, [(PLAY, 0, "Office Block"), *FULL_HOST, *TO_CONQUER]), ("cap.attach",)),
    Defect("deals lie in slots for spoils", attachments.takes_deals,
           "return any_of(negate(spoils_only), state.under(\"R-SLOTS-KIND\", \"any_mix\"))", "return True",
           scene(Phase.ACTION, TANKS, [(PLAY, 0, "Hideout"), (HAND, 0, "Pilgrims"), (HAND, 0, "Fuel Tank")]),
           ("abl.slots_spoils",)),
    Defect("a fourth token lies on a location", assets.add_tokens,
           "minimum(3, ", "minimum(4, ",
           scene(Phase.ACTION, TRADER, [(PLAY, 0, "Scrap Trader")], TRADES, marked("Scrap Trader", "tokens", 3)),
           ("pay.token", "cap.vp_location")),
    Defect("a sixth token lies on a leader", leaders.room_on_leader,
           "state.tokens[leader] < MOST", "state.tokens[leader] <= MOST",
           scene(Phase.ACTION, BORGO, [(PLAY, 0, "Borgo the Almighty"), (HAND, 0, "Punks"), (HAND, 0, "Old Depot")],
                 change=marked("Borgo the Almighty", "tokens", 5)), ("cap.vp_leader",)),
    Defect("a leader takes two tokens", leaders.take_token,
           ", 1, 0)", ", 2, 0)",
           scene(Phase.ACTION, BORGO, [(PLAY, 0, "Borgo the Almighty"), (HAND, 0, "Punks"), (HAND, 0, "Old Depot")]),
           ("leader.events", "leader.triggers")),
    Defect("a second leader comes beside the first", leaders.play_leader,
           "== 0", "<= 1",
           scene(Phase.ACTION, BORGO, [(PLAY, 0, "Borgo the Almighty"), (HAND, 0, "Tommy the Gun")]),
           ("act.leader_one",)),
    Defect("tokens of a redeveloped location are lost", locations.leave,
           "state.base_vp[player] + vp_on(state, card)", "state.base_vp[player]",
           scene(Phase.ACTION, TRADER, [(PLAY, 0, "Scrap Trader"), (HAND, 0, "Oil Trader")],
                 [(0, Asset.BRICK, 1)], marked("Scrap Trader", "tokens", 3)), ("vp.never_falls", "act.redevelop_vp")),
    Defect("a replaced leader brings no VP", leaders.token_for_replacing,
           "1, 2)", "0, 2)",
           scene(Phase.ACTION, BORGO, [(PLAY, 0, "Borgo the Almighty"), (HAND, 0, "Tommy the Gun")],
                 [(0, Asset.GUN, 1)]), ("act.leader_replace_vp",)),
    Defect("a second brick redevelops in a round", redevelopment.redevelop,
           "state.redeveloped[player] = any_of(state.redeveloped[player], by_brick)", "pass",
           scene(Phase.ACTION, TRADER, [(PLAY, 0, "Scrap Trader"), (HAND, 0, "Oil Trader")], [(0, Asset.BRICK, 1)]),
           ("act.redevelop_brick",)),
    Defect("scores add up over the rounds", scoring.count_points,
           "= points(state, player)", "= state.score[player] + points(state, player)",
           scene(Phase.VICTORY_POINTS, {"Punks": 3}, change=cell("score", 0, 4)), ("vp.recount",)),
    Defect("Production follows the count", scoring.count_points,
           "state.phase = Phase.CLEANUP", "state.phase = Phase.PRODUCTION",
           scene(Phase.VICTORY_POINTS, {"Punks": 3}), ("round.phases",)),
    Defect("the end comes above thirty", scoring.count_points,
           ">= state.setup.end_score", "> state.setup.end_score",
           scene(Phase.VICTORY_POINTS, {"Punks": 3}, change=cell("base_vp", 1, 30)), ("end.trigger",)),
    Defect("points are counted again and again", scoring.count_points,
           "state.phase = Phase.CLEANUP", "pass",
           scene(Phase.VICTORY_POINTS, {"Punks": 3}), ("vp.then_cleanup",)),
    Defect("that the round is the last is forgotten", scoring.count_points,
           "any_of(state.last_round, reached)", "reached",
           scene(Phase.VICTORY_POINTS, {"Punks": 3}, change=cell("last_round", None, True),
                 readings={"R-EMPTY": "end"}), ("end.known",)),
    Defect("the turn goes to one who has passed", turns.end_turn,
           "where(state.passed[seat], following, seat)", "seat",
           scene(Phase.ACTION, {"Punks": 4}, [(HAND, 0, "Punks"), (HAND, 0, PUNKS[0])], players=3,
                 change=cell("passed", 1, True)), ("act.turn",)),
    Defect("the turn goes counter-clockwise", turns.end_turn,
           "(player + distance)", "(player - distance)",
           scene(Phase.ACTION, {"Punks": 4}, [(HAND, 0, "Punks"), (HAND, 0, PUNKS[0])], players=3),
           ("turns.next", "act.clockwise")),
    Defect("one other pass ends the phase", turns.pass_turn,
           "everybody = all_of(", "everybody = any_of(",
           scene(Phase.ACTION, {"Punks": 3}, players=3, change=cell("passed", 1, True)), ("act.end",)),
    Defect("passing is remembered in the next round", cleanup.forget_the_round,
           "state.passed[player] = False", "pass",
           scene(Phase.CLEANUP, {"Punks": 3}, change=cell("passed", 0, True)), ("act.pass_scope", "clean.assets")),
    Defect("who has passed is visited", workers.other_player,
           "negate(state.passed[owner])", "True",
           scene(Phase.ACTION, VISIT, [(PLAY, 1, "Old Depot")], [(0, Asset.WORKER, 1)], cell("passed", 1, True)),
           ("act.passed_still", "act.opponent")),
    Defect("a location is used three times", workers.require_workers,
           "state.used[card] < 2", "state.used[card] < 3",
           scene(Phase.ACTION, TRADER, [(PLAY, 0, "Scrap Trader")], TRADES, marked("Scrap Trader", "used", 2)),
           ("needs.location", "act.worker_second", "act.worker")),
    Defect("a second use costs no more", workers.require_workers,
           "printed + 1", "printed",
           scene(Phase.ACTION, TRADER, [(PLAY, 0, "Scrap Trader")], TRADES, marked("Scrap Trader", "used", 1)),
           ("act.worker",)),
    Defect("a visit is not counted", workers.visit,
           "state.visits[player] = state.visits[player] + 1", "pass",
           scene(Phase.ACTION, VISIT, [(PLAY, 1, "Old Depot")], [(0, Asset.WORKER, 1)]),
           ("act.opponent_limit", "act.opponent")),
    Defect("the owner gets no worker", workers.visit,
           "where(to_owner, 1, 0)", "0",
           scene(Phase.ACTION, VISIT, [(PLAY, 1, "Old Depot")], [(0, Asset.WORKER, 1)]),
           ("pay.base", "act.opponent", "act.opponent_worker")),
    Defect("a contact reaches one further", contacts.range_of,
           "deck.range[card][colour])", "deck.range[card][colour] + 1)",
           scene(Phase.ACTION, {"Petrol Station": 1, "Punks": 1}, [(HAND, 0, "Petrol Station"), (HAND, 0, "Punks")]),
           ("act.range",)),
    Defect("contacts cost nothing", contacts.price_of,
           "cost[kind] + where(used, amount, 0)", "cost[kind]",
           scene(Phase.ACTION, TANKS, [(HAND, 0, "Old Depot")], [(0, Asset.SCRAP, 1)]), ("act.contact_cost",)),
    Defect("the price of contacts is not taken", contacts.use_contacts,
           "spend(state, player, price)", "pass",
           scene(Phase.ACTION, TANKS, [(HAND, 0, "Old Depot")], [(0, Asset.GUN, 1)]), ("act.contact_spent",)),
    Defect("thieves break into the storage", assets.spendable,
           "state.setup.deck.ability[place] != Ability.STORE", "True",
           scene(Phase.ACTION, THIEVES, **ROBBERY), ("abl.store_safe",)),
    Defect("a stored good is given up to thieves", assets.spendable,
           "state.setup.deck.ability[place] != Ability.STORE", "True",
           scene(Phase.ACTION, THIEVES, readings={"R-STEAL-WHICH": "victim"}, **ROBBERY), ("abl.store_given",),
           depth=2),
    Defect("scrap survives Cleanup", cleanup.discard_leftover_assets,
           "for asset in Asset:\n            state.base", "for asset in list(Asset)[1:]:\n            state.base",
           scene(Phase.CLEANUP, {"Punks": 3}, (), [(0, Asset.SCRAP, 1)]), ("clean.assets",)),
    Defect("goods on locations survive Cleanup", cleanup.discard_leftover_assets,
           "where(keeps(state, card, asset), lying, 0)", "lying",
           scene(Phase.CLEANUP, VISIT, [(PLAY, 1, "Old Depot")], (), marked("Old Depot", "on_card", 1, Asset.SCRAP)),
           ("clean.keep",)),
    Defect("a use is remembered in the next round", cleanup.forget_the_round,
           "state.used[card] = 0", "pass",
           scene(Phase.CLEANUP, TRADER, [(PLAY, 0, "Scrap Trader")], (), marked("Scrap Trader", "used", 2)),
           ("clean.keep",)),
    Defect("contacts stay used", cleanup.forget_the_round,
           "state.contact_used[permanent] = False", "pass",
           scene(Phase.CLEANUP, {"Punks": 3}, change=cell("contact_used", 4, True)), ("clean.contacts",)),
    Defect("Cleanup takes VP tokens", cleanup.forget_the_round,
           "state.used[card] = 0", "state.tokens[card] = 0",
           scene(Phase.CLEANUP, TRADER, [(PLAY, 0, "Scrap Trader")], (), marked("Scrap Trader", "tokens", 2)),
           ("clean.vp", "vp.never_falls")),
    Defect("the marker goes to the right", cleanup.clean_up,
           "(first + 1) % players", "(first - 1) % players",
           scene(Phase.CLEANUP, {"Punks": 3}, players=3), ("clean.first",)),
    Defect("the game ends while a card is still to be drawn", table.undisturbed,
           "state.draws == 0", "True",
           scene(Phase.CLEANUP, {"Punks": 3}, change=both(
               cell("last_round", None, True), cell("draws", None, 1), cell("drawer", None, 0),
               cell("base_vp", 0, 30), cell("score", 0, 30))), ("turns.due", "end.quiet")),
    Defect("fewer cards win a tie", cleanup.beats,
           "hands[one] > hands[other]", "hands[one] < hands[other]",
           scene(Phase.CLEANUP, {"Punks": 3}, [(HAND, 0, "Punks")], change=both(
               cell("last_round", None, True), cell("score", 0, 30), cell("score", 1, 30))),
           ("end.winner", "end.decided")),
    Defect("nobody wins by goods", cleanup.beats,
           "leftover[one] > leftover[other]", "False",
           scene(Phase.CLEANUP, {"Punks": 3}, (), [(1, Asset.GUN, 1)], both(
               cell("last_round", None, True), cell("score", 0, 30), cell("score", 1, 30))), ("end.decided",)),
    Defect("kept goods are not counted for the tie", cleanup.clean_up,
           'if state.under("R-TIE", "after_cleanup")', "if False",
           scene(Phase.CLEANUP, THIEVES, [(PLAY, 1, "Warehouse")], (), both(
               STORED, cell("last_round", None, True), cell("score", 0, 30)), readings={"R-TIE": "after_cleanup"}),
           ("end.leftover",)),
    Defect("a deal gives no card", assets.gain,
           "draw_cards(state, player, given)", "pass",
           scene(Phase.PRODUCTION, {"Noticeboard": 1, "Punks": 2}, [(DEAL, 0, "Noticeboard")]), ("income.cards",)),
    Defect("every production location makes a VP", production.location_gives,
           "where(condition, made[Gain.VP], 0)", "where(condition, 1, 0)",
           scene(Phase.PRODUCTION, VISIT, [(PLAY, 0, "Old Depot")]), ("income.location_vp",)),
    Defect("every deal gives a VP", production.deal_gives,
           "where(condition, deal[Gain.VP], 0)", "where(condition, 1, 0)",
           scene(Phase.PRODUCTION, VISIT, [(DEAL, 0, "Old Depot")]), ("income.vp",)),
    Defect("a feature gives no VP for what is played", locations.pay_for_icons,
           "where(pays, 1, 0)", "0",
           scene(Phase.ACTION, ICONS, [(PLAY, 0, "Refinery"), (HAND, 0, "Oil Trader")], [(0, Asset.SCRAP, 1)]),
           ("income.features",)),
    Defect("a new feature finds nothing", locations.pay_new_feature,
           "count(counted)", "0",
           scene(Phase.ACTION, ICONS, [(HAND, 0, "Refinery"), (PLAY, 0, "Oil Trader")],
                 [(0, Asset.INCORPORATION_2, 1)]), ("income.new_feature",)),
    Defect("the opponent's leader is triggered", leaders.trigger,
           "cards_of(state, player, Zone.PLAY", "cards_of(state, 1 - player, Zone.PLAY",
           scene(Phase.ACTION, {**TANKS, "Borgo the Almighty": 1}, [*TO_CONQUER, (PLAY, 1, "Borgo the Almighty")]),
           ("leader.taken", "leader.events")),
    Defect("anybody may draw instead of choosing", lookout.pick_from_deck,
           'require(owns(state, player, Ability.LOOKOUT_DECK), "abl.lookout_deck")', "pass",
           scene(Phase.FIRST_PICK, {"Punks": 9}, PICKS), ("needs.ability",)),
    Defect("spoils are cashed at any time", attachments.cash_spoils,
           "in_own_production(state, player)", "True",
           scene(Phase.ACTION, TANKS, [(SPOILS, 0, "Old Depot")], readings={"R-CASH": "production_only"}),
           ("needs.moment",)),
    Defect("a fuel replaces a leader", leaders.pays_gun,
           "Asset.GUN", "Asset.FUEL",
           scene(Phase.ACTION, BORGO, [(PLAY, 0, "Borgo the Almighty"), (HAND, 0, "Tommy the Gun")],
                 [(0, Asset.FUEL, 1)]), ("needs.tokens",)),
    Defect("no type need be shared", redevelopment.share_type,
           "icons[other][icon] == 1", "True",
           scene(Phase.ACTION, TRADER, [(PLAY, 0, "Scrap Trader"), (HAND, 0, "Quarry")], [(0, Asset.BRICK, 1)]),
           ("needs.type",)),
    Defect("two discarded cards give two", workers.discard_and_draw,
           "draw_cards(state, player, 1)", "draw_cards(state, player, 2)",
           scene(Phase.ACTION, {"Punks": 5}, [(HAND, 0, "Punks"), (HAND, 0, PUNKS[0])]), ("pay.draws",)),
    Defect("VP of spoils count twice", assets.gain,
           "state.base_vp[player] + given", "state.base_vp[player] + given + given",
           scene(Phase.ACTION, {"Petrol Station": 1, "Punks": 1}, [(SPOILS, 0, "Petrol Station")]), ("pay.vp",)),
    Defect("a redevelopment is asked for under every reading", workers.redevelops_at_once,
           'state.under("R-REDEV-ICON", "at_once")', "True",
           scene(Phase.ACTION, {"Bulldozer": 1, "Punks": 1}, [(PLAY, 0, "Bulldozer")],
                 [(0, Asset.WORKER, 2), (0, Asset.BRICK, 1)]), ("pending.reading",)),
    Defect("a storage keeps nothing", cleanup.keeps,
           "deck.ability[card] == Ability.STORE", "False",
           scene(Phase.CLEANUP, THIEVES, [(PLAY, 1, "Warehouse")], (), STORED), ("clean.kept",)),
    Defect("the others' goods are noted for the tie", cleanup.note_leftovers,
           "goods_and_workers(state, player)", "goods_and_workers(state, 1 - player)",
           scene(Phase.CLEANUP, {"Punks": 3}, (), [(1, Asset.GUN, 1)],
                 both(cell("last_round", None, True), cell("score", 0, 30))), ("end.noted",)),
    Defect("the third part of Lookout comes first", lookout.part_after,
           "where(at_end, Phase.THIRD_DRAW, Phase.LEFTOVER)", "Phase.THIRD_DRAW",
           scene(Phase.SECOND_PICK, {"Punks": 9}, PICKS[:2], player=1), ("round.parts",)),
    Defect("a full display counts for nothing", lookout.pick_nothing,
           'require(in_zone(state, Zone.DISPLAY) == 0, "lookout.no_faceup")', "pass",
           scene(Phase.FIRST_PICK, {"Punks": 9}, PICKS), ("needs.nothing",)),
    Defect("a decision is asked for again", lookout.decided,
           "state.pending = Pending.NOTHING", "pass",
           scene(Phase.FIRST_PICK, {"Saboteurs' Den": 1, "Punks": 9}, [(PLAY, 0, "Saboteurs' Den"), *PICKS],
                 change=both(cell("pending", None, Pending.DENY), cell("chooser", None, 0))), ("turns.outstanding",)),
]  # fmt: skip

# What no planted defect breaks alone: two guards stand in the way.
GUARDED_TWICE = {
    "needs.contacts": "a closure says which contacts qualify: see the mutant below",
    "needs.price": "which tokens can be chosen, how many, and whether they settle the price are asked one by one",
    "turns.phase": "phases are declared: see the mutant below",
    "setup.faction_stays": "a faction is drawn in its own phase, by the player in turn, without one",
    "act.pass_once": "the turn never comes to one who has passed, and passing asks again",
    "lookout.hand_limit_strict": "the rulebook itself breaks it",
}


# -- looking ---------------------------------------------------------------------------------------------------------
def plant(defect: Defect, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the rule's code in place, so that whoever refers to the function gets the defect."""
    function = defect.rule.function if isinstance(defect.rule, Action) else defect.rule
    source = textwrap.dedent(inspect.getsource(function))
    source = source[source.index("def ") :]
    assert source.count(defect.old) == 1, f"{function.__name__} no longer reads {defect.old!r}"
    scope: dict[str, Any] = dict(function.__globals__)
    text = "from __future__ import annotations\n" + source.replace(defect.old, defect.new)
    exec(compile(text, function.__code__.co_filename, "exec"), scope)
    monkeypatch.setattr(function, "__code__", scope[function.__name__].__code__)


def broken(stage: Stage, depth: int) -> set[str]:
    """The properties that some move breaks, within so many moves from the position."""
    found: set[str] = set()
    model, level = stage.model, [stage.state]
    invariants = [claim for claim in CLAIMS.values() if claim.kind == "invariant"]
    steps = [claim for claim in CLAIMS.values() if claim.kind == "step"]
    for _ in range(depth):
        reached = []
        for before in level:
            for move in model.legal(before):
                after = before.copy()
                try:
                    model.apply(after, move)
                except RuleError:  # a defect may leave a domain: no property is needed to see that
                    continue
                found.update(claim.id for claim in invariants if not claim.holds(model, after))
                found.update(claim.id for claim in steps if not claim.holds_for(model, before, after, move))
                reached.append(after)
        level = reached[:20]
    return found


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name.replace(" ", "-"))
def test_a_defect_is_caught_by_its_properties(defect: Defect, monkeypatch: pytest.MonkeyPatch) -> None:
    assert broken(defect.position(), defect.depth) == set(), "the rules as they are break a property here"
    plant(defect, monkeypatch)
    caught = broken(defect.position(), defect.depth)
    assert set(defect.killed_by) <= caught, f"caught only by {sorted(caught)}"


def test_an_action_in_another_phase_is_caught() -> None:
    """What is declared can be planted too: two cards discarded for one while the points are counted."""
    wrong = next(
        mutant for mutant in mutants(GAME)
        if mutant.actions == ("discard_and_draw",) and mutant.mutation.endswith("phases=(Phase.VICTORY_POINTS,)")
    )  # fmt: skip
    position = scene(Phase.VICTORY_POINTS, {"Punks": 5}, [(HAND, 0, "Punks"), (HAND, 0, PUNKS[0])])
    assert broken(position(), 1) == set()
    with Planted(wrong):
        assert "turns.phase" in broken(position(), 1)


def test_a_contact_of_another_faction_is_caught() -> None:
    wrong = next(
        mutant for mutant in mutants(GAME)
        if mutant.place.startswith("contacts.py")
        and mutant.mutation.endswith("all_of(negate(state.contact_used[permanent]))")
    )  # fmt: skip
    position = scene(Phase.ACTION, TANKS, [(HAND, 0, "Old Depot")], [(0, Asset.FUEL, 1)])
    assert broken(position(), 1) == set()
    with Planted(wrong):
        assert "needs.contacts" in broken(position(), 1)


def test_every_property_can_be_broken() -> None:
    killed = {name for defect in DEFECTS for name in defect.killed_by}
    assert killed <= set(CLAIMS)
    assert set(CLAIMS) - killed == set(GUARDED_TWICE)
