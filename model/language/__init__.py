"""The rule language: a rulebook's rules as plain Python functions, written once and run in every way.

Start with `rule.py` (what a rule looks like) and `state.py` (what it reads and writes); `game.py` plays, `trace.py`
turns rules into expressions, `evaluate.py` is the reference meaning of an expression.
"""

from model.language.branchfree import (
    all_of,
    any_of,
    count,
    count_where,
    implies,
    maximum,
    minimum,
    negate,
    pairs_in,
    pick,
    total,
    where,
)
from model.language.catalogue import Catalogue, Clause, Reading, load_catalogue
from model.language.errors import InputError, Refused, RuleError
from model.language.family import Element, Family
from model.language.game import Game, Model, Move, Preset
from model.language.rule import (
    CHANCE,
    PLAYER,
    RULES,
    Action,
    Amounts,
    Having,
    One,
    Selection,
    Subset,
    action,
    cite,
    require,
)
from model.language.state import FLAG, NATURAL, Domain, State, Variable, between, one_of

__all__ = [
    "CHANCE", "FLAG", "NATURAL", "PLAYER", "RULES", "Action", "Amounts", "Catalogue", "Clause", "Domain", "Element",
    "Family", "Game", "Having", "InputError", "Model", "Move", "One", "Preset", "Reading", "Refused", "RuleError",
    "Selection", "State", "Subset", "Variable", "action", "all_of", "any_of", "between", "cite", "count", "count_where",
    "implies", "load_catalogue", "maximum", "minimum", "negate", "one_of", "pairs_in", "pick", "require", "total",
    "where",
]  # fmt: skip
