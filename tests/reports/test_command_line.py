"""The command line as a user meets it: what is printed where, exit statuses, and one line for whatever is wrong."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports import command_line
from reports.command_line import run
from reports.document import Report
from reports.registry import entry_of

ROOT = Path(__file__).parents[2]
GAME = "51st-state-2010"


def ruleproof(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the program as a user would."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "reports.command_line", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=200)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved game of forty moves."""
    path = tmp_path_factory.mktemp("saved") / "game.json"
    assert run(["play", GAME, "--seed", "3", "--until", "40", "--out", str(path)]) == 0
    return path


def changed(saved: Path, out: Path, **entries: Any) -> Path:
    """A copy of a saved game with other entries."""
    document = {**json.loads(saved.read_text("utf-8")), **entries}
    out.write_text(json.dumps(document), "utf-8")
    return out


# -- help and lists ------------------------------------------------------------------------------------------------
def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(command in shown for command in ("games", "verify", "prove", "readings", "mutate", "play", "show"))
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("ruleproof ")


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json"]) == 0
    games = json.loads(capsys.readouterr().out)
    (game,) = [game for game in games if game["id"] == GAME]
    assert game["players"] == [2, 3, 4]
    assert [preset["name"] for preset in game["presets"]] == ["tiny", "questions", "small", "standard"]
    assert all(preset["summary"] and preset["setups"] for preset in game["presets"])
    reading = next(reading for reading in game["readings"] if reading["id"] == "R-HAND")
    assert reading["default"] == reading["values"][0]["value"] == "no_gain" and reading["question"]


def test_games_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    assert "51st State (2010)" in capsys.readouterr().out


