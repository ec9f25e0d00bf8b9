"""What a move needs: the ability it is done by, the kind of card it is done to, what pays for it and how much.

Each move that was made must have had it. Most of these facts stand on the cards or in the lists of p.10 and p.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.fiftyfirst.table import BASE, Pending, Phase, Table, Zone, in_zone, locations
from model.fiftyfirst.vocabulary import BASIC_GOODS, GOODS, Ability, Asset, Cost, Kind, Trigger
from model.language import Move, all_of, any_of, count, implies, negate, total
from properties.declaration import invariant, step
from properties.fiftyfirst.situations import chosen

USES = ("use_location", "steal", "send_thieves")
PRICED = (*USES, "exchange")
# The ability of the location that the move names.
NAMED: Mapping[str, tuple[str, Ability]] = {
    "store": ("storage", Ability.STORE), "take_out": ("storage", Ability.STORE),
    "place_on_combo": ("combo", Ability.COMBO), "exchange": ("card", Ability.DISCARD_FOR),
    "steal": ("card", Ability.STEAL), "send_thieves": ("card", Ability.STEAL),
}  # fmt: skip
# The ability that some location of the player's must have.
HAD: Mapping[str, Ability] = {
    "pick_from_deck": Ability.LOOKOUT_DECK,
    "take_leftover": Ability.LOOKOUT_LEFTOVER, "draw_leftover": Ability.LOOKOUT_LEFTOVER,
    "draw_one": Ability.LOOKOUT_TWO, "draw_two": Ability.LOOKOUT_TWO,
}  # fmt: skip
PICKING = ("pick_card", "pick_from_deck", "pick_nothing")  # after these a card may be denied
LACKED: Mapping[str, Ability] = {"third_draw": Ability.LOOKOUT_TWO, "skip_leftover": Ability.LOOKOUT_LEFTOVER}
# Moves that exist only under a reading.
READINGS: Mapping[str, tuple[str, str]] = {
    "drop_spoils": ("R-CASH", "drop_unpaid"), "steal": ("R-STEAL-WHICH", "thief"),
    "send_thieves": ("R-STEAL-WHICH", "victim"),
    "discard_down": ("R-HAND", "discard_down"), "trim_display": ("R-DISPLAY-LEFT", "next_pick"),
    "discard_face_up": ("R-LIMIT-CARD", "discard_display"),
}  # fmt: skip
# Decisions that come up only under a reading.
PENDING: Mapping[Pending, tuple[str, str]] = {
    Pending.REDEVELOP: ("R-REDEV-ICON", "at_once"), Pending.REDEVELOP_ANY: ("R-REDEV-ICON", "at_once"),
    Pending.REHOUSE: ("R-ATTACHED", "moved"), Pending.SURRENDER: ("R-STEAL-WHICH", "victim"),
}  # fmt: skip
TOKENS: Mapping[tuple[str, str], tuple[Asset, ...]] = {
    ("visit", "worker"): (Asset.WORKER,), ("trade", "workers"): (Asset.WORKER,),
    **{(name, "workers"): (Asset.WORKER,) for name in USES},
    **{(name, "booty"): GOODS for name in ("steal", "surrender")},
    ("replace_leader", "gun"): (Asset.GUN, Asset.UNIVERSAL), ("store", "good"): GOODS,
    ("redevelop", "means"): (Asset.BRICK, Asset.UNIVERSAL, Asset.REDEVELOPMENT, Asset.UNIVERSAL_REDEVELOPMENT),
}  # fmt: skip
NUMBERS: Mapping[tuple[str, str], int] = {
    ("visit", "worker"): 1, ("replace_leader", "gun"): 1, ("redevelop", "means"): 1, ("store", "good"): 1,
    ("place_on_combo", "token"): 1, ("steal", "booty"): 1, ("surrender", "booty"): 1,
    ("discard_for_vp", "cards"): 2, ("discard_and_draw", "cards"): 2,
}  # fmt: skip


def of(selection: Any, assets: tuple[Asset, ...]) -> Any:
    """How many of the chosen tokens are of these kinds."""
    return selection.sum_of(lambda source: 1 if source[1] in assets else 0)


@step(
    "needs.ability", "A move is done only by the ability, under the reading, that it comes from.",
    ("abl.store", "abl.combo", "abl.discard_for", "abl.steal", "abl.lookout_deck", "abl.lookout_deny",
     "abl.lookout_leftover", "abl.lookout_two", "act.baby_swift"),
    actions=tuple(dict.fromkeys((*NAMED, *HAD, *LACKED, *READINGS, *PICKING, "discard_for_vp"))),
)  # fmt: skip
def abilities_are_there(before: Table, after: Table, move: Move) -> Any:
    name, deck = move.action.name, before.setup.deck

    def owned(ability: Ability) -> Any:
        player = chosen(move, "player")
        return any_of(
            all_of(deck.ability[card] == ability, before.zone[card] == Zone.PLAY, before.owner[card] == player)
            for card in locations(before)
        )

    needed = [before.under(*READINGS[name])] if name in READINGS else []
    if name in NAMED:
        choice, ability = NAMED[name]
        card = chosen(move, choice)
        own = all_of(before.zone[card] == Zone.PLAY, before.owner[card] == chosen(move, "player"))
        needed += [deck.ability[card] == ability, own]
    if name in HAD:
        needed.append(owned(HAD[name]))
    if name in PICKING:
        denies = all_of(owned(Ability.LOOKOUT_DENY), before.phase == Phase.FIRST_PICK)
        needed.append(implies(after.pending == Pending.DENY, denies))
        left = in_zone(after, Zone.DISPLAY) > 0
        needed.append(implies(all_of(denies, left), after.pending == Pending.DENY))
    if name in LACKED:
        needed.append(negate(owned(LACKED[name])))
    if name == "discard_for_vp":
        leader = chosen(move, "leader")
        own = all_of(before.zone[leader] == Zone.PLAY, before.owner[leader] == chosen(move, "player"))
        needed += [deck.trigger[leader] == Trigger.DISCARD_TWO, own]
    return all_of(needed)


@invariant(
    "pending.reading", "Decisions that only some readings know come up under these readings alone.",
    ("abl.redevelop", "abl.steal", "act.redevelop_moves"),
)  # fmt: skip
def decisions_by_reading(state: Table) -> Any:
    return all_of(implies(state.pending == pending, state.under(*reading)) for pending, reading in PENDING.items())


@step(
    "needs.location", "Workers go to own action locations, and to open production of an opponent that allows a visit.",
    ("act.worker", "act.opponent", "act.opponent_once", "abl.combo", "abl.steal", "abl.once", "abl.closed"),
    actions=(*USES, "visit"),
)  # fmt: skip
def workers_go_where_they_may(before: Table, after: Table, move: Move) -> Any:
    name, deck, card, player = move.action.name, before.setup.deck, chosen(move, "card"), chosen(move, "player")
    owner = chosen(move, "owner") if name == "visit" else player
    stands = all_of(before.zone[card] == Zone.PLAY, before.owner[card] == owner)
    if name == "visit":
        marked = all_of(
            after.visited[card][seat] == (before.visited[card][seat] if seat != player else True)
            for seat in range(before.setup.players)
        )
        return all_of(stands, owner != player, deck.ability[card] != Ability.ONCE, before.visits[player] < 3, marked)
    full = all_of(before.on_card[card][good] == deck.combo[card][good] for good in GOODS)
    steals = deck.ability[card] == Ability.STEAL
    return all_of(
        stands, deck.kind[card] == Kind.ACTION, before.used[card] < 2,
        implies(deck.ability[card] == Ability.COMBO, full), negate(steals) if name == "use_location" else steals,
    )  # fmt: skip


@step(
    "needs.tokens", "What is paid or taken is of the kind, and as much, as the rules ask for that move.",
    ("act.worker", "act.trade", "act.opponent", "act.leader_replace", "act.redevelop", "act.baby_swift",
     "act.discard_draw", "abl.steal", "abl.store"),
    actions=tuple(dict.fromkeys(name for name, _ in (*TOKENS, *NUMBERS))),
)  # fmt: skip
def payments_are_of_the_kind(before: Table, after: Table, move: Move) -> Any:
    name, needed = move.action.name, []
    for choice in move.action.choices:
        selection = chosen(move, choice)
        if (name, choice) in TOKENS:
            needed.append(of(selection, TOKENS[name, choice]) == selection.size())
        if (name, choice) in NUMBERS:
            needed.append(selection.size() == NUMBERS[name, choice])
    if name == "place_on_combo":
        good, token = chosen(move, "good"), chosen(move, "token")
        needed.append(of(token, (good, Asset.UNIVERSAL)) == 1)
    if name == "trade":
        goods, workers = chosen(move, "goods").size(), chosen(move, "workers").size()
        several = before.under("R-TRADE", "several")
        needed += [workers == goods + goods, goods >= 1, any_of(goods == 1, several)]
    return all_of(needed)


@step(
    "needs.price", "The printed price is paid: every named good by itself or a universal one, and nothing too many.",
    ("act.worker", "abl.discard_for"), actions=PRICED,
)  # fmt: skip
def prices_are_as_printed(before: Table, after: Table, move: Move) -> Any:
    cost, price = before.setup.deck.cost[chosen(move, "card")], chosen(move, "price")
    discards = chosen(move, "discards")
    universal = of(price, (Asset.UNIVERSAL,))
    named = [of(price, (good,)) + universal >= cost[good] for good in BASIC_GOODS]
    own_kind = all_of(of(price, (good,)) <= cost[good] for good in BASIC_GOODS)
    others = [of(price, (asset,)) == cost[asset] for asset in Asset if asset not in GOODS]
    cards = total(cost[kind] for kind in (Cost.CARD, Cost.SPOILS, Cost.DEAL, Cost.SPOILS_OR_DEAL))
    in_hand = count(
        all_of(used, before.zone[card] == Zone.HAND) for card, used in discards.items()
    )
    return all_of(
        price.size() == total(cost[: len(Asset)]), *named, *others, discards.size() == cards,
        in_hand == cost[Cost.CARD], implies(before.under("R-UNIVERSAL", "own_kind"), own_kind),
    )  # fmt: skip


@step(
    "needs.contacts", "Only contacts and contact tokens of the player's, and of the colour, are used to reach a card.",
    ("act.range", "faction.ny", "faction.guild", "faction.appalachia", "faction.mutants"),
    actions=("conquest", "negotiation", "incorporation"),
)  # fmt: skip
def contacts_are_own(before: Table, after: Table, move: Move) -> Any:
    colour, player = ("conquest", "negotiation", "incorporation").index(move.action.name), chosen(move, "player")
    ranges = before.setup.factions.range
    permanents = [
        implies(used, all_of(before.faction[player] == contact // 3, ranges[contact // 3][contact % 3][colour] > 0))
        for contact, used in chosen(move, "permanents").items()
    ]
    cards = [
        implies(used, before.setup.deck.range[card][colour] > 0) for card, used in chosen(move, "contacts").items()
    ]
    first = Asset.CONQUEST_1 + 3 * colour
    suited = (*(Asset(first + size) for size in range(3)), Asset.ANY_1, Asset.ANY_3)
    tokens = chosen(move, "tokens")
    return all_of(*permanents, *cards, of(tokens, suited) == tokens.size())


@step(
    "needs.nothing", "Nobody goes without a card who could have one.",
    ("lookout.no_faceup", "abl.lookout_two", "abl.lookout_leftover"),
    actions=("pick_nothing", "keep_nothing", "draw_leftover"),
)  # fmt: skip
def nothing_was_there(before: Table, after: Table, move: Move) -> Any:
    return in_zone(before, Zone.ASIDE if move.action.name == "keep_nothing" else Zone.DISPLAY) == 0


@step(
    "needs.type", "A location gives way only to one with which it shares a type, but for a universal token or ability.",
    ("act.redevelop", "abl.universal_type"), actions=("redevelop",),
)  # fmt: skip
def redevelopment_shares_a_type(before: Table, after: Table, move: Move) -> Any:
    icons, old, new = before.setup.deck.icons, chosen(move, "old"), chosen(move, "new")
    shared = any_of(all_of(one == 1, other == 1) for one, other in zip(icons[old], icons[new], strict=True))
    return any_of(shared, of(chosen(move, "means"), (Asset.UNIVERSAL_REDEVELOPMENT,)) == 1)


@step(
    "needs.moment", "Spoils are cashed in the own Production, or whenever R-CASH lets; and dropped only outside it.",
    ("prod.spoils", "act.free_slots_any_time"), actions=("cash_spoils", "drop_spoils"),
)  # fmt: skip
def spoils_in_their_moment(before: Table, after: Table, move: Move) -> Any:
    own = all_of(before.phase == Phase.PRODUCTION, before.player == chosen(move, "player"))
    if move.action.name == "drop_spoils":
        return negate(own)
    return any_of(own, before.under("R-CASH", "any_time"))


@step(
    "needs.host", "Spoils and deals are laid under the own base or an own location with slots, of which one is free.",
    ("cap.attach", "abl.slots"), actions=("conquest", "negotiation", "rehouse"),
)  # fmt: skip
def hosts_are_own(before: Table, after: Table, move: Move) -> Any:
    host, player, deck = chosen(move, "host"), chosen(move, "player"), before.setup.deck
    under = [all_of(before.host[card] == host, before.owner[card] == player) for card in locations(before)]
    free = count(under) < 3
    if host == BASE:
        return free
    ability = deck.ability[host]
    stands = all_of(before.zone[host] == Zone.PLAY, before.owner[host] == player)
    return all_of(free, stands, any_of(ability == Ability.SLOTS_ANY, ability == Ability.SLOTS_SPOILS))

