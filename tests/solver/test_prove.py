"""Proving in parallel: the same verdicts, nothing lost to what goes wrong, no proof that rests on what is unproved."""

import multiprocessing
import os
import signal
import time
from dataclasses import replace
from typing import Any

import pytest

from model.language import Model
from properties.declaration import step
from solver.induction import Prover, Verdict
from solver.prove import ProverError, prove
from solver.ranges import range_properties
from tests.solver import stones
from tests.solver.stones import any_stones


def verdicts(*properties: Any, **how: Any) -> dict[str, Verdict]:
    return {verdict.id: verdict for verdict in prove(any_stones, properties, **({"processes": 2} | how))}


@step("deadly", "Kills whoever looks at it.", ())
def deadly(before: Any, after: Any, move: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


@step("hungry", "Needs more memory than it may have.", ())
def hungry(before: Any, after: Any, move: Any) -> Any:
    return len(bytearray(3 * 2**29)) > 0


@step("slow", "Takes its time.", ())
def slow(before: Any, after: Any, move: Any) -> Any:
    time.sleep(60)


def test_parallel_and_single_give_the_same_verdicts_in_the_order_of_the_properties() -> None:
    many = verdicts(*stones.TRUE, stones.modest)
    assert list(many)[:6] == [*(prop.id for prop in stones.TRUE), "modest"]
    assert {name for name in many if name.startswith("range.")} == {
        "range.phase", "range.turn", "range.place", "range.banked", "range.greedy"
    }  # fmt: skip
    one = verdicts(*stones.TRUE, stones.modest, processes=1)
    assert {n: v.verdict for n, v in many.items()} == {n: v.verdict for n, v in one.items()}
    assert [name for name, verdict in many.items() if not verdict.proved] == ["modest"]


def test_a_proof_helped_by_what_is_unproved_does_not_stand() -> None:
    """`idle` is false, and enough to keep the range of `banked`; without it, nothing here is."""
    prover = Prover(any_stones(), [stones.idle])
    banked = next(prop for prop in range_properties(prover.model) if prop.id == "range.banked")
    assert (prover.examine(banked).proved, prover.examine(banked).hypotheses) == (True, {"idle"})
    assert not verdicts(stones.idle)["range.banked"].proved


def test_a_proof_is_found_again_without_the_help_that_fell() -> None:
    told: list[frozenset[str]] = []
    found = verdicts(stones.idle, stones.counted, progress=lambda v, *_: told.append(v.hypotheses))
    assert frozenset({"idle"}) in told
    assert (found["range.banked"].verdict, found["range.banked"].hypotheses) == ("PROVED", {"counted"})


def test_what_the_rulebook_breaks_helps_nobody() -> None:
    false = replace(stones.idle, expected="REFUTED")
    seen: list[str] = []
    found = {
        v.id: v
        for v in prove(any_stones, [false], processes=1, progress=lambda verdict, done, of: seen.append(verdict.id))
    }
    assert not found["range.banked"].proved
    assert seen.count("range.banked") == 1


def unproved(found: dict[str, Verdict]) -> dict[str, str]:
    return {name: verdict.reason for name, verdict in found.items() if not verdict.proved}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_killed_worker_costs_only_its_property(processes: int) -> None:
    found = verdicts(stones.counted, deadly, stones.no_return, processes=processes)
    assert unproved(found) == {"deadly": "worker died (exit status -9)"}


def test_running_out_of_memory_costs_only_its_property() -> None:
    found = verdicts(stones.counted, hungry, stones.no_return, memory_megabytes=1400)
    assert unproved(found) == {"hungry": "out of memory"}


def test_a_property_that_cannot_be_proved_costs_only_itself() -> None:
    found = unproved(verdicts(stones.counted, stones.branching, stones.no_return))
    assert list(found) == ["branching"]
    assert "property branching branches on the state" in found["branching"]


def test_the_budget_is_kept_and_what_is_known_by_then_too() -> None:
    started = time.monotonic()
    found = verdicts(stones.counted, slow, stones.no_return, budget_seconds=3.0)
    assert time.monotonic() - started < 8
    assert found["counted"].proved and found["no.return"].proved
    assert unproved(found) == {"slow": "out of time"}


def test_an_interruption_keeps_what_is_known() -> None:
    def interrupt(verdict: Verdict, done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    found = verdicts(*stones.TRUE, processes=1, progress=interrupt)
    assert sum(verdict.proved for verdict in found.values()) == 2
    assert set(unproved(found).values()) == {"interrupted"}


def test_a_proof_whose_help_was_not_settled_in_time_says_so() -> None:
    def interrupt(verdict: Verdict, done: int, of: int) -> None:
        if verdict.id == "range.banked":
            raise KeyboardInterrupt

    found = verdicts(stones.idle, processes=1, progress=interrupt)
    assert found["range.banked"].reason.startswith("proved only with the help of idle, which is not proved")


def test_a_rule_that_cannot_be_traced_is_the_callers_to_mend() -> None:
    def with_a_faulty_rule() -> Model:
        model = any_stones()
        bank = model.actions["bank"]
        model.actions["bank"] = replace(bank, function=lambda state, player, stones: int(state.banked[0]))
        return model

    with pytest.raises(ProverError, match="a symbolic value is used as an index"):
        prove(with_a_faulty_rule, [stones.counted], processes=1)


def test_a_mistake_of_ours_is_not_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prover, "examine", lambda *_: 1 // 0)
    with pytest.raises(ProverError, match="ZeroDivisionError"):
        prove(any_stones, [stones.counted], processes=1)


def test_progress_tells_how_many_are_settled() -> None:
    told: list[tuple[int, int]] = []
    verdicts(*stones.TRUE, progress=lambda verdict, done, of: told.append((done, of)))
    assert told == [(number, 10) for number in range(1, 11)]


def test_no_worker_is_left_behind() -> None:
    verdicts(stones.counted, slow, budget_seconds=1.0)
    assert multiprocessing.active_children() == []
