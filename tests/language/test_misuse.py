"""Misuse of the language is caught where it stands: rule, file, line, and what to write instead."""

import inspect
from dataclasses import replace
from typing import Any

import pytest

from model.language import (
    NATURAL,
    Amounts,
    Family,
    One,
    Refused,
    RuleError,
    Selection,
    Subset,
    Variable,
    action,
    require,
)
from model.language.game import Model, Move
from model.language.trace import instances, paths_of, trace
from tests.language import bad_rules
from tests.language.toy import GAME, Stones, Table

TRACED = {
    "index_of_a_list": "used as an index or a range. Loop over all indices and pick with `where(index == i, ...)`",
    "index_of_a_variable": "used as an index or a range. Loop",
    "index_assigned": "used as an index or a range. Loop",
    "index_inside_a_comprehension": "used as an index or a range. Loop",
    "key_of_a_dictionary": "used as a key or in a set. Compare with == for each candidate",
    "member_of_a_set": "used as a key or in a set. Compare with ==",
    "f_string": "put into text. A rule computes values only",
    "text": "put into text. A rule computes values only",
    "format_method": "put into text. A rule computes values only",
    "percent": "put into text. A rule computes values only",
    "iterated": "iterated over. Loop over the whole family and use `where`",
    "counted_to": "used as an index or a range",
    "made_an_int": "used as an index or a range",
    "divided": "divided. Use comparisons and `where`",
    "with_a_fraction": "combined with 0.5. Rules compute with small integers only",
    "undeclared_read": "`bankd` is read but is not a declared variable. Declare it with Variable(...)",
    "undeclared_assigned": "`trun` is assigned but is not a declared variable without index. Declare it",
    "whole_variable_assigned": "`banked` is assigned but is not a declared variable without index. Declare it with "
    "Variable(...), or assign to one of its cells",
    "row_appended_to": "changed as a list. Assign to one cell",
    "row_extended": "changed as a list. Assign to one cell",
    "row_sliced": "several cells are assigned at once. Assign to one cell at a time",
    "above_the_domain": "banked[Player 2] is given 7, outside its domain (0..6). Require what keeps it inside",
    "below_the_domain": "turn is given -1, outside its domain (0..1). Require",
    "certainly_above_the_domain": "banked[Player 1] is given 7..13, outside its domain (0..6). Require",
    "fraction_assigned": "turn is given 0.5, outside its domain (0..1)",
    "nothing_assigned": "turn is given None, outside its domain (0..1)",
    "flag_given_a_number": "greedy[Player 1] is a flag but is given a number. Assign a condition",
    "element_ordered": "depends on the number of element 0. Elements of a symmetric family may only be",
    "element_ordered_against_a_variable": "depends on the number of element 0. Elements",
    "element_computed_with": "depends on the number of element 0. Elements",
    "element_added_to_a_variable": "depends on the number of element 0. Elements",
    "element_multiplied_with_a_variable": "depends on the number of element 0. Elements",
    "element_parity": "depends on the number of element 0. Elements",
    "element_as_a_condition": "depends on the number of element 0. Elements",
    "elements_sorted": "depends on the number of element 0. Elements",
    "unknown_clause_required": "clause `draw.stnoe` is not in the catalogue. Cite one that is, or add it",
    "unknown_clause_cited": "clause `draw.stnoe` is not in the catalogue. Cite one that is, or add it",
    "required_after_a_change": "`require` comes after a change of the state. Move every `require` above",
    "unknown_reading": "the reading R-BLAK=wild is not in the catalogue. Add it there, or mend the name",
    "unknown_answer": "the reading R-BLACK=widl is not in the catalogue. Add it there",
    "bad_where": "used as an index or a range. Loop",
}
PLAYED = [
    "undeclared_read", "undeclared_assigned", "whole_variable_assigned", "row_appended_to", "row_extended",
    "row_sliced",
    "above_the_domain", "below_the_domain", "fraction_assigned", "nothing_assigned", "element_ordered",
    "element_ordered_against_a_variable", "element_computed_with", "element_added_to_a_variable",
    "element_multiplied_with_a_variable", "element_parity", "element_as_a_condition", "elements_sorted",
    "unknown_clause_required", "unknown_clause_cited", "unknown_reading", "unknown_answer",
]  # fmt: skip


