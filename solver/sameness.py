"""That two sets of rules can't be told apart: a proof that no state lets them part, for every deck.

Two runs that start alike part at a first state, which both reach under the first answer. So it is enough that no state
in which the invariants hold lets any move be allowed, or end, differently. Those invariants are proved here too, as
far as the proof uses them, by induction under the first answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from model.language.expression import Symbolic, Term, negation
from model.language.game import Game, Model
from properties.declaration import Property
from solver.explorer.difference import NotComparable, apart_anywhere, leads
from solver.hypotheses import Hypotheses
from solver.induction import Prover
from solver.resting import Resting, Unproved
from solver.steps import Before


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
        resting = Resting(Prover(one, invariants), invariants, deadline).on(used)
    except (NotComparable, _Open, Unproved) as why:
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
        resting = Resting(prover, [*invariants, claim], deadline).on({claim.id})
    except Unproved:
        return None
    return f"proved{_given(resting - {claim.id})}"


def _reliable(properties: Sequence[Property]) -> list[Property]:
    """The invariants that may help in a proof."""
    return [
        prop for prop in properties if prop.kind == "invariant" and prop.prove and prop.expected == "PROVED"
    ]


def _given(resting: frozenset[str]) -> str:
    return f", given {', '.join(sorted(resting))}, proved as well" if resting else ""


def _ruled_out(terms: Sequence[Term], hypotheses: Hypotheses, deadline: float) -> set[str]:
    """The sources of the hypotheses that each condition contradicts.

    Raises:
        _Open: it is not known to contradict any.
    """
    used: set[str] = set()
    for term in terms:
        found = hypotheses.rule_out(term, deadline)
        if not found.shown:
            raise _Open(f"not proved: {found.reason}")
        used |= found.used
    return used
