"""That two sets of rules can't be told apart: a proof that no state lets them part, for every deck.

Two runs that start alike part at a first state, which both reach under the first answer. So it is enough that no state
in which the invariants hold lets any move be allowed, or end, differently. Those invariants are proved here too, as
far as the proof uses them, by induction under the first answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from model.language.expression import Symbolic, Term, negation
from model.language.game import Game, Model
from properties.declaration import Property
from solver.explorer.difference import NotComparable, apart_anywhere, leads
from solver.hypotheses import DECK, Hypotheses, Hypothesis
from solver.induction import Prover
from solver.steps import Before
from solver.terms import Query, Terms


@dataclass(frozen=True)
class Sameness:
    """Whether it is proved that two answers come to the same, and how, or why not."""

    proved: bool
    detail: str


class _Open(Exception):
    """It can't be proved; says why."""


def proved_same(
    game: Game, first: Any, second: Any, properties: Sequence[Property], deadline: float
) -> Sameness:
    """Try to prove that two set-ups, alike but for their readings, always offer the same moves with the same results.

    What is proved holds for every deck that the set-ups leave open; symmetric members must not differ by what they fix.

    Args:
        properties: of which the invariants may help. deadline: on `time.monotonic`.

    Raises:
        RuleError: a rule can't be traced.
    """
    try:
        leader = leads(game, (first, second))
        one, other = (game.model(setup) for setup in ((first, second) if leader == 0 else (second, first)))
        if _start(one) != _start(other):
            return Sameness(False, "the two start differently")
        terms = [term for term in apart_anywhere(one, other) if term is not False]
        if not terms:
            return Sameness(True, "no rule depends on it")
        invariants = _reliable(properties)
        used = _ruled_out(terms, Hypotheses(Before(one), invariants), deadline)
        resting = _proved(Prover(one, invariants), {prop.id: prop for prop in invariants}, used - {DECK}, deadline)
    except (NotComparable, _Open) as why:
        return Sameness(False, str(why))
    return Sameness(True, f"proved{_given(resting)}")


def _start(model: Model) -> list[Any]:
    """What the cells hold before the first move, as what tells expressions apart."""
    values = model.initial().all_values()
    return [("node", value.number) if value.__class__ is Symbolic else int(value) for value in values]


def ruled_out(model: Model, situation: Property, properties: Sequence[Property], deadline: float) -> str | None:
    """How it is proved that a witness is never reached, or a property of moves never broken; None if it is not proved.

    Args:
        properties: of which the invariants may help. deadline: on `time.monotonic`.

    Raises:
        RuleError: a rule can't be traced, or the situation is not written so that it can be proved about.
    """
    claim = situation
    if situation.kind == "witness":
        function = situation.function
        claim = replace(situation, kind="invariant", function=lambda *of: negation(function(*of)))
    invariants = _reliable(properties)
    prover = Prover(model, [*invariants, claim])
    try:
        resting = _proved(prover, {prop.id: prop for prop in (*invariants, claim)}, {claim.id}, deadline)
    except _Open:
        return None
    return f"proved{_given(resting - {claim.id})}"


def _reliable(properties: Sequence[Property]) -> list[Property]:
    """The invariants that may help in a proof."""
    return [
        prop for prop in properties if prop.kind == "invariant" and prop.prove and prop.expected == "PROVED"
    ]


def _given(resting: set[str]) -> str:
    return f", given {', '.join(sorted(resting))}, proved as well" if resting else ""


def _ruled_out(terms: Sequence[Term], hypotheses: Hypotheses, deadline: float) -> set[str]:
    """The sources of the hypotheses with which each condition contradicts.

    Raises:
        _Open: a position that meets all of them meets one of the conditions, or Z3 doesn't know.
    """
    used: set[str] = set()
    for term in terms:
        query = Query(Terms())
        query.add(term)
        helping: list[Hypothesis] = []
        while True:
            answer = query.check(((helper.term, helper.source) for helper in helping), deadline)
            if answer.status == "unsat":
                used |= answer.used
                break
            if answer.status == "unknown":
                raise _Open(f"not proved: {answer.reason}")
            values = {node.detail[0]: _value(node, answer.values) for node in query.occurring.values()}
            broken = [helper for helper in hypotheses.violated(values, ()) if helper not in helping]
            if not broken:
                raise _Open("not proved: a position that meets every known invariant tells them apart")
            helping += broken
    return used


def _value(node: Symbolic, values: dict[Any, Any]) -> Any:
    name = node.detail[0]
    if name in values:
        return values[name]
    return False if node.boolean else int(max(node.low, min(0, node.high)))


def _proved(prover: Prover, known: dict[str, Property], wanted: set[str], deadline: float) -> set[str]:
    """The invariants that the wanted ones rest on, all proved.

    Raises:
        _Open: one of them is not.
    """
    done: set[str] = set()
    while wanted - done:
        id = min(wanted - done)
        verdict = prover.examine(known[id], deadline=min(deadline, time.monotonic() + 60))
        if not verdict.proved:
            raise _Open(f"it would follow from {id}, which is not proved: {verdict.reason}")
        done.add(id)
        wanted |= verdict.hypotheses - {DECK}
    return done
