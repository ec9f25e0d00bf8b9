"""A second solver: everything a proof takes on Z3's word is put to it, and a disagreement ends the run."""

import multiprocessing
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import z3

from model.language import InputError, Model
from model.language.expression import INFINITY, Symbolic, less, variable
from properties.declaration import Property
from solver import second_opinion, smtlib
from solver.induction import Prover, Verdict
from solver.obligation import Obligation
from solver.proof_cache import ProofCache
from solver.prove import prove
from solver.second_opinion import Disagreement, SecondOpinion, answer
from solver.smtlib import Script, operation
from solver.terms import Answer, Query, Terms
from tests.solver import large, stones
from tests.solver.stones import any_stones


class Noting(SecondOpinion):
    """Confirms nothing, but notes what it is told."""

    def __init__(self) -> None:
        super().__init__(cross_check=False)
        self.told: list[Obligation] = []

    def confirmed(self, obligations: Sequence[Obligation], deadline: float = INFINITY) -> int | None:
        self.told = list(obligations)
        return None


def obligations(model: Model, *properties: Property) -> list[list[Obligation]]:
    """What the proof of each property rests on."""
    noting, found = Noting(), []
    prover = Prover(model, properties, second_opinion=noting)
    for prop in properties:
        assert prover.examine(prop).proved
        found.append(noting.told)
    return found


def proved(*properties: Any, **how: Any) -> dict[str, Verdict]:
    found = prove(any_stones, properties, **({"processes": 1, "cross_check": True} | how))
    return {verdict.id: verdict for verdict in found}


