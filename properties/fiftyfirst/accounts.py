"""Accounts: what each move takes from a base and gives to it, token by token; what it gives in VP and in cards to draw.

A payment leaves the place it is paid from, exactly; what is printed comes to the base, exactly; nothing else comes or
goes, and others' bases are touched only where the rulebook says so. Under R-BANK `box_only` a gain can fall short.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import BASE, Table
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, Gain
from model.language import Move, Selection, all_of, any_of, implies, where
from properties.declaration import step
from properties.fiftyfirst.income import ARRIVING, features_give
from properties.fiftyfirst.situations import chosen, gives_on_arrival

GIVING = ("use_location", "steal", "send_thieves", "exchange")
REDEVELOPING = ("redevelop", "redevelop_at_once")
REDEVELOPMENTS = (Asset.REDEVELOPMENT, Asset.UNIVERSAL_REDEVELOPMENT)
PLAYING = ("conquest", "negotiation", *ARRIVING)
OF_A_PLAYER = (
    "conquest", "negotiation", "incorporation", "redevelop", "redevelop_at_once", "forgo_redevelopment", "rehouse",
    "discard_homeless", "play_leader", "replace_leader", "discard_for_vp", "use_location", "steal", "send_thieves",
    "surrender", "visit", "trade", "discard_and_draw", "pass_turn", "cash_spoils", "drop_spoils", "drop_deal", "store",
    "take_out", "place_on_combo", "exchange",
)  # fmt: skip


def paid(move: Move, place: int, asset: int) -> Any:
    """What the move's payments take of a kind of token from a place."""
    spent: Any = 0
    for name, choice in move.action.choices.items():
        value = chosen(move, name)
        if choice.family == "source" and name != "booty" and isinstance(value, Selection):
            spent = spent + value[place, asset]
    return spent


def robbed(move: Move, place: int, asset: int) -> Any:
    """The same of what is stolen."""
    booty = chosen(move, "booty") if "booty" in move.action.choices else None
    return booty[place, asset] if isinstance(booty, Selection) else 0


def loot(move: Move, asset: int) -> Any:
    """How much of a good is stolen, from wherever."""
    booty = chosen(move, "booty") if "booty" in move.action.choices else None
    return booty.sum_of(lambda source: 1 if source[1] == asset else 0) if isinstance(booty, Selection) else 0


def gained(before: Table, move: Move, asset: int) -> Any:
    """What the move brings of a kind of token to the base of the player who makes it."""
    name, deck = move.action.name, before.setup.deck
    if name in GIVING:
        card = chosen(move, "card")
        printed = deck.gain[card][asset]
        if name == "use_location" and asset in REDEVELOPMENTS:
            ability = deck.ability[card]
            redevelops = any_of(ability == Ability.REDEVELOP, ability == Ability.REDEVELOP_UNIVERSAL)
            return where(all_of(redevelops, before.under("R-REDEV-ICON", "at_once")), 0, printed)
        return printed
    if name == "visit":
        printed = deck.gain[chosen(move, "card")][asset]
        return printed if asset in GOODS else where(before.under("R-AT-ONCE", "everything"), printed, 0)
    if name == "cash_spoils":
        return deck.spoils[chosen(move, "card")][asset]
    if name == "drop_deal":
        return where(before.under("R-DROP-DEAL", "gain"), deck.deal[chosen(move, "card")][asset], 0)
    if name == "trade":
        goods = chosen(move, "goods")
        return goods[asset] if asset in GOODS[:4] else 0
    if name == "take_out":
        return 1 if chosen(move, "good") == asset else 0
    if name == "replace_leader":
        old = chosen(move, "old")
        return before.on_card[old][asset] - paid(move, old, asset)
    if name in REDEVELOPING:
        old = chosen(move, "old")
        return freed(before, old, asset) - paid(move, old, asset)
    return 0


