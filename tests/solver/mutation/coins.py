"""A small game with a rule for each operator: players take coins from a pot into purses that hold two.

The second requirement of `take` follows from the first: to drop it makes no difference. Nor does it matter that a count
stops at five. Nothing is claimed of the score.
"""

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from model.language import (
    PLAYER,
    RULES,
    Catalogue,
    Clause,
    Element,
    Family,
    Game,
    Having,
    One,
    Preset,
    Reading,
    State,
    Variable,
    action,
    all_of,
    between,
    count,
    minimum,
    one_of,
    require,
    total,
    where,
)  # fmt: skip
from properties.declaration import invariant, step, witness

Phase = IntEnum("Phase", ["TAKE", "COUNT", "END"], start=0)
Place = IntEnum("Place", ["POT", "PURSE", "LOST"], start=0)
COINS = 6
HOLDS = 2
RULEBOOK = Catalogue(
    {
        "take.turn": Clause("take.turn", (1,), "Players take turns."),
        "take.coin": Clause("take.coin", (1,), "A coin goes from the pot into the purse."),
        "take.room": Clause("take.room", (1,), "A purse holds two coins.", ("R-GREED",)),
        "lose.coin": Clause("lose.coin", (1,), "A coin may be thrown away instead."),
        "end.count": Clause("end.count", (1,), "When the pot is empty, coins are counted."),
    },
    {"R-GREED": Reading("R-GREED", "take.room", ("strict", "free"), "Is it two?", {"strict": "yes", "free": "no"})},
)


@dataclass(frozen=True)
class Setup:
    players: int = 2
    catalogue: Catalogue = RULEBOOK
    readings: dict[str, Any] = field(default_factory=lambda: {"R-GREED": "strict"})


class Table(State):
    phase: int
    turn: int
    place: list[int]
    owner: list[int]
    score: list[int]


def families(setup: Setup) -> dict[str, Family]:
    coins = [Element(number) for number in range(COINS)]
    labels = [f"coin {number + 1}" for number in range(COINS)]
    return {
        "player": Family("player", range(setup.players), [f"Player {seat + 1}" for seat in range(setup.players)]),
        "coin": Family("coin", coins, labels, ["coin"] * COINS),
    }


def variables(setup: Setup, family: dict[str, Family]) -> list[Variable]:
    return [
        Variable("phase", one_of(Phase)),
        Variable("turn", between(0, setup.players - 1)),
        Variable("place", one_of(Place), (family["coin"],)),
        Variable("owner", between(0, setup.players), (family["coin"],), initial=setup.players),
        Variable("score", between(0, 9), (family["player"],)),
    ]


def in_turn(state: Table, player: int) -> Any:
    return state.turn == player


def within(place: Place) -> Any:
    def lies(state: Table, coin: int) -> Any:
        return state.place[coin] == place

    return lies


in_pot = Having(place=Place.POT)


def held(state: Table, player: int) -> Any:
    """The coins in a purse (take.room)."""
    return total(where(state.owner[coin] == player, 1, 0) for coin in range(COINS))


def pass_on(state: Table, player: int) -> None:
    empty = count(place == Place.POT for place in state.place) == 0
    state.phase = where(empty, Phase.COUNT, Phase.TAKE)
    state.turn = 1 - player


@action(
    clauses=("take.coin",), phases=(Phase.TAKE,), by=PLAYER,
    player=One("player", in_turn, "take.turn"), coin=One("coin", in_pot, "take.coin"),
)  # fmt: skip
def take(state: Table, player: int, coin: int) -> None:
    if state.under("R-GREED", "strict"):
        require(held(state, player) < HOLDS, "take.room")
        require(held(state, player) <= HOLDS, "take.room")
    state.place[coin] = Place.PURSE
    state.owner[coin] = player
    pass_on(state, player)


@action(
    clauses=("lose.coin",), phases=(Phase.TAKE,), by=PLAYER,
    player=One("player", in_turn, "take.turn"), coin=One("coin", within(Place.POT), "lose.coin"),
)  # fmt: skip
def lose(state: Table, player: int, coin: int) -> None:
    state.place[coin] = Place.LOST
    pass_on(state, player)


@action(clauses=("end.count",), phases=(Phase.COUNT,), by=RULES, when=lambda state: state.turn == 0)
def count_up(state: Table) -> None:
    for player in range(state.setup.players):
        state.score[player] = minimum(5, held(state, player))
    state.phase = Phase.END


def setup(name: str, players: int, readings: Any = None, deck: Any = None, symbolic: bool = False) -> Setup:
    return replace(Setup(), readings={**Setup().readings, **(readings or {})})


GAME = Game(
    id="coins", title="Coins", version="1", catalogue=RULEBOOK, actions=(take, lose, count_up),
    phases=[phase.name for phase in Phase], presets={"tiny": Preset("tiny", ("six",), "six coins")}, player_counts=(2,),
    setup=setup, families=families, variables=variables, state=Table, over=lambda state: state.phase == Phase.END,
    observe=lambda state, player: {"place": list(state.place)}, turn_clause="take.turn",
)  # fmt: skip


@invariant("owned", "A coin is somebody's exactly while it is in a purse.", ("take.coin",), over=("coin",))
def owned(state: Any, coin: Any) -> Any:
    return (state.owner[coin] == state.setup.players) == (state.place[coin] != Place.PURSE)


@invariant("room", "A purse never holds more than two coins.", ("take.room",), over=("player",))
def room(state: Any, player: int) -> Any:
    strict = state.under("R-GREED", "strict")
    return where(strict, count(owner == player for owner in state.owner) <= 2, True)


@step("alternate", "Taking and losing pass the turn.", ("take.turn",), actions=("take", "lose"))
def alternate(before: Any, after: Any, move: Any) -> Any:
    return all_of(after.turn != before.turn, before.turn == move.values[0])


@step("named", "The coin that is named leaves the pot, and no other.", ("take.coin",), over=("coin",))
def named(before: Any, after: Any, move: Any, coin: Any) -> Any:
    if move.action.name == "count_up" or move.values[1] != coin:
        return after.place[coin] == before.place[coin]
    return all_of(before.place[coin] == Place.POT, after.place[coin] != Place.POT)


@witness("full", "A player holds two coins.", ("take.room",), over=("player",))
def full(state: Any, player: int) -> Any:
    return count(owner == player for owner in state.owner) == 2


PROPERTIES = [owned, room, alternate, named]
