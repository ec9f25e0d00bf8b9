"""The comparison of execution with traced paths can fail, says where, and knows which paths speak of a move.

That the two do agree on random games is tested beside the language, in `tests/language/test_semantics.py`.
"""

from dataclasses import replace
from typing import Any

import pytest

from model.language import Move, Selection
from model.language.evaluate import evaluate
from model.language.expression import variable, variables_of
from model.language.trace import paths_of, trace
from properties.agreement import check_agreement, covers, variable_values
from tests.language import market
from tests.language.toy import GAME, RULEBOOK, Stones

MARKET = market.GAME.model(market.Setup())


def test_only_the_wrong_one_of_several_evaluators_is_named() -> None:
    model = MARKET
    state = model.initial()
    move = model.legal(state)[-1]
    evaluators = {"plain": evaluate, "yes": lambda terms, values: [True for _ in terms]}
    with pytest.raises(AssertionError, match=r"^yes evaluator, rule buy .* slot \d+ \(\w+.*\) was .* execution makes"):
        check_agreement(model, state, move, None, evaluators)


def test_paths_that_forget_an_update_or_hold_twice_are_caught() -> None:
    model = MARKET
    state, move = model.initial(), MARKET.legal(MARKET.initial())[-1]
    paths = trace(model, move.action, move.values)
    slot = next(iter(paths[0].updates))
    forgetful = [replace(path, updates={s: t for s, t in path.updates.items() if s != slot}) for path in paths]
    label = model.layout.slots[slot].label
    with pytest.raises(AssertionError, match=rf"slot {slot} \({label}\) was 0; execution makes it 1, the path 0: 0"):
        check_agreement(model, state, move, forgetful)
    with pytest.raises(AssertionError, match="2 paths hold at once"):
        check_agreement(model, state, move, paths * 2)
    with pytest.raises(AssertionError, match="legal, but no path's guard holds"):
        check_agreement(model, state, move, [])
    refused = Move(model.actions["close"], (0,))
    unguarded = [replace(path, guard=()) for path in trace(model, refused.action, refused.values)]
    with pytest.raises(AssertionError, match=r"refused \(close\), but a path's guard holds: true"):
        check_agreement(model, state, refused, unguarded)


def test_a_path_covers_the_moves_it_has_room_for() -> None:
    model = MARKET
    free = next(path for path in paths_of(MARKET, symbolic=True) if path.action.name == "buy" and path.values[0] == 0)
    fixed = trace(model, model.actions["buy"], (0, Selection({1: 1})))[0]
    for values, by_free, by_fixed in [
        ((0, Selection({1: 1})), True, True),
        ((0, Selection({1: 2})), True, False),
        ((1, Selection({1: 1})), False, False),
        ((0, Selection({7: 1})), False, False),
    ]:
        move = Move(model.actions["buy"], values)
        assert (covers(free, move), covers(fixed, move)) == (by_free, by_fixed)


def test_variables_have_their_values_by_name() -> None:
    move = Move(MARKET.actions["buy"], (0, Selection({1: 2})))
    values = variable_values(MARKET, MARKET.initial(), move)
    assert values["state", "stock[rice]"] == 3 and values["state", "closed[figs]"] is False
    assert values["choice", "goods", "figs"] == 0 and values["choice", "goods", "rice"] == 2
    stones = GAME.model(Stones())
    bank = Move(stones.actions["bank"], (0, Selection({2: True}, False)))
    chosen = variable_values(stones, stones.initial(), bank)
    assert chosen["choice", "stones", "stone 3"] is True and chosen["choice", "stones", "stone 1"] is False


def test_paths_over_symbolic_parameters_agree_with_every_concrete_model() -> None:
    """Colours and the reading are free when tracing; execution has them as numbers."""
    colours: list[Any] = [variable(("parameter", f"colour {number}"), 0, 2) for number in range(6)]
    reading = variable(("parameter", "R-BLACK"), 0, 1)
    paths = paths_of(GAME.model(Stones(colour=colours, readings={"R-BLACK": reading})), symbolic=True)
    conditions = [part.condition for path in paths for part in path.guard]
    assert {node.detail[0][0] for node in variables_of(conditions).values()} == {"state", "choice", "parameter"}
    verdicts = set()
    for colour in ([0, 0, 0, 0, 0, 0], [0, 1, 2, 0, 1, 2], [2, 2, 1, 1, 0, 0]):
        for answer, value in enumerate(RULEBOOK.readings["R-BLACK"].values):
            model = GAME.model(Stones(colour=colour, readings={"R-BLACK": value}))
            parameters = {("parameter", f"colour {number}"): shade for number, shade in enumerate(colour)}
            parameters["parameter", "R-BLACK"] = answer
            state = model.initial()
            state.phase, state.place[0], state.place[2] = 1, 1, 1
            bank = Move(model.actions["bank"], (0, Selection({0: True, 2: True}, False)))
            verdicts.add(check_agreement(model, state, bank, paths, {"plain": evaluate}, parameters))
    assert verdicts == {True, False}


def test_an_evaluator_may_answer_in_its_own_types() -> None:
    numpy = pytest.importorskip("numpy")

    def columns(terms: Any, values: Any) -> list[Any]:
        return [numpy.asarray(value)[()] for value in evaluate(terms, values)]

    for move in MARKET.legal(MARKET.initial()):
        assert check_agreement(MARKET, MARKET.initial(), move, None, {"columns": columns})
