"""Members of a kind that are not interchangeable are found, wherever the difference sits; equal ones pass."""

from dataclasses import replace
from typing import Any

import pytest

from model.language import RULES, Element, Family, Game, One, Variable, action, between, count, require, where
from model.language.expression import variable
from properties.declaration import Property, invariant, step
from solver.relations import symmetry
from solver.ruling import Ruling
from tests.language import toy
from tests.language.toy import GAME, Phase, Place, Stones, in_bag
from tests.solver import stones
from tests.solver.stones import any_stones


def ruled(game: Game, *properties: Property, assumptions: Any = ()) -> Ruling:
    colours = [variable(("parameter", "colour", f"stone {i + 1}"), 0, 2) for i in range(6)]
    return symmetry.rule(game.model(Stones(colour=colours)), properties, assumptions)


def with_rule(rule: Any) -> Game:
    return replace(GAME, actions=(*GAME.actions, rule))


def test_the_toy_treats_all_stones_alike() -> None:
    ruling = symmetry.rule(any_stones(), [*stones.TRUE, stones.modest, stones.idle])
    assert ruling.verdict == "HOLDS" and not ruling.counterexample


def test_a_printed_value_of_one_stone_alone_is_found() -> None:
    """Six stones of one kind, but with the printed colours: a proof about the first says nothing of the last."""
    ruling = symmetry.rule(GAME.model(Stones()))
    assert (ruling.verdict, ruling.clauses) == ("UNDETERMINED", ("bank.colour", "end.three"))
    assert "rule bank" in ruling.detail and "stone 1" in ruling.detail
    assert "toy.py" in ruling.places[0]


@action(clauses=("draw.stone",), phases=(Phase.DRAW,), by=RULES, stone=One("stone", in_bag))
def favour(state: Any, stone: Any) -> None:
    require(stone != Element(5), "draw.stone")
    state.place[stone] = Place.TABLE


@action(clauses=("draw.stone",), phases=(Phase.DRAW,), by=RULES, stone=One("stone", in_bag))
def watch(state: Any, stone: Any) -> None:
    require(state.place[Element(5)] == Place.BAG, "draw.stone")
    state.place[stone] = Place.TABLE


@action(clauses=("draw.stone",), phases=(Phase.DRAW,), by=RULES)
def lift(state: Any) -> None:
    state.place[Element(0)] = Place.TABLE


@pytest.mark.parametrize("rule", [favour, watch, lift], ids=lambda rule: rule.name)
def test_a_rule_that_names_a_stone_is_found(rule: Any) -> None:
    ruling = ruled(with_rule(rule))
    assert ruling.verdict == "UNDETERMINED"
    assert [line.split(" is ")[0] for line in ruling.counterexample] == [f"rule {rule.name}"]


def test_a_start_that_favours_a_stone_is_found() -> None:
    def variables(setup: Any, family: dict[str, Family]) -> list[Variable]:
        first, *others = [one for one in toy.variables(setup, family) if one.name == "place"]
        kept = [one for one in toy.variables(setup, family) if one.name != "place"]
        assert not others
        return [*kept, replace(first, initial=lambda stone: Place.TABLE if stone == 0 else Place.BAG)]

    assert "the start of place" in ruled(replace(GAME, variables=variables)).detail


def test_an_assumption_about_one_stone_is_found() -> None:
    black = variable(("parameter", "colour", "stone 6"), 0, 2)
    assert "assumed of the parameters" in ruled(GAME, assumptions=[black == 2]).detail


@invariant("sixth", "The sixth stone is not banked.", ())
def sixth(state: Any) -> Any:
    return state.place[Element(5)] != Place.BANK


@step("sixth.stays", "The sixth stone stays where it is.", (), over=("stone",))
def sixth_stays(before: Any, after: Any, move: Any, stone: Any) -> Any:
    return before.place[stone] == after.place[stone] if stone == Element(5) else True


@pytest.mark.parametrize("prop", [sixth, sixth_stays], ids=lambda prop: prop.id)
def test_a_property_that_names_a_stone_is_found(prop: Property) -> None:
    assert f"property {prop.id}" in ruled(GAME, prop).detail


# -- cells that hold a member ------------------------------------------------------------------------------------------


class Table(toy.Table):
    marked: int


@action(clauses=("draw.stone",), phases=(Phase.DRAW,), by=RULES, stone=One("stone", in_bag))
def mark(state: Any, stone: Any) -> None:
    """Marks a stone, but not the one that is marked."""
    require(state.marked != stone, "draw.stone")
    state.marked = where(count(place == Place.TABLE for place in state.place) == 0, stone, state.marked)


def marking(declared: bool) -> Ruling:
    def variables(setup: Any, family: dict[str, Family]) -> list[Variable]:
        holds = family["stone"] if declared else None
        return [*toy.variables(setup, family), Variable("marked", between(-1, 5), initial=-1, holds=holds)]

    return ruled(replace(with_rule(mark), variables=variables, state=Table))


def test_a_cell_that_is_declared_to_hold_a_member_is_exchanged_too() -> None:
    assert marking(declared=True).verdict == "HOLDS"


def test_numbers_of_members_in_a_cell_that_is_not_are_no_members() -> None:
    assert "rule mark" in marking(declared=False).detail


def test_time_that_is_up_leaves_it_open() -> None:
    ruling = symmetry.rule(any_stones(), deadline=0.0)
    assert (ruling.verdict, ruling.detail) == ("UNDETERMINED", "out of time")
