"""How games end: the terminal states by what a game says of them, such as who has won.

The terminal states are looked through once more when the search is over, which costs little: they are few, and nothing
of the search is slowed for them. Every outcome comes with a shortest game to it, so that "nobody wins" can be looked
at. Counted are states and not games, of which there are more than anybody could play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.language.expression import Term
from solver.explorer.search import Exploration

Projection = Callable[[Any], Mapping[str, Term]]


@dataclass(frozen=True)
class Outcome:
    """A way to end: the values by name, in how many terminal states, and where the first one stands."""

    values: Mapping[str, int]
    states: int
    depth: int
    row: int


def outcomes(exploration: Exploration, projection: Projection) -> list[Outcome]:
    """The outcomes in the order in which they are first reached; a search that was stopped has a part of them.

    Args:
        projection: from a state to what counts of it, by name.
    """
    model = exploration.model
    state = model.state(model.layout.symbols())
    over, terms = model.game.over(state), projection(state)
    found: dict[tuple[int, ...], Outcome] = {}
    for depth in range(len(exploration.levels)):
        for start, words in exploration.blocks(depth):
            columns = exploration.program.columns(words)
            ended = np.flatnonzero(columns(over))
            if not len(ended):
                continue
            values = np.stack([columns(term)[ended].astype(np.int64) for term in terms.values()], axis=1)
            rows, first, counts = np.unique(values, axis=0, return_index=True, return_counts=True)
            for place in np.argsort(first):
                key = tuple(rows[place].tolist())
                before = found.get(key)
                states = int(counts[place]) + (before.states if before else 0)
                depth_, row = (before.depth, before.row) if before else (depth, start + int(ended[first[place]]))
                found[key] = Outcome(dict(zip(terms, key, strict=True)), states, depth_, row)
    return list(found.values())
