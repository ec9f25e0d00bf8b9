"""Tracing: from a rule to its paths, each a guard and the new values of what it changes.

The rule is run on a state whose cells are variables. When Python asks a symbolic condition for its truth, the tracer
answers, and later replays the rule with the other answer, until every path is covered. What the path has already
decided or required is not asked again: a cell found to have one value holds it from there on, so that what the rule
computes with it folds. A rule whose paths explode is told where, and to use `where`.

Choices are concrete (an exploration enumerates them, pruned by `where` wherever it folds to false) or symbolic (a proof
leaves `Subset` and `Amounts` free, one variable a member). A `One` choice is always concrete; in a proof, members
of a symmetric family are represented by the first unused of each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.language.branchfree import total as sum_of
from model.language.errors import Refused, RuleError, rule_place
from model.language.expression import (
    INFINITY,
    Symbolic,
    Term,
    _deciders,
    conjunction,
    conjuncts,
    disjunction,
    less,
    negation,
    truth,
    variable,
)
from model.language.family import Element
from model.language.game import Model, _amounts, _subsets
from model.language.rule import Action, Amounts, Choice, Listener, One, Selection, Subset, declared_at
from model.language.state import Journal, State, held, put

PATH_LIMIT = 128


@dataclass(frozen=True)
class Requirement:
    """One conjunct of a guard: the condition, the clause it comes from ("" for a branch), the rule's file and line."""

    condition: Symbolic
    clause: str
    place: str


@dataclass(frozen=True)
class Path:
    """One way through a rule with given choices.

    Attributes:
        action, values: the rule and its choices (symbolic selections hold variables).
        guard: in the order in which the rule asks; all must hold.
        updates: slot -> new value, for the slots that can change.
        clauses: what the path implements.
        free: the choice variables that occur in symbolic selections.
        unfrozen: label -> new value, for the cells without a slot that may not keep their constant value. Empty
            unless a layout was frozen too far, or a rule may leave a domain of one value.
    """

    action: Action
    values: tuple[Any, ...]
    guard: tuple[Requirement, ...]
    updates: Mapping[int, Term]
    clauses: frozenset[str]
    free: tuple[Symbolic, ...] = ()
    unfrozen: Mapping[str, Term] = field(default_factory=dict)


class _Infeasible(Exception):
    """The path contradicts itself."""


class _Tracer(Listener):
    def __init__(self, known: Mapping[str, Any], answers: list[bool], holders: Mapping[int, tuple[Any, Any]]) -> None:
        self.known = known
        self.answers = answers
        self.holders = holders
        self.learnt: dict[int, tuple[Symbolic, Term]] = {}
        self.asked = 0
        self.facts: dict[int, bool] = {}
        self.values: dict[int, int] = {}
        self.guard: list[Requirement] = []
        self.clauses: set[str] = set()
        self.journal: list[Any] | None = None
        self.refused_at = ""  # where the path ended, if it did

    def required(self, condition: Term, clause: str) -> None:
        self.cited(clause)
        if self.journal:
            raise RuleError("`require` comes after a change of the state", "Move every `require` above the changes")
        condition = truth(condition)
        if condition.__class__ is Symbolic:
            self.assume(condition, True, clause)

    def refused(self, clause: str) -> None:
        self.refused_at = rule_place()

    def cited(self, clause: str) -> None:
        if clause and clause not in self.known:
            raise RuleError(f"clause `{clause}` is not in the catalogue", "Cite one that is, or add it")
        if clause:
            self.clauses.add(clause)

    def assume(self, condition: Symbolic, answer: bool, clause: str, place: str | None = None) -> None:
        """Take the condition to be `answer` on this path, part by part."""
        whole = condition if answer else negation(condition)
        for part in conjuncts(whole):
            known = self._known(part)
            if known is False:
                self.refused_at = place or rule_place()
                raise _Infeasible
            if known is None:
                self.guard.append(Requirement(part, clause, place or rule_place()))
                self._learn(part)

    def _learn(self, part: Symbolic) -> None:
        if part.operation == "not":
            self.facts[part.arguments[0].number] = False
            self._know(part.arguments[0], False)
            return
        self.facts[part.number] = True
        self._know(part, True)
        if part.operation == "equal" and part.arguments[1].__class__ is not Symbolic:
            self.values[part.arguments[0].number] = part.arguments[1]
            self._know(part.arguments[0], part.arguments[1])

    def _know(self, node: Symbolic, value: Term) -> None:
        """Let the cell whose variable this is hold its value, unless the rule has already changed it."""
        owner, index = self.holders.get(node.number, (None, None))
        if owner is not None and held(owner, index) is node:
            put(owner, index, value)
            self.learnt[node.number] = (node, value)

    def knew(self, old: Term, after: Term) -> bool:
        """Whether a cell holds just what was found out about it."""
        if old.__class__ is not Symbolic or after.__class__ is Symbolic:
            return False
        _, value = self.learnt.get(old.number, (old, None))
        return value is not None and value == after

    def forget(self) -> None:
        """Let all cells hold their variables again."""
        for number, (node, _) in self.learnt.items():
            put(*self.holders[number], node)

    def _known(self, condition: Symbolic) -> bool | None:
        if condition.operation == "not":
            inner = self._known(condition.arguments[0])
            return None if inner is None else not inner
        fact = self.facts.get(condition.number)
        if fact is not None:
            return fact
        if condition.operation in ("equal", "less"):
            left, right = condition.arguments
            value = self.values.get(left.number) if left.__class__ is Symbolic else left
            other = self.values.get(right.number) if right.__class__ is Symbolic else right
            if value is not None and other is not None:
                return bool(value == other) if condition.operation == "equal" else bool(value < other)
        elif condition.operation in ("and", "or"):
            absorbing = condition.operation == "or"
            parts = [self._known(part) for part in condition.arguments]
            if absorbing in parts:
                return absorbing
            if None not in parts:
                return not absorbing
        return None

    def decide(self, condition: Symbolic) -> bool:
        known = self._known(condition)
        if known is not None:
            return known
        if self.asked == len(self.answers):
            self.answers.append(True)
        answer = self.answers[self.asked]
        self.asked += 1
        self.assume(condition, answer, "")
        return answer


