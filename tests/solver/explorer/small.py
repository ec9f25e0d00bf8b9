"""Toy games to explore, each a change to the one in `tests/language/toy.py`, and properties of them."""

from dataclasses import replace
from typing import Any

from model.language import Domain, Game, Move, One, Variable, action, require
from properties.declaration import Property, invariant, step, witness
from tests.language import toy

SETUP = toy.Stones()


def with_banked(domain: Domain) -> Game:
    """The toy with another domain for what a player has banked."""

    def variables(setup: toy.Stones, family: dict[str, Any]) -> list[Variable]:
        return [
            replace(declared, domain=domain) if declared.name == "banked" else declared
            for declared in toy.variables(setup, family)
        ]

    return replace(toy.GAME, variables=variables)


def with_action(added: Any) -> Game:
    return replace(toy.GAME, actions=(*toy.GAME.actions, added))


@action(clauses=("bank.colour",), phases=(toy.Phase.DECIDE,))
def tax(state: Any) -> None:
    """Never allowed, but no single condition says so; takes a stone where none may be."""
    require(state.place[0] == state.place[1], "bank.colour")
    require(state.place[0] + state.place[1] == 3, "bank.colour")
    state.banked[0] = state.banked[0] - 1


@action(clauses=("draw.stone",), phases=(toy.Phase.DECIDE,), stone=One("stone", toy.on_table, "draw.stone"))
def put_back(state: Any, stone: int) -> None:
    """Leads back, also to the initial state."""
    state.place[stone] = toy.Place.BAG
    state.phase = toy.Phase.DRAW


@invariant("few", "Nobody banks three stones.", ("end.three",), over=("player",))
def few(state: Any, player: int) -> Any:
    return state.banked[player] < 3


@invariant("bag", "The stones in the bag and those elsewhere are six.", ("draw.stone",))
def bag(state: Any) -> Any:
    return sum(state.place[stone] == 0 for stone in range(6)) + sum(
        state.place[stone] != 0 for stone in range(6)
    ) == 6


@step("modest", "Nobody banks two stones at once.", ("bank.colour",), over=("player",), actions=("bank",))
def modest(before: Any, after: Any, move: Move, player: int) -> Any:
    return after.banked[player] < before.banked[player] + 2


@step("kept", "What is banked is never lost.", ("bank.colour",), over=("player",))
def kept(before: Any, after: Any, move: Move, player: int) -> Any:
    return after.banked[player] >= before.banked[player]


@step("alternate", "A draw leaves the turn as it is.", ("draw.stone",), actions=("draw",))
def alternate(before: Any, after: Any, move: Move) -> Any:
    return after.turn == before.turn


@step("rare", "Nobody draws the sixth stone while each has banked one.", ("draw.stone",), actions=("draw",))
def rare(before: Any, after: Any, move: Move) -> Any:
    return (before.banked[0] != 1) | (before.banked[1] != 1) | (after.place[5] != toy.Place.TABLE)


@witness("both", "Both players have banked two stones.", ("bank.colour",))
def both(state: Any) -> Any:
    return (state.banked[0] == 2) & (state.banked[1] == 2)


@witness("all", "A player has banked all six stones.", ("bank.colour",), over=("player",))
def everything(state: Any, player: int) -> Any:
    return state.banked[player] == 6


PROPERTIES: tuple[Property, ...] = (few, bag, modest, kept, alternate, rare, both, everything)
