"""The toy game for any stones and either reading, and the properties that the solver's tests prove of it."""

from typing import Any

from model.language import Model, count, implies, negate, total
from model.language.expression import variable
from properties.declaration import Property, invariant, step
from tests.language.toy import GAME, Phase, Place, Stones


def any_stones() -> Model:
    """Six stones of any colours, under either reading."""
    colours = [variable(("parameter", "colour", f"stone {i + 1}"), 0, 2) for i in range(6)]
    return GAME.model(Stones(colour=colours, readings={"R-BLACK": variable(("parameter", "R-BLACK"), 0, 1)}))


@invariant("counted", "What players have banked is what lies in the bank.", ("bank.colour",))
def counted(state: Any) -> Any:
    return total(state.banked) == count(place == Place.BANK for place in state.place)


@invariant("kept", "No stone is lost.", ())
def kept(state: Any) -> Any:
    return total(count(place == where for place in state.place) for where in Place) == 6


@invariant("drawn", "There is a stone on the table when a player decides.", ("draw.stone",))
def drawn(state: Any) -> Any:
    return implies(state.phase == Phase.DECIDE, count(place == Place.TABLE for place in state.place) >= 1)


@invariant("modest", "Nobody banks more than four stones.", (), over=("player",))
def modest(state: Any, player: int) -> Any:
    return state.banked[player] <= 4


@invariant("idle", "Nobody banks anything.", (), over=("player",))
def idle(state: Any, player: int) -> Any:
    return state.banked[player] == 0


@step("no.return", "A stone that has left the bag stays out.", (), over=("stone",))
def no_return(before: Any, after: Any, move: Any, stone: Any) -> Any:
    return implies(before.place[stone] != Place.BAG, after.place[stone] != Place.BAG)


@step("turn.changes", "Banking passes the turn.", (), actions=("bank",))
def turn_changes(before: Any, after: Any, move: Any) -> Any:
    return before.turn != after.turn


@step("always.turn", "Every move passes the turn.", ())
def always_turn(before: Any, after: Any, move: Any) -> Any:
    return before.turn != after.turn


@invariant("quiet", "A game is never over.", ())
def quiet(state: Any) -> Any:
    return negate(state.phase == Phase.END)


@invariant("branching", "A property that branches.", ())
def branching(state: Any) -> Any:
    return state.turn == 0 if state.phase == Phase.DRAW else True


@invariant("restless", "The first move is made.", (), over=("stone",))
def restless(state: Any, stone: Any) -> Any:
    return state.place[stone] != Place.BAG


TRUE: list[Property] = [counted, kept, drawn, no_return, turn_changes]
