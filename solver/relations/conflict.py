"""Never two rules prescribing different outcomes for one decision.

Who decides is part of a rule: a player, chance, or the rules themselves. Where one of the latter two decides there must
be nothing else to decide: two *automatic* actions that are open in one state prescribe two outcomes, and one beside a
player's move leaves open which comes first. Several outcomes of one chance action are one decision; moves of players
that are open together are what a game is about.

Two ways to decide it. An exploration sees which actions each state opens, and a pair that is open together comes with a
shortest game. A proof asks for each pair whether the one can be taken where the other is open, as a property of the
one's moves; so invariants help it, and it speaks of the printed size. Most pairs need no question, for what they
declare of the phase and the state contradicts.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.language.branchfree import all_of, any_of, negate
from model.language.expression import INFINITY, Term, conjunction, disjunction
from model.language.game import Model, Move
from model.language.rule import PLAYER, Action, One
from model.language.state import State
from model.language.trace import freed, guard_of, trace
from properties.declaration import Property
from solver.explorer.columns import Columns
from solver.explorer.search import Exploration, Observer
from solver.induction import Prover, Verdict
from solver.ruling import Ruling

PREFIX = "conflict."
NONE = f"{PREFIX}none"
PATIENCE = 2.0  # seconds for a pair
Pair = tuple[str, str]


def automatic(action: Action) -> bool:
    """Whether nobody decides when it is made: chance and the rules do as soon as they can."""
    return action.by != PLAYER


def pairs(model: Model) -> Iterator[tuple[Action, Action]]:
    """Every two actions that must not be open together: the first is automatic."""
    for one, other in itertools.combinations(model.actions.values(), 2):
        if automatic(one):
            yield one, other
        elif automatic(other):
            yield other, one


class Openings(Observer):
    """Watches a search for states in which two such actions are open, or one move has two outcomes.

    Attributes:
        found: for each pair of names, the level and the row of the first such state. A name twice: two paths of one
            move.
    """

    def __init__(self, exploration: Exploration) -> None:
        self.found: dict[Pair, tuple[int, int]] = {}
        self.exploration = exploration
        self._pairs = [(one.name, other.name) for one, other in pairs(exploration.model)]
        self._moves = _instances_of(exploration.program.moves)
        self._place = (0, 0)
        self._rows = 0
        self._open: dict[str, NDArray[np.bool_]] = {}
        self._made: dict[int, NDArray[np.bool_]] = {}

    def seen(self, depth: int, start: int, columns: Columns) -> None:
        self.conclude()
        self._place, self._rows = (depth, start), columns.rows

    def taken(self, depth: int, start: int, path: int, rows: Columns) -> None:
        where = slice(None) if rows.origin is None else rows.origin
        name = self.exploration.program.moves[path].action.name
        self._flags(self._open, name)[where] = True
        if path in self._moves:
            made = self._flags(self._made, self._moves[path])
            twice = np.zeros(self._rows, np.bool_)
            twice[where] = made[where]
            self._note((name, name), twice)
            made[where] = True

    def conclude(self) -> None:
        """Look at the block seen last, once all its moves are known."""
        for pair in self._pairs:
            if pair not in self.found and pair[0] in self._open and pair[1] in self._open:
                self._note(pair, self._open[pair[0]] & self._open[pair[1]])
        self._open, self._made = {}, {}

    def _flags(self, table: dict[Any, NDArray[np.bool_]], key: Any) -> NDArray[np.bool_]:
        return table.setdefault(key, np.zeros(self._rows, np.bool_))

    def _note(self, pair: Pair, rows: NDArray[np.bool_]) -> None:
        if pair not in self.found and rows.any():
            depth, start = self._place
            self.found[pair] = (depth, start + int(np.argmax(rows)))


def _instances_of(moves: Sequence[Move]) -> dict[int, int]:
    """For each path of a move that has several, a number for the move."""
    numbers: dict[Any, list[int]] = {}
    for path, move in enumerate(moves):
        numbers.setdefault((move.action.name, move.values), []).append(path)
    return {path: paths[0] for paths in numbers.values() if len(paths) > 1 for path in paths}


def rulings(openings: Openings, setup: str, scope: str = "") -> list[Ruling]:
    """What a finished search says: one ruling for each pair found, or that there is none.

    Args:
        setup: the name of the set-up that was explored. scope: the same for people.

    Raises:
        ExplorationError: a game is none on the plain model: a fault of the explorer.
    """
    openings.conclude()
    exploration = openings.exploration
    scope = scope or setup
    if not openings.found:
        complete = exploration.complete
        return [
            Ruling(
                NONE, "No decision is prescribed twice.", (), "HOLDS" if complete else "UNDETERMINED", scope,
                "every state explored" if complete else "not explored to the end",
            )
        ]  # fmt: skip
    return [_refuted(exploration, pair, *place, setup, scope) for pair, place in sorted(openings.found.items())]


def _refuted(exploration: Exploration, pair: Pair, depth: int, row: int, setup: str, scope: str) -> Ruling:
    one, other = (exploration.model.actions[name] for name in pair)
    game = exploration.game(depth, row)
    lines = [f"{number}. {line}" for number, line in enumerate(game.log, 1)]
    told = "has two outcomes" if one is other else f"is open, and so is {other.name}"
    return Ruling(
        name_of(one, other), statement_of(one, other), clauses_of(one, other), "REFUTED", scope, "explored",
        tuple(dict.fromkeys((one.place, other.place))), (*lines, f"Then {one.name} {told}"), setup, game.moves,
    )  # fmt: skip


def name_of(one: Action, other: Action) -> str:
    """The id of the claim about a pair."""
    return f"{PREFIX}{one.name}.{other.name}"


def statement_of(one: Action, other: Action) -> str:
    """The claim about a pair, for people."""
    if one is other:
        return f"A move of {one.name} has one outcome."
    return f"Where {one.name} happens by itself, {other.name} is not open."


def clauses_of(one: Action, other: Action) -> tuple[str, ...]:
    """The clauses of both."""
    return tuple(dict.fromkeys((*one.clauses, *other.clauses)))


# -- proving -------------------------------------------------------------------------------------------------------
def properties(model: Model, declared_only: bool = False) -> tuple[list[Property], int]:
    """A property of moves for each pair, to be proved like any other; and how many pairs needed none.

    A pair needs none where what the actions declare of the phase and of the state contradicts.

    Args:
        declared_only: claim more, and more simply: that not even what the other declares of the state is met.
    """
    phased = [_in_phase(model, number) for number in range(len(model.game.phases))]
    declared = {action.name: [_declared(action, state) for state in phased] for action in model.actions.values()}

    def possible(one: Action, other: Action) -> bool:
        both = zip(declared[one.name], declared[other.name], strict=True)
        return any(conjunction(conditions) is not False for conditions in both)

    every = list(pairs(model))
    asked = [pair for pair in every if possible(*pair)]
    stated = _undeclared if declared_only else _property
    return [stated(model, one, other) for one, other in asked], len(every) - len(asked)


def _undeclared(model: Model, one: Action, other: Action) -> Property:
    def closed(before: Any, after: Any, move: Move) -> Any:
        return negate(_declared(other, before))

    return Property(
        name_of(one, other), "step", statement_of(one, other), clauses_of(one, other), closed, actions=(one.name,)
    )


def _property(model: Model, one: Action, other: Action) -> Property:
    choices = [choice for choice in other.choices.values() if choice.__class__ is One]
    guards: dict[Any, Term] = {}

    def closed(before: Any, after: Any, move: Move, *members: Any) -> Any:
        if _declared(other, before) is False or _qualified(other, before, members) is False:
            return True
        if members not in guards:
            guards[members] = _guard(model, other, members)
        return negate(guards[members])

    return Property(
        name_of(one, other), "step", statement_of(one, other), clauses_of(one, other), closed,
        over=tuple(choice.family for choice in choices), actions=(one.name,),
    )  # fmt: skip


def _in_phase(model: Model, number: int) -> State:
    """Any state of a phase: with its number in place, what actions declare folds."""
    state = model.state(model.layout.symbols())
    state.phase = number
    return state


def _declared(action: Action, state: Any) -> Term:
    """What an action declares of the state alone."""
    phase = any_of(state.phase == number for number in action.phases) if action.phases else True
    return all_of(phase, True if action.when is None else action.when(state))


def _qualified(action: Action, state: State, members: Sequence[Any]) -> Term:
    """Whether the members chosen first qualify, as far as no choice of several comes before."""
    held: list[Term] = []
    for position, (choice, member) in enumerate(zip(action.choices.values(), members, strict=False)):
        if choice.__class__ is not One:
            break
        if choice.where is not None:
            held.append(action.call(choice.where, state, tuple(members[:position]), member))
    return conjunction(held)


def _guard(model: Model, action: Action, members: Sequence[Any]) -> Term:
    """When the action is open with these members chosen; what is chosen by several is free, under names of its own."""
    left = list(members)
    values: tuple[Any, ...] = ()
    for name, choice in action.choices.items():
        single = choice.__class__ is One
        chosen = left.pop(0) if single else freed(model, action, name, values, f"{action.name}: {name}")
        values = (*values, chosen)
    return disjunction(guard_of(path) for path in trace(model, action, values))


def prove(prover: Prover, without: frozenset[str] = frozenset(), deadline: float = INFINITY) -> list[Ruling]:
    """A ruling for each pair that what it declares does not exclude, from its moves on the prover's set-up.

    What both declare of the state is asked first, of all pairs; only for the pairs that this leaves all that their
    choices and bodies require.

    Args:
        without: invariants that may not help. deadline: on `time.monotonic`; UNDETERMINED after it.

    Raises:
        RuleError: a rule can't be traced.
    """
    shallow, _ = properties(prover.model, declared_only=True)
    deep, _ = properties(prover.model)
    first = {
        prop.id: prover.examine(prop, without, min(deadline, time.monotonic() + PATIENCE), describe=False)
        for prop in shallow
    }
    rulings = []
    for prop in deep:
        verdict = first[prop.id]
        if not verdict.proved:
            verdict = prover.examine(prop, without, min(deadline, time.monotonic() + PATIENCE))
        rulings.append(_ruled(prover.model, prop, verdict))
    return rulings


def _ruled(model: Model, prop: Property, verdict: Verdict) -> Ruling:
    _, one, other = prop.id.split(".")
    return Ruling(
        prop.id, prop.statement, prop.clauses, verdict.verdict, detail=verdict.reason,
        places=tuple(model.actions[name].place for name in (one, other)), counterexample=verdict.counterexample,
        hypotheses=verdict.hypotheses, seconds=verdict.seconds,
    )  # fmt: skip
