"""Does each phase end? A ranking function is looked for, and each part of it is proved.

Whatever is bounded and only ever falls can fall no more than so many times. So: take the moves that stay in the phase,
and something that none of them raises. The moves that lower it can't go on for ever, and are left out; whatever else
goes on for ever is made of the moves that remain, of which the same is asked. If none remains the phase ends, and what
fell, one after the other, is a ranking function in lexicographic order. What remains otherwise may go on for ever: that
is no refutation, as another measure might do, but an exploration can look for a loop of just these moves.

The measures tried are read off the declaration: the sum of each variable over its cells, rising or falling, and how
many of its cells hold each value of an enumeration, more or fewer; a game may give more. That each is bounded is what
the domains say (`ranges.py`). Mostly a glance at what a path writes tells whether it raises a measure; otherwise it is
a property of that one move, proved with the help of the invariants like any other.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any

from model.language.branchfree import all_of, implies
from model.language.errors import RuleError
from model.language.expression import (
    INFINITY,
    Symbolic,
    Term,
    bounds,
    choose,
    disjunction,
    equal,
    less,
    linear,
    substituted,
)
from model.language.game import Model
from model.language.state import Cell, Domain, State
from properties.declaration import Property
from properties.measure import Measure
from solver.induction import Prover
from solver.ruling import Ruling
from solver.steps import Step

PREFIX = "ends."
COUNTED = 16  # values of a domain; the cells that hold each of more are not counted
PATIENCE = 0.7  # seconds for one question about one path
DECLARED = 4.0  # the same, about a measure that somebody thought of


class Effect(IntEnum):
    """What a path does to a measure, as far as known; the most welcome first."""

    LOWERS = 0
    KEEPS = 1
    UNSURE = 2  # nobody has asked yet
    NOT_LOWERED = 3  # it is not raised: proved
    RAISES = 4  # or at least nobody can prove otherwise


@dataclass(frozen=True, eq=False)
class Sum:
    """A sum over cells that is bounded from below.

    Attributes:
        name: in plain words, as reports show it.
        weight: what a cell with this value adds; None where it adds nothing, whatever it holds.
    """

    name: str
    weight: Callable[[Cell, Term], Term | None]


@dataclass(frozen=True)
class Scope:
    """The moves of which there must be an end.

    Attributes:
        inside: whether a move between these states is one of them.
    """

    id: str
    statement: str
    inside: Callable[[State, State], Any]
    clauses: tuple[str, ...] = ()


def phases(model: Model) -> Iterator[Scope]:
    """For each phase, the moves that stay in it."""
    for number, name in enumerate(model.game.phases):

        def stays(before: Any, after: Any, number: int = number) -> Any:
            return all_of(before.phase == number, after.phase == number)

        yield Scope(f"{PREFIX}{name.lower()}", f"The phase {name} ends.", stays)


# -- measures ------------------------------------------------------------------------------------------------------
def sums(model: Model) -> Iterator[Sum]:
    """Those read off the declaration, the simplest first."""
    cells: dict[str, list[Cell]] = {}
    for cell in model.layout.slots:
        cells.setdefault(cell.variable.name, []).append(cell)
    for name, held in cells.items():
        domains = [cell.domain for cell in held]
        enumerated = all(domain.names and not domain.boolean for domain in domains)
        if not enumerated or len(held) == 1:
            yield from _sums(name, domains)
        if enumerated or (len(held) > 1 and max(domain.size for domain in domains) <= COUNTED):
            yield from _counts(name, domains)


def _sums(name: str, domains: Sequence[Domain]) -> Iterator[Sum]:
    if all(domain.low != -INFINITY for domain in domains):
        yield Sum(f"{name} falls", _weighing(name, lambda value: value))
    if all(domain.high != INFINITY for domain in domains):
        yield Sum(f"{name} rises", _weighing(name, lambda value: linear([(-1, value)])))


def _counts(name: str, domains: Sequence[Domain]) -> Iterator[Sum]:
    low, high = min(domain.low for domain in domains), max(domain.high for domain in domains)
    if domains[0].boolean:
        return
    names = domains[0].names
    for value in range(low, int(high) + 1):
        told = names[value - low] if value - low < len(names) else str(value)
        yield Sum(f"fewer {name} {told}", _weighing(name, partial(_holding, value=value, worth=1)))
        yield Sum(f"more {name} {told}", _weighing(name, partial(_holding, value=value, worth=-1)))


def _holding(held: Term, value: int, worth: int) -> Term:
    return choose(equal(held, value), worth, 0)


def _weighing(name: str, weight: Callable[[Term], Term]) -> Callable[[Cell, Term], Term | None]:
    return lambda cell, value: weight(value) if cell.variable.name == name else None


# -- elimination ---------------------------------------------------------------------------------------------------
@dataclass
class Elimination:
    """The search for a ranking function of one scope.

    Attributes:
        components: the measures found, each with the actions whose moves it leaves out.
        remaining: the paths that may go on for ever.
    """

    prover: Prover
    scope: Scope
    given: Sequence[Measure] = ()
    without: frozenset[str] = frozenset()
    deadline: float = INFINITY
    components: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    hypotheses: set[str] = field(default_factory=set)
    remaining: list[Step] = field(default_factory=list)
    late: bool = False

    def run(self) -> None:
        """Leave out moves until no measure leaves out any more.

        Raises:
            RuleError: a given measure has no lower bound.
        """
        model = self.prover.model
        for measure in self.given:
            _check_bounded(model, measure)
        self.remaining = [step for step in self.prover.steps if self._concerns(step)]
        self._written = {id(step): _written(model, step) for step in self.remaining}
        self._known: dict[tuple[int, int], Effect] = {}
        self._spoiling: Counter[int] = Counter()
        self._questions: dict[tuple[int, int], Term] = {}
        candidates: list[Sum | Measure] = [*self.given, *sums(model)]
        while self.remaining:
            if not any(self._leave_out(measure) for measure in self._promising(candidates)):
                return

    def _concerns(self, step: Step) -> bool:
        """Whether the step may be a move of the scope."""
        inside: Term = self.scope.inside(step.before, step.after)
        if inside is True or inside is False:
            return inside
        return _in_its_phases(step, inside) is not False and not self._proved(step, False)

    def _promising(self, candidates: Sequence[Sum | Measure]) -> Iterator[Sum | Measure]:
        """Measures that might leave out a path and raise none: given ones, then those that need fewest questions."""
        counted = []
        for number, measure in enumerate(candidates):
            effects = [self._glance(measure, step) for step in self.remaining]
            lowers, unsure = effects.count(Effect.LOWERS), effects.count(Effect.UNSURE)
            if Effect.RAISES not in effects and lowers + unsure:
                counted.append((not isinstance(measure, Measure), not lowers, unsure, number))
        for *_, number in sorted(counted):
            yield candidates[number]

    def _leave_out(self, measure: Sum | Measure) -> bool:
        """Whether the measure leaves out some path, and leave it out.

        The paths that have spoilt most measures are asked first: one is enough.
        """
        lowered: list[Step] = []
        for step in sorted(self.remaining, key=lambda step: -self._spoiling[id(step)]):
            effect = self._settled(measure, step)
            if effect == Effect.RAISES:
                return False
            if effect == Effect.LOWERS:
                lowered.append(step)
        if not lowered:
            return False
        out = {id(step) for step in lowered}
        self.remaining = [step for step in self.remaining if id(step) not in out]
        self.components.append((measure.name, frozenset(step.move.action.name for step in lowered)))
        return True

    # -- one path ----------------------------------------------------------------------------------------------------
    def _glance(self, measure: Sum | Measure, step: Step) -> Effect:
        """What the bounds of the difference alone say."""
        key = (id(measure), id(step))
        if key not in self._known:
            rise = self._rise(measure, step)
            low, high = bounds(rise)
            self._questions[key] = rise
            if high < 0:
                effect = Effect.LOWERS
            elif low == high == 0:
                effect = Effect.KEEPS
            else:
                effect = Effect.RAISES if low > 0 else Effect.UNSURE
            self._known[key] = effect
        return self._known[key]

    def _rise(self, measure: Sum | Measure, step: Step) -> Term:
        """By how much the path raises the measure."""
        if isinstance(measure, Measure):
            return linear([(1, measure.term(step.after)), (-1, measure.term(step.before))])
        parts = []
        for cell, old, new in self._written[id(step)]:
            before, after = measure.weight(cell, old), measure.weight(cell, new)
            if before is not None and after is not None:
                parts += [(1, after), (-1, before)]
        return linear(parts)

    def _settled(self, measure: Sum | Measure, step: Step) -> Effect:
        """The effect, asked of the prover where a glance does not tell."""
        effect, key = self._glance(measure, step), (id(measure), id(step))
        if effect == Effect.UNSURE:
            rise = self._questions[key]
            effect = Effect.RAISES
            patience = DECLARED if isinstance(measure, Measure) else PATIENCE
            if self._proved(step, less(rise, 1), patience):
                effect = Effect.LOWERS if self._proved(step, less(rise, 0), patience) else Effect.NOT_LOWERED
            self._known[key] = effect
            self._spoiling[id(step)] += effect == Effect.RAISES
        return effect

    def _proved(self, step: Step, claim: Term, patience: float = PATIENCE) -> bool:
        if time.monotonic() > self.deadline:
            self.late = True
            return False
        asked = Property(
            self.scope.id, "step", self.scope.statement, self.scope.clauses,
            lambda before, after, move: implies(self.scope.inside(before, after), claim),
        )  # fmt: skip
        limit = min(self.deadline, time.monotonic() + patience)
        verdict = self.prover.examine(asked, self.without, limit, [step], describe=False)
        if verdict.proved:
            self.hypotheses |= verdict.hypotheses
        return verdict.proved


def _check_bounded(model: Model, measure: Measure) -> None:
    low, _ = bounds(measure.term(model.state(model.layout.symbols())))
    if low == -INFINITY:
        raise RuleError(
            f"the measure {measure.name!r} has no lower bound", "What falls for ever proves no end: bound its variables"
        )


def _in_its_phases(step: Step, inside: Term) -> Term:
    """What is said of the states around a step, which is made in the phases of its rule only."""
    phase = step.before.phase
    if phase.__class__ is not Symbolic or not step.move.action.phases:
        return inside
    return disjunction(substituted(inside, {phase.number: number}) for number in step.move.action.phases)


def _written(model: Model, step: Step) -> list[tuple[Cell, Term, Term]]:
    """The cells that a path writes, with what they hold before and after."""
    before, after = step.before.vector(), step.after.vector()
    return [(model.layout.slots[slot], before[slot], after[slot]) for slot in step.path.updates]


def rule(
    prover: Prover, scope: Scope, given: Sequence[Measure] = (), without: frozenset[str] = frozenset(),
    deadline: float = INFINITY,
) -> Ruling:  # fmt: skip
    """Whether the moves of the scope come to an end.

    Args:
        given: further measures, tried first. without: invariants that may not help.
        deadline: on `time.monotonic`; measures that need questions after that are not used.

    Raises:
        RuleError: a given measure has no lower bound.
    """
    started = time.perf_counter()
    search = Elimination(prover, scope, given, without, deadline)
    search.run()
    names = {step.move.action.name: step.move.action for step in search.remaining}
    ranking = [f"{name} ({', '.join(sorted(actions))})" for name, actions in search.components]
    detail = "; then ".join(ranking) or ("no move stays" if not names else "no measure falls")
    return Ruling(
        scope.id, scope.statement, scope.clauses, "UNDETERMINED" if names else "PROVED",
        detail=detail + ("; out of time" if search.late else ""),
        places=tuple(dict.fromkeys(action.place for action in names.values())),
        counterexample=tuple(f"May go on for ever: {name}" for name in names),
        hypotheses=frozenset(search.hypotheses), seconds=time.perf_counter() - started,
    )  # fmt: skip
