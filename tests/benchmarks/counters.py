"""The simplest model there is to count: some counters from 0 to 9, any of which may go up. It has 10^N states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from model.language import (
    PLAYER,
    Catalogue,
    Clause,
    Family,
    Game,
    One,
    Preset,
    State,
    Variable,
    action,
    between,
    require,
)

MOST = 9
RULES = Catalogue({"count.up": Clause("count.up", (1,), "A counter below nine goes up by one.")}, {})


@dataclass(frozen=True)
class Counters:
    counters: int = 4
    players: int = 1
    catalogue: Catalogue = RULES
    readings: Mapping[str, Any] = field(default_factory=dict)


class Table(State):
    phase: int
    counted: list[int]


def families(setup: Counters) -> dict[str, Family]:
    labels = [str(number) for number in range(setup.counters)]
    return {"player": Family("player", range(1), ["Ann"]), "counter": Family("counter", range(setup.counters), labels)}


def variables(setup: Counters, family: dict[str, Family]) -> list[Variable]:
    return [Variable("phase", between(0, 0)), Variable("counted", between(0, MOST), (family["counter"],))]


@action(clauses=("count.up",), by=PLAYER, counter=One("counter"))
def count_up(state: Table, counter: int) -> None:
    require(state.counted[counter] < MOST, "count.up")
    state.counted[counter] = state.counted[counter] + 1


GAME = Game(
    id="counters", title="Counters", version="1", catalogue=RULES, actions=(count_up,), phases=["COUNT"],
    presets={"tiny": Preset("tiny", ("four",), "four counters")}, player_counts=(1,), setup=lambda *_: Counters(),
    families=families, variables=variables, state=Table,
    over=lambda state: sum(state.counted) == MOST * len(state.counted), observe=lambda state, player: {},
    turn_clause="count.up",
)  # fmt: skip


def states(counters: int) -> int:
    """How many there are."""
    return 10**counters


def transitions(counters: int) -> int:
    """How many moves: each counter from each value below nine, whatever the others are."""
    return counters * MOST * 10 ** (counters - 1)


def murphi(counters: int) -> str:
    """The model in the language of Murphi, as one would write it by hand."""
    return f"""\
var counted: array [1..{counters}] of 0..{MOST};
startstate begin for i: 1..{counters} do counted[i] := 0; end; end;
ruleset i: 1..{counters} do
  rule "count up" counted[i] < {MOST} ==> begin counted[i] := counted[i] + 1; end;
end;
"""


def minicheck(counters: int) -> str:
    """The model for minicheck, as one would write it by hand, and what prints its counts."""
    return f"""\
from minicheck import Protocol, check_safety

taken = 0


def moves(state):
    global taken
    found = [(i, (*state[:i], value + 1, *state[i + 1 :])) for i, value in enumerate(state) if value < {MOST}]
    taken += len(found)
    return found


result = check_safety(
    Protocol(
        name="counters", candidate=False, fields=tuple(f"c{{i}}" for i in range({counters})), initial=(0,) * {counters},
        transitions=moves, invariants={{}},
    ),
    max_states=10**10,
)
print("states", result["reachable_states"])
print("transitions", taken)
print("complete" if result["exhaustive"] else "incomplete")
"""
