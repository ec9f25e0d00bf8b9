"""A small game for what is hard to export: an exchange, what nothing reads, what leaves its domain, awkward names."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from model.language import (
    FLAG,
    PLAYER,
    Catalogue,
    Clause,
    Family,
    Game,
    Preset,
    State,
    Variable,
    action,
    between,
    negate,
    one_of,
    pick,
    require,
    where,
)  # fmt: skip

Phase = IntEnum("Phase", ["PLAY", "END"], start=0)
RULES = Catalogue({"swap": Clause("swap", (1,), "Two numbers are exchanged.")}, {})
CUPS = ["int", "cup /* 1 */", "Krüge", "2nd"]


@dataclass(frozen=True)
class Swapping:
    players: int = 1
    most: int = 300
    catalogue: Catalogue = RULES
    readings: dict[str, Any] = field(default_factory=dict)


class Table(State):
    phase: int
    left: int
    right: int
    last: int
    cup: list[bool]
    level: int


def families(setup: Swapping) -> dict[str, Family]:
    return {"player": Family("player", range(1), ["Ann"]), "cup": Family("cup", range(4), CUPS)}


def variables(setup: Swapping, family: dict[str, Family]) -> list[Variable]:
    return [
        Variable("phase", one_of(Phase)), Variable("left", between(-300, 300), initial=-3),
        Variable("right", between(0, 40_000), initial=2), Variable("last", between(0, 9)),
        Variable("cup", FLAG, (family["cup"],), lambda cup: cup == 1), Variable("level", between(0, setup.most)),
    ]  # fmt: skip


@action(clauses=("swap",), phases=(Phase.PLAY,), by=PLAYER, log="the */ exchange\\")
def exchange(state: Table) -> None:
    require(state.right < 300, "swap")
    state.left, state.right = where(state.cup[0], state.right, 1 - state.left), where(state.left < 0, 9, state.left)
    state.cup[0], state.cup[1] = state.cup[1], negate(state.cup[0])


@action(clauses=("swap",), phases=(Phase.PLAY,), by=PLAYER)
def remember(state: Table) -> None:
    """Nothing reads what is remembered; it is a part of the state all the same."""
    state.last = pick([0, 7, 3, 9], where(state.cup[0], 1, 0) + where(state.cup[2], 2, 0))
    state.cup[2] = negate(state.cup[2])
    state.cup[3] = state.cup[1] == state.cup[2]


@action(clauses=("swap",), phases=(Phase.PLAY,), by=PLAYER)
def rise(state: Table) -> None:
    require(state.level < 5, "swap")
    state.level = state.level + 2 * where(state.cup[1], 2, 1)


@action(clauses=("swap",), phases=(Phase.PLAY,), by=PLAYER)
def square(state: Table) -> None:
    require(state.level >= 5, "swap")
    state.level = state.level * state.level
    state.phase = Phase.END


GAME = Game(
    id="swapping", title="Swapping", version="1", catalogue=RULES, actions=(exchange, remember, rise, square),
    phases=[phase.name for phase in Phase], presets={"tiny": Preset("tiny", ("cups",), "four cups")},
    player_counts=(1,), setup=lambda *_: Swapping(), families=families, variables=variables, state=Table,
    over=lambda state: state.phase == Phase.END, observe=lambda state, player: {}, turn_clause="swap",
)  # fmt: skip
