"""Breadth-first search by playing, one state at a time in plain Python: the
independent count that the explorer must equal."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from model.language import Game, Move, State


@dataclass
class Counted:
    states: int = 0
    transitions: int = 0
    histogram: list[int] = field(default_factory=list)
    actions: Counter[str] = field(default_factory=Counter)
    clauses: set[str] = field(default_factory=set)
    terminal: int = 0
    deadlocks: int = 0
    shortest: dict[str, int] = field(default_factory=dict)


def search(
    game: Game,
    setup: Any,
    situations: dict[str, Callable[[State], bool]] | None = None,
    moves: dict[str, Callable[[State, State, Move], bool]] | None = None,
) -> Counted:
    """Count everything, and the lengths of the shortest games to the given situations and moves."""
    model = game.model(setup)
    found = Counted()
    frontier = [model.initial()]
    seen = {frontier[0].key()}
    while frontier:
        depth = len(found.histogram)
        found.histogram.append(len(frontier))
        reached = []
        for state in frontier:
            for name, holds in (situations or {}).items():
                if name not in found.shortest and holds(state):
                    found.shortest[name] = depth
            legal = model.legal(state)
            found.transitions += len(legal)
            found.terminal += model.over(state)
            found.deadlocks += not legal and not model.over(state)
            for move in legal:
                found.actions[move.action.name] += 1
                after = state.copy()
                model.apply(after, move, found.clauses)
                for name, happens in (moves or {}).items():
                    if name not in found.shortest and happens(state, after, move):
                        found.shortest[name] = depth + 1
                if after.key() not in seen:
                    seen.add(after.key())
                    reached.append(after)
        frontier = reached
    found.states = len(seen)
    return found
