"""What a proof rests on: conditions that Z3 says can't hold together, and where in which proof it was asked.

A proof of one property is many such answers: for each path that no cheaper argument settles, the claim with whatever of
the guard, the invariants and the lemmas was needed; for each lemma about sums, that it can't fail. They are the only
things in a proof that are taken on Z3's word, so they are what another solver is asked to confirm, and what is written
out for whoever wants to check by other means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from model.language.expression import Symbolic, Term
from model.language.trace import Path
from properties.declaration import Property
from solver.smtlib import Script, script


@dataclass(frozen=True, eq=False)
class Obligation:
    """Conditions that can't hold together.

    Attributes:
        prop: the property in whose proof this was needed.
        terms: the conditions; the bounds of their variables come in addition.
        path: of the rule that it was needed for; none at the start of the game.
        about: what kind of question it is, in a word or two.
    """

    prop: Property
    terms: Sequence[Term]
    path: Path | None
    about: str

    @property
    def key(self) -> frozenset[int]:
        """Equal for obligations of the same conditions; -1 stands for one that is plainly false."""
        numbers = (term.number if term.__class__ is Symbolic else -1 for term in self.terms if term is not True)
        return frozenset(numbers)

    @property
    def rule(self) -> str:
        """The name of the rule, or `start`."""
        return self.path.action.name if self.path else "start"

    @cached_property
    def script(self) -> Script:
        """It as SMT-LIB text; what a rule requires comes with its clause, file and line."""
        path = self.path
        guard = path.guard if path else ()
        remarks = {part.condition.number: f"{part.clause}: {part.place}".removeprefix(": ") for part in guard}
        heading = [
            "Proof obligation: these assertions can't hold together; Z3 answered unsat.",
            f"Property {self.prop.id}: {self.prop.statement}",
            f"Clauses of the property: {', '.join(self.prop.clauses) or 'none'}",
            f"Rule {self.rule}, {path.action.place}" if path else "Holds at the start of the game",
            *([f"Clauses of the path: {', '.join(sorted(path.clauses))}"] if path else []),
            f"Kind: {self.about}",
        ]
        return script(self.terms, heading, remarks)
