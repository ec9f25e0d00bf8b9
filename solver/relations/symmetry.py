"""Members of one kind are interchangeable: exchanging two of them everywhere turns each rule into itself.

Proofs speak of a representative of each kind (`Family.kind`), so what they say of the others rests on this. Elements
can't be ordered or counted with, but a game may still treat two of a kind differently: by a printed value that only
one of them has, or by naming one. A proof would then be true of the representative and false of its neighbour.

A rule is traced as the proofs trace it, and two members are exchanged in what comes out: in the cells they index, in
the printed values they have, in the choices they qualify for, and in cells that hold them (`Variable.holds`). Tracing
the rule with the two exchanged in its *choices* must give the same; mostly that is the same node, and what is folded in
another order is left to Z3. The same is asked of the start, of what is assumed of the deck, and of each property.

Which members are exchanged: those a rule acts on with the first and with the last that it does not act on, and these
two with each other. All pairs would take hours; so a value that one card alone has is met where a rule or a property
looks at all cards, and otherwise only on those three. Hence it is checked, and not called proved.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from model.language.errors import RuleError
from model.language.expression import (
    INFINITY,
    Symbolic,
    Term,
    bottom_up,
    built,
    choose,
    conjunction,
    equal,
    negation,
    variable,
)
from model.language.family import Element
from model.language.game import Model, Move
from model.language.rule import Action, Selection
from model.language.state import Cell
from model.language.trace import Path, freed, guard_of, instances, trace
from properties.declaration import Property
from solver.ruling import Ruling
from solver.terms import Query, Terms

ID = "symmetry"
STATEMENT = "Members of one kind are interchangeable: no rule, no invariant and no start treats one in its own way."
PATIENCE = 2.0  # seconds for a path whose two forms are not one node
Key = tuple[Term, tuple[tuple[int, Term], ...]]  # a path: what it requires, and what each slot becomes


@dataclass(frozen=True)
class Difference:
    """Two members of a kind that something treats differently: what, and where it stands."""

    what: str
    place: str
    clauses: tuple[str, ...]
    one: str
    other: str


class Exchange:
    """Two members of a kind exchanged, in whatever is said of a model's states.

    Args:
        one, other: members of one kind, in each family that has both.
    """

    def __init__(self, model: Model, one: Element, other: Element) -> None:
        self.model = model
        self.one, self.other = one, other
        symbols = model.layout.symbols()
        self._slots = {(cell.variable.name, cell.indices): cell.slot for cell in model.layout.slots}
        self._constants = {(cell.variable.name, cell.indices): cell.initial for cell in model.layout.cells}
        self._cell = {symbol.number: (cell, symbols) for symbol, cell in zip(symbols, model.layout.slots, strict=True)}
        after = reached(model)
        self._cell |= {symbol.number: (cell, after) for symbol, cell in zip(after, model.layout.slots, strict=True)}
        self._labels = _labels(model, one, other)
        self._known: dict[int, Term] = {}
        self._members: dict[int, Term] = {}

    def member(self, value: Any) -> Any:
        """A member of any family, with the two exchanged in it."""
        return _exchanged(value, self.one, self.other)

    def called(self, member: Element) -> str:
        """What people call a member."""
        families = (family for family in self.model.families.values() if family.kind)  # others hold equal numbers
        return str(next(family.label[member] for family in families if member in family.label))

    def moves(self, values: Sequence[Any]) -> bool:
        """Whether the choices name one of the two."""
        return any(self.member(value) != value for value in values if not isinstance(value, Selection))

    def choices(self, action: Action, values: Sequence[Any]) -> tuple[Any, ...]:
        """The choices of a move; what is left free is so for those who then qualify."""
        exchanged: tuple[Any, ...] = ()
        for name, value in zip(action.choices, values, strict=True):
            free = isinstance(value, Selection)
            exchanged += (freed(self.model, action, name, exchanged) if free else self.member(value),)
        return exchanged

    def said(self, of: Any) -> Any:
        """What a property is said of: a state, which is any state, or a move."""
        return Move(of.action, self.choices(of.action, of.values)) if isinstance(of, Move) else of

    def term(self, term: Term) -> Term:
        """An expression."""
        return bottom_up(term, self._known, self._rebuilt)

    def content(self, cell: Cell, term: Term) -> Term:
        """What a cell holds; where that is a member, it may be one of the two."""
        return self._as_member(term) if cell.variable.holds is not None else self.term(term)

    def start(self, cell: Cell) -> Term:
        """What the same cell of the other starts with."""
        return self._constants[cell.variable.name, self.member(cell.indices)]

    def slot(self, slot: int) -> int:
        """The slot of the same variable with the two exchanged in its indices.

        Raises:
            Unlike: that cell is a constant.
        """
        cell = self.model.layout.slots[slot]
        found = self._slots.get((cell.variable.name, self.member(cell.indices)))
        if found is None:
            raise Unlike(f"{cell.label} can change, and the same cell of the other can't")
        return found

    def path(self, path: Path) -> Key:
        """What a path requires and does."""
        slots = self.model.layout.slots
        updates = {self.slot(slot): self.content(slots[slot], value) for slot, value in path.updates.items()}
        return self.term(guard_of(path)), tuple(sorted(updates.items()))

    def _rebuilt(self, node: Symbolic, arguments: list[Term]) -> Term:
        if node.operation == "var":
            return self._renamed(node)
        if node.operation == "equal" and any(self._holds(argument) for argument in node.arguments):
            return equal(*(self._as_member(argument) for argument in node.arguments))
        return built(node, arguments)

    def _renamed(self, node: Symbolic) -> Term:
        if node.number in self._cell:
            cell, symbols = self._cell[node.number]
            indices = self.member(cell.indices)
            slot = self._slots.get((cell.variable.name, indices))
            return self._constants[cell.variable.name, indices] if slot is None else symbols[slot]
        name = tuple(self._labels.get(part, part) if isinstance(part, str) else part for part in node.detail[0])
        return variable(name, node.low, node.high, node.boolean)

    def _holds(self, term: Term) -> bool:
        """Whether the value of a term is a member."""
        while term.__class__ is Symbolic and term.operation == "choose":
            term = next((part for part in term.arguments[1:] if part.__class__ is Symbolic), 0)
        cell, _ = self._cell.get(term.number, (None, ())) if term.__class__ is Symbolic else (None, ())
        return cell is not None and cell.variable.holds is not None

    def _as_member(self, term: Term) -> Term:
        """A term whose value is a member: numbers in it are members too."""
        if term.__class__ is not Symbolic:
            return int(self.member(Element(int(term))))
        if term.operation != "choose":
            return self.term(term)
        if term.number not in self._members:
            condition, then, otherwise = term.arguments
            found = choose(self.term(condition), self._as_member(then), self._as_member(otherwise))
            self._members[term.number] = found
        return self._members[term.number]


class Unlike(Exception):
    """The two can't be exchanged; says why."""


