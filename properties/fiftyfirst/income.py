"""Income: what Production gives in all, what features give for cards of a type, when a leader takes a token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.fiftyfirst.table import Table, Zone, held, locations, possibly
from model.fiftyfirst.vocabulary import Ability, Asset, Gain, Icon, Kind, Trigger
from model.language import Move, all_of, any_of, count, implies, minimum, total, where
from properties.declaration import step
from properties.fiftyfirst.situations import chosen, produces_each_round

ARRIVING = {"incorporation": "card", "redevelop": "new", "redevelop_at_once": "new"}
TYPES: Mapping[Trigger, Icon] = {
    Trigger.CARD_SCRAP: Icon.SCRAP, Trigger.CARD_FUEL: Icon.FUEL, Trigger.CARD_GUN: Icon.GUN,
    Trigger.CARD_BRICK: Icon.BRICK,
}  # fmt: skip
EVENTS: Mapping[str, Trigger] = {
    "conquest": Trigger.CONQUEST, "negotiation": Trigger.NEGOTIATION, "redevelop": Trigger.REDEVELOPMENT,
    "redevelop_at_once": Trigger.REDEVELOPMENT,
}  # fmt: skip


def counted(state: Table, feature: int, card: int) -> Any:
    """Whether the feature counts a type that the card has."""
    wanted, icons = state.setup.deck.counts_icon[feature], state.setup.deck.icons[card]
    return any_of(all_of(one == 1, other == 1) for one, other in zip(wanted, icons, strict=True))


def pays(after: Table, player: int, feature: int, card: int) -> Any:
    """Whether a feature that stood already gives for the card that was just played."""
    is_feature = after.setup.deck.ability[feature] == Ability.PER_ICON
    if feature == card or not possibly(is_feature):
        return False
    return all_of(is_feature, held(after, player, feature, Zone.PLAY), counted(after, feature, card))


def in_area(after: Table, player: int, card: int, feature: int) -> Any:
    """Whether a new feature finds the card, of a type that it counts, in the player's area."""
    attached = any_of(after.zone[card] == Zone.SPOILS, after.zone[card] == Zone.DEAL)
    zone = any_of(after.zone[card] == Zone.PLAY, all_of(attached, after.under("R-ICON-WHERE", "attached_too")))
    itself = after.under("R-ICON-SELF", "self_counts") if card == feature else True
    return all_of(counted(after, feature, card), after.owner[card] == player, zone, itself)


def features_give(after: Table, move: Move, kind: int) -> Any:
    """What per-icon features give of a kind for the card that the move played."""
    name, deck = move.action.name, after.setup.deck
    player, card = chosen(move, "player"), chosen(move, ARRIVING.get(name, "card"))
    given = total(
        where(pays(after, player, feature, card), deck.gain[feature][kind], 0) for feature in locations(after)
    )
    when_played = after.under("R-ICON-PAY", "when_played")
    if name not in ARRIVING:
        return where(all_of(when_played, after.under("R-ICON-WHERE", "attached_too")), given, 0)
    is_feature = deck.ability[card] == Ability.PER_ICON
    if possibly(is_feature):
        found = total(
            where(all_of(is_feature, in_area(after, player, other, card)), deck.gain[card][kind], 0)
            for other in locations(after)
        )
        given = given + found
    return where(when_played, given, 0)


@step(
    "income.features", "A feature that gives VP for a type takes a token for each such card played, up to three.",
    ("abl.per_icon", "cap.vp_location"), over=("location",), actions=tuple(ARRIVING),
)  # fmt: skip
def features_take_tokens(before: Table, after: Table, move: Move, feature: int) -> Any:
    deck, player = before.setup.deck, chosen(move, "player")
    card = chosen(move, ARRIVING[move.action.name])
    if feature == card or ("old" in move.action.choices and feature == chosen(move, "old")):
        return True
    gives = all_of(
        pays(after, player, feature, card), deck.gain[feature][Gain.VP] != 0, before.under("R-ICON-PAY", "when_played")
    )
    expected = where(all_of(gives, before.tokens[feature] < 3), before.tokens[feature] + 1, before.tokens[feature])
    return after.tokens[feature] == expected


@step(
    "income.new_feature", "A new feature that gives VP for a type takes a token for each such card there, up to three.",
    ("abl.per_icon", "cap.vp_location"), actions=tuple(ARRIVING),
)  # fmt: skip
def new_feature_takes_tokens(before: Table, after: Table, move: Move) -> Any:
    deck, player = before.setup.deck, chosen(move, "player")
    card = chosen(move, ARRIVING[move.action.name])
    is_feature = all_of(
        deck.ability[card] == Ability.PER_ICON, deck.kind[card] == Kind.FEATURE,
        before.under("R-ICON-PAY", "when_played"), deck.gain[card][Gain.VP] != 0,
    )  # fmt: skip
    if not possibly(is_feature):
        return True
    found = count(in_area(after, player, other, card) for other in locations(after))
    return implies(is_feature, after.tokens[card] == minimum(3, found))


