"""The action phase: turns and passing, contacts and prices, workers, visits, redevelopment, stored goods."""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.table import (
    BASE,
    Phase,
    Table,
    Zone,
    locations,
    possibly,
)  # fmt: skip
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, Cost, Kind
from model.language import Move, all_of, any_of, count, implies, negate, total, where
from properties.declaration import invariant, step
from properties.fiftyfirst.situations import chosen, same


@invariant("act.turn", "In the action phase the player in turn has not passed.", ("act.pass", "act.turns"))
def turn_of_one_who_has_not_passed(state: Table) -> Any:
    passed = any_of(
        all_of(state.player == player, state.passed[player]) for player in range(state.setup.players)
    )
    return implies(state.phase == Phase.ACTION, negate(passed))


@invariant("act.pass_scope", "Nobody has passed outside the action phase and the count that follows it.", ("act.pass",),
           over=("player",))  # fmt: skip
def passing_is_for_the_round(state: Table, player: int) -> Any:
    during = any_of(state.phase == phase for phase in (Phase.ACTION, Phase.VICTORY_POINTS, Phase.CLEANUP))
    return implies(state.passed[player], during)


@step("act.end", "The action phase ends exactly when the last player passes.", ("act.turns", "act.pass"))
def phase_ends_with_last_pass(before: Table, after: Table, move: Move) -> Any:
    everybody = all_of(after.passed[player] for player in range(after.setup.players))
    ends = after.phase != Phase.ACTION
    return implies(before.phase == Phase.ACTION, all_of(implies(ends, everybody), implies(everybody, ends)))