def model_with(*actions: Any) -> Model:
    return replace(GAME, actions=actions).model(Stones())


def line_at_fault(name: str) -> int:
    """The line marked `# <-` in the rule."""
    lines, first = inspect.getsourcelines(getattr(bad_rules, name).function)
    marked = [first + offset for offset, line in enumerate(lines) if "# <-" in line]
    assert len(marked) == 1, f"{name} has {len(marked)} marked lines"
    return marked[0]


def place(name: str) -> str:
    return f"rule {'<lambda>' if name == 'bad_where' else name}, bad_rules.py line {line_at_fault(name)}"


@pytest.mark.parametrize("name", TRACED)
def test_tracing_says_what_is_wrong_and_where(name: str) -> None:
    rule = getattr(bad_rules, name)
    with pytest.raises(RuleError) as caught:
        paths_of(model_with(rule))
    message = str(caught.value)
    assert TRACED[name] in message
    assert message.startswith(f"{place(name)}: ")


@pytest.mark.parametrize("name", PLAYED)
def test_playing_says_the_same_where_it_can_notice(name: str) -> None:
    rule = getattr(bad_rules, name)
    model = model_with(rule)
    members = [model.families[choice.family].members for choice in rule.choices.values()]
    move = Move(rule, tuple(family[position] for position, family in enumerate(members)))
    with pytest.raises(RuleError) as caught:
        model.apply(model.initial(), move, set())
    assert str(caught.value).startswith(f"{place(name)}: ")
    assert TRACED[name].split("element 0")[0] in str(caught.value)


def test_a_require_after_a_change_is_noticed_in_play_and_undone() -> None:
    model = model_with(bad_rules.required_after_a_change)
    state = model.initial()
    state.phase = 1  # so that the late requirement refuses
    before = state.vector()
    with pytest.raises(RuleError) as caught:
        model.apply(state, Move(bad_rules.required_after_a_change, ()))
    assert str(caught.value).startswith(f"{place('required_after_a_change')}: `require` (draw.stone) comes after")
    assert state.vector() == before


def test_a_path_explosion_names_the_branch_and_advises_where() -> None:
    model = model_with(bad_rules.exploding)
    with pytest.raises(RuleError) as caught:
        trace(model, bad_rules.exploding, (), limit=16)
    message = str(caught.value)
    lines = inspect.getsourcelines(bad_rules.exploding.function)
    branches = [lines[1] + offset for offset, line in enumerate(lines[0]) if " if " in line]
    place, what = message.split(": ", 1)
    assert place in [f"rule exploding, bad_rules.py line {line}" for line in branches]
    assert what.startswith("rule exploding has more than 16 paths; this is its last branch")
    assert "Write effects on many cards with `where`, `count`, `total`" in message


def test_a_rule_within_the_limit_is_no_explosion() -> None:
    @action(clauses=())
    def four(state: Table) -> None:
        if state.turn == 1:
            state.turn = 0
        if state.greedy[0]:
            state.greedy[0] = False

    assert len(trace(model_with(four), four, (), limit=4)) == 4
    with pytest.raises(RuleError, match="more than 3 paths"):
        trace(model_with(four), four, (), limit=3)


def test_a_symbolic_condition_outside_a_trace() -> None:
    symbolic = GAME.model(Stones()).layout.symbols()[0]
    with pytest.raises(RuleError, match=r"asked for its truth outside a trace. Evaluate it instead"):
        bool(symbolic)
    with pytest.raises(RuleError, match=r"required outside a trace. Use `trace`"):
        require(symbolic == 1, "draw.stone")


# -- declarations --------------------------------------------------------------------------------------------------
def this_line() -> int:
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


def test_choices_that_are_not_the_parameters() -> None:
    with pytest.raises(RuleError) as caught:
        line = this_line() + 1

        @action(clauses=(), stone=One("stone"))
        def take(state: Table, stones: Any) -> None:
            pass

    assert str(caught.value) == (
        f"rule take, test_misuse.py line {line + 1}: the function takes ['stones'] but the choices are ['stone']. "
        "Give both the same names in the same order"
    )


