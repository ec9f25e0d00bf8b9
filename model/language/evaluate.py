"""The reference evaluator: an expression on plain integers.

It is the plainest possible reading of a node, and the measure that NumPy columns and Z3 terms are compared with.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from model.language.expression import Symbolic, Term, bottom_up


def evaluate(terms: Iterable[Term], values: Mapping[Any, Any]) -> list[Any]:
    """The values of the terms.

    Args:
        values: by variable name (`("state", label)`, `("choice", ...)`, `("parameter", ...)`), an int or truth value.
    """
    known: dict[int, Any] = {}

    def value(node: Symbolic, arguments: list[Any]) -> Any:
        return values[node.detail[0]] if node.operation == "var" else apply(node, arguments)

    return [bottom_up(term, known, value) for term in terms]


def apply(node: Symbolic, arguments: list[Any]) -> Any:
    """One operation on plain values."""
    match node.operation:
        case "sum":
            coefficients, constant = node.detail
            return constant + sum(c * a for c, a in zip(coefficients, arguments, strict=True))
        case "product":
            return arguments[0] * arguments[1]
        case "equal":
            return arguments[0] == arguments[1]
        case "less":
            return arguments[0] < arguments[1]
        case "and":
            return all(arguments)
        case "or":
            return any(arguments)
        case "not":
            return not arguments[0]
        case "choose":
            return arguments[1] if arguments[0] else arguments[2]
    raise ValueError(f"no such operation: {node.operation}")