def trace(
    model: Model, action: Action, values: tuple[Any, ...], limit: int = PATH_LIMIT, extra: Iterable[Requirement] = (),
    refusing: set[str] | None = None,
) -> list[Path]:
    """Every feasible path of an action with the given choices.

    Args:
        values: a member for each `One`; a `Selection` of members to numbers, truth values or variables otherwise.
        limit: more paths than this are an error that names the branch.
        extra: requirements on the choices themselves.
        refusing: is given the places of requirements that no state meets with these choices.

    Raises:
        RuleError: the rule can't be traced; says where and how to mend it.
    """
    paths: list[Path] = []
    answers: list[bool] = []
    last = declared_at(action.function, action.function)
    for attempt in range(limit * 8):
        tracer = _Tracer(model.game.catalogue.clauses, list(answers), model.holders())
        path = _run(model, action, values, tracer, extra)
        if path is not None:
            paths.append(path)
        elif refusing is not None and tracer.refused_at:
            refusing.add(tracer.refused_at)
        if tracer.guard:
            last = tracer.guard[-1].place
        answers = tracer.answers[: tracer.asked]
        while answers and not answers[-1]:
            answers.pop()
        if not answers and len(paths) <= limit:
            return paths
        if len(paths) > limit or attempt == limit * 8 - 1:
            raise RuleError(
                f"rule {action.name} has more than {limit} paths; this is its last branch",
                "Write effects on many cards with `where`, `count`, `total`; keep `if` for real cases",
                last,
            )
        answers[-1] = False
    return paths


def _run(
    model: Model, action: Action, values: tuple[Any, ...], tracer: _Tracer, extra: Iterable[Requirement]
) -> Path | None:
    state = model.unknown()
    before = state.all_values()
    journal = Journal(state)
    outer, Listener.current = Listener.current, tracer
    _deciders.append(tracer.decide)
    try:
        with journal:
            tracer.journal = journal.writes
            if action.phases:
                phase = state.phase
                tracer_assume(tracer, disjunction(phase == number for number in action.phases), action)
            if action.when is not None:
                tracer_assume(tracer, action.when(state), action)
            for position, choice in enumerate(action.choices.values()):
                _qualify(state, action, choice, values, position, tracer)
            for requirement in extra:
                tracer_assume(tracer, requirement.condition, action)
            action.function(state, *values)
        reached = state.all_values()
    except (Refused, _Infeasible):
        return None
    finally:
        journal.undo()
        tracer.forget()
        _deciders.pop()
        Listener.current = outer
    changed = [
        (cell, after)
        for cell, old, after in zip(model.layout.cells, before, reached, strict=True)
        if old is not after and not tracer.knew(old, after)
    ]
    updates = {cell.slot: after for cell, after in changed if cell.slot is not None}
    unfrozen = {
        cell.label: after
        for cell, after in changed
        if cell.slot is None and (after.__class__ is Symbolic or after != cell.initial)
    }
    free = tuple(
        amount
        for value in values
        if isinstance(value, Selection)
        for amount in value.values()
        if amount.__class__ is Symbolic
    )
    clauses = frozenset(tracer.clauses) | set(action.clauses)
    return Path(action, values, tuple(tracer.guard), updates, clauses, free, unfrozen)


