"""What a claim rests on, proved as well.

A proof may be helped by invariants, which may have been helped by others; none of it stands before all are proved.
`prove` sees to that for properties. What is proved beside it asks here.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from model.language.expression import INFINITY
from properties.declaration import Property
from solver.hypotheses import DECK
from solver.induction import Prover

PATIENCE = 60.0  # seconds for one invariant


class Unproved(Exception):
    """Something that a claim rests on is not proved; says what, and why."""


class Resting:
    """Proves what helped, each once.

    Args:
        properties: where what helps is looked up; what is not to be relied on is left out.
        deadline: on `time.monotonic`.
    """

    def __init__(self, prover: Prover, properties: Sequence[Property], deadline: float = INFINITY) -> None:
        self._prover = prover
        self._deadline = deadline
        self._known = {prop.id: prop for prop in properties}
        self._helpers: dict[str, frozenset[str]] = {}
        self._open: dict[str, str] = {}

    def on(self, names: Collection[str]) -> frozenset[str]:
        """All properties that those rest on, themselves included, each of them proved.

        Raises:
            Unproved: one of them is not.
        """
        found: set[str] = set()
        wanted = set(names) - {DECK}
        while wanted:
            name = min(wanted)
            found.add(name)
            wanted |= self._helping(name)
            wanted -= found
        return frozenset(found)

    def _helping(self, name: str) -> frozenset[str]:
        if name not in self._helpers and name not in self._open:
            self._prove(name)
        if name in self._open:
            raise Unproved(f"it would follow from {name}, which is not proved: {self._open[name]}")
        return self._helpers[name]

    def _prove(self, name: str) -> None:
        if name not in self._known:
            self._open[name] = "it is not to be relied on"
            return
        without = self._prover.hypotheses.sources - self._known.keys() - {DECK}
        limit = min(self._deadline, time.monotonic() + PATIENCE)
        verdict = self._prover.examine(self._known[name], without, limit)
        if verdict.proved:
            self._helpers[name] = verdict.hypotheses - {DECK}
        else:
            self._open[name] = verdict.reason
