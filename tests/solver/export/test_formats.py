"""The text of an export: readable, the same each time, safe whatever cells and moves are called."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.language.errors import RuleError
from model.language.expression import variable, variables_of
from solver.explorer.frozen import Thawed, thawed, whole
from solver.export import promela as promela_format
from solver.export.promela import in_order, promela
from solver.export.tla import tla
from solver.export.transitions import Names, Variable, comment
from tests.language import toy
from tests.solver.explorer import questions
from tests.solver.export import swapping

PROMELA = """\
/* Counting */
/* To count its states: spin -o2 -a FILE && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E -n */
/* (-o2: every variable is part of the state; -E: the end of a game is no error; -m10000000 for a deep search) */
bit phase = 0;  /* phase: 0 PLAY, 1 END */
byte counted = 0;  /* counted: 0..9 */

active proctype game() {
  do
  /* one more */
  /* count_up_1: count.up; questions.py:LINE */
  :: d_step {
       (phase == 0) &&
       (counted < 4)  /* count.up */
       ->
       assert((counted + 1) >= 0 && (counted + 1) <= 9);  /* counted */
       counted = (counted + 1);
     }
  /* the end */
  /* finish_2: count.end; questions.py:LINE */
  :: d_step {
       (phase == 0) &&
       (0 < counted)  /* count.end */
       ->
       phase = 1;
     }
  od
}
"""
TLA = r"""---- MODULE counting ----
\* Counting
\* To count its states: java -cp tla2tools.jar tlc2.TLC -deadlock -config counting.cfg counting.tla
EXTENDS Integers, TLC

VARIABLES
  phase,  \* phase: 0 PLAY, 1 END
  counted  \* counted: 0..9

Init ==
  /\ phase = 0
  /\ counted = 0

\* one more
\* count.up; questions.py:LINE
count_up_1 ==
  /\ (phase = 0)
  /\ (counted < 4)  \* count.up
  /\ Assert((counted + 1) \in 0..9, "count_up_1 leaves a domain")  \* counted
  /\ counted' = (counted + 1)
  /\ UNCHANGED <<phase>>

\* the end
\* count.end; questions.py:LINE
finish_2 ==
  /\ (phase = 0)
  /\ (0 < counted)  \* count.end
  /\ phase' = 1
  /\ UNCHANGED <<counted>>

Next ==
  \/ count_up_1
  \/ finish_2

Spec == Init /\ [][Next]_<<phase, counted>>
====
"""


def without_lines(text: str) -> str:
    return re.sub(r"\.py:\d+", ".py:LINE", text)


def counting() -> Thawed:
    return thawed(questions.GAME, questions.setup())


def test_a_small_game_in_both_formats() -> None:
    assert without_lines(promela(counting(), ["Counting"])) == PROMELA
    module = tla(counting(), "counting", ["Counting"])
    assert without_lines(module.text) == TLA
    assert module.configuration == "SPECIFICATION Spec\n"


@pytest.mark.parametrize("game", [toy.GAME, questions.GAME, swapping.GAME])
def test_equal_set_ups_give_equal_text(game: Any) -> None:
    setup = game.setup("tiny")
    assert promela(thawed(game, setup)) == promela(thawed(game, setup))
    assert tla(whole(game, setup), "game").text == tla(whole(game, setup), "game").text


def test_every_path_is_one_step_and_every_cell_one_variable() -> None:
    model = thawed(toy.GAME, toy.Stones())
    text, module = promela(model), tla(model, "stones").text
    assert text.count(":: d_step {") == module.count("UNCHANGED") == len(model.paths)
    declared = re.findall(r"^(?:bit|byte|short|int) (\w+) = ", text, re.MULTILINE)
    assert len(declared) == len(set(declared)) == len(model.model.layout.slots)
    assert "byte place_stone_1 = 0;  /* place[stone 1]: 0 BAG, 1 TABLE, 2 BANK */" in text


def test_awkward_names_are_mended_and_comments_stay_comments() -> None:
    text = promela(thawed(swapping.GAME, swapping.Swapping()), ["a heading\nof */ two lines"])
    assert "/* a heading of +/ two lines */" in text
    assert "/* the +/ exchange */" in text
    assert {"cup_int", "cup_cup_1", "cup_Kruge", "cup_2nd"} <= set(re.findall(r"\w+", text))
    assert text.isascii() and tla(thawed(swapping.GAME, swapping.Swapping()), "m", ["Ä"]).text.isascii()


@given(st.lists(st.text(max_size=6)))
def test_names_are_identifiers_and_unique(wanted: list[str]) -> None:
    names = Names(["int", "cell"])
    given_names = [names.fresh(one) for one in wanted]
    assert len({*given_names, "int", "cell"}) == len(given_names) + 2
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) for name in given_names)
    prefix = names.prefix("shared")
    assert not any(name.startswith(prefix) for name in given_names)


@given(st.text(alphabet="*/()\\\n ab", max_size=20))
def test_no_comment_ends_early(text: str) -> None:
    (line,) = comment([text])
    assert not re.search(r"\*/|/\*|\*\)|\(\*|\n|\\$", f"/ {line} ")


def cell(number: int) -> tuple[Variable, Any]:
    node = variable(("state", f"ordered {number}"), 0, 99)
    return Variable(f"v{number}", f"v{number}", node.number, 0, 99, False, 0), node


@given(st.data())
def test_changes_one_after_another_are_those_all_at_once(data: st.DataObject) -> None:
    cells = [cell(number) for number in range(5)]
    sources = data.draw(st.lists(st.integers(0, 4), min_size=5, max_size=5))
    changes = [(variable, cells[source][1] + 1) for (variable, _), source in zip(cells, sources, strict=True)]
    order, held = in_order(changes)
    values = {variable.number: 10 * position for position, (variable, _) in enumerate(cells)}

    def new(value: Any) -> int:
        (read,) = variables_of([value])
        return values[read] + 1

    expected = {variable.number: new(value) for variable, value in changes}
    beforehand = {variable.number: new(value) for variable, value in order if variable.number in held}
    for changed, value in order:
        values[changed.number] = beforehand.get(changed.number, new(value))
    assert values == expected
    assert len(held) <= sum(source != position for position, source in enumerate(sources)) // 2


def test_a_guard_too_large_for_promela_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promela_format, "LONGEST", 2)
    with pytest.raises(RuleError, match=r"questions\.py:\d+: the guard of `one more` has more than 2 parts"):
        promela(counting())