def tracer_assume(tracer: _Tracer, condition: Term, action: Action, clause: str = "") -> None:
    """Take a condition of the declaration (not of the body) to hold."""
    condition = truth(condition)
    if condition.__class__ is Symbolic:
        tracer.assume(condition, True, clause, action.place)
    elif not condition:
        raise _Infeasible


def _qualify(
    state: State, action: Action, choice: Choice, values: tuple[Any, ...], position: int, tracer: _Tracer
) -> None:
    """Require what the declaration of the choice at `position` requires of its value."""
    earlier, chosen = values[:position], values[position]
    clause = choice.clause
    tracer.cited(clause)
    if choice.__class__ is One:
        if choice.where is not None:
            tracer_assume(tracer, action.call(choice.where, state, earlier, chosen), action, clause)
        return
    for member, amount in chosen.items():
        if choice.where is not None:
            qualified = action.call(choice.where, state, earlier, member)
            taken = amount if isinstance(choice, Subset) else negation(less(amount, 1))
            tracer_assume(tracer, disjunction((negation(taken), qualified)), action, clause)
        if isinstance(choice, Amounts):
            assert choice.limit is not None
            limit = action.call(choice.limit, state, earlier, member)
            tracer_assume(tracer, negation(less(limit, amount)), action, clause)
    exact = getattr(choice, "total", None)
    if exact is not None:
        tracer_assume(tracer, sum_of(chosen.values()) == action.call(exact, state, earlier), action, clause)


# -- the instances of an action ------------------------------------------------------------------------------------
def instances(model: Model, action: Action, symbolic: bool) -> Iterator[tuple[Any, ...]]:
    """Every assignment of choices worth tracing.

    Args:
        symbolic: leave `Subset` and `Amounts` free and represent symmetric members by the first unused of each kind;
            otherwise enumerate all, leaving out what `where`, `limit` or `total` folds to impossible.
    """
    yield from _instances(model, action, tuple(action.choices.items()), (), symbolic)


def _instances(
    model: Model, action: Action, choices: tuple[tuple[str, Choice], ...], values: tuple[Any, ...], symbolic: bool
) -> Iterator[tuple[Any, ...]]:
    if len(values) == len(choices):
        yield values
        return
    name, choice = choices[len(values)]
    state = model.unknown()
    family = model.families[choice.family]
    members = _representatives(family, values) if symbolic and choice.__class__ is One else list(family)
    qualified = [
        member
        for member in members
        if choice.where is None or possible(model, action, choice.where, state, values, member)
    ]
    if choice.__class__ is One:
        for member in qualified:
            yield from _instances(model, action, choices, (*values, member), symbolic)
    elif symbolic:
        yield from _instances(model, action, choices, (*values, free(choice, name, family, qualified)), symbolic)
    else:
        for selection in _selections(model, action, choice, state, values, qualified):
            yield from _instances(model, action, choices, (*values, selection), symbolic)


def free(choice: Choice, name: str, family: Any, qualified: list[Any]) -> Selection:
    """Any selection of the qualified members: for each of them a variable, called by `name` and the member."""
    boolean = isinstance(choice, Subset)
    return Selection(
        {
            member: variable(
                ("choice", name, family.label[member]), 0, 1 if boolean else INFINITY, boolean
            )
            for member in qualified
        },
        False if boolean else 0,
    )


