"""A complete toy game: two players draw stones from a bag, and bank those of one colour."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from model.language import (
    CHANCE,
    FLAG,
    PLAYER,
    Catalogue,
    Clause,
    Element,
    Family,
    Game,
    One,
    Preset,
    Reading,
    State,
    Subset,
    Variable,
    action,
    any_of,
    between,
    count,
    one_of,
    require,
    where,
)  # fmt: skip

Phase = IntEnum("Phase", ["DRAW", "DECIDE", "END"], start=0)
Place = IntEnum("Place", ["BAG", "TABLE", "BANK"], start=0)
RULEBOOK = Catalogue(
    {
        "draw.stone": Clause("draw.stone", (1,), "The player in turn draws a stone from the bag."),
        "bank.colour": Clause("bank.colour", (1,), "Stones banked together are all of one colour.", ("R-BLACK",)),
        "end.three": Clause("end.three", (2,), "Who has banked three stones wins; an empty bag ends the game."),
    },
    {
        "R-BLACK": Reading(
            "R-BLACK", "bank.colour", ("plain", "wild"), "Does black match both?", {"plain": "no", "wild": "yes"}
        )
    },
)


@dataclass(frozen=True)
class Stones:
    players: int = 2
    colour: list[Any] = field(default_factory=lambda: [0, 0, 0, 1, 1, 2])  # 2 is black
    readings: dict[str, Any] = field(default_factory=lambda: {"R-BLACK": "plain"})
    catalogue: Catalogue = RULEBOOK


class Table(State):
    phase: int
    turn: int
    place: list[int]
    banked: list[int]
    greedy: list[bool]


def families(setup: Stones) -> dict[str, Family]:
    stones = [Element(i) for i in range(len(setup.colour))]
    return {
        "player": Family("player", range(setup.players), [f"Player {i + 1}" for i in range(setup.players)]),
        "stone": Family("stone", stones, [f"stone {i + 1}" for i in range(len(stones))], ["stone"] * len(stones)),
    }


def variables(setup: Stones, family: dict[str, Family]) -> list[Variable]:
    return [
        Variable("phase", one_of(Phase)),
        Variable("turn", between(0, setup.players - 1)),
        Variable("place", one_of(Place), (family["stone"],)),
        Variable("banked", between(0, len(setup.colour)), (family["player"],)),
        Variable("greedy", FLAG, (family["player"],)),
    ]


def in_turn(state: Table, player: int) -> Any:
    return state.turn == player


def in_bag(state: Table, stone: int) -> Any:
    return state.place[stone] == Place.BAG


def on_table(state: Table, stone: int) -> Any:
    return state.place[stone] == Place.TABLE


@action(clauses=("draw.stone",), phases=(Phase.DRAW,), by=CHANCE, stone=One("stone", in_bag, "draw.stone"))
def draw(state: Table, stone: int) -> None:
    state.place[stone] = Place.TABLE
    state.phase = Phase.DECIDE


@action(
    clauses=("bank.colour", "end.three"), phases=(Phase.DECIDE,), by=PLAYER,
    player=One("player", in_turn, "draw.stone"), stones=Subset("stone", on_table, "bank.colour"),
)  # fmt: skip
def bank(state: Table, player: int, stones: Any) -> None:
    wild = state.under("R-BLACK", "wild")
    for colour in (0, 1):
        clashing = stones.sum_of(lambda stone, colour=colour: state.setup.colour[stone] == 1 - colour)
        black = stones.sum_of(lambda stone: where(state.setup.colour[stone] == 2, 1, 0))
        same = stones.sum_of(lambda stone, colour=colour: where(state.setup.colour[stone] == colour, 1, 0))
        require(any_of(same == 0, clashing + where(wild, 0, black) == 0), "bank.colour")
    state.banked[player] = state.banked[player] + stones.size()
    for stone, chosen in stones.items():
        state.place[stone] = where(chosen, Place.BANK, state.place[stone])
    state.greedy[player] = stones.size() == 0
    won = state.banked[player] >= 3
    empty = count(place == Place.BAG for place in state.place) == 0
    state.phase = where(any_of(won, empty), Phase.END, Phase.DRAW)
    state.turn = 1 - player


GAME = Game(
    id="stones", title="Stones", version="1", catalogue=RULEBOOK, actions=(draw, bank), phases=[p.name for p in Phase],
    presets={"tiny": Preset("tiny", ("six",), "Six stones.")}, player_counts=(2,), setup=lambda *_: Stones(),
    families=families, variables=variables, state=Table, over=lambda state: state.phase == Phase.END,
    observe=lambda state, player: {"place": list(state.place)}, turn_clause="draw.stone",
)  # fmt: skip
