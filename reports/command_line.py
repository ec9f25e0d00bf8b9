"""`ruleproof`: what a user types, turned into requests, and what came of them into lines, JSON and an exit status.

Thin on purpose: a command says what it takes and calls what does the work. Three things hold for all of them. Exit
status: 0 all proved or passed, 2 something refuted or diverging, 3 something undetermined, 4 bad input. Bad input of
whatever kind is one line on standard error, never a traceback. With `--json` standard output holds one JSON document
and nothing else; progress and errors go to standard error.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from platformdirs import user_cache_dir

from model.language import InputError
from reports import (
    exploration_document,
    exploration_page,
    exporting,
    listing,
    mutating,
    reading_document,
    readings_page,
    saved_games,
)  # fmt: skip
from reports.atomic import OutputError, folder
from reports.document import Report, exit_status, to_json
from reports.exploration import BUDGET as EXPLORATION_BUDGET
from reports.exploration import MEMORY, ExploreRequest, bytes_of, explore_game
from reports.proving import prove_game
from reports.readings import BUDGET as READINGS_BUDGET
from reports.readings import ReadingsRequest, compare_readings
from reports.registry import entry_of
from reports.ruling import rule_on
from reports.subject import BUDGET as PROOF_BUDGET
from reports.subject import ProofRequest
from reports.terminal import print_summary, progress
from reports.verdicts import ContradictionError
from reports.verification import BUDGET, Request, program_version, verify
from reports.wording import shortened, visible
from solver.prove import ProverError
from solver.second_opinion import Disagreement

BAD_INPUT = 4
OUR_FAULT = 1
_LONGEST = 2000  # characters of an error's line

app = typer.Typer(
    name="ruleproof", add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False,
    help="Board-game rulebooks as executable specifications: play them, explore them, prove them.",
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip

GameArgument = Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's id, from `ruleproof games`.")]
Preset = Annotated[str | None, typer.Option(help="tiny, small or standard.")]
Players = Annotated[int | None, typer.Option(help="How many play.")]
Readings = Annotated[
    list[str] | None, typer.Option("--reading", metavar="ID=VALUE", help="An answer to an open question; repeatable.")
]
Deck = Annotated[Path | None, typer.Option(metavar="FILE", help="A deck of your own (CSV or TOML).")]
Seed = Annotated[int, typer.Option(help="What drives random choices.")]
Cache = Annotated[bool, typer.Option(help="Whether to use, and to keep, what was proved before.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, nothing else.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ruleproof {program_version()}")
        raise typer.Exit


@app.callback()
def _app(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, with their presets, players and readings."""
    typer.echo(listing.to_json() if as_json else listing.to_text(), nl=False)


@app.command("verify")
def verify_command(
    game: GameArgument = None,
    preset: Preset = None,
    players: Players = None,
    reading: Readings = None,
    deck: Deck = None,
    seed: Seed = 0,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="For everything together.")] = BUDGET,
    cache: Cache = True,
    as_json: AsJson = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report is written.")] = Path("out"),
) -> None:
    """Explore, play and prove a game's rules, and write a report (report.html, report.json, graphs/)."""
    _require_seconds(budget)
    request = Request(
        entry_of(game), out, preset, players, _chosen(reading), deck, seed, budget, cache=_cache(cache),
        command=_typed(),
    )  # fmt: skip
    with progress(quiet=as_json) as bars:
        report = verify(request, bars)
    _tell(report, as_json, out / "report.html")


@app.command("prove")
def prove_command(
    game: GameArgument = None,
    players: Players = None,
    reading: Readings = None,
    deck: Deck = None,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="For everything together.")] = PROOF_BUDGET,
    cache: Cache = True,
    cross_check: Annotated[bool, typer.Option("--cross-check", help="Ask a second solver, cvc5, as well.")] = False,
    smtlib: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write what Z3 was asked, for any other solver.")
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Decide claims about the rules as a whole instead of the properties.")
    ] = False,
    as_json: AsJson = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the proofs are written.")] = Path("out"),
) -> None:
    """Prove a game's properties for every deck, and find a game for what is not so (proofs.html, games/, graphs/)."""
    _require_seconds(budget)
    request = ProofRequest(
        entry_of(game), out, players, _chosen(reading), deck, budget,
        cache=_cache(cache), cross_check=cross_check, smtlib=smtlib, command=_typed(),
    )  # fmt: skip
    with progress(quiet=as_json) as bars:
        report = rule_on(request, bars) if rules else prove_game(request, bars)
    _tell(report, as_json, out / ("rules.html" if rules else "proofs.html"))


@app.command("explore")
def explore_command(
    game: GameArgument = None,
    preset: Preset = None,
    setup: Annotated[str | None, typer.Option(help="One set-up only; all of the preset by default.")] = None,
    players: Players = None,
    reading: Readings = None,
    deck: Deck = None,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="For everything together.")] = EXPLORATION_BUDGET,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="For everything together: 4GiB, 500MB, bytes.")] = MEMORY,
    perft: Annotated[
        int, typer.Option(min=0, max=1000, metavar="N", help="Count the sequences of up to N legal moves.")
    ] = 0,
    exact: Annotated[
        bool, typer.Option("--exact/--fingerprints", help="Whether states that fit into 63 bits are kept as they are.")
    ] = True,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what was stopped, in the same --out.")] = False,
    export: Annotated[
        exporting.Format | None, typer.Option(help="Write the set-ups for another model checker instead.")
    ] = None,
    as_json: AsJson = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report is written.")] = Path("out"),
) -> None:
    """Explore every state of a game's small set-ups: counts, broken properties, ends, cycles (exploration.md)."""
    _require_seconds(budget)
    if export is not None:
        asked = exporting.ExportRequest(entry_of(game), export, out, preset, setup, players, _chosen(reading), deck)
        files = exporting.export(asked)
        typer.echo(exporting.to_json(asked, files) if as_json else _written(files), nl=False)
        return
    request = ExploreRequest(
        entry_of(game), out, preset, setup, players, _chosen(reading), deck, budget, bytes_of(memory), perft, exact,
        resume, command=_typed(),
    )  # fmt: skip
    with progress(quiet=as_json) as bars:
        report = explore_game(request, bars)
    if as_json:
        sys.stdout.write(exploration_document.to_json(report))
    else:
        typer.echo(visible(exploration_page.summary(report)), nl=False)
        typer.echo(f"The report: {visible(str(out / 'exploration.md'))}")
    raise typer.Exit(exploration_document.exit_status(report))


@app.command("readings")
def readings_command(
    game: GameArgument = None,
    reading: Readings = None,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="For everything together.")] = READINGS_BUDGET,
    as_json: AsJson = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where readings.json and readings.md are written.")] = Path(
        "out"
    ),
) -> None:
    """Compare the answers to the rulebook's open questions: the shortest game that tells each from the default."""
    _require_seconds(budget)
    request = ReadingsRequest(entry_of(game), out, _chosen(reading), budget, command=_typed())
    with progress(quiet=as_json) as bars:
        report = compare_readings(request, bars)
    if as_json:
        sys.stdout.write(reading_document.to_json(report))
    else:
        readings_page.print_summary(report)
        typer.echo(f"The report: {visible(str(out / 'readings.md'))}")
    raise typer.Exit(reading_document.exit_status(report))


@app.command()
def mutate(
    game: GameArgument = None,
    players: Players = None,
    reading: Readings = None,
    seed: Seed = 0,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="For everything together.")] = mutating.BUDGET,
    only: Annotated[str, typer.Option(metavar="CLAUSE", help="Mutants of this clause, or of those it begins.")] = "",
    as_json: AsJson = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where mutants.json is written.")] = None,
) -> None:
    """Plant small mistakes in a game's rules, one by one, and say which property notices each."""
    _require_seconds(budget)
    if out is not None:
        folder(out)
    request = mutating.Request(entry_of(game), players, _chosen(reading), seed, budget, only)
    with progress(quiet=as_json) as bars:
        outcome = mutating.mutate(request, bars)
    if out is not None:
        mutating.write(outcome, out)
    if as_json:
        sys.stdout.write(mutating.to_json(outcome))
    else:
        mutating.print_summary(outcome)
    raise typer.Exit(outcome.exit_status)


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game's id.")] = None,
    preset: Preset = None,
    setup: Annotated[str | None, typer.Option(help="Which set-up of the preset; the first by default.")] = None,
    players: Players = None,
    reading: Readings = None,
    deck: Deck = None,
    seed: Seed = 0,
    until: Annotated[int, typer.Option(min=0, help="Stop after so many moves at the latest.")] = 2000,
    moves: Annotated[Path | None, typer.Option(metavar="FILE", help="A saved game to go on from.")] = None,
    as_json: AsJson = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to save the game, as JSON.")] = None,
) -> None:
    """Play one game with random choices, or go on from a saved one, and print or save it."""
    readings = _chosen(reading)
    if moves is None:
        game_played = saved_games.new(entry_of(game), preset, setup, players, readings, deck)
    else:
        _refuse_together(preset=preset, setup=setup, players=players, reading=reading)
        game_played = saved_games.opened(moves, deck, game)
    document = saved_games.played_on(game_played, seed, until)
    if out is not None:
        saved_games.write(out, document)
    if as_json:
        sys.stdout.write(saved_games.text(document))
    elif out is None:
        _print_log(game_played)


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game saved by `ruleproof play`.")],
    deck: Deck = None,
    as_json: AsJson = False,
) -> None:
    """Print a saved game as a numbered log with the clauses of each move; stop at the first illegal step."""
    opened = saved_games.opened(file, deck)
    if as_json:
        sys.stdout.write(saved_games.log_json(opened))
    else:
        _print_log(opened)


