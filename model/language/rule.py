"""What rules are made of: `require`, `cite`, and the actions and choices that declare them.

An action is a plain function of the state and the chosen values. Its body first requires, clause by clause, and then
changes; a `require` after a change is a mistake, because the guard of a rule must be readable (and can be probed)
without its effects.

Choices are declared beside the function, in the order in which a player would make them. `where` says which members of
the family qualify; it is part of the guard, checked in every way of running, and it is also what lets a player's
options be listed without trying everything. Its parameters are the state, earlier choices by name, and the member.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from model.language.branchfree import all_of, total
from model.language.branchfree import where as pick_where
from model.language.errors import Refused, RuleError, rule_place
from model.language.expression import Symbolic, Term

PLAYER = "player"
CHANCE = "chance"
RULES = "rules"


class Selection(Mapping[Any, Any]):
    """Several members chosen at once: a truth value a member (`Subset`) or a number a member (`Amounts`).

    Playing, only what was chosen is held; tracing, every candidate with its free variable. `items` gives those.
    """

    def __init__(self, amounts: Mapping[Any, Any], nothing: Any = 0) -> None:
        self._amounts = dict(amounts)
        self._nothing = nothing

    def __getitem__(self, member: Any) -> Any:
        return self._amounts.get(member, self._nothing)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._amounts)

    def __len__(self) -> int:
        return len(self._amounts)

    def __contains__(self, member: Any) -> bool:
        return member in self._amounts

    def size(self) -> Any:
        """How many are chosen in all."""
        return total(self._amounts.values())

    def sum_of(self, weight: Callable[[Any], Any]) -> Any:
        """The sum of `weight(member)` over what is chosen."""
        if self._nothing is False:
            return total(pick_where(chosen, weight(member), 0) for member, chosen in self._amounts.items())
        return total(amount * weight(member) for member, amount in self._amounts.items())

    def __hash__(self) -> int:
        return hash(tuple(sorted((repr(member), int(amount)) for member, amount in self._amounts.items())))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selection) and self._amounts == other._amounts

    def __repr__(self) -> str:
        return f"Selection({self._amounts!r})"


class Having:
    """A `where` by the contents of cells: members whose cells hold given values, and that pass a further condition.

    A plain function could say the same; said this way, the members are looked up in an index of the state instead of
    being tried one by one, which is what listing a player's options mostly costs.

    Args:
        also: a further condition, a `where` of its own.
        cells: for each variable (indexed by the member) a value, or the name of an earlier choice.
    """

    def __init__(self, also: Callable[..., Any] | None = None, **cells: Any) -> None:
        self.also = also
        self.cells = tuple(cells)
        self.wanted = tuple(cells.values())
        further = list(inspect.signature(also).parameters)[1:-1] if also is not None else []
        named = [value for value in self.wanted if isinstance(value, str)]
        self.parameters = tuple(dict.fromkeys([*named, *further]))
        self.further = tuple(self.parameters.index(name) for name in further)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        names = ["state", *self.parameters, "member"]
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
        self.__name__ = "having"
        self.__code__ = sys._getframe(1).f_code if also is None else also.__code__

    def values(self, earlier: Sequence[Any]) -> tuple[Any, ...]:
        """What the cells must hold, given the earlier choices."""
        position = self.parameters.index
        return tuple(earlier[position(want)] if isinstance(want, str) else want for want in self.wanted)

    def passes(self, state: Any, earlier: Sequence[Any], member: Any) -> Any:
        """The further condition."""
        return True if self.also is None else self.also(state, *[earlier[i] for i in self.further], member)

    def __call__(self, state: Any, *arguments: Any) -> Any:
        *earlier, member = arguments
        held = all_of(
            getattr(state, cell)[member] == value
            for cell, value in zip(self.cells, self.values(earlier), strict=True)
        )
        return False if held is False else all_of(held, self.passes(state, earlier, member))


@dataclass(frozen=True, eq=False)
class Choice:
    """What a choice is made from: the name of a family, which members qualify, and the clause that says so."""

    family: str
    where: Callable[..., Any] | None = None
    clause: str = ""


@dataclass(frozen=True, eq=False)
class One(Choice):
    """Exactly one member."""


@dataclass(frozen=True, eq=False)
class Subset(Choice):
    """Any members that qualify; exactly `total` of them where it is given."""

    total: Callable[..., Any] | None = None


@dataclass(frozen=True, eq=False)
class Amounts(Choice):
    """A number of each member, up to `limit`; `total` in all where it is given."""

    limit: Callable[..., Any] | None = None
    total: Callable[..., Any] | None = None


@dataclass(frozen=True, eq=False)
class Action:
    """A declared rule: who decides, when, from which choices, under which clauses."""

    name: str
    function: Callable[..., None]
    choices: Mapping[str, Choice]
    by: str
    clauses: tuple[str, ...]
    phases: tuple[int, ...]
    when: Callable[..., Any] | None
    log: str
    place: str
    arguments: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def call(self, function: Callable[..., Any], state: Any, values: tuple[Any, ...], *member: Any) -> Any:
        """Call a `where`, `limit` or `total` with the earlier choices it names."""
        positions = self.arguments[id(function)]
        return function(state, *[values[position] for position in positions], *member)


def action(
    *,
    clauses: tuple[str, ...] | list[str],
    phases: tuple[int, ...] | list[int] = (),
    by: str = PLAYER,
    when: Callable[..., Any] | None = None,
    log: str = "",
    **choices: Choice,
) -> Callable[[Callable[..., None]], Action]:
    """Declare a rule.

    Args:
        clauses: the clauses the rule implements, cited each time it is used.
        phases: the phases in which it can be used; none: in any.
        by: who decides: PLAYER, CHANCE or RULES (automatic).
        when: a further condition on the state alone.
        log: how a played move reads, with the choices in braces.
        choices: in order; the names are the function's parameters after the state.

    Raises:
        RuleError: the choices are not the function's parameters.
    """

    def declare(function: Callable[..., None]) -> Action:
        names = list(inspect.signature(function).parameters)[1:]
        code = function.__code__
        place = f"{Path(code.co_filename).name}:{code.co_firstlineno}"
        if names != list(choices):
            raise RuleError(
                f"the function takes {names} but the choices are {list(choices)}",
                "Give both the same names in the same order",
                declared_at(function, function),
            )
        arguments: dict[int, tuple[int, ...]] = {}
        for position, choice in enumerate(choices.values()):
            for part in (choice.where, getattr(choice, "limit", None), getattr(choice, "total", None)):
                if part is not None:
                    member = part is not getattr(choice, "total", None)
                    arguments[id(part)] = _earlier(function, part, names, position, member)
        text = log or function.__name__.replace("_", " ") + "".join(f" {{{name}}}" for name in names)
        return Action(
            function.__name__, function, choices, by, tuple(clauses), tuple(phases), when, text, place, arguments
        )

    return declare


def declared_at(function: Callable[..., Any], part: Callable[..., Any]) -> str:
    """Where a part (a `where`, `limit`, `total`) of a rule's declaration stands."""
    code = part.__code__
    return f"rule {function.__name__}, {Path(code.co_filename).name} line {code.co_firstlineno}"