def rule(
    model: Model, properties: Sequence[Property] = (), assumptions: Sequence[Term] = (), deadline: float = INFINITY
) -> Ruling:
    """Whether members of one kind are interchangeable in a model.

    Args:
        model: as the proofs have it, with symbolic parameters. Their names carry the labels of the members they are of.
        properties: those that are proved with representatives. Step properties speak of two states and a move, and take
            long at the printed size.
        assumptions: what is taken to hold of the parameters.
        deadline: on `time.monotonic`; UNDETERMINED after it.

    Raises:
        RuleError: a rule can't be traced.
    """
    started = time.perf_counter()
    looked = _Looking(model, deadline)
    try:
        differences = list(looked.differences(properties, assumptions))
    except TimeoutError:
        return Ruling(ID, STATEMENT, (), "UNDETERMINED", detail="out of time", seconds=time.perf_counter() - started)
    detail = f"{looked.exchanged:,} exchanges, {looked.asked:,} of them asked of Z3"
    found = differences[0] if differences else None
    return Ruling(
        ID, STATEMENT, found.clauses if found else (), "UNDETERMINED" if found else "HOLDS",
        detail=f"not shown for {found.one} and {found.other}: {found.what}" if found else detail,
        places=(found.place,) if found and found.place else (),
        counterexample=tuple(
            f"{one.what} is not shown to treat {one.one} and {one.other} alike{f' ({one.place})' if one.place else ''}"
            for one in differences
        ),
        seconds=time.perf_counter() - started,
    )  # fmt: skip


