"""Rules written wrongly, each in one way. The line at fault is marked `# <-`; the tests hold the error to it."""

from typing import Any

from model.language import One, action, cite, count, require, where
from tests.language.toy import Phase, Place, Table

NAMES = ["one", "two"]
TABLE = {0: "one", 1: "two"}


def rule(**declared: Any) -> Any:
    return action(clauses=("draw.stone",), **declared)


# -- a symbolic value where Python needs a number ------------------------------------------------------------------
@rule()
def index_of_a_list(state: Table) -> None:
    require(NAMES[state.turn] == "one", "draw.stone")  # <-


@rule()
def index_of_a_variable(state: Table) -> None:
    state.phase = state.banked[state.turn]  # <-


@rule()
def index_assigned(state: Table) -> None:
    state.banked[state.turn] = 0  # <-


@rule()
def index_inside_a_comprehension(state: Table) -> None:
    state.phase = count(
        state.greedy[state.turn]  # <-
        for _ in range(2)
    )


@rule()
def key_of_a_dictionary(state: Table) -> None:
    require(TABLE[state.turn] == "one", "draw.stone")  # <-


@rule()
def member_of_a_set(state: Table) -> None:
    require(state.turn in {0, 1}, "draw.stone")  # <-


@rule()
def f_string(state: Table) -> None:
    cite(f"draw.{state.turn}")  # <-


@rule()
def text(state: Table) -> None:
    cite(str(state.turn))  # <-


@rule()
def format_method(state: Table) -> None:
    cite("draw.{}".format(state.turn))  # noqa: UP032  # <-


@rule()
def percent(state: Table) -> None:
    cite("draw.%s" % state.turn)  # noqa: UP031  # <-


@rule()
def iterated(state: Table) -> None:
    for _ in state.turn:  # type: ignore[attr-defined]  # <-
        pass


@rule()
def counted_to(state: Table) -> None:
    for _ in range(state.banked[0]):  # <-
        pass


@rule()
def made_an_int(state: Table) -> None:
    state.phase = int(state.turn)  # <-


@rule()
def divided(state: Table) -> None:
    state.phase = state.banked[0] // 2  # <-


@rule()
def with_a_fraction(state: Table) -> None:
    state.phase = state.turn * 0.5  # type: ignore[assignment]  # <-


# -- variables -----------------------------------------------------------------------------------------------------
@rule()
def undeclared_read(state: Table) -> None:
    state.phase = state.bankd[0]  # type: ignore[attr-defined]  # <-


@rule()
def undeclared_assigned(state: Table) -> None:
    state.trun = 1  # <-


@rule()
def whole_variable_assigned(state: Table) -> None:
    state.banked = [0, 0]  # <-


@rule()
def row_appended_to(state: Table) -> None:
    state.banked.append(1)  # <-


@rule()
def row_extended(state: Table) -> None:
    state.banked += [1]  # <-


@rule()
def row_sliced(state: Table) -> None:
    state.banked[0:2] = [1, 1]  # <-


@rule()
def above_the_domain(state: Table) -> None:
    state.banked[1] = 7  # <-


@rule()
def below_the_domain(state: Table) -> None:
    state.turn = -1  # <-


@rule()
def certainly_above_the_domain(state: Table) -> None:
    state.banked[0] = state.banked[0] + 7  # <-


@rule()
def fraction_assigned(state: Table) -> None:
    state.turn = 0.5  # type: ignore[assignment]  # <-


@rule()
def nothing_assigned(state: Table) -> None:
    state.turn = None  # type: ignore[assignment]  # <-


@rule()
def flag_given_a_number(state: Table) -> None:
    state.greedy[0] = state.banked[0]  # type: ignore[call-overload]  # <-


# -- symmetric elements --------------------------------------------------------------------------------------------
@rule(stone=One("stone"))
def element_ordered(state: Table, stone: Any) -> None:
    require(stone < 3, "draw.stone")  # <-


@rule(stone=One("stone"))
def element_ordered_against_a_variable(state: Table, stone: Any) -> None:
    require(state.turn < stone, "draw.stone")  # <-


@rule(stone=One("stone"))
def element_computed_with(state: Table, stone: Any) -> None:
    state.place[stone + 1] = Place.TABLE  # <-


@rule(stone=One("stone"))
def element_added_to_a_variable(state: Table, stone: Any) -> None:
    state.phase = where(state.turn + stone == 2, Phase.END, Phase.DRAW)  # <-


@rule(stone=One("stone"))
def element_multiplied_with_a_variable(state: Table, stone: Any) -> None:
    state.phase = where(state.turn * stone == 2, Phase.END, Phase.DRAW)  # <-


@rule(stone=One("stone"))
def element_parity(state: Table, stone: Any) -> None:
    require(divmod(stone, 2)[1] == 0, "draw.stone")  # <-


@rule(stone=One("stone"))
def element_as_a_condition(state: Table, stone: Any) -> None:
    if stone:  # <-
        state.turn = 1


@rule(first=One("stone"), second=One("stone"))
def elements_sorted(state: Table, first: Any, second: Any) -> None:
    state.place[sorted([first, second])[0]] = Place.TABLE  # <-


# -- clauses, order, paths -----------------------------------------------------------------------------------------
@rule()
def unknown_clause_required(state: Table) -> None:
    require(state.turn == 0, "draw.stnoe")  # <-


@rule()
def unknown_clause_cited(state: Table) -> None:
    cite("draw.stnoe")  # <-


@rule()
def required_after_a_change(state: Table) -> None:
    state.turn = 1
    require(state.phase == Phase.DRAW, "draw.stone")  # <-


@rule()
def unknown_reading(state: Table) -> None:
    state.greedy[0] = state.under("R-BLAK", "wild")  # <-


@rule()
def unknown_answer(state: Table) -> None:
    state.greedy[0] = state.under("R-BLACK", "widl")  # <-


@rule()
def exploding(state: Table) -> None:
    for place in state.place:
        for phase in Place:
            if place == phase:  # <-
                state.turn = 1 - state.turn
            if state.turn == 1 and place != Place.BAG:
                state.phase = Phase.END


@rule(stone=One("stone", lambda state, stone: state.place[stone] == state.banked[state.turn]))  # <-
def bad_where(state: Table, stone: Any) -> None:
    state.place[stone] = Place.BAG
