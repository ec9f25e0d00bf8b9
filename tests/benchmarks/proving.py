"""What the prover's two ways to save time are worth: `python -m tests.benchmarks.proving`.

The same properties of a game that comes with any number of cards are proved with hypotheses added lazily and with all
of them assumed at once, for more and more cards; then, with the most cards, by one process and by as many as there are
cores. All in one run, so that the ratios hold whatever the machine. Laziness is measured in CPU time of one process,
which other work disturbs little; working in parallel can only be measured by the clock. A plot is written as SVG.
Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from pathlib import Path

from model.language import Model
from properties.declaration import Property
from solver.induction import Prover
from solver.prove import prove
from solver.ranges import range_properties
from tests.solver import large

CARDS = (5, 10, 20, 40, 80)
WIDTH, HEIGHT, MARGIN = 640, 400, 60
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57")


@dataclass(frozen=True)
class Measured:
    """Some properties proved in one way: how long it took, how many were proved, of how many."""

    cards: int
    seconds: float
    proved: int
    of: int

    @property
    def complete(self) -> bool:
        return self.proved == self.of


def examined(cards: int, properties: Sequence[Property], lazy: bool, limit: float) -> Measured:
    """One prover, one property after another, in CPU seconds.

    Args:
        limit: seconds for one property; what is not proved by then is counted as not proved.
    """
    model = large.GAME.model(large.box(cards))
    claimed = [*properties, *range_properties(model)]
    prover = Prover(model, claimed, lazy=lazy)
    began = time.process_time()
    proved = sum(prover.examine(prop, (), time.monotonic() + limit).proved for prop in claimed)
    return Measured(cards, time.process_time() - began, proved, len(claimed))


def pooled(cards: int, properties: Sequence[Property], processes: int) -> Measured:
    """The whole of `prove`, tracing included, by the clock."""

    def factory() -> Model:
        return large.GAME.model(large.box(cards))

    began = time.monotonic()
    verdicts = prove(factory, properties, processes=processes)
    return Measured(cards, time.monotonic() - began, sum(verdict.proved for verdict in verdicts), len(verdicts))


def laziness(
    numbers: Sequence[int], properties: Sequence[Property], limit: float, say: Callable[[str], None]
) -> dict[str, list[Measured]]:
    """Both ways for each number of cards, told as they come."""
    ways: dict[str, list[Measured]] = {"lazy hypotheses": [], "all hypotheses at once": []}
    say(f"{'cards':>6} {'lazy s':>8} {'at once s':>10} {'ratio':>7}   proved")
    for cards in numbers:
        lazy, eager = (examined(cards, properties, lazily, limit) for lazily in (True, False))
        for way, measured in zip(ways.values(), (lazy, eager), strict=True):
            way.append(measured)
        least = "" if eager.complete else "at least "
        say(
            f"{cards:>6} {lazy.seconds:>8.2f} {eager.seconds:>10.2f} {least}{eager.seconds / lazy.seconds:>7.1f}"
            f"   {lazy.proved} and {eager.proved} of {lazy.of}"
        )
    return ways


def plot(series: dict[str, list[Measured]]) -> str:
    """Seconds (each line of the grid ten times the one below) over cards, as SVG; hollow where not all was proved."""
    points = [point for way in series.values() for point in way]
    bottom = floor(log10(min(point.seconds for point in points)))
    top = max(bottom + 1, ceil(log10(max(point.seconds for point in points))))
    most = max(point.cards for point in points)

    def across(cards: int) -> float:
        return MARGIN + cards / most * (WIDTH - 2 * MARGIN)

    def up(seconds: float) -> float:
        return HEIGHT - MARGIN - (log10(seconds) - bottom) / (top - bottom) * (HEIGHT - 2 * MARGIN)

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(bottom, top + 1):
        y = up(10.0**power)
        parts.append(f'<line x1="{MARGIN}" y1="{y:.1f}" x2="{WIDTH - MARGIN}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{MARGIN - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for cards in sorted({point.cards for point in points}):
        y = HEIGHT - MARGIN + 18
        parts.append(f'<text x="{across(cards):.1f}" y="{y}" text-anchor="middle">{cards}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 16}" text-anchor="middle">CPU seconds by number of cards</text>')
    for number, (name, way) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [(across(point.cards), up(point.seconds), point.complete) for point in way]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" stroke="{colour}" fill="{colour if whole else "white"}"/>'
            for x, y, whole in places
        ]
        parts.append(f'<text x="{MARGIN + 12}" y="{24 + 18 * number}" fill="{colour}">{escape(name)}</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12">\n{body}\n</svg>\n'
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, nargs="+", default=CARDS, help="numbers of cards to measure with")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one property")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="to compare with a single one")
    parser.add_argument("--plot", type=Path, default=Path("out/proving.svg"), help="where to write the plot")
    given = parser.parse_args(arguments)
    properties = large.properties()
    series = laziness(sorted(given.cards), properties, given.limit, print)
    one, many = (pooled(max(given.cards), properties, processes) for processes in (1, given.processes))
    print(
        f"\n{max(given.cards)} cards, by the clock: {one.seconds:.2f} s with one process, {many.seconds:.2f} s with "
        f"{given.processes}: {one.seconds / many.seconds:.2f} times as fast ({one.proved} and {many.proved} proved)"
    )
    given.plot.parent.mkdir(parents=True, exist_ok=True)
    given.plot.write_text(plot(series), encoding="utf-8")
    print(f"Plot: {given.plot}")


if __name__ == "__main__":
    main()
