"""Other model checkers, run on a model as a user would: how many states they count, and in what time.

A checker is built once (generated, compiled) and then run as often as wanted. Seconds are those of the whole process by
the clock; what building took is told apart. Whatever a checker says other than a complete count without an error is an
error here, so that no number in a table comes from a search that was cut off.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LIMIT = 1800  # seconds for one run


class CheckerError(Exception):
    """A checker did not end with a complete count."""


@dataclass(frozen=True)
class Count:
    """What a checker counted: states, transitions between them (moves, wherever they lead), seconds."""

    states: int
    transitions: int
    seconds: float


@dataclass
class Checker:
    """A checker with a model, ready to run.

    Attributes:
        name: for tables. command: what a run is. states, transitions: patterns that find the counts in its output.
        complete: what its output must match. extra: transitions that it counts too many; the way to the first state.
        built: seconds that building took.
    """

    name: str
    command: Sequence[str]
    folder: Path
    states: str
    transitions: str
    complete: str
    extra: int = 0
    built: float = 0.0

    def run(self) -> Count:
        """Count the states.

        Raises:
            CheckerError: it did not come to the end, or found a mistake.
        """
        began = time.perf_counter()
        told = _output(self.command, self.folder)
        seconds = time.perf_counter() - began
        states, transitions = re.search(self.states, told), re.search(self.transitions, told)
        if states is None or transitions is None or re.search(self.complete, told) is None:
            raise CheckerError(f"{self.name} did not count to the end: {told[-2000:]}")
        return Count(int(states[1]), int(transitions[1]) - self.extra, seconds)


def spin(text: str, folder: Path, breadth: bool = False, table: int = 20, depth: int = 100_000) -> Checker:
    """SPIN, with the flags that make it fastest when only states are to be counted.

    Args:
        text: a model in Promela. breadth: search breadth-first, which finds shortest games, as the explorer does.
        table: bits of the size of its hash table. depth: the longest way that it can go without turning back.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.pml").write_text(text, encoding="ascii")
    began = time.perf_counter()
    _output(["spin", "-o2", "-a", "model.pml"], folder)
    flags = ["-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000", *(["-DBFS"] if breadth else [])]
    _output(["gcc", "-O2", *flags, "-o", "pan", "pan.c"], folder)
    return Checker(
        "SPIN, breadth-first" if breadth else "SPIN", ["./pan", "-E", "-n", f"-w{table}", f"-m{depth}"], folder,
        r"(\d+) states, stored", r"(\d+) transitions", r"errors: 0\n(?!.*max search depth too small)", 1,
        time.perf_counter() - began,
    )  # fmt: skip


def tlc(text: str, configuration: str, name: str, folder: Path, jar: Path, workers: int = 1) -> Checker:
    """TLC on a module of that name; what Java takes to start is part of a run.

    Args:
        jar: `tla2tools.jar`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.tla").write_text(text, encoding="ascii")
    (folder / f"{name}.cfg").write_text(configuration, encoding="ascii")
    command = [
        "java", "-XX:+UseParallelGC", "-cp", str(jar.resolve()), "tlc2.TLC", "-deadlock", "-workers", str(workers),
        "-config", f"{name}.cfg", f"{name}.tla",
    ]  # fmt: skip
    return Checker(
        "TLC" if workers == 1 else f"TLC, {workers} workers", command, folder, r"(\d+) distinct states found, 0 states",
        r"(\d+) states generated, \d+ distinct states found, 0 states", "No error has been found", 1,
    )  # fmt: skip


def rumur(text: str, folder: Path) -> Checker:
    """rumur on one thread.

    Args:
        text: a model in the language of Murphi.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.m").write_text(text, encoding="ascii")
    began = time.perf_counter()
    _output(["rumur", "--deadlock-detection", "off", "--threads", "1", "--output", "model.c", "model.m"], folder)
    _output(["gcc", "-O3", "-march=native", "-o", "model", "model.c", "-lpthread"], folder)
    return Checker(
        "rumur", ["./model"], folder, r"\t(\d+) states, \d+ rules fired", r"\t\d+ states, (\d+) rules fired",
        "No error found", 0, time.perf_counter() - began,
    )  # fmt: skip


def python(name: str, script: str, folder: Path, interpreter: str = sys.executable) -> Checker:
    """A checker written in Python: a script that prints `states N` and `transitions N`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.py").write_text(script, encoding="utf-8")
    command = [interpreter, "model.py"]
    return Checker(name, command, folder, r"states (\d+)", r"transitions (\d+)", "complete")


def _output(command: Sequence[str], folder: Path) -> str:
    """What a command prints.

    Raises:
        CheckerError: it fails, or takes too long.
    """
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise CheckerError(f"{command[0]} took more than {LIMIT} seconds") from None
    if done.returncode:
        raise CheckerError(f"{' '.join(command)} failed: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout
