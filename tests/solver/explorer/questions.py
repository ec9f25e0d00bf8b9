"""A small game whose rulebook has four open questions: two that matter at once, one that counts, one that is moot."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from model.language import (
    PLAYER,
    Catalogue,
    Clause,
    Family,
    Game,
    InputError,
    Preset,
    Reading,
    State,
    Variable,
    action,
    all_of,
    any_of,
    between,
    negate,
    one_of,
    require,
    where,
)  # fmt: skip
from properties.declaration import invariant, step, witness

Phase = IntEnum("Phase", ["PLAY", "END"], start=0)


def _reading(id: str, *values: str) -> Reading:
    return Reading(id, "count.up", values, f"What of {id}?", {value: f"It is {value}." for value in values})


RULEBOOK = Catalogue(
    {
        "count.up": Clause("count.up", (1,), "Who is in turn counts up."),
        "count.end": Clause("count.end", (1,), "The game may be ended after the first count."),
    },
    {
        reading.id: reading
        for reading in (
            _reading("R-LIMIT", "four", "three"),
            _reading("R-BONUS", "none", "one"),
            _reading("R-MEMORY", "none", "twice"),
            _reading("R-MOOT", "left", "right"),
            _reading("R-UNASKED", "so", "otherwise"),
        )
    },
)


@dataclass(frozen=True)
class Counting:
    players: int = 2
    readings: Mapping[str, Any] = field(default_factory=lambda: RULEBOOK.readings_in_force({}))
    catalogue: Catalogue = RULEBOOK


class Table(State):
    phase: int
    counted: int
    bonus: int
    ups: int


def families(setup: Counting) -> dict[str, Family]:
    return {"player": Family("player", range(2), ["Ann", "Bob"])}


def variables(setup: Counting, family: dict[str, Family]) -> list[Variable]:
    remembered = 0 if setup.readings["R-MEMORY"] == "none" else 2
    return [
        Variable("phase", one_of(Phase)), Variable("counted", between(0, 9)), Variable("bonus", between(0, 9)),
        Variable("ups", between(0, remembered)),
    ]  # fmt: skip


@action(clauses=("count.up",), phases=(Phase.PLAY,), by=PLAYER, log="one more")
def count_up(state: Table) -> None:
    limit = where(state.under("R-LIMIT", "four"), 4, 3)
    require(state.counted < limit, "count.up")
    remembers = state.under("R-MEMORY", "twice")
    require(any_of(negate(remembers), state.ups < 2), "count.up")
    state.counted = state.counted + 1
    if remembers:
        state.ups = state.ups + 1


@action(clauses=("count.end",), phases=(Phase.PLAY,), by=PLAYER, log="the end")
def finish(state: Table) -> None:
    require(state.counted > 0, "count.end")
    moot = all_of(state.under("R-MOOT", "right"), state.counted > 4)
    paid = any_of(state.under("R-BONUS", "one"), moot)
    state.bonus = where(paid, 1, 0)
    state.phase = Phase.END


@invariant("few", "Nobody counts further than four.", ("count.up",))
def few(state: Table) -> Any:
    return state.counted <= 4


@invariant("unpaid", "Nothing is paid.", ("count.end",))
def unpaid(state: Table) -> Any:
    return state.bonus == 0


@witness("three", "It is counted to three.", ("count.up",))
def three(state: Table) -> Any:
    return state.counted == 3


@step("early", "No game ends after one count.", ("count.end",), actions=("finish",))
def early(before: Table, after: Table, move: Any) -> Any:
    return before.counted > 1


@step("late", "No game ends after five counts.", ("count.end",), actions=("finish",))
def late(before: Table, after: Table, move: Any) -> Any:
    return before.counted < 5


def setup(
    name: str = "counting", players: int = 2, readings: Mapping[str, str] | None = None, deck: Any = None,
    symbolic: bool = False,
) -> Counting:  # fmt: skip
    if players != 2:
        raise InputError("for two")
    return Counting(readings=RULEBOOK.readings_in_force(readings or {}))


GAME = Game(
    id="counting", title="Counting", version="1", catalogue=RULEBOOK, actions=(count_up, finish),
    phases=[phase.name for phase in Phase],
    presets={name: Preset(name, ("counting",), "all there is") for name in ("tiny", "standard")}, player_counts=(2,),
    setup=setup, families=families, variables=variables, state=Table, over=lambda state: state.phase == Phase.END,
    observe=lambda state, player: {"counted": state.counted}, turn_clause="count.up",
)  # fmt: skip
