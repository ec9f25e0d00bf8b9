"""Expressions as SMT-LIB 2 text, which every SMT solver reads.

It is written from our own expressions and not by Z3's printer: a mistake in how `terms.py` tells Z3 what an expression
means would otherwise be handed on to whoever is asked for a second opinion.

As everywhere, expressions mean what the rule means only together with the bounds of their variables, so these are
asserted first. A node that occurs more than once is written once, as a `define-fun`, and so is one that would nest too
deep for a parser that recurses. Variables bear the names that people know them by; everything is numbered in the order
of the text, so that equal questions are equal text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.language.expression import INFINITY, Symbolic, Term, bottom_up, conjuncts, variables_of
from solver.terms import readable

DEEPEST = 40  # levels of one expression


@dataclass(frozen=True)
class Script:
    """Whether some conditions can hold together, as text; and which variable each name in it stands for."""

    text: str
    variables: Mapping[str, Symbolic]


def script(terms: Iterable[Term], heading: Iterable[str] = (), remarks: Mapping[int, str] | None = None) -> Script:
    """The question whether the conditions can hold together.

    Args:
        heading: lines that the text begins with, as comments.
        remarks: by the number of a condition, or of a conjunct of one, what to say of it in a comment.
    """
    asserted = [part for term in terms for part in conjuncts(term)]
    writer = _Writer(asserted)
    lines = [f"; {line}".rstrip() for text in heading for line in text.splitlines()]
    lines.append(f"(set-logic {'QF_NIA' if writer.nonlinear else 'QF_LIA'})")
    for node in writer.variables:
        lines += writer.declaration(node)
    for term in asserted:
        written = writer.written(term)
        lines += writer.definitions
        writer.definitions.clear()
        remark = (remarks or {}).get(term.number) if term.__class__ is Symbolic else None
        lines += [f"; {line}" for line in remark.splitlines()] if remark else []
        lines.append(f"(assert {written})")
    lines.append("(check-sat)")
    return Script("\n".join(lines) + "\n", {writer.plain_names[node.number]: node for node in writer.variables})


class _Writer:
    """Writes the nodes of one script.

    Attributes:
        definitions: those that came up since they were last taken.
    """

    def __init__(self, terms: Sequence[Term]) -> None:
        self.variables = list(variables_of(terms).values())
        self.variables.sort(key=lambda node: node.number)
        self.plain_names: dict[int, str] = {}
        self.definitions: list[str] = []
        self._taken: set[str] = set()
        self._text: dict[int, str] = {}
        self._depth: dict[int, int] = {}
        for node in self.variables:
            self.plain_names[node.number] = self._free(readable(node))
            self._text[node.number] = _quoted(self.plain_names[node.number])
        self._uses, self.nonlinear = _uses(terms)

    def declaration(self, node: Symbolic) -> list[str]:
        """The variable, and the bounds that it brings along."""
        name = self._text[node.number]
        lines = [f"(declare-fun {name} () {_sort(node)})"]
        low = [] if node.boolean or node.low == -INFINITY else [_constant(int(node.low))]
        high = [] if node.boolean or node.high == INFINITY else [_constant(int(node.high))]
        if low or high:
            lines.append(f"(assert (<= {' '.join([*low, name, *high])}))")
        return lines

    def written(self, term: Term) -> str:
        """The text of a term, with the definitions it needs noted before."""
        return str(bottom_up(term, self._text, self._node, _constant))

    def _node(self, node: Symbolic, arguments: list[str]) -> str:
        text = operation(node, arguments)
        depth = 1 + max((self._depth.get(a.number, 0) for a in node.arguments if a.__class__ is Symbolic), default=0)
        if self._uses[node.number] > 1 or depth > DEEPEST:
            name = _quoted(self._free("shared"))
            self.definitions.append(f"(define-fun {name} () {_sort(node)} {text})")
            return name
        self._depth[node.number] = depth
        return text

    def _free(self, wanted: str) -> str:
        """A name that nothing else has, as near to the one wanted as a quoted symbol allows."""
        plain = "".join(c if c.isprintable() and c not in "|\\" else "_" for c in wanted)
        name, number = plain, 1
        while name in self._taken:
            number += 1
            name = f"{plain} #{number}"
        self._taken.add(name)
        return name


def operation(node: Symbolic, arguments: Sequence[str]) -> str:
    """One operation on written terms."""
    match node.operation:
        case "sum":
            coefficients, constant = node.detail
            parts = [a if c == 1 else f"(* {_constant(c)} {a})" for c, a in zip(coefficients, arguments, strict=True)]
            parts += [_constant(constant)] if constant else []
            return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]
        case "product":
            return f"(* {arguments[0]} {arguments[1]})"
        case "equal":
            return f"(= {arguments[0]} {arguments[1]})"
        case "less":
            return f"(< {arguments[0]} {arguments[1]})"
        case "and":
            return f"(and {' '.join(arguments)})"
        case "or":
            return f"(or {' '.join(arguments)})"
        case "not":
            return f"(not {arguments[0]})"
        case "choose":
            return f"(ite {arguments[0]} {arguments[1]} {arguments[2]})"
    raise ValueError(f"no such operation: {node.operation}")


def _uses(terms: Sequence[Term]) -> tuple[Counter[int], bool]:
    """How often each node is written if every node is written once; and whether variables are multiplied."""
    uses: Counter[int] = Counter()
    nonlinear = False
    stack = [term for term in terms if term.__class__ is Symbolic]
    while stack:
        node = stack.pop()
        uses[node.number] += 1
        if uses[node.number] == 1:
            nonlinear |= node.operation == "product"
            stack.extend(argument for argument in node.arguments if argument.__class__ is Symbolic)
    return uses, nonlinear


def _constant(value: Any) -> str:
    if value.__class__ is bool:
        return "true" if value else "false"
    return str(int(value)) if value >= 0 else f"(- {-int(value)})"


def _sort(node: Symbolic) -> str:
    return "Bool" if node.boolean else "Int"


def _quoted(name: str) -> str:
    return f"|{name}|"
