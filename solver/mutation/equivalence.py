"""Whether a mistake is one: the touched rules are traced with and without it, and Z3 is asked for a state that tells.

Expressions are hash-consed, so rules that compute the same thing in the same way come out as the very same nodes, and
most mutants that make no difference need no solver at all. Otherwise the paths of an action are put together into one
guard and one new value for each cell, and these must be equal in every state within the bounds of the variables. A
state that Z3 finds is only believed if it breaks no known invariant: those it breaks are added, and it is asked again,
so what is equal in every *reachable* state is found to be.

Equal is claimed of the set-ups that were traced and of no others; together they leave open what a game lets open.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from model.language.errors import RuleError
from model.language.expression import Symbolic, Term, choose, disjunction, equal, negation
from model.language.game import Game, Model
from model.language.rule import Action, Selection
from model.language.trace import Path, guard_of, instances, trace
from properties.declaration import Property
from solver.hypotheses import Hypotheses
from solver.mutation.mutants import Mutant, Planted
from solver.steps import Before

Traced = dict[Any, list[Path]]


class Ground:
    """A set-up to compare rules in.

    Args:
        told: the set-up in words. setup: its parameters, as open as the claim shall be wide.
        properties: proved ones, which may help.
    """

    def __init__(self, told: str, game: Game, setup: Any, properties: Sequence[Property]) -> None:
        self.told = told
        self.model = game.model(setup)
        self._invariants = [each for each in properties if each.kind == "invariant" and each.prove]
        self._traced: dict[str, Traced] = {}

    def traced(self, action: Action) -> Traced:
        """The action's paths without any mistake."""
        if action.name not in self._traced:
            self._traced[action.name] = _traced(self.model, action)
        return self._traced[action.name]

    @cached_property
    def hypotheses(self) -> Hypotheses:
        """What is known of reachable states."""
        return Hypotheses(Before(self.model), self._invariants)


@dataclass(frozen=True)
class Equivalence:
    """Whether a mutant was proved no different: in which set-ups, with the help of which invariants; or why not."""

    shown: bool
    grounds: tuple[str, ...] = ()
    hypotheses: frozenset[str] = frozenset()
    reason: str = ""


class _Different(Exception):
    """It is, or may be; the message says why."""


def equivalence(mutant: Mutant, grounds: Sequence[Ground], deadline: float) -> Equivalence:
    """Compare the rules that a mutant touches with what they were, in every ground.

    Args:
        deadline: on `time.monotonic`.
    """
    used: set[str] = set()
    if not mutant.actions:
        return Equivalence(False, reason="it is not part of an action")
    try:
        for ground in grounds:
            for name in mutant.actions:
                _compare(ground, ground.model.actions[name], mutant, used, deadline)
    except _Different as why:
        return Equivalence(False, reason=str(why))
    return Equivalence(True, tuple(ground.told for ground in grounds), frozenset(used))


def _compare(ground: Ground, action: Action, mutant: Mutant, used: set[str], deadline: float) -> None:
    usual = ground.traced(action)
    if time.monotonic() > deadline:
        raise _Different("out of time")
    try:
        with Planted(mutant):
            mutated = _traced(ground.model, action)
    except RuleError as error:
        raise _Different(f"the mutant can't be traced: {error}") from None
    except Exception as error:
        raise _Different(f"the mutant fails when traced: {type(error).__name__}") from None
    for values in usual.keys() | mutated.keys():
        one, other = usual.get(values, []), mutated.get(values, [])
        if sorted(map(_signature, one)) == sorted(map(_signature, other)):
            continue
        for claim in _claims(ground.model, one, other):
            _prove(ground, claim, action.name, used, deadline)


def _traced(model: Model, action: Action) -> Traced:
    return {_named(values): trace(model, action, values) for values in instances(model, action, symbolic=True)}


def _named(values: tuple[Any, ...]) -> Any:
    return tuple(
        tuple((member, _number(amount)) for member, amount in value.items()) if isinstance(value, Selection) else value
        for value in values
    )


def _number(term: Term) -> Any:
    return ("node", term.number) if term.__class__ is Symbolic else ("value", int(term))


def _signature(path: Path) -> Any:
    guard = sorted(requirement.condition.number for requirement in path.guard)
    updates = sorted((slot, _number(value)) for slot, value in path.updates.items())
    return guard, updates, sorted((label, _number(value)) for label, value in path.unfrozen.items())


def _claims(model: Model, one: Sequence[Path], other: Sequence[Path]) -> list[Term]:
    """What must hold for both to do the same: legal alike, and where they are, leading to equal cells."""
    symbols = model.layout.symbols()
    legal = disjunction(guard_of(path) for path in one)
    slots = sorted({slot for path in (*one, *other) for slot in path.updates})
    labels = {label for path in (*one, *other) for label in path.unfrozen}
    if labels:
        raise _Different(f"{sorted(labels)[0]} leaves the one value it may have")
    claims = [equal(legal, disjunction(guard_of(path) for path in other))]
    for slot in slots:
        mine, theirs = _merged(one, slot, symbols[slot]), _merged(other, slot, symbols[slot])
        claims.append(disjunction((negation(legal), equal(mine, theirs))))
    return claims


def _merged(paths: Sequence[Path], slot: int, unchanged: Term) -> Term:
    value = unchanged
    for path in paths:
        value = choose(guard_of(path), path.updates.get(slot, unchanged), value)
    return value


def _prove(ground: Ground, claim: Term, action: str, used: set[str], deadline: float) -> None:
    if claim.__class__ is not Symbolic:
        if not claim:
            raise _Different(f"{action} differs in every state")
        return
    found = ground.hypotheses.rule_out(negation(claim), deadline)
    if not found.shown:
        raise _Different(f"{action} may differ: {found.reason}")
    used |= found.used