# -- bad input -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nonsense"], "No such command"),
        (["verify", "--nonsense"], "No such option"),
        (["verify", "51st-state-2011"], "did you mean 51st-state-2010"),
        (["verify", "--preset", "tinny"], "did you mean tiny"),
        (["verify", "--players", "7"], "is for 2, 3, 4 players"),
        (["verify", "--players", "two"], "--players"),
        (["verify", "--reading", "R-HAND"], "write ID=VALUE"),
        (["verify", "--reading", "R-HANDS=no_gain"], "did you mean R-HAND"),
        (["verify", "--reading", "R-HAND=never"], "the values of R-HAND are"),
        (["verify", "--reading", "R-HAND=no_gain", "--reading", "R-HAND=discard_down"], "answered twice"),
        (["verify", "--budget", "0"], "--budget"),
        (["verify", "--budget", "nan"], "--budget"),
        (["verify", "--deck", "nowhere.csv"], "nowhere.csv"),
        (["verify", "--out", "/dev/null"], "cannot write"),
        (["verify", "--out", "/proc/nothing"], "cannot write"),
        (["play", "chess"], "there is no game"),
        (["play", "--setup", "nothing"], "there is no set-up"),
        (["play", "--out", "/proc/nothing/game.json"], "cannot write"),
        (["show"], "Missing argument"),
        (["show", "nowhere.json"], "cannot be read"),
        (["show", "/"], "cannot be read"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 4
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1
    assert told in output.err


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "{}", "\x00", '{"game": 1}', '{"game": "chess"}', f'{{"game": "{GAME}"}}', "[" * 100_000, "NaN"],
)
def test_broken_saved_games_are_one_line(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(content, "utf-8")
    assert run(["show", str(path)]) == 4
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1 and "game.json" in output.err


def test_a_broken_deck_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "deck.csv"
    deck.write_text("name,type\nRoad,locomotive\n", "utf-8")
    assert run(["play", "--deck", str(deck)]) == 4
    output = capsys.readouterr()
    assert output.err.count("\n") == 1 and "deck.csv" in output.err


def test_from_the_shell_there_is_no_traceback() -> None:
    done = ruleproof("verify", "chess")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == f"ruleproof: there is no game 'chess'; there are: {GAME}\n"


# -- playing and showing -------------------------------------------------------------------------------------------
def test_a_seed_gives_one_game(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", GAME, "--seed", "3", "--until", "40", "--json"]) == 0
    assert capsys.readouterr().out == saved.read_text("utf-8")
    assert run(["play", GAME, "--seed", "4", "--until", "40", "--json"]) == 0
    assert capsys.readouterr().out != saved.read_text("utf-8")


def test_a_saved_game_is_shown_as_a_log(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(saved)]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading == "51st State (2010), set-up standard, 2 players"
    assert [int(line.split(".")[0]) for line in lines] == list(range(1, 41))
    clauses = re.compile(r"\[([a-z0-9_.]+(, )?)+\]$")
    assert all(clauses.search(line) for line in lines)


def test_a_log_as_json(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(saved), "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    known = entry_of(GAME).game.catalogue.clauses
    assert len(steps) == 40 and all(clause in known for step in steps for clause in step["clauses"])


def test_a_saved_game_goes_on(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "longer.json"
    assert run(["play", "--moves", str(saved), "--until", "50", "--seed", "9", "--out", str(out)]) == 0
    before, after = (json.loads(path.read_text("utf-8"))["moves"] for path in (saved, out))
    assert after[:40] == before and len(after) == 50
    assert run(["play", "--moves", str(saved), "--players", "3"]) == 4
    assert "can't be changed" in capsys.readouterr().err


def test_the_first_illegal_step_is_named_with_its_clause(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = json.loads(saved.read_text("utf-8"))["moves"]
    broken = changed(saved, tmp_path / "broken.json", moves=[*moves[:5], moves[0], *moves[5:]])
    assert run(["show", str(broken)]) == 2
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == 6
    assert output.err.count("\n") == 1
    assert re.search(r"broken\.json: move 6 is not legal: .* \(forbidden by [a-z0-9_.]+\)", output.err)


def test_another_deck_or_other_rules_are_refused(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = json.loads(saved.read_text("utf-8"))["setup"]
    other = changed(saved, tmp_path / "deck.json", setup={**setup, "deck_digest": "another"})
    assert run(["show", str(other)]) == 4
    assert "--deck FILE" in capsys.readouterr().err
    assert run(["show", str(changed(saved, tmp_path / "rules.json", rules_version="0"))]) == 4
    assert "rules_version" in capsys.readouterr().err


def test_a_hostile_card_name_is_shown_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = (ROOT / "model/fiftyfirst/cards/printed.csv").read_text("utf-8")
    deck = tmp_path / "deck.csv"
    deck.write_text(printed.replace("\nArena,", "\n\N{RIGHT-TO-LEFT OVERRIDE}[red]Aréna{0},"), "utf-8")
    status = run(["play", "--deck", str(deck), "--until", "400"])
    output = capsys.readouterr()
    assert status in (0, 4)
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in output.out + output.err
    assert output.err.count("\n") == (status == 4)


# -- verifying -----------------------------------------------------------------------------------------------------
def test_verify_as_json_is_one_document_and_nothing_else(tmp_path: Path) -> None:
    done = ruleproof("verify", GAME, "--json", "--budget", "15", "--out", str(tmp_path))
    assert done.returncode in (2, 3) and done.stderr == ""
    document = json.loads(done.stdout)
    assert done.stdout == (tmp_path / "report.json").read_text("utf-8")
    assert {"id", "statement", "clauses", "verdict", "method"} <= set(document["properties"][0])
    assert {"id", "exercised"} <= set(document["clauses"][0])
    assert [clause["id"] for clause in document["clauses"]] == list(entry_of(GAME).game.catalogue.clauses)
    assert Report.model_validate(document).command.endswith(f"--json --budget 15 --out {tmp_path}")
    assert (tmp_path / "report.html").exists()


@pytest.mark.slow
def test_the_default_run_in_full(tmp_path: Path) -> None:
    done = ruleproof("verify", "--out", str(tmp_path))
    assert done.returncode in (0, 3), done.stdout
    report = Report.model_validate_json((tmp_path / "report.json").read_text("utf-8"))
    results = {result.id: result for result in report.properties}
    assert results["lookout.hand_limit_strict"].standing == "hole"
    assert not report.standing("wrong")
    assert not report.covered("never exercised")
    assert all(setup.complete for setup in report.setups)
    assert "The report: " in done.stdout


def test_a_contradiction_of_our_tools_is_loud(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def contradicting(*_: Any) -> None:
        raise command_line.ContradictionError("x is proved, and yet broken by a game")

    monkeypatch.setattr(command_line, "verify", contradicting)
    assert run(["verify"]) == 1
    assert capsys.readouterr().err == "ruleproof: x is proved, and yet broken by a game\n"


# -- prove ---------------------------------------------------------------------------------------------------------
def test_prove_as_json_says_what_is_open_when_the_time_is_short(tmp_path: Path) -> None:
    found = ruleproof("prove", GAME, "--json", "--no-cache", "--budget", "15", "--out", str(tmp_path))
    document = json.loads(found.stdout)
    verdicts = {entry["id"]: entry["verdict"] for entry in document["properties"]}
    assert verdicts["lookout.hand_limit_strict"] == "REFUTED"  # a game is found in a second
    assert "UNDETERMINED" in verdicts.values() and found.returncode == 3
    assert {"proofs.json", "proofs.html", "games", "graphs"} <= {path.name for path in tmp_path.iterdir()}
    shown = ruleproof("show", str(tmp_path / "games" / "lookout.hand_limit_strict.json"))
    assert shown.returncode == 0 and "Cleanup" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--players", "7"], "is for 2, 3, 4 players"),
        (["--budget", "0"], "give a number of seconds above 0"),
        (["--reading", "R-HANDS=any"], "did you mean R-HAND?"),
        (["--reading", "R-HAND=none"], "the values of R-HAND are no_gain, discard_down"),
        (["--smtlib", "/proc/nowhere"], "give a directory to write to"),
    ],
)
def test_prove_refuses_bad_input_in_one_line(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", GAME, "--out", str(tmp_path), "--budget", "5", *arguments]) == 4
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