def freed(before: Table, old: int, asset: int) -> Any:
    """The tokens of a redeveloped location that come to the base (act.redevelop_moves, R-REDEV-TOKENS)."""
    unspent = before.on_card[old][asset]
    if asset in GOODS:
        return unspent + where(before.under("R-REDEV-TOKENS", "paid_too"), before.paid[old][asset], 0)
    return where(before.under("R-REDEV-TOKENS", "goods_only"), 0, unspent)


@step(
    "pay.base", "A payment leaves the base, what is printed comes to it, token by token; other bases stay as they are.",
    ("act.worker", "act.trade", "act.opponent", "act.contact_cost", "act.redevelop_moves", "act.leader_replace",
     "prod.spoils", "abl.store", "abl.combo", "abl.discard_for", "abl.steal"),
    over=("player", "asset"), actions=OF_A_PLAYER,
)  # fmt: skip
def base_accounts(before: Table, after: Table, move: Move, player: int, asset: int) -> Any:
    name = move.action.name
    old, new = before.base[player][asset], after.base[player][asset]
    if name == "surrender":
        expected = old - robbed(move, BASE, asset) if chosen(move, "victim") == player else (
            old + where(before.player == player, loot(move, asset), 0)
        )
        return new == expected
    if chosen(move, "player") == player:
        brought = loot(move, asset) + gained(before, move, asset)
        if name in PLAYING:
            brought = brought + features_give(after, move, asset)
        return implies(before.under("R-BANK", "unlimited"), new == old - paid(move, BASE, asset) + brought)
    if name == "steal" and chosen(move, "victim") == player:
        return new == old - robbed(move, BASE, asset)
    if name == "visit" and chosen(move, "owner") == player and asset == Asset.WORKER:
        return new == old + where(before.under("R-VISIT-WORKER", "to_owner"), 1, 0)
    return new == old


@step(
    "pay.cards", "A payment leaves the card it is paid from; goods come only onto storages, combos and what arrives.",
    ("act.worker", "abl.store", "abl.combo", "act.redevelop_moves", "leader.goods", "abl.steal"),
    over=("card", "asset"), actions=OF_A_PLAYER,
)  # fmt: skip
def card_accounts(before: Table, after: Table, move: Move, card: int, asset: int) -> Any:
    name, deck = move.action.name, before.setup.deck
    old, new = before.on_card[card][asset], after.on_card[card][asset]
    left = old - paid(move, card, asset) - robbed(move, card, asset)
    if name == "store" and chosen(move, "storage") == card:
        put = chosen(move, "good").sum_of(lambda source: 1 if source[1] == asset else 0)
        return new == left + put
    if name == "take_out" and chosen(move, "storage") == card:
        return new == left - (1 if chosen(move, "good") == asset else 0)
    if name == "place_on_combo" and chosen(move, "combo") == card:
        return new == left + (1 if chosen(move, "good") == asset else 0)
    if name == "use_location" and chosen(move, "card") == card:
        turned_in = deck.ability[card] == Ability.COMBO if asset in GOODS else False
        return new == where(turned_in, 0, left)
    if name in ("redevelop", "redevelop_at_once", "replace_leader") and chosen(move, "old") == card:
        return new == 0
    if name in ("play_leader", "replace_leader") and chosen(move, "leader") == card:
        return implies(before.under("R-BANK", "unlimited"), new == deck.gain[card][asset])
    if name in ARRIVING and chosen(move, ARRIVING[name]) == card:
        now = gives_on_arrival(before, card, everything=asset in GOODS)
        return implies(before.under("R-BANK", "unlimited"), new == where(now, deck.gain[card][asset], 0))
    return new == left


