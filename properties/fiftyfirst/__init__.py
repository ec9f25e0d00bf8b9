"""What should hold in 51st State (2010): invariants, properties of moves, and situations that should be reachable.

A module a part of the rulebook, in its order. Statements that the rulebook suggests but does not keep are here too,
marked with `expected="REFUTED"` and an explanation: they are its holes, and a run that does not refute them has failed.
"""

from dataclasses import replace
from types import ModuleType

from properties.declaration import Property
from properties.fiftyfirst import (
    accounts,
    action_phase,
    attachments_and_points,
    cards,
    due,
    ending,
    income,
    journeys,
    lookout,
    needs,
    production,
    the_round,
    witnesses,
)
from properties.fiftyfirst.endless import ENDLESS

__all__ = ["ENDLESS", "PROPERTIES"]

MODULES = (
    cards, journeys, the_round, due, lookout, production, income, attachments_and_points, action_phase, needs, accounts,
    ending, witnesses,
)  # fmt: skip
# What moves of every kind do and leave alone: much to prove, and hardly ever broken by a rule that is not meant to.
THOROUGH = (journeys, due, income, needs, accounts)


def declared(module: ModuleType) -> list[Property]:
    """The properties a module declares, in its order."""
    found = [value for value in vars(module).values() if isinstance(value, Property)]
    return [replace(each, thorough=module in THOROUGH) for each in found]


PROPERTIES = [each for module in MODULES for each in declared(module)]
