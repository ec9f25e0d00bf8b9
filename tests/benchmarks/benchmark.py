"""How fast the game is played and explored on this machine: `python -m tests.benchmarks.benchmark`.

Figures are CPU time of one process, so that other work on the machine disturbs them little; the profile of play says
what limits it. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import cProfile
import platform
import pstats
import random
import time
from collections import Counter

from model.fiftyfirst.game import GAME
from solver.explorer.frozen import thawed
from solver.explorer.search import explore


def play(players: int, games: int) -> tuple[int, int, float, Counter[str]]:
    """Random games of the printed set-up, every legal move listed at every decision.

    Returns:
        decisions, moves listed, CPU seconds, and how often each action was taken.
    """
    model = GAME.model(GAME.setup("standard", players, {}))
    decisions = listed = 0
    taken: Counter[str] = Counter()
    began = time.process_time()
    for seed in range(games):
        chance, state = random.Random(seed), model.initial()
        while not model.over(state):
            moves = model.legal(state)
            move = chance.choice(moves)
            model.apply(state, move)
            decisions, listed = decisions + 1, listed + len(moves)
            taken[move.action.name] += 1
            if decisions > 4000 * (seed + 1):
                break
    return decisions, listed, time.process_time() - began, taken


def exploration() -> None:
    """Every tiny set-up to its end, without properties: the search itself."""
    print(f"{'set-up':20} {'states':>10} {'transitions':>12} {'trace s':>8} {'search s':>9} {'states/s':>12}")
    states = transitions = 0
    tracing = searching = 0.0
    for name in GAME.presets["tiny"].setups:
        began = time.process_time()
        reduced = thawed(GAME, GAME.setup(name))
        traced = time.process_time()
        result, _ = explore(reduced)
        done = time.process_time()
        states, transitions = states + result.states, transitions + result.transitions
        tracing, searching = tracing + traced - began, searching + done - traced
        line(name, result.states, result.transitions, traced - began, done - traced)
    line("all", states, transitions, tracing, searching)


def line(name: str, states: int, transitions: int, tracing: float, searching: float) -> None:
    """One row of the table."""
    rate = states / max(searching, 1e-9)
    print(f"{name:20} {states:>10,} {transitions:>12,} {tracing:>8.2f} {searching:>9.2f} {rate:>12,.0f}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=3, help="random games for each number of players")
    games = arguments.parse_args().games
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}\n")
    for players in (2, 3, 4):
        decisions, listed, seconds, _ = play(players, games)
        print(
            f"{players} players: {decisions / seconds:>6,.0f} decisions/s "
            f"({decisions:,} decisions, {listed / decisions:.1f} legal moves listed at each)"
        )
    profile = cProfile.Profile()
    profile.runcall(play, 4, 1)
    print("\nWhat limits play (functions by own time):")
    statistics = pstats.Stats(profile)
    rows = sorted(statistics.stats.items(), key=lambda item: -item[1][2])[:8]  # type: ignore[attr-defined]
    whole = sum(row[2] for row in statistics.stats.values())  # type: ignore[attr-defined]
    for (file, _, name), (_, calls, own, _, _) in rows:
        print(f"  {own / whole:>5.1%}  {calls:>9,} calls  {file.rsplit('/', 1)[-1]}: {name}")
    print()
    exploration()


if __name__ == "__main__":
    main()
