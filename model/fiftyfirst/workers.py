"""What workers do (p.6, p.9-10): use own action locations, visit opponents' open production, trade; and the discard
action beside them. What a location does for its workers follows from its ability, cost and gain.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import (
    add_tokens,
    amount_of,
    combo_complete,
    discard_all,
    discards_for_card,
    discards_settle,
    draw_cards,
    entries,
    gain,
    goods_to_take,
    lay,
    price_of_card,
    room_for_token,
    settles,
    spend,
    spendable,
    spent_once,
)  # fmt: skip
from model.fiftyfirst.table import (
    BASE,
    Pending,
    Phase,
    Table,
    Zone,
    choosing,
    every_card,
    holds,
    in_hand,
    in_turn,
    own,
    possibly,
    undisturbed,
)  # fmt: skip
from model.fiftyfirst.turns import end_turn
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, Gain, Kind
from model.language import (
    Amounts,
    Having,
    One,
    Selection,
    Subset,
    action,
    all_of,
    any_of,
    cite,
    minimum,
    negate,
    pairs_in,
    require,
    total,
    where,
)  # fmt: skip

VISITS = 3


def is_worker(asset: int) -> bool:
    """A worker."""
    return asset == Asset.WORKER


def workers_to_send(state: Table, player: int, card: int, source: tuple[int, int]) -> Any:
    """No more workers than a second use takes."""
    return minimum(spendable(state, player, source), state.setup.deck.workers[card] + 1)


def worker_source(state: Table, player: int, source: tuple[int, int]) -> Any:
    """A place where the player has a worker."""
    return spendable(state, player, source) > 0 if is_worker(source[1]) else False


WORKERS = Amounts("source", worker_source, "act.worker", limit=workers_to_send)
ONE_WORKER = Amounts("source", worker_source, "act.opponent", limit=spendable, total=lambda state: 1)


def is_action(state: Table, card: int) -> Any:
    """The card is an action location."""
    return state.setup.deck.kind[card] == Kind.ACTION


def require_workers(state: Table, card: int, workers: Selection) -> None:
    """A first use takes the printed workers, a second one more, and there is no third (act.worker_second)."""
    printed = state.setup.deck.workers[card]
    require(state.used[card] < 2, "act.worker_second")
    if state.used[card] == 0:
        require(workers.size() == printed, "act.worker")
    else:
        require(workers.size() == printed + 1, "act.worker_second")


def require_price(
    state: Table, player: int, card: int, workers: Selection, price: Selection, discards: Selection
) -> None:
    """What the location asks for beside its workers is paid exactly, and nothing is spent twice."""
    cost = state.setup.deck.cost[card]
    require(settles(state, price, cost), "act.worker")
    require(spent_once(state, player, workers, price), "act.worker")
    require(discards_settle(state, discards, cost), "abl.discard_for")


def employ(
    state: Table, player: int, card: int, workers: Selection, price: Selection, discards: Selection
) -> None:
    """Lay the workers and the price on the card."""
    spend(state, player, workers)
    lay(state, card, workers)
    spend(state, player, price)
    lay(state, card, price)
    discard_all(state, discards)
    state.used[card] = state.used[card] + 1


# -- using an action location --------------------------------------------------------------------------------------
@action(
    clauses=("act.worker", "act.worker_second"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    card=One("location", own(Zone.PLAY, is_action), "act.worker"),
    workers=WORKERS,
    price=price_of_card("act.worker"),
    discards=discards_for_card(),
    log="{player} sends {workers} to {card} (paid: {price}, {discards})",
)
def use_location(
    state: Table, player: int, card: int, workers: Selection, price: Selection, discards: Selection
) -> None:
    ability = state.setup.deck.ability[card]
    require_workers(state, card, workers)
    require(ability != Ability.STEAL, "abl.steal")
    require_price(state, player, card, workers, price, discards)
    require(any_of(ability != Ability.COMBO, combo_complete(state, card)), "abl.combo")
    pointless = all_of(gives_only_vp(state, card), negate(room_for_token(state, card)))
    require(any_of(negate(pointless), state.under("R-TRIGGER-CAP", "lost")), "cap.vp_location")
    employ(state, player, card, workers, price, discards)
    empty_combo(state, card)
    at_once = redevelops_at_once(state, card)
    give(state, player, card, at_once)
    ask_for_redevelopment(state, player, card, at_once)
    end_turn(state, player, negate(at_once))


def gives_only_vp(state: Table, card: int) -> Any:
    """Whether the location gives VP and nothing else."""
    made = state.setup.deck.gain[card]
    others = [amount == 0 for kind, amount in entries(made) if kind != Gain.VP]
    return all_of(made[Gain.VP] != 0, *others)


def give(state: Table, player: int, card: int, at_once: Any) -> None:
    """Give what the action makes: assets to the base, VP as one token on the card (cap.vp_location)."""
    made = state.setup.deck.gain[card]
    redevelopments = (Asset.REDEVELOPMENT, Asset.UNIVERSAL_REDEVELOPMENT)
    for kind, amount in entries(made):
        if kind == Gain.VP:
            add_tokens(state, card, where(amount != 0, 1, 0))
        elif kind == Gain.CARD:
            draw_cards(state, player, amount)
        else:
            kept = where(at_once, 0, amount) if kind in redevelopments else amount
            gain(state, player, [kept if kind == asset else 0 for asset in Asset])


def empty_combo(state: Table, card: int) -> None:
    """The complete set of a combo goes to the pile (abl.combo)."""
    is_combo = state.setup.deck.ability[card] == Ability.COMBO
    if possibly(is_combo):
        cite("abl.combo")
        for good in GOODS:
            if possibly(state.on_card[card][good] != 0):
                state.on_card[card][good] = where(is_combo, 0, state.on_card[card][good])


def redevelops_at_once(state: Table, card: int) -> Any:
    """Whether the action includes a redevelopment here and now (R-REDEV-ICON)."""
    ability = state.setup.deck.ability[card]
    redevelops = any_of(ability == Ability.REDEVELOP, ability == Ability.REDEVELOP_UNIVERSAL)
    if possibly(redevelops):
        cite("abl.redevelop")
        cite("abl.redevelop_universal")
    return all_of(redevelops, state.under("R-REDEV-ICON", "at_once"))


def ask_for_redevelopment(state: Table, player: int, card: int, at_once: Any) -> None:
    """The player must now say which redevelopment is part of the action."""
    any_type = state.setup.deck.ability[card] == Ability.REDEVELOP_UNIVERSAL
    wanted = where(any_type, Pending.REDEVELOP_ANY, Pending.REDEVELOP)
    state.pending = where(at_once, wanted, Pending.NOTHING)
    state.chooser = where(at_once, player, state.setup.players)


# -- stealing ------------------------------------------------------------------------------------------------------
def steals(state: Table, card: int) -> Any:
    """The card is an action location that steals."""
    return all_of(state.setup.deck.ability[card] == Ability.STEAL, is_action(state, card))


def opponent(state: Table, player: int, victim: int) -> Any:
    """Another player, who has not passed unless that makes no difference (R-STEAL-PASSED)."""
    if victim == player:
        return False
    return any_of(negate(state.passed[victim]), state.under("R-STEAL-PASSED", "allowed"))


def stealable_from(state: Table, victim: int, source: tuple[int, int]) -> Any:
    """The source holds a good of the victim's that may be stolen (R-STEAL-FROM)."""
    return goods_to_take(state, victim, source) > 0 if source[1] in GOODS else False


