"""A second toy: two players trade in a market. Unlike the stones it has amounts, limits, totals, later choices that
depend on earlier ones, and ordinary `if`: what the first toy does without."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from model.language import (
    FLAG,
    Amounts,
    Catalogue,
    Clause,
    Family,
    Game,
    One,
    Preset,
    State,
    Variable,
    action,
    all_of,
    between,
    cite,
    count,
    maximum,
    negate,
    one_of,
    require,
    where,
)

Phase = IntEnum("Phase", ["TRADE", "END"], start=0)
RULEBOOK = Catalogue(
    {
        name: Clause(name, (1,), text)
        for name, text in {
            "turn": "Players trade in turn.",
            "buy": "Buy what is in stock and open, one coin each.",
            "buy.nothing": "Who buys nothing takes a coin.",
            "buy.rebate": "Three and more cost one less.",
            "swap": "Swap a good for another kind in stock.",
            "gift": "Give exactly two goods to the other player.",
            "close": "A sold-out kind closes; closing the second ends the game.",
        }.items()
    },
    {},
)


@dataclass(frozen=True)
class Setup:
    players: int = 2
    readings: dict[str, Any] = field(default_factory=dict)
    catalogue: Catalogue = RULEBOOK


class Market(State):
    phase: int
    turn: int
    stock: list[int]
    held: list[list[int]]
    coins: list[int]
    closed: list[bool]


def families(setup: Setup) -> dict[str, Family]:
    return {
        "player": Family("player", range(2), ["Ann", "Bob"]),
        "good": Family("good", range(2), ["figs", "rice"]),
    }


def variables(setup: Setup, family: dict[str, Family]) -> list[Variable]:
    player, good = family["player"], family["good"]
    return [
        Variable("phase", one_of(Phase)),
        Variable("turn", between(0, 1)),
        Variable("stock", between(0, 3), (good,), lambda kind: 2 + kind),
        Variable("held", between(0, 5), (player, good), 0),
        Variable("coins", between(0, 9), (player,), 3),
        Variable("closed", FLAG, (good,), False),
    ]


def in_turn(state: Market, player: int) -> Any:
    return state.turn == player


def open_kind(state: Market, good: int) -> Any:
    return negate(state.closed[good])


def next_turn(state: Market) -> None:
    state.turn = 1 - state.turn


@action(
    clauses=("buy",),
    phases=(Phase.TRADE,),
    player=One("player", in_turn, "turn"),
    goods=Amounts("good", open_kind, "buy", limit=lambda state, good: state.stock[good]),
    log="{player} buys {goods}",
)
def buy(state: Market, player: int, goods: Any) -> None:
    amount = goods.size()
    price = where(amount >= 3, amount - 1, amount)
    require(state.coins[player] >= price, "buy")
    if amount == 0:
        cite("buy.nothing")
        require(state.coins[player] < 9, "buy.nothing")
        state.coins[player] += 1
    elif amount >= 3:
        cite("buy.rebate")
    for good, taken in goods.items():
        state.stock[good] -= taken
        state.held[player][good] += taken
    if amount != 0:  # asked before: the tracer knows
        state.coins[player] = maximum(0, state.coins[player] - price)
    next_turn(state)


@action(
    clauses=("swap",),
    phases=(Phase.TRADE,),
    player=One("player", in_turn, "turn"),
    giving=One("good", lambda state, player, good: state.held[player][good] > 0, "swap"),
    taking=One("good", lambda state, giving, good: all_of(giving != good, state.stock[good] > 0), "swap"),
)
def swap(state: Market, player: int, giving: int, taking: int) -> None:
    require(state.stock[giving] < 3, "swap")
    state.held[player][giving] -= 1
    state.held[player][taking] += 1
    state.stock[giving] += 1
    state.stock[taking] -= 1
    next_turn(state)


@action(
    clauses=("gift",),
    phases=(Phase.TRADE,),
    player=One("player", in_turn, "turn"),
    goods=Amounts(
        "good",
        clause="gift",
        limit=lambda state, player, good: state.held[player][good],
        total=lambda state: 2,
    ),
)
def gift(state: Market, player: int, goods: Any) -> None:
    other = 1 - player
    for good, given in goods.items():
        state.held[player][good] -= given
        state.held[other][good] += given
    next_turn(state)


@action(clauses=("close",), phases=(Phase.TRADE,), good=One("good", open_kind, "close"))
def close(state: Market, good: int) -> None:
    require(state.stock[good] == 0, "close")
    state.closed[good] = True
    if count(state.closed) == 2:
        state.phase = Phase.END


GAME = Game(
    id="market",
    title="Market",
    version="1",
    catalogue=RULEBOOK,
    actions=(buy, swap, gift, close),
    phases=[phase.name for phase in Phase],
    presets={"tiny": Preset("tiny", ("one",), "One market.")},
    player_counts=(2,),
    setup=lambda *_: Setup(),
    families=families,
    variables=variables,
    state=Market,
    over=lambda state: state.phase == Phase.END,
    observe=lambda state, player: {"stock": list(state.stock)},
    turn_clause="turn",
)
