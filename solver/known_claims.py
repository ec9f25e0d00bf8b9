"""Claims that need no solver, since an earlier run has proved the very same.

Kept apart from the file they come from: workers are forked, so each has what was known at the start, and what it proves
travels back with its verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from model.language.expression import Term
from solver import content
from solver.hypotheses import Hypotheses
from solver.proof_cache import Sources


class KnownClaims:
    """What is known, for the hypotheses of one prover.

    Args:
        known: claims by key; None: nothing is looked up, and no key is ever worked out.
    """

    def __init__(self, hypotheses: Hypotheses, known: Mapping[bytes, Sources] | None) -> None:
        self.known = known
        self._hypotheses = hypotheses
        self._digests = content.Digests()
        self._guards: dict[int, bytes] = {}
        self._said: dict[str, str] = {}

    def key(self, step: int, guard: Iterable[Term], before: Term, after: Term) -> bytes:
        """What the claim is known by: that where the guard and `before` hold, `after` holds behind the step."""
        if step not in self._guards:
            self._guards[step] = self._digests.of_all(guard)
        return content.of_text(self._guards[step], self._digests.of(before), self._digests.of(after))

    def helpers(self, key: bytes, without: Collection[str]) -> frozenset[str] | None:
        """The hypotheses that the claim's proof used; None where no proof is known that stands here and now.

        Args:
            without: those that may not help.
        """
        sources = self.known.get(key) if self.known is not None else None
        if sources is None or any(name in without or self._says(name) != said for name, said in sources.items()):
            return None
        return frozenset(sources)

    def sources(self, used: Iterable[str]) -> Sources:
        """Hypotheses that a proof used, with what they say."""
        return {name: self._says(name) for name in used}

    def _says(self, name: str) -> str:
        if name not in self._said:
            self._said[name] = self._digests.of_all(self._hypotheses.terms(name)).hex()
        return self._said[name]
