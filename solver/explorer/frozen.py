"""The cells that a set-up can never change, found before exploring it, so that states are as small as they can be.

A game declares its variables for the printed game; a focused set-up of a few cards moves only some of them. Every cell
starts frozen at its initial value, all rules are traced, and the cells that some path may change are thawed; this is
repeated until nothing more thaws. The frozen cells then keep their value in every reachable state, by induction: the
initial state has it, and no rule, taken from a state that has it, changes it. What is frozen is a constant when rules
are traced, so most instances fold away, states need few bits, and exploring touches few columns.

The rounds go from few instances to more, so the cost is that of tracing the final, small set a handful of times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from model.language.errors import OutsideDomain
from model.language.game import Game, Model
from model.language.rule import Action
from model.language.state import Layout
from model.language.trace import Path, instances, trace


@dataclass(frozen=True)
class Thawed:
    """A model over the cells that can change, with the paths of all its rules, and the rounds it took to find it.

    `refusing` are the places of requirements that some choices fail whatever the state.
    """

    model: Model
    paths: tuple[Path, ...]
    rounds: int
    refusing: frozenset[str] = frozenset()


def whole(game: Game, setup: Any) -> Thawed:
    """The model as it is declared, nothing frozen."""
    model = game.model(setup)
    refusing: set[str] = set()
    paths = tuple(path for action in game.actions for path in _paths(model, action, refusing))
    return Thawed(model, paths, 0, frozenset(refusing))


def thawed(game: Game, setup: Any) -> Thawed:
    """The model with every cell frozen that cannot change in this set-up.

    Raises:
        RuleError: a rule can't be traced.
    """
    declared: Layout = game.model(setup).layout
    frozen = frozenset(cell.label for cell in declared.slots)
    rounds = 0
    while True:
        rounds += 1
        model = game.model(setup, frozen)
        paths: list[Path] = []
        refusing: set[str] = set()
        changing: set[str] = set()
        for action in game.actions:
            try:
                for path in _paths(model, action, refusing):
                    paths.append(path)
                    changing.update(path.unfrozen)
            except OutsideDomain as error:
                # The rule may be out of reach where the frozen value is too high or low for it; only a cell that
                # varies can tell.
                if error.label not in frozen:
                    raise
                changing.add(error.label)
        changing &= frozen
        if not changing:
            return Thawed(model, tuple(paths), rounds, frozenset(refusing))
        frozen -= changing


def _paths(model: Model, action: Action, refusing: set[str]) -> Iterator[Path]:
    for values in instances(model, action, symbolic=False):
        yield from trace(model, action, values, refusing=refusing)