class _Looking:
    def __init__(self, model: Model, deadline: float) -> None:
        self.model, self.deadline = model, deadline
        self.exchanged = self.asked = 0
        self._exchanges: dict[tuple[Element, Element], Exchange] = {}
        self._kinds = kinds(model)
        self._before = model.state(model.layout.symbols())
        self._after = model.state(reached(model))
        self._of_property = {"invariant": self._of_invariant, "step": self._of_step}

    def differences(self, properties: Sequence[Property], assumptions: Sequence[Term]) -> Iterator[Difference]:
        """What treats two of a kind differently, each action and property at most once."""
        yield from self._of_start(assumptions)
        for action in self.model.actions.values():
            yield from self._first(self._of_action(action))
        for prop in properties:
            if prop.prove and prop.kind in self._of_property:
                yield from self._first(self._of_property[prop.kind](prop))

    @staticmethod
    def _first(found: Iterator[Difference]) -> Iterator[Difference]:
        for difference in found:
            yield difference
            return

    def _of_start(self, assumptions: Sequence[Term]) -> Iterator[Difference]:
        said = conjunction(assumptions)
        for exchange in self._of_kinds(()):
            for cell in self.model.layout.cells:
                other = exchange.start(cell)
                initial = exchange.content(cell, cell.initial)
                if other is not initial and not self._equivalent([equal(other, initial)]):
                    yield self._difference(exchange, f"the start of {cell.label}")
                    return
            if exchange.term(said) is not said and not self._equivalent([equal(exchange.term(said), said)]):
                yield self._difference(exchange, "what is assumed of the parameters")

    def _of_action(self, action: Action) -> Iterator[Difference]:
        for values in instances(self.model, action, symbolic=True):
            paths = trace(self.model, action, values)
            if not paths:
                continue
            for exchange in self._of_kinds(values):
                moved = exchange.moves(values)
                others = trace(self.model, action, exchange.choices(action, values)) if moved else paths
                if not self._same(exchange, paths, others):
                    yield self._difference(exchange, f"rule {action.name}", action.place, action.clauses)

    def _same(self, exchange: Exchange, paths: Sequence[Path], others: Sequence[Path]) -> bool:
        self._count()
        try:
            one = [exchange.path(path) for path in paths]
        except Unlike:
            return False
        other = [(guard_of(path), tuple(sorted(path.updates.items()))) for path in others]
        if len(one) != len(other):
            return False
        if {_numbers(key) for key in one} == {_numbers(key) for key in other}:
            return True
        return all(self._alike(first, second) for first, second in zip(one, other, strict=True))

    def _alike(self, one: Key, other: Key) -> bool:
        (guard, updates), (condition, changes) = one, other
        symbols = self.model.layout.symbols()
        first, second = dict(updates), dict(changes)
        ends = [
            equal(first.get(slot, symbols[slot]), second.get(slot, symbols[slot]))
            for slot in sorted(first.keys() | second.keys())
        ]
        return self._equivalent([equal(guard, condition)]) and self._equivalent(ends, guard)

    def _equivalent(self, claims: Iterable[Term], given: Term = True) -> bool:
        self.asked += 1
        query = Query(Terms())
        query.add(given)
        query.add(negation(conjunction(claims)))
        return query.check((), min(self.deadline, time.monotonic() + PATIENCE)).status == "unsat"

    def _of_invariant(self, prop: Property) -> Iterator[Difference]:
        yield from self._of_statement(prop, prop.members(self.model, symbolic=True), self._before)

    def _of_step(self, prop: Property) -> Iterator[Difference]:
        """A step property speaks of any two states here, and of one move of each action that it concerns."""
        for action in self.model.actions.values():
            values = next(instances(self.model, action, symbolic=True), None)
            if values is not None and prop.concerns(Move(action, values)):
                members = prop.members(self.model, symbolic=True, used=values)
                yield from self._of_statement(prop, members, self._before, self._after, Move(action, values))

    def _of_statement(self, prop: Property, members: Iterable[tuple[Any, ...]], *said_of: Any) -> Iterator[Difference]:
        values = said_of[-1].values if isinstance(said_of[-1], Move) else ()
        for some in members:
            try:
                term = prop.function(*said_of, *some)
                for exchange in self._of_kinds((*values, *some)):
                    self._count()
                    one = exchange.term(conjunction([term]))
                    other = conjunction([prop.function(*map(exchange.said, said_of), *exchange.member(some))])
                    if one is not other and not self._equivalent([equal(one, other)]):
                        yield self._difference(exchange, f"property {prop.id}", "", prop.clauses)
            except RuleError:  # it is not written to be proved, and says so when it is examined itself
                return

    def _count(self) -> None:
        self.exchanged += 1
        if time.monotonic() > self.deadline:
            raise TimeoutError

    def _of_kinds(self, values: Sequence[Any]) -> Iterator[Exchange]:
        """Of each kind: members that are acted on with the first and last that are not, and these with each other."""
        acted = [value for value in values if value.__class__ is Element]
        for members in self._kinds:
            unused = [member for member in members if member not in acted]
            ends = list(dict.fromkeys([*unused[:1], *unused[-1:]]))
            used = [member for member in members if member in acted]
            pairs = [(one, other) for one in used for other in ends]
            if len(ends) == 2:
                pairs.append((ends[0], ends[1]))
            for pair in pairs:
                if pair not in self._exchanges:
                    self._exchanges[pair] = Exchange(self.model, *pair)
                yield self._exchanges[pair]

    def _difference(
        self, exchange: Exchange, what: str, place: str = "", clauses: tuple[str, ...] = ()
    ) -> Difference:
        one, other = (exchange.called(member) for member in (exchange.one, exchange.other))
        return Difference(what, place, clauses, one, other)