def made(state: Table, player: int, kind: int) -> Any:
    """What Production brings of a kind by deals and by production locations."""
    deck = state.setup.deck
    found: list[Any] = []
    for card in locations(state):
        deal, gain = deck.deal[card][kind], deck.gain[card][kind]
        if possibly(deal != 0):
            found.append(where(held(state, player, card, Zone.DEAL), deal, 0))
        again = produces_each_round(state, card)
        if possibly(gain != 0) and possibly(again):
            found.append(where(all_of(held(state, player, card, Zone.PLAY), again), gain, 0))
    return total(found)


@step(
    "income.production", "Production brings what the base, the deals and the production locations show, and no more.",
    ("prod.base", "prod.deals", "prod.locations", "prod.store"), over=("asset",), actions=("produce",),
)  # fmt: skip
def production_is_as_printed(before: Table, after: Table, move: Move, asset: int) -> Any:
    player = chosen(move, "player")
    printed = total(
        where(before.faction[player] == faction, 1, 0)
        for faction, good in enumerate(before.setup.factions.base_good) if good == asset
    )
    workers = before.setup.workers if asset == Asset.WORKER else 0
    brought = printed + workers + made(before, player, asset)
    as_ever = all_of(before.under("R-BANK", "unlimited"), before.under("R-ICON-PAY", "when_played"))
    return implies(as_ever, after.base[player][asset] == before.base[player][asset] + brought)


@step(
    "income.cards", "Production lets a player draw as many cards as deals and production locations show.",
    ("prod.deals", "prod.locations"), actions=("produce",),
)  # fmt: skip
def production_draws(before: Table, after: Table, move: Move) -> Any:
    as_ever = before.under("R-ICON-PAY", "when_played")
    return implies(as_ever, after.draws == made(before, chosen(move, "player"), Gain.CARD))


@step(
    "income.location_vp", "In Production a location that makes VP takes one token, up to three; no other takes any.",
    ("prod.vp", "cap.vp_location"), over=("card",), actions=("produce",),
)  # fmt: skip
def production_lays_tokens(before: Table, after: Table, move: Move, card: int) -> Any:
    deck, player = before.setup.deck, chosen(move, "player")
    makes = all_of(
        produces_each_round(before, card), deck.gain[card][Gain.VP] != 0, held(before, player, card, Zone.PLAY),
        before.under("R-PROD-VP", "on_location"), before.tokens[card] < 3,
    )  # fmt: skip
    as_ever = before.under("R-ICON-PAY", "when_played")
    return implies(as_ever, after.tokens[card] == before.tokens[card] + where(makes, 1, 0))


@step(
    "income.vp", "In Production the VP of deals go to the base, and with R-PROD-VP on_base those of locations too.",
    ("prod.vp", "prod.deals"), actions=("produce",),
)  # fmt: skip
def production_gives_vp(before: Table, after: Table, move: Move) -> Any:
    player, deck = chosen(move, "player"), before.setup.deck
    found: list[Any] = []
    for card in locations(before):
        found.append(where(held(before, player, card, Zone.DEAL), deck.deal[card][Gain.VP], 0))
        lies = held(before, player, card, Zone.PLAY)
        to_base = all_of(produces_each_round(before, card), before.under("R-PROD-VP", "on_base"), lies)
        if possibly(to_base):
            found.append(where(to_base, deck.gain[card][Gain.VP], 0))
    as_ever = before.under("R-CAP-DEAL", "no_cap")
    return implies(as_ever, after.base_vp[player] == before.base_vp[player] + total(found))


@step(
    "leader.events", "A leader takes its token when what it waits for happens, and only then, while there is room.",
    ("leader.triggers", "cap.vp_leader", "act.baby_swift"), over=("leader",),
    actions=(*EVENTS, "incorporation", "discard_for_vp"),
)  # fmt: skip
def leaders_take_their_tokens(before: Table, after: Table, move: Move, leader: int) -> Any:
    name, deck, player = move.action.name, before.setup.deck, chosen(move, "player")
    stands = held(before, player, leader, Zone.PLAY)
    if name == "discard_for_vp":
        happens = chosen(move, "leader") == leader
    else:
        card = chosen(move, ARRIVING.get(name, "card"))
        typed = True if name in ARRIVING else before.under("R-TYPED-CARD", "any_use")
        of_type = any_of(
            all_of(deck.trigger[leader] == kind, deck.icons[card][icon] == 1) for kind, icon in TYPES.items()
        )
        event = deck.trigger[leader] == EVENTS[name] if name in EVENTS else False
        happens = any_of(event, all_of(typed, of_type))
    room = before.tokens[leader] < 5
    gains = where(all_of(stands, happens, room), 1, 0)
    return implies(before.under("R-CAP-RETURN", "per_stay"), after.tokens[leader] == before.tokens[leader] + gains)

