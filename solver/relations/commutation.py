"""Moves that commute: made in either order, they lead to the same state.

Two paths are composed by writing what the first changes into what the second requires and changes; once in each order.
They commute where what one requires still holds after the other, and every cell ends with the same value. Mostly both
orders give the very same node, as each changes cells of its own; what is left is a property of the one's move, proved
with the help of the invariants like any other. It is claimed of the states in which both moves are possible, but for
what the declaration leaves out (whose turn it is, for instance): a variable left out is required and compared nowhere.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from model.language.branchfree import implies
from model.language.errors import RuleError
from model.language.expression import (
    INFINITY,
    Symbolic,
    Term,
    conjunction,
    equal,
    negation,
    substituted,
    variable,
    variables_of,
)
from model.language.game import Model
from model.language.trace import Path
from properties.commuting import Commuting
from properties.declaration import Property
from solver.induction import Prover, Verdict
from solver.ruling import Ruling
from solver.steps import Step

PATIENCE = 5.0  # seconds for a pair of paths
NEVER = "no two of the moves are possible at once: what tells whose turn it is must be left out"


@dataclass
class _Composition:
    """Two paths of a rule in both orders.

    Attributes:
        left_out: the numbers of the variables that are neither required nor compared.
    """

    model: Model
    first: Path
    second: Path
    left_out: frozenset[int]
    guards: tuple[Term, Term] = field(init=False)
    effects: tuple[Mapping[int, Term], Mapping[int, Term]] = field(init=False)

    def __post_init__(self) -> None:
        renamed = {node.number: _another(node) for node in self.second.free}
        self.guards = (
            self._required(self.first),
            substituted(self._required(self.second), renamed),
        )
        self.effects = (
            self.first.updates,
            {slot: substituted(value, renamed) for slot, value in self.second.updates.items()},
        )

    def commutes(self) -> Term:
        """That the two orders give the same, where both moves can be made."""
        first, second = self.guards
        still = conjunction((self._after(0, second), self._after(1, first)))
        return implies(self.both, conjunction((still, *self._same())))

    @property
    def both(self) -> Term:
        """That both moves can be made now."""
        return conjunction(self.guards)

    def _same(self) -> Iterator[Term]:
        symbols = self.model.layout.symbols()
        for slot in sorted(self.effects[0].keys() | self.effects[1].keys()):
            if symbols[slot].number not in self.left_out:
                yield equal(self._reached(slot, 0, 1), self._reached(slot, 1, 0))

    def _reached(self, slot: int, one: int, other: int) -> Term:
        """What a slot holds after the one and then the other."""
        if slot in self.effects[other]:
            return self._after(one, self.effects[other][slot])
        return self.effects[one][slot]

    def _after(self, one: int, term: Term) -> Term:
        """A term of the state, read after one of the moves."""
        symbols = self.model.layout.symbols()
        changed = {symbols[slot].number: value for slot, value in self.effects[one].items()}
        return substituted(term, {number: value for number, value in changed.items() if number not in self.left_out})

    def _required(self, path: Path) -> Term:
        conditions = (requirement.condition for requirement in path.guard)
        return conjunction(part for part in conditions if self.left_out.isdisjoint(variables_of([part])))


def _another(node: Symbolic) -> Term:
    """The same choice, made once more."""
    return variable(("choice", "second", *node.detail[0][1:]), node.low, node.high, node.boolean)


def rule(
    prover: Prover, claim: Commuting, without: frozenset[str] = frozenset(), deadline: float = INFINITY
) -> Ruling:
    """Whether the moves of which the game declares it commute, on the prover's set-up.

    Args:
        without: invariants that may not help. deadline: on `time.monotonic`; UNDETERMINED after it.

    Raises:
        RuleError: there is no such action, choice or variable.
    """
    started = time.perf_counter()
    left_out = _checked(prover.model, claim)
    ruling = Ruling(
        claim.id, claim.statement, claim.clauses, "UNDETERMINED", places=(prover.model.actions[claim.action].place,)
    )
    used: set[str] = set()
    pairs = 0
    for step, composition in _compositions(prover, claim, left_out):
        if _examined(prover, claim, step, negation(composition.both), without, deadline).proved:
            continue  # they are never possible at once
        pairs += 1
        verdict = _examined(prover, claim, step, composition.commutes(), without, deadline)
        if not verdict.proved:
            ruling = replace(ruling, detail=verdict.reason, counterexample=verdict.counterexample)
            break
        used |= verdict.hypotheses
    else:
        detail = f"{pairs} pairs of paths composed in both orders" if pairs else NEVER
        ruling = replace(ruling, verdict="PROVED" if pairs else "UNDETERMINED", detail=detail)
    return replace(ruling, hypotheses=frozenset(used), seconds=time.perf_counter() - started)


def _checked(model: Model, claim: Commuting) -> frozenset[int]:
    """The numbers of the variables left out."""
    action = model.actions.get(claim.action)
    names = {declared.name for declared in model.layout.variables}
    unknown = claim.left_out - names
    if action is None or claim.choice not in action.choices or unknown:
        raise RuleError(
            f"{claim.id} speaks of the choice {claim.choice!r} of {claim.action!r} and leaves out {claim.left_out}",
            "Name an action, one of its choices and variables that the game declares",
        )
    symbols = zip(model.layout.slots, model.layout.symbols(), strict=True)
    return frozenset(node.number for cell, node in symbols if cell.variable.name in claim.left_out)


def _compositions(
    prover: Prover, claim: Commuting, left_out: frozenset[int]
) -> Iterator[tuple[Step, _Composition]]:
    steps = [step for step in prover.steps if step.path.action.name == claim.action]
    for number, step in enumerate(steps):
        for other in steps[number + 1 :]:
            if _differ(claim, step.path, other.path):
                yield step, _Composition(prover.model, step.path, other.path, left_out)


def _differ(claim: Commuting, first: Path, second: Path) -> bool:
    position = list(first.action.choices).index(claim.choice)
    return bool(first.values[position] != second.values[position])


def _examined(
    prover: Prover, claim: Commuting, step: Step, commutes: Term, without: frozenset[str], deadline: float
) -> Verdict:
    def same(before: Any, after: Any, move: Any) -> Any:
        return commutes

    asked = Property(claim.id, "step", claim.statement, claim.clauses, same)
    return prover.examine(asked, without, min(deadline, time.monotonic() + PATIENCE), [step])