def freed(
    model: Model, action: Action, name: str, earlier: tuple[Any, ...], called: str | None = None
) -> Selection:
    """What may be chosen by several under a name after earlier choices, left free.

    Args:
        called: what its variables are called by instead, where the same choice occurs once more.
    """
    choice, state = action.choices[name], model.unknown()
    family = model.families[choice.family]
    qualified = [
        member for member in family
        if choice.where is None or possible(model, action, choice.where, state, earlier, member)
    ]  # fmt: skip
    return free(choice, called or name, family, qualified)


def _selections(
    model: Model, action: Action, choice: Choice, state: State, values: tuple[Any, ...], qualified: list[Any]
) -> Iterator[Selection]:
    exact_of = getattr(choice, "total", None)
    exact = None if exact_of is None else _guarded(model, lambda: action.call(exact_of, state, values))
    if exact_of is not None and exact.__class__ is Symbolic:
        raise RuleError(
            "the total of a choice depends on the state",
            "Let it depend on earlier choices and the set-up only, or require the sum in the rule",
            declared_at(action.function, exact_of),
        )
    if isinstance(choice, Subset):
        for chosen in _subsets(qualified, exact):
            yield Selection(dict.fromkeys(chosen, True), False)
        return
    assert isinstance(choice, Amounts) and choice.limit is not None
    limits = []
    for member in qualified:
        limit = _guarded(model, lambda member=member: action.call(choice.limit, state, values, member))
        most = limit.high if limit.__class__ is Symbolic else limit
        if exact is not None:
            most = min(most, exact)
        if most == INFINITY:
            raise RuleError(
                "an amount has no limit",
                "Give `total` or a bounded `limit`",
                declared_at(action.function, choice.limit),
            )
        if most > 0:
            limits.append((member, int(most)))
    for amounts in _amounts(limits, exact):
        yield Selection(amounts)


def _guarded(model: Model, compute: Any) -> Any:
    """Compute outside any path: a symbolic branch here is answered by both, so it must not happen."""

    def refuse(condition: Symbolic) -> bool:
        raise RuleError("`where`, `limit` or `total` branches on the state", "Use `where(...)` and `all_of(...)` there")

    _deciders.append(refuse)
    try:
        return compute()
    finally:
        _deciders.pop()


def possible(
    model: Model, action: Action, where: Any, state: State, values: tuple[Any, ...], member: Any
) -> bool:
    """Whether a member may qualify in some state, given the earlier choices."""
    held = _guarded(model, lambda: action.call(where, state, values, member))
    return held.__class__ is Symbolic or bool(held)


def _representatives(family: Any, values: tuple[Any, ...]) -> list[Any]:
    """All members of a plain family; of a symmetric one those already chosen and the first unused of each kind."""
    if not family.kind:
        return list(family)
    used = {value for value in values if isinstance(value, Element)}
    found: list[Any] = []
    seen: set[Any] = set()
    for member in family:
        kind = family.kind[member]
        if kind is None or member in used:
            found.append(member)
        elif kind not in seen:
            seen.add(kind)
            found.append(member)
    return found


def paths_of(model: Model, symbolic: bool = False, actions: Iterable[Action] | None = None) -> list[Path]:
    """The paths of all (or the given) actions, over all instances."""
    return [
        path
        for action in (model.actions.values() if actions is None else actions)
        for values in instances(model, action, symbolic)
        for path in trace(model, action, values)
    ]


def fixed_by(path: Path) -> dict[int, Term]:
    """The variables of which the guard says what value they have, by their number."""
    found: dict[int, Term] = {}
    for requirement in path.guard:
        condition, value = requirement.condition, True
        if condition.operation == "not":
            condition, value = condition.arguments[0], False
        if condition.operation == "var":
            found[condition.number] = value
        elif value and condition.operation == "equal" and condition.arguments[0].operation == "var":
            known = condition.arguments[1]
            if known.__class__ is not Symbolic:
                found[condition.arguments[0].number] = known
    return found


def around(model: Model, path: Path) -> tuple[State, State]:
    """The states before and after the path, as expressions, with the values that its guard fixes."""
    fixed = fixed_by(path)
    vector = [fixed.get(node.number, node) for node in model.layout.symbols()]
    before = model.state(vector)
    for slot, value in path.updates.items():
        vector[slot] = value
    return before, model.state(vector)


def guard_of(path: Path) -> Term:
    """The whole guard as one condition."""
    return conjunction(requirement.condition for requirement in path.guard)
