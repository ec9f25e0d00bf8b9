"""Expressions as text, with what is large and used more than once written once.

Expressions are graphs with shared parts; written out as trees they can grow exponentially. So a node that is used more
than once and is large is given a name where it is first needed. A small one is repeated: a name for `x = 3` would be
harder to read than what it stands for, and storing it would cost a program as much as computing it. So the text is at
most as many times longer than the graph as the largest repeated part has nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.language.expression import Symbolic, Term, bottom_up

LARGE = 12  # nodes from which on a shared part is given a name


@dataclass(frozen=True)
class Definition:
    """What a name stands for."""

    name: str
    text: str


@dataclass(frozen=True)
class Style:
    """How a format writes an operation on written arguments, and a plain number or truth value."""

    operation: Callable[[Symbolic, Sequence[str]], str]
    constant: Callable[[Any], str]


@dataclass(frozen=True)
class Written:
    """Terms as text, in their order, and the definitions they need, each after those that it needs itself."""

    definitions: tuple[Definition, ...]
    texts: tuple[str, ...]


class TooLarge(Exception):
    """A term without names for its parts would be longer than anybody can use."""


def written(
    terms: Iterable[Term], variables: Mapping[int, str], style: Style, prefix: str, large: int = LARGE
) -> Written:
    """Write some terms together.

    Args:
        variables: the names of variables, by the number of their node.
        prefix: what the names of shared parts begin with; a number follows.
        large: nodes from which on a shared part is given a name.
    """
    roots = list(terms)
    uses = _uses(roots)
    size: dict[int, int] = {}
    definitions: list[Definition] = []

    def node_text(node: Symbolic, arguments: list[str]) -> str:
        size[node.number] = 1 + sum(size[a.number] if a.__class__ is Symbolic else 1 for a in node.arguments)
        if node.operation == "var":
            return variables[node.number]
        text = style.operation(node, arguments)
        if uses[node.number] == 1 or size[node.number] < large:
            return text
        size[node.number] = 1
        definitions.append(Definition(f"{prefix}{len(definitions) + 1}", text))
        return definitions[-1].name

    known: dict[int, Any] = {}
    texts = [str(bottom_up(root, known, node_text, style.constant)) for root in roots]
    return Written(tuple(definitions), tuple(texts))


def inlined(term: Term, variables: Mapping[int, str], style: Style, longest: int) -> str:
    """Write a term with every shared part repeated.

    Args:
        longest: nodes that the text may have.

    Raises:
        TooLarge: it would have more.
    """
    size: dict[int, int] = {}

    def node_text(node: Symbolic, arguments: list[str]) -> str:
        size[node.number] = 1 + sum(size[a.number] if a.__class__ is Symbolic else 1 for a in node.arguments)
        if size[node.number] > longest:
            raise TooLarge
        return variables[node.number] if node.operation == "var" else style.operation(node, arguments)

    return str(bottom_up(term, {}, node_text, style.constant))


def _uses(roots: Sequence[Term]) -> Counter[int]:
    """How often each node is written if every node is written once."""
    uses: Counter[int] = Counter()
    stack = [root for root in roots if root.__class__ is Symbolic]
    while stack:
        node = stack.pop()
        uses[node.number] += 1
        if uses[node.number] == 1:
            stack.extend(argument for argument in node.arguments if argument.__class__ is Symbolic)
    return uses


def signed_sum(coefficients: Sequence[int], terms: Sequence[str], constant: int) -> str:
    """A sum as people write it, what is added before what is taken away: `a + 1 - 2 * b`."""
    parts = [(coefficient, term if abs(coefficient) == 1 else f"{abs(coefficient)} * {term}")
             for coefficient, term in zip(coefficients, terms, strict=True)]  # fmt: skip
    parts += [(constant, str(abs(constant)))] if constant else []
    parts.sort(key=lambda part: part[0] < 0)
    (first, text), *others = parts
    rest = [f" - {part}" if sign < 0 else f" + {part}" for sign, part in others]
    return "".join([f"-{text}" if first < 0 else text, *rest])
