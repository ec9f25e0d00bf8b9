"""The benchmark's own models are counted right, and it believes no number that another contradicts."""

from pathlib import Path

import pytest

from solver.explorer.frozen import thawed
from solver.explorer.search import explore
from tests.benchmarks import counters, economy, peers
from tests.benchmarks.checkers import CheckerError, Count, python
from tests.benchmarks.peers import Disagreement, Measured, agree, measured, table
from tests.solver.explorer.plain import search

SCRIPT = "print('states', {0}); print('transitions', {0}0); print('complete' if {0} > 3 else 'cut off')"


def test_the_economy_is_counted() -> None:
    """Pinned, as the tables are of this model."""
    result, _ = explore(thawed(economy.GAME, economy.Economy()))
    assert (result.states, result.transitions, result.depth) == (1_228_080, 1_749_469, 72)
    assert result.complete and not result.never_enabled and result.deadlocks == 0


def test_plain_play_counts_a_smaller_economy_the_same() -> None:
    smaller = economy.Economy(cards=3, hand=1, workers=1, goods=2, end=2)
    result, _ = explore(thawed(economy.GAME, smaller))
    counted = search(economy.GAME, smaller)
    assert (counted.states, counted.transitions) == (result.states, result.transitions)
    assert counted.clauses == set(economy.RULEBOOK.clauses)


@pytest.mark.parametrize("number", [1, 3, 4])
def test_the_counters_are_counted(number: int) -> None:
    result, _ = explore(thawed(counters.GAME, counters.Counters(number)))
    assert result.states == counters.states(number)
    assert result.transitions == counters.transitions(number)


def test_a_count_is_taken_from_what_a_checker_prints(tmp_path: Path) -> None:
    count = python("seven", SCRIPT.format(7), tmp_path).run()
    assert (count.states, count.transitions) == (7, 70) and count.seconds > 0


def test_a_search_that_was_cut_off_is_no_count(tmp_path: Path) -> None:
    with pytest.raises(CheckerError, match="three did not count to the end"):
        python("three", SCRIPT.format(3), tmp_path).run()
    with pytest.raises(CheckerError, match="failed"):
        python("broken", "raise SystemExit(1)", tmp_path).run()


def test_checkers_that_disagree_stop_the_run(tmp_path: Path) -> None:
    running = [python(f"counts {number}", SCRIPT.format(number), tmp_path / f"{number}") for number in (7, 8)]
    with pytest.raises(Disagreement, match="counts 7: 7 states, 70 transitions; counts 8: 8 states, 80 transitions"):
        measured(running, 1, print)
    agree({"one": Count(7, 70, 1.0), "other": Count(7, 70, 9.0)})
    with pytest.raises(Disagreement):
        agree({"one": Count(7, 70, 1.0), "other": Count(7, 71, 1.0)})


def test_the_table_begins_with_ratios() -> None:
    count = Count(1_000_000, 5_400_000, 1.0)
    figures = {"TLC": (10.0, 0.0), "SPIN": (1.0, 2.0), "Ruleproof": (0.25, 0.1)}
    rows = [Measured(name, count, seconds, built) for name, (seconds, built) in figures.items()]
    assert table(rows).splitlines()[2:] == [
        "| **Ruleproof** | 4.00 | 40.00 | 4,000,000 | 0.25 | 0.1 |",
        "| SPIN | 1.00 | 10.00 | 1,000,000 | 1.00 | 2.0 |",
        "| TLC | 0.10 | 1.00 | 100,000 | 10.00 | 0.0 |",
    ]


def test_without_peers_only_ours_is_measured(tmp_path: Path) -> None:
    model = peers.counting(3)
    (row,) = measured(peers.runners(model, peers.Peers(), tmp_path), 2, print)
    assert row.checker == peers.OURS and row.count.states == model.states == 1000
    text = peers.page({model.name: [row]}, 2, "")
    assert "1,000 states, 2,700 transitions." in text and "SPIN" in text and "Growth" not in text


@pytest.mark.peers
def test_the_plot_shows_each_checker() -> None:
    count = Count(10, 20, 1.0)
    drawn = peers.plot({"SPIN": [Measured("SPIN", count, 1.0, 0.0)]}).decode()
    assert drawn.startswith("<?xml") and drawn == peers.plot({"SPIN": [Measured("SPIN", count, 1.0, 0.0)]}).decode()