@pytest.mark.parametrize("part", ["where", "limit", "total"])
def test_parts_of_a_choice_that_ask_for_what_is_no_earlier_choice(part: str) -> None:
    def bound(state: Table, player: int, *member: Any) -> Any:
        return 1

    def no_more(state: Table, player: int) -> Any:
        return 1

    def qualified(state: Table, player: int, stone: Any) -> Any:
        return True

    def up_to(state: Table, player: int, stone: Any) -> Any:
        return 1

    parts = {"where": qualified, "limit": up_to, "total": no_more}
    with pytest.raises(RuleError) as caught:

        @action(clauses=(), stones=Amounts("stone", **{part: parts[part]}), player=One("player"))
        def take(state: Table, stones: Any, player: int) -> None:
            pass

    asked = parts[part]
    assert str(caught.value) == (
        f"rule take, test_misuse.py line {asked.__code__.co_firstlineno}: {asked.__name__} asks for ['player'], "
        "which no earlier choice of the rule is called. Earlier choices are []"
    )


def test_a_total_that_depends_on_the_state() -> None:
    @action(clauses=(), stones=Subset("stone", total=lambda state: state.banked[0]))
    def take(state: Table, stones: Any) -> None:
        state.turn = 0

    with pytest.raises(RuleError) as e:
        list(instances(model_with(take), take, symbolic=False))
    line = take.function.__code__.co_firstlineno
    assert str(e.value).startswith(f"rule take, test_misuse.py line {line}: the total of a choice depends on the state")
    assert "Let it depend on earlier choices and the set-up only, or require the sum in the rule" in str(e.value)


def test_a_where_that_branches_on_the_state() -> None:
    @action(clauses=(), stone=One("stone", lambda state, stone: not state.greedy[0]))
    def take(state: Table, stone: Any) -> None:
        state.turn = 0

    with pytest.raises(RuleError, match=r"branches on the state. Use `where\(...\)` and `all_of\(...\)` there"):
        list(instances(model_with(take), take, symbolic=False))


def test_an_amount_without_limit() -> None:
    @action(clauses=(), stones=Amounts("stone", limit=lambda state, stone: state.heap))
    def take(state: Any, stones: Any) -> None:
        state.turn = 0

    def variables(setup: Any, families: Any) -> list[Variable]:
        return [*GAME.variables(setup, families), Variable("heap", NATURAL)]

    model = replace(GAME, actions=(take,), variables=variables).model(Stones())
    with pytest.raises(RuleError, match=r"rule take, test_misuse.py line \d+: an amount has no limit. Give `total`"):
        list(instances(model, take, symbolic=False))


def test_an_unknown_family() -> None:
    @action(clauses=(), pebble=One("pebble"))
    def take(state: Table, pebble: Any) -> None:
        pass

    with pytest.raises(RuleError) as caught:
        model_with(take)
    assert "rule take, test_misuse.py line" in str(caught.value)
    assert "the choice pebble is from the family 'pebble', which the game does not declare" in str(caught.value)
    assert "use one of player, stone" in str(caught.value)


@pytest.mark.parametrize(
    "declared", [{"clauses": ("nowhere",)}, {"clauses": (), "stone": One("stone", None, "nowhere")}]
)
def test_a_declared_clause_that_is_unknown(declared: dict[str, Any]) -> None:
    def take_one(state: Table, stone: Any) -> None:
        pass

    def take_none(state: Table) -> None:
        pass

    rule = action(**declared)(take_one if "stone" in declared else take_none)
    with pytest.raises(RuleError, match=r"rule take_\w+, test_misuse.py line \d+: clause `nowhere` is not in the cat"):
        model_with(rule)


def test_two_members_of_a_family_with_one_label() -> None:
    with pytest.raises(RuleError, match=r"family card has 2 members but 1 labels. Make labels unique"):
        Family("card", [0, 1], ["Gun", "Gun"])


def test_a_refused_move_is_no_misuse() -> None:
    model = GAME.model(Stones())
    with pytest.raises(Refused, match=r"^draw\.stone$"):
        model.apply(model.initial(), Move(model.actions["bank"], (0, Selection({}, False))))
