"""`ruleproof explore`: counts are those pinned, what is stopped is gone on with, bad requests take one line."""

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from reports.command_line import run
from solver.explorer import search
from tests.fiftyfirst.test_tiny import PINNED
from tests.reports.test_command_line import ruleproof

GAME = "51st-state-2010"


def explored(*arguments: str, out: Path) -> tuple[dict[str, Any], int]:
    found = ruleproof("explore", GAME, *arguments, "--json", "--out", str(out))
    assert not found.stderr
    return json.loads(found.stdout), found.returncode


def test_the_counts_are_those_that_are_pinned(tmp_path: Path) -> None:
    report, status = explored("--setup", "ties", "--perft", "3", out=tmp_path)
    (setup,) = report["setups"]
    assert (setup["states"], setup["transitions"], setup["depth"]) == PINNED["ties"]
    assert setup["name"] == "ties" and setup["complete"] and status == 0
    assert (report["states"], report["transitions"]) == PINNED["ties"][:2]
    assert report["states_per_second"] > 0 and 0 < report["collision_probability"] < 1e-9
    assert sum(setup["depth_histogram"]) == setup["states"]
    assert sum(setup["action_counts"].values()) == setup["transitions"]
    assert setup["perft"]["counts"] == [1, 2, 2, 4]
    assert setup["terminal"] == sum(outcome["states"] for outcome in setup["outcomes"]) == 12
    assert json.loads((tmp_path / "exploration.json").read_text("utf-8"))["states"] == report["states"]
    assert "| ties | 138 | 140 | 41 |" in (tmp_path / "exploration.md").read_text("utf-8")


def test_what_is_stopped_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    """So many states can't be explored in a tenth of a second, wherever that is."""
    report, status = explored("--setup", "hosts", "--budget", "0.1", out=tmp_path)
    (setup,) = report["setups"]
    assert status == 3 and not setup["complete"] and "limit" in setup["stopped"]
    assert setup["states"] < PINNED["hosts"][0]
    report, status = explored("--setup", "hosts", "--resume", out=tmp_path)
    (setup,) = report["setups"]
    assert status == 0 and (setup["states"], setup["transitions"], setup["depth"]) == PINNED["hosts"]


def test_short_of_memory_levels_go_to_disk(tmp_path: Path) -> None:
    report, status = explored("--setup", "hosts", "--memory", "5MiB", out=tmp_path)
    (setup,) = report["setups"]
    assert status == 0 and (setup["states"], setup["transitions"], setup["depth"]) == PINNED["hosts"]
    assert setup["disk"] > 0 and setup["memory"] <= 5 * 2**20
    assert {entry.name for entry in tmp_path.iterdir()} == {"exploration.json", "exploration.md"}


def test_on_a_full_disk_what_is_known_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    asked = ["explore", GAME, "--setup", "hosts", "--memory", "5MiB", "--out", str(tmp_path)]
    monkeypatch.setattr(search, "spilled", full)
    assert run(asked) == 3
    assert "No space left on device" in capsys.readouterr().out
    monkeypatch.undo()
    assert run([*asked, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["states"] == PINNED["hosts"][0]


def test_a_broken_property_comes_with_a_game_that_can_be_shown(tmp_path: Path, capsys: Any) -> None:
    assert run(["explore", GAME, "--setup", "hand-limit", "--out", str(tmp_path)]) == 0  # it is expected to be broken
    assert "lookout.hand_limit_strict" in capsys.readouterr().out
    (game,) = (tmp_path / "games").iterdir()
    assert run(["show", str(game)]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--memory", "4XB"], "--memory 4XB"),
        (["--setup", "tie"], "--setup tie"),
        (["--perft", "-1"], "--perft"),
        (["--export", "spin"], "'promela', 'tla'"),
        (["--budget", "0"], "--budget 0"),
    ],
)
def test_what_can_not_be_done_is_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explore", GAME, *arguments, "--out", str(tmp_path / "out")]) == 4
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1


def test_exports_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explore", GAME, "--export", "tla", "--setup", "ties", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / "ties.tla"), str(tmp_path / "ties.cfg")]