def _earlier(
    function: Callable[..., None], part: Callable[..., Any], names: list[str], position: int, with_member: bool
) -> tuple[int, ...]:
    parameters = list(inspect.signature(part).parameters)[1:]
    if with_member:
        parameters = parameters[:-1]
    unknown = [name for name in parameters if name not in names[:position]]
    if unknown:
        raise RuleError(
            f"{part.__name__} asks for {unknown}, which no earlier choice of the rule is called",
            f"Earlier choices are {names[:position]}",
            declared_at(function, part),
        )
    return tuple(names.index(name) for name in parameters)


# -- inside a rule -------------------------------------------------------------------------------------------------
class Listener:
    """What a running rule reports to while a `with` block runs: the tracer, or a recorder. At most one is listening."""

    current: Listener | None = None

    def __enter__(self) -> Self:
        self._outer = Listener.current
        Listener.current = self
        return self

    def __exit__(self, *exception: object) -> None:
        Listener.current = self._outer

    def required(self, condition: Term, clause: str) -> None:
        """A `require` was met whose condition is symbolic, or plain and true."""

    def refused(self, clause: str) -> None:
        """A `require` was met whose condition is plain and false."""

    def cited(self, clause: str) -> None:
        """A `cite` was met."""


def require(condition: Any, clause: str) -> None:
    """Refuse the move unless the condition holds.

    Args:
        condition: plain or symbolic truth value.
        clause: the rulebook clause that forbids the move otherwise.

    Raises:
        Refused: the condition is plainly false.
    """
    if condition.__class__ is Symbolic or Listener.current is not None:
        if condition.__class__ is not Symbolic and not condition:
            if Listener.current is not None:
                Listener.current.refused(clause)
            raise Refused(clause)
        if Listener.current is None:
            raise RuleError("a symbolic condition is required outside a trace", "Use `trace`")
        Listener.current.required(condition, clause)
    elif not condition:
        raise Refused(clause)


def cite(clause: str) -> None:
    """Note that this branch of a rule implements the clause."""
    if Listener.current is not None:
        Listener.current.cited(clause)


class Recorder(Listener):
    """Collects the clauses that a plainly executed rule requires and cites."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self.known = known
        self.clauses: set[str] = set()

    def required(self, condition: Term, clause: str) -> None:
        self.cited(clause)

    def cited(self, clause: str) -> None:
        if clause not in self.known:
            raise RuleError(f"clause `{clause}` is not in the catalogue", "Cite one that is, or add it")
        self.clauses.add(clause)


class Refusals(Listener):
    """Collects the places of the requirements that refuse a plainly executed rule."""

    def __init__(self) -> None:
        self.places: set[str] = set()

    def refused(self, clause: str) -> None:
        self.places.add(rule_place())
