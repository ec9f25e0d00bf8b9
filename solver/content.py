"""What things are known by across runs: a digest of their content.

A node's number tells expressions apart within one run only. Here an expression is known by a digest of its operation
and of its parts' digests; two runs that trace the same rule come to the same one. The program itself is known by the
digest of its source, so that nothing that an older version found out is ever taken for what this one would say.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import z3

import model
import properties
import solver
from model.language.expression import Symbolic, Term, bottom_up

_SIZE = 16  # bytes of a digest: two of a billion claims have the same one with a chance below 10^-20
_RULES = (".py", ".toml", ".csv")


class Digests:
    """The digests of expressions, each node's worked out once."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}

    def of(self, term: Term) -> bytes:
        """The digest of an expression, a number or a truth value."""
        found: bytes = bottom_up(term, self._known, _of_node, _of_constant)
        return found

    def of_all(self, terms: Iterable[Term]) -> bytes:
        """The digest of a set of conditions, whatever their order."""
        return _digest(*sorted({self.of(term) for term in terms}))


def _of_node(node: Symbolic, arguments: list[bytes]) -> bytes:
    parts = arguments
    if node.operation in ("and", "or", "equal", "product"):  # in the order of numbers, which differ from run to run
        parts = sorted(arguments)
    facts = repr((node.operation, node.detail))
    if node.operation == "sum":
        coefficients, constant = node.detail
        parts = sorted(_digest(str(c), argument) for c, argument in zip(coefficients, arguments, strict=True))
        facts = repr((node.operation, constant))
    if node.operation == "var":
        facts = repr((node.detail, node.low, node.high, node.boolean))
    return _digest(facts, *parts)


def _of_constant(value: object) -> bytes:
    return _digest(repr(value))


def _digest(*parts: str | bytes) -> bytes:
    found = hashlib.blake2b(digest_size=_SIZE)
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        found.update(len(content).to_bytes(4, "big"))
        found.update(content)
    return found.digest()


@cache
def of_prover() -> bytes:
    """The version of whatever a proof rests on besides what it is about: the language, the solver, Z3, Python."""
    return _of_folders(Path(model.__file__).parent / "language", Path(solver.__file__).parent)


@cache
def of_program() -> bytes:
    """The version of everything that has a say in a verdict: of the prover, all rules and all properties."""
    return _of_folders(*(Path(str(package.__file__)).parent for package in (model, properties, solver)))


def _of_folders(*folders: Path) -> bytes:
    files = (
        (f"{folder.name}/{path.relative_to(folder)}", path)
        for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in _RULES
    )  # fmt: skip
    contents = [part for name, path in files for part in (name, path.read_bytes())]
    return _digest(z3.get_full_version(), platform.python_version(), *contents)


def of_text(*parts: str | bytes) -> bytes:
    """The digest of some texts, in their order."""
    return _digest(*parts)