@step("act.clockwise", "The turn goes to the next player clockwise who has not passed.", ("act.turns",))
def turn_goes_clockwise(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    both = all_of(before.phase == Phase.ACTION, after.phase == Phase.ACTION)
    skipped = all_of(
        implies(
            all_of(before.player == now, after.player == (now + distance) % players),
            after.passed[(now + between) % players],
        )
        for now in range(players)
        for distance in range(2, players)
        for between in range(1, distance)
    )
    return implies(both, skipped)


@step("act.pass_once", "A player passes at most once in a round.", ("act.pass",), actions=("pass_turn",))
def passes_once(before: Table, after: Table, move: Move) -> Any:
    return negate(before.passed[chosen(move, "player")])


@step(
    "act.passed_still", "From passing to the end of the action phase others change nothing of a player's.",
    ("act.pass", "act.opponent_passed", "abl.steal"), over=("player", "card"),
)  # fmt: skip
def passed_player_is_left_alone(before: Table, after: Table, move: Move, player: int, card: int) -> Any:
    sheltered = all_of(before.under("R-STEAL-PASSED", "forbidden"), before.under("R-ANY-TIME", "own_turn"))
    quiet = all_of(
        sheltered, before.phase == Phase.ACTION, after.phase == Phase.ACTION, before.passed[player],
        before.player != player, before.drawer != player,
    )  # fmt: skip
    if not possibly(quiet):  # nearly always while playing, and the rest is long
        return True
    mine = before.owner[card] == player
    becomes_mine = all_of(negate(mine), after.owner[card] == player)
    untouched = all_of(
        after.zone[card] == before.zone[card],
        after.owner[card] == before.owner[card],
        after.host[card] == before.host[card],
        after.tokens[card] == before.tokens[card],
        same(before.on_card[card], after.on_card[card]),
    )
    own = all_of(
        same(before.base[player], after.base[player]),
        before.base_vp[player] == after.base_vp[player],
        negate(becomes_mine),
        implies(mine, untouched),
    )
    return implies(quiet, own)


@step(
    "act.worker", "Workers sent are as many as printed, one more the second time; each use is counted.",
    ("act.worker", "act.worker_second"), actions=("use_location", "steal", "send_thieves"),
)  # fmt: skip
def workers_sent(before: Table, after: Table, move: Move) -> Any:
    card, workers = chosen(move, "card"), chosen(move, "workers")
    return all_of(
        workers.size() == before.setup.deck.workers[card] + before.used[card],
        after.used[card] == before.used[card] + 1,
    )


@invariant("act.worker_second", "A location is used at most twice a round.", ("act.worker_second",), over=("location",))
def two_uses(state: Table, card: int) -> Any:
    return state.used[card] <= 2


@step(
    "act.redevelop_brick", "A player redevelops with a brick at most once a round; otherwise one token is spent.",
    ("act.redevelop",), actions=("redevelop",),
)  # fmt: skip
def one_brick_redevelopment(before: Table, after: Table, move: Move) -> Any:
    player, means = chosen(move, "player"), chosen(move, "means")
    brick = means.sum_of(lambda source: 1 if source[1] in (Asset.BRICK, Asset.UNIVERSAL) else 0)
    return all_of(
        means.size() == 1,
        any_of(brick == 0, negate(before.redeveloped[player])),
        implies(brick > 0, after.redeveloped[player]),
        implies(after.redeveloped[player], any_of(brick > 0, before.redeveloped[player])),
    )


@step(
    "act.range", "The contacts used reach the card, each of them is unused before and used after.",
    ("act.range", "act.permanent_once", "act.single_discard"), actions=("conquest", "negotiation", "incorporation"),
)  # fmt: skip
def contacts_reach(before: Table, after: Table, move: Move) -> Any:
    colour = ("conquest", "negotiation", "incorporation").index(move.action.name)
    deck, factions = before.setup.deck, before.setup.factions
    permanents, contacts, tokens = (chosen(move, name) for name in ("permanents", "contacts", "tokens"))
    disputed = where(before.under("R-MUTANTS", "three"), 0, 1)
    ranges = [
        (
            used,
            where(
                disputed == 1,
                factions.disputed_range[contact // 3][contact % 3][colour],
                factions.range[contact // 3][contact % 3][colour],
            ),
        )
        for contact, used in permanents.items()
    ]
    ranges += [(used, deck.range[card][colour]) for card, used in contacts.items()]
    reached = total(where(used, value, 0) for used, value in ranges)
    first = Asset.CONQUEST_1 + 3 * colour
    worth = {first: 1, first + 1: 2, first + 2: 3, int(Asset.ANY_1): 1, int(Asset.ANY_3): 3}
    reached = reached + tokens.sum_of(lambda source: worth[int(source[1])])
    spent = [
        implies(used, all_of(negate(before.contact_used[contact]), after.contact_used[contact]))
        for contact, used in permanents.items()
    ]
    spent += [implies(used, after.zone[card] == Zone.DISCARD) for card, used in contacts.items()]
    return all_of(reached >= deck.distance[chosen(move, "card")], *spent)


@step(
    "act.contact_cost", "The prices of all contacts used are paid together, exactly and once.",
    ("act.contact_cost", "act.rebuild_contact"), actions=("conquest", "negotiation", "incorporation"),
)  # fmt: skip
def contacts_are_paid(before: Table, after: Table, move: Move) -> Any:
    permanents, contacts = chosen(move, "permanents"), chosen(move, "contacts")
    price, discards = chosen(move, "price"), chosen(move, "discards")
    deck, factions = before.setup.deck, before.setup.factions
    costs = [(used, factions.price[contact // 3][contact % 3]) for contact, used in permanents.items()]
    costs += [(used, deck.cost[card]) for card, used in contacts.items()]
    tokens = total(where(used, total(cost[: len(Asset)]), 0) for used, cost in costs)
    cards = total(where(used, cost[Cost.CARD], 0) for used, cost in costs)
    return all_of(
        price.size() == tokens,
        discards.size() == cards,
        *[implies(chosen_one, after.zone[card] == Zone.DISCARD) for card, chosen_one in discards.items()],
    )


@step(
    "act.contact_spent", "The contact tokens used for spoils or a deal, and what pays the contacts, leave the base.",
    ("act.range", "act.contact_cost"), over=("asset",), actions=("conquest", "negotiation"),
)  # fmt: skip
def spent_tokens_leave(before: Table, after: Table, move: Move, asset: int) -> Any:
    player = chosen(move, "player")
    spent = chosen(move, "tokens")[BASE, asset] + chosen(move, "price")[BASE, asset]
    located = before.under("R-ICON-WHERE", "locations")  # else features may give for the card
    return implies(located, after.base[player][asset] == before.base[player][asset] - spent)


@step(
    "act.opponent_worker", "A visit leaves as many workers on the table as before, apart from those it makes.",
    ("act.opponent",), actions=("visit",),
)  # fmt: skip
def workers_change_hands(before: Table, after: Table, move: Move) -> Any:
    def workers(state: Table) -> Any:
        on_cards = total(row[Asset.WORKER] for row in state.on_card)
        return total(row[Asset.WORKER] for row in state.base) + on_cards

    made = where(before.under("R-AT-ONCE", "everything"), before.setup.deck.gain[chosen(move, "card")][Asset.WORKER], 0)
    laid = where(before.under("R-VISIT-WORKER", "on_card"), 1, 0)
    return implies(before.under("R-BANK", "unlimited"), workers(after) == workers(before) + made - laid)


@step(
    "act.opponent", "A visit gives the owner a worker and takes nothing from him.",
    ("act.opponent", "act.opponent_passed", "act.opponent_limit", "act.opponent_once", "abl.closed"),
    actions=("visit",),
)  # fmt: skip
def visit_is_fair(before: Table, after: Table, move: Move) -> Any:
    player, owner, card = (chosen(move, name) for name in ("player", "owner", "card"))
    gains = where(before.under("R-VISIT-WORKER", "to_owner"), 1, 0)
    others = [asset for asset in Asset if asset != Asset.WORKER]
    return all_of(
        after.base[owner][Asset.WORKER] == before.base[owner][Asset.WORKER] + gains,
        *[after.base[owner][asset] == before.base[owner][asset] for asset in others],
        negate(before.passed[owner]),
        negate(before.visited[card][player]),
        before.setup.deck.kind[card] == Kind.OPEN,
        after.visits[player] == before.visits[player] + 1,
    )


@invariant(
    "act.opponent_limit", "A player's markers on locations are never more than the visits counted, at most three.",
    ("act.opponent_limit", "act.opponent_once"), over=("player",),
)  # fmt: skip
def visits_within_limit(state: Table, player: int) -> Any:
    markers = count(state.visited[card][player] for card in locations(state))
    return all_of(markers <= state.visits[player], state.visits[player] <= 3)


@step(
    "abl.store_safe", "Goods in a storage or on a combo are never made fewer by another player's action.",
    ("abl.store", "abl.combo", "abl.steal"), over=("location",),
    actions=("conquest", "negotiation", "incorporation", "redevelop", "use_location", "steal", "visit", "trade",
             "discard_and_draw", "pass_turn", "cash_spoils", "exchange", "play_leader", "replace_leader",
             "send_thieves", "redevelop_at_once", "discard_for_vp", "drop_spoils", "drop_deal", "store", "take_out",
             "place_on_combo", "produce"),
)  # fmt: skip
def stored_goods_are_safe(before: Table, after: Table, move: Move, card: int) -> Any:
    ability = before.setup.deck.ability[card]
    bound = all_of(ability == Ability.COMBO, before.under("R-COMBO-FULL", "protected"))
    protected = all_of(
        any_of(ability == Ability.STORE, bound),
        before.zone[card] == Zone.PLAY,
        before.owner[card] != chosen(move, "player"),
    )
    kept = all_of(after.on_card[card][good] >= before.on_card[card][good] for good in GOODS)
    return implies(protected, kept)


@step(
    "abl.store_given", "Who must give up a good to a thief never gives one out of a storage or off a combo.",
    ("abl.store", "abl.combo", "abl.steal"), over=("location",), actions=("surrender",),
)  # fmt: skip
def stored_goods_are_not_given(before: Table, after: Table, move: Move, card: int) -> Any:
    ability = before.setup.deck.ability[card]
    bound = all_of(ability == Ability.COMBO, before.under("R-COMBO-FULL", "protected"))
    return implies(any_of(ability == Ability.STORE, bound), same(before.on_card[card], after.on_card[card]))
