"""Watching properties while a game is played, looking again only at what a move may have changed.

A property over all pairs of a hundred cards has thousands of instances; evaluating them all after every move takes a
hundred times as long as the move. But properties are written in the rule language: tracing an instance once says which
slots of the state it reads, and it can only come to fail (or be reached) when one of those changes. Most instances
fold to true when traced and are never looked at. What cannot be traced is evaluated after every move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from model.language import Model, Move, RuleError
from model.language.expression import Symbolic, _deciders, variable, variables_of
from properties.declaration import Property


@dataclass(frozen=True)
class Violation:
    """A property that failed after move `number`: for which members or why, and the move that was tried, if any."""

    property: str
    number: int
    detail: str = ""
    probe: Move | None = None


@dataclass(frozen=True)
class Instance:
    """A property for certain members of the families it ranges over."""

    declared: Property
    members: tuple[Any, ...]

    def detail(self, model: Model) -> str:
        """Which members these are."""
        families = [model.families[name] for name in self.declared.over]
        return ", ".join(str(family.label[member]) for family, member in zip(families, self.members, strict=True))


class _Untraceable(Exception):
    """The property asks for something that only a real state, or a real move, has."""


class _NoMove:
    """Stands for the move while a step property is traced, to see whether it asks for it."""

    def __getattribute__(self, name: str) -> Any:
        raise _Untraceable


class _Index:
    """Instances by the slots they read."""

    def __init__(self) -> None:
        self.instances: list[Instance] = []
        self._always: list[int] = []
        self._readers: dict[int, list[int]] = {}

    def add(self, instance: Instance, slots: Collection[int] | None) -> None:
        """`slots`: what it reads; None: unknown."""
        number = len(self.instances)
        self.instances.append(instance)
        if slots is None:
            self._always.append(number)
        else:
            for slot in slots:
                self._readers.setdefault(slot, []).append(number)

    def affected(self, changed: Collection[int] | None) -> Iterator[Instance]:
        """The instances that may differ where these slots changed; None: all."""
        if changed is None:
            yield from self.instances
            return
        numbers = set(self._always)
        for slot in changed:
            numbers.update(self._readers.get(slot, ()))
        for number in sorted(numbers):
            yield self.instances[number]


class Watch:
    """The properties of a model, traced once; made once, used for many games."""

    def __init__(self, model: Model, properties: Sequence[Property]) -> None:
        self.model = model
        self.properties = {declared.id: declared for declared in properties}
        self.witnesses = [declared for declared in properties if declared.kind == "witness"]
        self.has_steps = any(declared.kind == "step" for declared in properties)
        self._tracing = _Tracing(model)
        self._invariants, self._steps, self._witnesses = _Index(), _Index(), _Index()
        indices = {"invariant": self._invariants, "step": self._steps, "witness": self._witnesses}
        for declared in properties:
            for members in declared.members(model):
                self._enter(indices[declared.kind], Instance(declared, members))

    def _enter(self, index: _Index, instance: Instance) -> None:
        kind = instance.declared.kind
        try:
            folded, slots = self._tracing.step(instance) if kind == "step" else self._tracing.state(instance)
        except Exception:  # whatever it is: playing will meet it on a real state, and say so with its game
            index.add(instance, None)
            return
        if folded is (kind != "witness"):
            return  # it always holds; or never can be reached
        if folded is not None:
            index.add(instance, None)
        else:
            index.add(instance, slots)

    def violations(
        self, number: int, before: Any, move: Move | None, after: Any, changed: Collection[int] | None = None
    ) -> Iterator[Violation]:
        """What fails in the state `after` move `number`, or in the step that led there.

        A property that cannot be computed fails as well: better a finding about the property than silence.

        Args:
            changed: the slots that changed since the state was last looked at; None: look at everything.
        """
        yield from self._failing(self._invariants.affected(changed), number, after)
        if move is not None:
            concerned = (i for i in self._steps.affected(changed) if i.declared.concerns(move))
            yield from self._failing(concerned, number, before, after, move)

    def _failing(self, instances: Iterable[Instance], number: int, *states: Any) -> Iterator[Violation]:
        for instance in instances:
            try:
                if not instance.declared.function(*states, *instance.members):
                    yield Violation(instance.declared.id, number, instance.detail(self.model))
            except Exception as error:
                yield Violation(instance.declared.id, number, reason(error))

    def reached(self, state: Any, changed: Collection[int] | None = None) -> Iterator[str]:
        """The witnesses that the state shows, as far as they read what changed."""
        for instance in self._witnesses.affected(changed):
            if instance.declared.function(state, *instance.members):
                yield instance.declared.id


class _Tracing:
    """Traces instances on states of variables."""

    def __init__(self, model: Model) -> None:
        self._before = model.state(model.layout.symbols())
        # The state after a move, as unrelated to the one before.
        self._after = model.state([
            variable(("after", cell.label), cell.domain.low, cell.domain.high, cell.domain.boolean)
            for cell in model.layout.slots
        ])  # fmt: skip
        self._slots = {cell.label: slot for slot, cell in enumerate(model.layout.slots)}

    def state(self, instance: Instance) -> tuple[bool | None, set[int]]:
        """What an invariant or witness folds to, if anything, and the slots it reads."""
        return self._read(self._term(instance, self._before), "state")

    def step(self, instance: Instance) -> tuple[bool | None, set[int]]:
        """The same for a step property; only what it reads of the state after the move counts.

        For that to be enough, it must hold where nothing changes, and not ask for the move.
        """
        move = _NoMove()
        if self._term(instance, self._before, self._before, move) is not True:
            raise _Untraceable
        return self._read(self._term(instance, self._before, self._after, move), "after")

    def _term(self, instance: Instance, *states: Any) -> Any:
        _deciders.append(_undecided)
        try:
            return instance.declared.function(*states, *instance.members)
        finally:
            _deciders.pop()

    def _read(self, term: Any, wanted: str) -> tuple[bool | None, set[int]]:
        if term.__class__ is not Symbolic:
            return bool(term), set()
        names = [node.detail[0] for node in variables_of([term]).values()]
        if any(sort not in ("state", "after") for sort, _ in names):
            raise RuleError("a property is watched in a model with symbolic parameters", "Play a concrete one")
        return None, {self._slots[label] for sort, label in names if sort == wanted}


def _undecided(condition: Symbolic) -> bool:
    raise _Untraceable


def reason(error: Exception) -> str:
    """How an error reads in a finding."""
    return f"{type(error).__name__}: {error}"