def reached(model: Model) -> list[Term]:
    """A variable for each slot of the state that a move leads to, whichever move that is."""
    return [
        variable(("reached", cell.label), cell.domain.low, cell.domain.high, cell.domain.boolean)
        for cell in model.layout.slots
    ]


def kinds(model: Model) -> list[tuple[Element, ...]]:
    """The members that are of the same kind in every family that they are in, as far as there are two."""
    tags: dict[Element, list[Any]] = {}
    for name, family in model.families.items():
        for member, kind in family.kind.items():
            if member.__class__ is Element and kind is not None:
                tags.setdefault(member, []).append((name, kind))
    alike: dict[tuple[Any, ...], list[Element]] = {}
    for member, tag in tags.items():
        alike.setdefault(tuple(tag), []).append(member)
    return [tuple(members) for members in alike.values() if len(members) > 1]


def _labels(model: Model, one: Element, other: Element) -> dict[str, str]:
    """How each family calls the one, and what the other is called there; and the other way round."""
    exchanged: dict[str, str] = {}
    for family in model.families.values():
        for member, label in family.label.items():
            partner = _exchanged(member, one, other)
            if partner != member and partner in family.label:
                exchanged[label] = family.label[partner]
    return exchanged


def _exchanged(value: Any, one: Element, other: Element) -> Any:
    if isinstance(value, tuple):
        return tuple(_exchanged(part, one, other) for part in value)
    if value.__class__ is Element:
        return other if value == one else one if value == other else value
    return value


def _numbers(key: Key) -> Any:
    guard, updates = key
    return _number(guard), tuple((slot, _number(value)) for slot, value in updates)


def _number(term: Term) -> Any:
    return ("node", term.number) if term.__class__ is Symbolic else int(term)