@action(
    clauses=("abl.steal", "act.worker"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    card=One("location", own(Zone.PLAY, steals), "abl.steal"),
    workers=WORKERS,
    price=price_of_card("act.worker"),
    discards=discards_for_card(),
    victim=One("player", opponent, "abl.steal"),
    booty=Amounts("source", stealable_from, "abl.steal", limit=lambda state, source: 1, total=lambda state: 1),
    log="{player} sends {workers} to {card} (paid: {price}, {discards}) and steals {booty} from {victim}",
)
def steal(
    state: Table, player: int, card: int, workers: Selection, price: Selection, discards: Selection, victim: int,
    booty: Selection,
) -> None:  # fmt: skip
    require(state.under("R-STEAL-WHICH", "thief"), "abl.steal")
    require_workers(state, card, workers)
    require_price(state, player, card, workers, price, discards)
    employ(state, player, card, workers, price, discards)
    take_booty(state, player, victim, booty)
    give(state, player, card, False)
    end_turn(state, player)


@action(
    clauses=("abl.steal", "act.worker"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    card=One("location", own(Zone.PLAY, steals), "abl.steal"),
    workers=WORKERS,
    price=price_of_card("act.worker"),
    discards=discards_for_card(),
    victim=One("player", opponent, "abl.steal"),
    log="{player} sends {workers} to {card} (paid: {price}, {discards}) to steal a good from {victim}",
)
def send_thieves(
    state: Table, player: int, card: int, workers: Selection, price: Selection, discards: Selection, victim: int
) -> None:
    require(state.under("R-STEAL-WHICH", "victim"), "abl.steal")
    require_workers(state, card, workers)
    require_price(state, player, card, workers, price, discards)
    sources = steal_sources(state)
    require(any_of(stealable_from(state, victim, source) for source in sources), "abl.steal")
    employ(state, player, card, workers, price, discards)
    give(state, player, card, False)
    state.pending = Pending.SURRENDER
    state.chooser = victim


def steal_sources(state: Table) -> list[tuple[int, int]]:
    """Every place and good that might be stolen."""
    places: list[int] = [BASE, *every_card(state)]
    return [(place, good) for place in places for good in GOODS if place == BASE or may_hold(state, place, good)]


def may_hold(state: Table, card: int, asset: int) -> bool:
    """Whether such tokens can ever lie on the card."""
    return holds(state.setup, card, asset).high > 0


@action(
    clauses=("abl.steal",),
    phases=(Phase.ACTION,),
    when=lambda state: all_of(state.draws == 0, state.pending == Pending.SURRENDER),
    victim=One("player", choosing, "abl.steal"),
    booty=Amounts("source", stealable_from, "abl.steal", limit=lambda state, source: 1, total=lambda state: 1),
    log="{victim} gives up {booty}",
)
def surrender(state: Table, victim: int, booty: Selection) -> None:
    state.pending = Pending.NOTHING
    state.chooser = state.setup.players
    for thief in range(state.setup.players):
        take_booty(state, thief, victim, booty, state.player == thief)
    thief = state.player
    for seat in range(state.setup.players):
        end_turn(state, seat, thief == seat)


def take_booty(state: Table, player: int, victim: int, booty: Selection, condition: Any = True) -> None:
    """Move the stolen good to the thief's base."""
    spend(state, victim, booty, condition)
    for good in GOODS:
        stolen = where(condition, amount_of(booty, good), 0)
        state.base[player][good] = state.base[player][good] + stolen


# -- visiting, trading, discarding ---------------------------------------------------------------------------------
def other_player(state: Table, player: int, owner: int) -> Any:
    """An opponent who has not passed (act.opponent_passed)."""
    return False if owner == player else negate(state.passed[owner])


def is_open(state: Table, card: int) -> Any:
    """The card is of open production (abl.closed)."""
    return state.setup.deck.kind[card] == Kind.OPEN


open_location = Having(is_open, zone=Zone.PLAY, owner="owner")


@action(
    clauses=("act.opponent", "act.opponent_once", "act.opponent_limit", "act.opponent_passed", "comp.tokens"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    owner=One("player", other_player, "act.opponent_passed"),
    card=One("location", open_location, "abl.closed"),
    worker=ONE_WORKER,
    log="{player} sends {worker} to visit {card} of {owner}",
)
def visit(state: Table, player: int, owner: int, card: int, worker: Selection) -> None:
    deck = state.setup.deck
    require(deck.ability[card] != Ability.ONCE, "abl.once")
    require(state.visits[player] < VISITS, "act.opponent_limit")
    require(negate(state.visited[card][player]), "act.opponent_once")
    state.visits[player] = state.visits[player] + 1
    state.visited[card][player] = True
    spend(state, player, worker)
    to_owner = state.under("R-VISIT-WORKER", "to_owner")
    state.base[owner][Asset.WORKER] = state.base[owner][Asset.WORKER] + where(to_owner, 1, 0)
    if state.under("R-VISIT-WORKER", "on_card"):
        lay(state, card, worker)
    everything = state.under("R-AT-ONCE", "everything")
    for kind, amount in entries(deck.gain[card]):
        made = amount if kind in GOODS else where(everything, amount, 0)
        gain(state, player, [made if kind == index else 0 for index in range(len(deck.gain[card]))])
    end_turn(state, player)


def goods_for_trade(state: Table, player: int, good: int) -> Any:
    """One good, or as many as there are pairs of workers (R-TRADE)."""
    several = state.under("R-TRADE", "several")
    if not possibly(several):
        return 1
    cards = [card for card in every_card(state) if may_hold(state, card, Asset.WORKER)]
    workers = total(spendable(state, player, (place, Asset.WORKER)) for place in (BASE, *cards))
    return where(several, pairs_in(workers), 1)


def two_for_each(state: Table, goods: Selection) -> Any:
    """Two workers for each good."""
    return goods.size() + goods.size()


@action(
    clauses=("act.trade",),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    goods=Amounts("good", None, "act.trade", limit=goods_for_trade),
    workers=Amounts("source", worker_source, "act.trade", limit=spendable, total=two_for_each),
    log="{player} discards {workers} for {goods}",
)
def trade(state: Table, player: int, goods: Selection, workers: Selection) -> None:
    require(goods.size() >= 1, "act.trade")
    require(any_of(goods.size() == 1, state.under("R-TRADE", "several")), "act.trade")
    spend(state, player, workers)
    for good in GOODS[:4]:
        gain(state, player, [goods[good] if good == asset else 0 for asset in Asset])
    end_turn(state, player)


@action(
    clauses=("act.discard_draw",),
    phases=(Phase.ACTION,),
    when=undisturbed,
    player=One("player", in_turn, "act.turns"),
    cards=Subset("card", in_hand, "act.discard_draw", total=lambda state: 2),
    log="{player} discards {cards} and draws a card",
)
def discard_and_draw(state: Table, player: int, cards: Selection) -> None:
    discard_all(state, cards)
    draw_cards(state, player, 1)
    end_turn(state, player)