# -- what is asked -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("model", "prop", "summed"),
    [(any_stones(), stones.no_return, False), (large.GAME.model(large.box(20)), large.properties()[0], True)],
)
def test_all_that_a_proof_takes_on_trust_is_put_to_it(
    model: Model, prop: Property, summed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every question that Z3 has answered with no, also about lemmas and sums, is an obligation."""
    refuted: list[frozenset[int]] = []
    check = Query.check

    def noted(query: Query, *given: Any) -> Answer:
        found = check(query, *given)
        if found.status == "unsat":
            assert found.refuted
            refuted.append(frozenset(term.number for term in found.refuted if term.__class__ is Symbolic))
        return found

    monkeypatch.setattr(Query, "check", noted)
    (told,) = obligations(model, prop)
    assert {obligation.key for obligation in told} == set(refuted) and told
    assert any("lemma" in obligation.about for obligation in told) == summed


def test_a_lemma_that_is_known_is_an_obligation_of_each_proof_it_helps() -> None:
    hand = large.properties()[0]
    first, second = obligations(large.GAME.model(large.box(20)), hand, hand)
    assert [obligation.key for obligation in first] == [obligation.key for obligation in second]
    assert any("lemma" in obligation.about for obligation in first)


def test_of_the_assumptions_only_those_used_are_part_of_it() -> None:
    one, two, three = (variable(("state", f"refuted {name}"), 0, 9) for name in ("one", "two", "three"))
    query = Query(Terms())
    query.add(less(one, two))
    assumed = [(less(two, 1), "two"), (less(three, 5), "three")]
    assert [term.number for term in query.check(assumed).refuted] == [less(one, two).number, less(two, 1).number]
    assert query.check(assumed[1:]).refuted == ()


def test_all_of_the_toy_game_is_confirmed() -> None:
    found = proved(*stones.TRUE, processes=2)
    assert all(verdict.proved and verdict.confirmed == verdict.obligations for verdict in found.values())
    assert found["kept"].obligations == 9


def test_a_game_with_symbolic_cards_is_confirmed() -> None:
    properties = large.properties()[:4]
    prover = Prover(large.GAME.model(large.box(20)), properties, second_opinion=SecondOpinion())
    for prop in properties:
        verdict = prover.examine(prop)
        assert (verdict.proved, verdict.confirmed) == (True, verdict.obligations)


def test_what_the_cache_remembers_is_proved_again_to_have_something_to_show(tmp_path: Path) -> None:
    cache = ProofCache(tmp_path / "cache.sqlite")
    assert proved(stones.counted, cross_check=False, cache=cache)["counted"].obligations == 3
    assert proved(stones.counted, cross_check=False, cache=cache)["counted"].obligations == 0
    again = proved(stones.counted, cache=cache)["counted"]
    assert (again.obligations, again.confirmed, again.remembered) == (3, 3, 0)


# -- what comes of it ----------------------------------------------------------------------------------------------
def never_less(terms: Terms, node: Symbolic, arguments: list[Any]) -> Any:
    return z3.BoolVal(False, terms.context) if node.operation == "less" else APPLY(terms, node, arguments)


def swapped(node: Symbolic, arguments: Sequence[str]) -> str:
    return operation(node, [arguments[0], *reversed(arguments[1:])] if node.operation == "choose" else arguments)


APPLY = Terms.apply


def test_a_false_proof_is_contradicted_and_its_obligation_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Told that nothing is ever less, Z3 proves that nobody banks more than four stones."""
    monkeypatch.setattr(Terms, "apply", never_less)
    monkeypatch.setattr(second_opinion.tempfile, "tempdir", str(tmp_path))
    assert Prover(any_stones(), [stones.modest]).examine(stones.modest).proved
    with pytest.raises(Disagreement) as told:
        Prover(any_stones(), [stones.modest], second_opinion=SecondOpinion()).examine(stones.modest)
    (file,) = tmp_path.iterdir()
    assert str(told.value) == (
        "Z3 and cvc5 contradict each other on property modest, rule bank: "
        f"by the reference evaluator Z3, or what solver/terms.py tells it, is wrong; see {file}"
    )
    assert answer(Script(file.read_text(encoding="utf-8"), {}))[0] == "sat"


def test_a_wrong_translation_for_the_second_solver_is_told_from_one_for_the_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(smtlib, "operation", swapped)
    monkeypatch.setattr(second_opinion.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(Disagreement, match=r"property counted, rule .*: by the .* cvc5, or what solver/smtlib.py"):
        Prover(any_stones(), [stones.counted], second_opinion=SecondOpinion()).examine(stones.counted)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_disagreement_in_a_worker_ends_the_run(
    processes: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Terms, "apply", never_less)
    monkeypatch.setattr(second_opinion.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(Disagreement, match=r"^Z3 and cvc5 contradict each other on property .*, rule bank: .*\.smt2$"):
        proved(stones.modest, processes=processes)
    assert multiprocessing.active_children() == []


def test_what_is_not_confirmed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "answer", lambda script, seconds: ("unknown", {}))
    counted = proved(stones.counted)["counted"]
    assert (counted.verdict, counted.obligations, counted.confirmed) == ("PROVED", 3, 0)


def test_neither_time_nor_memory_running_out_confirms_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    (told,) = obligations(any_stones(), stones.counted)
    asked = SecondOpinion()
    assert asked.confirmed(told, time.monotonic() - 1) == 0

    def hungry(script: Script, seconds: float) -> Any:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(second_opinion, "answer", hungry)
        assert asked.confirmed(told) == 0
    assert asked.confirmed(told) == 3


def test_a_hard_question_is_given_up_in_time() -> None:
    """Eleven holes for twelve pigeons, which solvers of this kind do not see through."""
    rows = [[f"in{pigeon}-{hole}" for hole in range(11)] for pigeon in range(12)]
    lines = ["(set-logic QF_LIA)", *(f"(declare-fun {name} () Bool)" for row in rows for name in row)]
    lines += [f"(assert (or {' '.join(row)}))" for row in rows]
    lines += [f"(assert (<= (+ {' '.join(f'(ite {n} 1 0)' for n in hole)}) 1))" for hole in zip(*rows, strict=True)]
    started = time.monotonic()
    assert answer(Script("\n".join([*lines, "(check-sat)"]), {}), 0.3) == ("unknown", {})
    assert time.monotonic() - started < 5


def test_text_that_is_not_understood_is_no_answer() -> None:
    with pytest.raises(ValueError, match="cvc5 does not understand"):
        answer(Script("(set-logic QF_LIA)\n(assert (+ 1 2))\n(check-sat)\n", {}))


# -- files ---------------------------------------------------------------------------------------------------------
def test_obligations_are_written_with_rule_clause_and_line(tmp_path: Path) -> None:
    found = proved(stones.counted, stones.drawn, cross_check=False, smtlib=tmp_path / "new")
    assert (found["counted"].obligations, found["counted"].confirmed) == (3, None)
    files = sorted((tmp_path / "new" / "counted").iterdir())
    assert [file.name for file in files] == ["0001-draw.smt2", "0002-bank.smt2", "0003-bank.smt2"]
    text = files[1].read_text(encoding="utf-8")
    assert "; Property counted: What players have banked is what lies in the bank.\n" in text
    assert re.search(r"^; Rule bank, toy.py:\d+$", text, re.MULTILINE)
    assert re.search(r"^; Clauses of the path: .*bank.colour", text, re.MULTILINE)
    assert re.search(r"^; bank.colour: rule bank, toy.py line \d+\n\(assert ", text, re.MULTILINE)
    assert all(answer(Script(file.read_text(encoding="utf-8"), {}))[0] == "unsat" for file in files)


def test_no_obligation_of_an_earlier_proof_is_left(tmp_path: Path) -> None:
    (tmp_path / "counted").mkdir()
    (tmp_path / "counted" / "0009-old.smt2").write_text("")
    (tmp_path / "counted" / "notes.txt").write_text("keep")
    proved(stones.counted, cross_check=False, smtlib=tmp_path)
    names = {file.name for file in (tmp_path / "counted").iterdir()}
    assert names == {"0001-draw.smt2", "0002-bank.smt2", "0003-bank.smt2", "notes.txt"}


def test_a_directory_that_cannot_be_one_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"--smtlib .*file: .*; give a directory to write to"):
        proved(stones.counted, cross_check=False, smtlib=tmp_path / "file")


def test_without_cvc5_it_is_told_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(InputError, match=r"cvc5, is not installed: pip install 'ruleproof\[cross-check\]'"):
        proved(stones.counted)
    assert proved(stones.counted, cross_check=False)["counted"].proved