@step(
    "pay.draws", "A move gives as many cards to draw as are printed, to the player who makes it.",
    ("act.discard_draw", "lookout.third_draw", "lookout.no_faceup", "abl.lookout_deck", "abl.lookout_two",
     "abl.lookout_leftover", "prod.spoils", "act.worker", "act.opponent"),
)  # fmt: skip
def draws_are_as_printed(before: Table, after: Table, move: Move) -> Any:
    name, deck = move.action.name, before.setup.deck
    if name == "produce":
        return any_of(after.draws == 0, after.drawer == chosen(move, "player"))
    if name == "draw":
        return after.draws == before.draws - 1
    if name == "go_without":
        return after.draws == 0
    given: Any = 0
    if name in ("discard_and_draw", "pick_from_deck", "pick_nothing", "draw_leftover", "third_draw", "draw_one"):
        given = 1
    elif name in GIVING:
        given = deck.gain[chosen(move, "card")][Gain.CARD]
    elif name == "cash_spoils":
        given = deck.spoils[chosen(move, "card")][Gain.CARD]
    elif name == "drop_deal":
        given = where(before.under("R-DROP-DEAL", "gain"), deck.deal[chosen(move, "card")][Gain.CARD], 0)
    elif name == "visit":
        everything = before.under("R-AT-ONCE", "everything")
        given = where(everything, deck.gain[chosen(move, "card")][Gain.CARD], 0)
    elif name in ARRIVING:
        card = chosen(move, ARRIVING[name])
        given = where(gives_on_arrival(before, card), deck.gain[card][Gain.CARD], 0)
    if name in PLAYING:
        given = given + features_give(after, move, Gain.CARD)
    owed = after.draws == before.draws + given
    mine = any_of(given == 0, after.drawer == chosen(move, "player")) if "player" in move.action.choices else True
    return all_of(owed, mine)


@step(
    "pay.vp", "VP come to a base only by what is printed, and to nobody but the player who makes the move.",
    ("vp.tokens", "prod.vp", "prod.spoils", "act.redevelop_vp", "act.leader_replace"),
    over=("player",), actions=OF_A_PLAYER,
)  # fmt: skip
def vp_come_as_printed(before: Table, after: Table, move: Move, player: int) -> Any:
    name, deck = move.action.name, before.setup.deck
    old, new = before.base_vp[player], after.base_vp[player]
    if "player" not in move.action.choices or chosen(move, "player") != player:
        return new == old
    if name in ("redevelop", "redevelop_at_once", "replace_leader"):
        return True  # told by act.redevelop_vp and act.leader_replace_vp
    given: Any = 0
    if name == "cash_spoils":
        given = deck.spoils[chosen(move, "card")][Gain.VP]
    elif name == "drop_deal":
        free = all_of(before.under("R-DROP-DEAL", "gain"), before.under("R-CAP-DEAL", "no_cap"))
        given = where(free, deck.deal[chosen(move, "card")][Gain.VP], 0)
        return implies(any_of(free, before.under("R-DROP-DEAL", "no_gain")), new == old + given)
    elif name == "visit":
        given = where(before.under("R-AT-ONCE", "everything"), deck.gain[chosen(move, "card")][Gain.VP], 0)
    elif name == "incorporation":
        card = chosen(move, "card")
        to_base = before.under("R-PROD-VP", "on_base")
        given = where(all_of(to_base, gives_on_arrival(before, card)), deck.gain[card][Gain.VP], 0)
    return new == old + given


@step(
    "pay.token", "A location that makes VP for workers or a price gets a token a use, up to three; no other gets one.",
    ("cap.vp_location", "act.worker", "abl.discard_for"), over=("location",),
    actions=("use_location", "steal", "send_thieves", "exchange", "trade", "discard_and_draw", "pass_turn",
             "cash_spoils", "store", "take_out", "place_on_combo", "visit"),
)  # fmt: skip
def one_token_a_use(before: Table, after: Table, move: Move, card: int) -> Any:
    old, new = before.tokens[card], after.tokens[card]
    if move.action.name in GIVING and chosen(move, "card") == card:
        makes = all_of(before.setup.deck.gain[card][Gain.VP] != 0, old < 3)
        return new == old + where(makes, 1, 0)
    return new == old
