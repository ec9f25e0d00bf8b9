"""Exploring the tiny set-ups of a game, each to its end, and telling what was found in the report's words.

An exploration holds millions of states; a report wants a page. So the process that explores also does what needs the
states (shortest games, the folded graphs) and sends back only that.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from model.language import Model
from model.language.trace import Path
from reports.document import Game, SetupResult
from reports.registry import Entry
from reports.retelling import retold
from solver.explorer.frozen import thawed
from solver.explorer.quotient import Folding
from solver.explorer.search import Exploration, ExplorationError, Found, Limits, search

MEMORY = 2 * 2**30
_PLACE = re.compile(r", (\S+) line (\d+)$")


@dataclass(frozen=True)
class Explored:
    """What exploring one set-up found.

    Attributes:
        readings: those in force in it. stopped: why it ended before the end, if it did.
        violations, witnesses: by property, a shortest game. deadlock: one to a state in which play is stuck.
        mistake: a game in which a rule leaves the domain of a variable, if one does.
        clauses: those exercised. places: where each clause stands in the rules, as file and line.
        variables: those that the set-up lets vary. deciding, idle, implying, triggered, changed: see
            `solver.explorer.search.Result`.
        graph: the folded states.
    """

    result: SetupResult
    readings: Mapping[str, Any]
    stopped: str = ""
    violations: Mapping[str, Game] = field(default_factory=dict)
    witnesses: Mapping[str, Game] = field(default_factory=dict)
    deadlock: Game | None = None
    mistake: Game | None = None
    clauses: frozenset[str] = frozenset()
    places: Mapping[str, frozenset[str]] = field(default_factory=dict)
    graph: nx.MultiDiGraph[str] | None = None
    variables: frozenset[str] = frozenset()
    deciding: frozenset[str] = frozenset()
    idle: frozenset[tuple[str, str]] = frozenset()
    implying: frozenset[str] = frozenset()
    triggered: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()


def own_readings(entry: Entry, name: str, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
    """The readings to explore a set-up under: the chosen ones, but one that the set-up is about stays as it is."""
    standing = entry.readings({})
    about = {id: value for id, value in entry.setup(name, players, {}).readings.items() if value != standing[id]}
    return {**chosen, **about}


def explored(entry: Entry, name: str, players: int, chosen: Mapping[str, str], deadline: float) -> Explored:
    """Explore the set-up until its end or the deadline (on `time.monotonic`).

    Raises:
        RuleError: a rule can't be traced, or a property can't be evaluated.
    """
    setup = entry.setup(name, players, own_readings(entry, name, players, chosen))
    melted, view = thawed(entry.game, setup), entry.view
    exploration = Exploration(melted)
    folding = Folding(exploration, view.projection, view.names)
    try:
        limits = Limits(seconds=max(0.0, deadline - time.monotonic()), memory=MEMORY)
        found = search(exploration, entry.properties, limits, observer=folding)
    except ExplorationError as mistake:
        game = retold(entry.game.model(setup), mistake.found.moves, f"{name}: {mistake}")
        return Explored(_failed(name, setup), setup.readings, "a rule leaves its domain", mistake=game)
    plain = exploration.plain

    def told(table: Mapping[str, Found]) -> dict[str, Game]:
        return {id: _retold(plain, name, game) for id, game in table.items()}

    result = SetupResult(
        name=name, purpose=_text(setup, "purpose"), scaled=list(getattr(setup, "scaled", ())), states=found.states,
        transitions=found.transitions, depth=max(found.depth, 0), complete=found.complete, seconds=found.seconds,
        states_per_second=found.states_per_second, collision_probability=found.collision_probability,
        terminal_states=found.terminal, deadlocks=found.deadlocks, depth_histogram=found.depth_histogram,
        action_counts=found.action_counts, never_enabled=list(found.never_enabled),
    )  # fmt: skip
    return Explored(
        result, setup.readings, found.stopped, told(found.violations), told(found.witnesses),
        _retold(plain, name, found.deadlock) if found.deadlock else None, None, found.clauses, places_of(melted.paths),
        folding.graph(), frozenset(cell.variable.name for cell in plain.layout.slots),
        found.deciding, found.idle, found.implying, found.triggered, found.changed,
    )  # fmt: skip


def _retold(model: Model, name: str, found: Found) -> Game:
    scaled = ", ".join(getattr(model.setup, "scaled", ()))
    return retold(model, found.moves, f"A shortest game, set-up {name}{scaled and f' ({scaled})'}")


def _failed(name: str, setup: Any) -> SetupResult:
    return SetupResult(
        name=name, purpose=_text(setup, "purpose"), scaled=list(getattr(setup, "scaled", ())),
        states=0, transitions=0, depth=0, complete=False, seconds=0, states_per_second=0, collision_probability=0,
        terminal_states=0, deadlocks=0, depth_histogram=[], action_counts={}, never_enabled=[],
    )  # fmt: skip


def _text(setup: Any, name: str) -> str:
    return str(getattr(setup, name, ""))


def places_of(paths: Sequence[Path]) -> dict[str, frozenset[str]]:
    """For each clause the places that require it, and the rules that implement it."""
    places: dict[str, set[str]] = {}
    for path in paths:
        for clause in path.clauses:
            places.setdefault(clause, set()).add(path.action.place)
        for requirement in path.guard:
            if requirement.clause:
                places.setdefault(requirement.clause, set()).add(place_of(requirement.place))
    return {clause: frozenset(found) for clause, found in places.items()}


def place_of(where: str) -> str:
    """`file:line` of a place in a rule as tracing names it."""
    found = _PLACE.search(where)
    return f"{found[1]}:{found[2]}" if found else where
