"""What a path has found out about a cell holds from there on, and stays on the path."""

import pytest

from model.language import action, negate, require, where
from model.language.evaluate import evaluate
from model.language.expression import choose, conjunction, equal, linear, product, substituted, variable, variables_of
from model.language.trace import fixed_by, trace
from tests.language import toy


def test_what_a_path_has_found_out_folds_in_what_follows_and_is_no_change() -> None:
    @action(clauses=("bank.colour",), when=lambda state: state.turn == 1)
    def settle(state: toy.Table) -> None:
        require(negate(state.greedy[0]), "bank.colour")
        state.banked[0] = state.turn + where(state.greedy[0], 3, 2)
        state.turn = state.turn + 0  # type: ignore[misc]
        state.greedy[0] = False

    model = toy.GAME.model(toy.Stones())
    unknown = model.unknown()
    before = unknown.all_values()
    (path,) = trace(model, settle, ())
    assert {model.layout.slots[slot].label: value for slot, value in path.updates.items()} == {"banked[Player 1]": 3}
    fixed, asked = fixed_by(path), variables_of(requirement.condition for requirement in path.guard).values()
    assert {node.detail[0][1]: fixed[node.number] for node in asked} == {"turn": 1, "greedy[Player 1]": False}
    assert all(one is other for one, other in zip(before, unknown.all_values(), strict=True))


def test_a_cell_changed_before_it_is_found_out_keeps_its_new_value() -> None:
    @action(clauses=("bank.colour",))
    def swap(state: toy.Table) -> None:
        old = state.greedy[0]
        state.greedy[0] = state.greedy[1]
        if old:
            state.banked[0] = 1

    model = toy.GAME.model(toy.Stones())
    for path in trace(model, swap, ()):
        values = {node.detail[0]: False for node in model.layout.symbols() if node.boolean}
        values["state", "greedy[Player 2]"] = True
        labels = {model.layout.slots[slot].label: value for slot, value in path.updates.items()}
        assert evaluate([labels["greedy[Player 1]"]], values) == [True]


@pytest.mark.parametrize("replacement", [0, 3])
def test_substituting_folds_anew(replacement: int) -> None:
    one, other = (variable(("state", f"substituted {name}"), 0, 9) for name in ("one", "other"))
    flag = variable(("state", "substituted flag"), 0, 1, boolean=True)
    term = choose(conjunction((flag, equal(one, 3))), linear(((2, one), (1, other))), product(one, other))
    found = substituted(term, {one.number: replacement, flag.number: True})
    expected = evaluate([term], {one.detail[0]: replacement, other.detail[0]: 7, flag.detail[0]: True})
    assert evaluate([found], {other.detail[0]: 7}) == expected
    assert one.number not in variables_of([found])