def _print_log(game: saved_games.OpenGame) -> None:
    typer.echo(visible(saved_games.heading(game)))
    for line in saved_games.log_lines(game):
        typer.echo(visible(line))


def _written(files: Sequence[Path]) -> str:
    """The files written, one a line."""
    return "".join(f"{visible(str(file))}\n" for file in files)


def _tell(report: Report, as_json: bool, page: Path) -> NoReturn:
    """The report on standard output, and where its page is; ends the program with its exit status."""
    if as_json:
        sys.stdout.write(to_json(report))
    else:
        print_summary(report)
        typer.echo(f"The report: {visible(str(page))}")
    raise typer.Exit(exit_status(report))


def _cache(wanted: bool) -> Path | None:
    """Where proved claims are kept from run to run."""
    return Path(user_cache_dir("ruleproof")) / "proofs.sqlite" if wanted else None


def _require_seconds(budget: float) -> None:
    if not 0 < budget < float("inf"):
        raise InputError(f"--budget {budget:g}: give a number of seconds above 0")


def _chosen(readings: Sequence[str] | None) -> dict[str, str]:
    """`ID=VALUE` as a mapping; that both exist is the game's to say."""
    chosen: dict[str, str] = {}
    for given in readings or ():
        name, equals, value = given.partition("=")
        if not equals or not name or not value:
            raise InputError(f"--reading {given}: write ID=VALUE, such as R-HAND=discard_down")
        if chosen.setdefault(name, value) != value:
            raise InputError(f"--reading {given}: {name} is answered twice; give it once")
    return chosen


def _refuse_together(**options: Any) -> None:
    """A saved game says itself what it was played with."""
    for name, value in options.items():
        if value:
            raise InputError(f"--{name} can't be changed in a saved game; leave it out, or start a new one")


def _typed() -> str:
    return shlex.join([Path(sys.argv[0]).name or "ruleproof", *sys.argv[1:]])


# -- errors --------------------------------------------------------------------------------------------------------
def main() -> NoReturn:
    """The program: run the command, and end with its exit status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command line; bad input is told in one line.

    Returns the exit status.
    """
    try:
        status = app(list(arguments), standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except saved_games.IllegalGame as illegal:
        return _told(str(illegal), 2)
    except (InputError, OutputError) as wrong:
        return _told(str(wrong), BAD_INPUT)
    except (ContradictionError, Disagreement, ProverError) as fault:
        return _told(str(fault), OUR_FAULT)
    except KeyboardInterrupt:
        return _told("interrupted", 130)
    except typer.Abort:
        return _told("interrupted", 130)
    except BrokenPipeError:  # the reader has had enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _misused(error)


def _misused(error: Any) -> int:
    """An unknown command or option, a missing or malformed value."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message())
        return 0
    hint = f" (see `{context.command_path} --help`)" if context is not None else ""
    return _told(f"{error.format_message().rstrip('.')}{hint}", BAD_INPUT)


def _told(message: str, status: int) -> int:
    sys.stderr.write(f"ruleproof: {shortened(message, _LONGEST)}\n")
    return status


if __name__ == "__main__":
    main()
