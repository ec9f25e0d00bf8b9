"""Two runs in lock-step: the first state in which one game, under two sets of readings, parts.

Until then both runs are in the same state, so their product need not be searched: it is enough to explore the game
under one answer, the *leader's*, and to ask in every state whether the rules under the other answer offer the same
moves with the same results. Both are traced over the same cells; expressions are hash-consed, so what the answers have
in common *is* the same node and falls away at once. What remains of a move is one condition on the state: allowed here
and not there, or allowed in both with some cell ending up different. Searched for as a witness, it is found by a
shortest game, and many answers are looked at in one exploration.

A rule that never asked for a reading while it was traced can't depend on it, and is not traced again. An answer may
need cells of its own (a count that only it keeps). Then it leads, and those cells are not compared: what nobody would
see on the table tells nothing apart.

The columns only propose. Each game is played on the plain model under both answers, and the parting is told from the
moves that these offer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from model.language.catalogue import NotedAnswers
from model.language.errors import OutsideDomain
from model.language.expression import Symbolic, Term, conjunction, disjunction, equal, negation
from model.language.game import Game, Model, Move
from model.language.rule import Action, Selection
from model.language.state import Cell, State
from model.language.trace import Path, guard_of, instances, paths_of, trace
from properties.declaration import Property
from solver.explorer.frozen import Thawed

MOST_INSTANCES = 1000  # of one action under another answer; where it has more, the set-up is not for comparing them


@dataclass(frozen=True)
class Parting:
    """Where two runs part: after the moves of a game that is the same in both.

    Attributes:
        moves: those that lead there. last: a move that only one of them offers, or that ends differently; None where
            they differ from the start, or in whether the game is over.
        offered: for each run, the moves that only it offers.
        outcomes: for each run, the cells that `last` leaves different, as `cell: before to after`; where the runs
            differ without a move, their values.
        over: for each run, whether the game is over.
    """

    moves: tuple[Move, ...]
    last: Move | None
    offered: tuple[tuple[Move, ...], tuple[Move, ...]]
    outcomes: tuple[tuple[str, ...], tuple[str, ...]]
    over: tuple[bool, bool]

    @property
    def length(self) -> int:
        """The moves of the game, the one on which the runs part included."""
        return len(self.moves) + (self.last is not None)


class NotComparable(Exception):
    """The states of two runs can't be laid over each other; says why."""


class MustLead(NotComparable):
    """The other answer counts something that the leader doesn't."""


def _asked_by(noting: Model, action: Action) -> frozenset[str]:
    """The readings that a rule asks for while it is traced on a model that notes them."""
    noting.setup.readings.asked.clear()
    paths_of(noting, actions=[action])
    return frozenset(noting.setup.readings.asked)


class Leader:
    """The rules that are explored, ready to be compared with others.

    Args:
        thawed: the model and its paths.
    """

    def __init__(self, thawed: Thawed) -> None:
        self.thawed, self.model = thawed, thawed.model
        self._paths = _by_move(thawed.paths)
        self._asked: dict[str, frozenset[str]] = {}
        setup = self.model.setup
        noting = Model(self.model.game, replace(setup, readings=NotedAnswers(setup.readings)), self._frozen())
        for action in self.model.game.actions:
            self._asked[action.name] = _asked_by(noting, action)

    def _frozen(self) -> frozenset[str]:
        """The cells that its set-up never changes."""
        varying = {cell.label for cell in self.model.layout.slots}
        return frozenset(cell.label for cell in self.model.layout.cells if cell.label not in varying)

    def parts_from(self, setup: Any) -> Term:
        """The condition on a state under which the rules of another set-up offer or do something else.

        Args:
            setup: the same set-up but for its readings.

        Raises:
            MustLead: the other answer has cells that the leader lacks, and they may change here.
            NotComparable: they have cells of other domains, or there are too many moves.
            RuleError: a rule can't be traced.
        """
        ahead = _own_cells(self.model.game.model(setup), self.model)
        other = Model(self.model.game, setup, self._frozen() | ahead)
        own = _own_cells(self.model, other)
        changed = {id for id, value in setup.readings.items() if self.model.setup.readings.get(id) != value}
        actions = self.model.game.actions
        concerned = [action for action in actions if own or ahead or changed & self._asked[action.name]]
        try:
            theirs = _by_move(path for action in concerned for path in _some_paths(other, action))
        except OutsideDomain as error:
            raise NotComparable(f"{error.label} would leave what this set-up can reach") from error
        if any(ahead & path.unfrozen.keys() for paths in theirs.values() for path in paths):
            raise MustLead("only the other answer keeps what it counts here")
        names = {action.name for action in concerned}
        ours = {move: paths for move, paths in self._paths.items() if move[0] in names}
        return disjunction([*_apart_by(self.model, ours, other, theirs, own | ahead), _over_apart(self.model, other)])


def apart_anywhere(first: Model, second: Model) -> Iterator[Term]:
    """For each move, the condition on any state at all under which two models offer or do something else.

    For proofs: selections are left free, and symmetric members are represented by the first unused of each kind. That
    is sound only where nothing tells members of a kind apart, so what is printed on cards must be left open. The first
    leads: what only it keeps is not compared.

    Raises:
        NotComparable: the second keeps what the first doesn't.
        RuleError: a rule can't be traced.
    """
    if _own_cells(second, first):
        raise NotComparable("the second answer keeps what the first doesn't")
    own = _own_cells(first, second)
    for action in first.game.actions:
        ours, theirs = (_by_move(paths_of(model, True, [action])) for model in (first, second))
        yield from _apart_by(first, ours, second, theirs, own)
    yield _over_apart(first, second)


def leads(game: Game, setups: Sequence[Any]) -> int:
    """Which of two set-ups, alike but for their readings, can lead: the one that has all cells of the other.

    Raises:
        NotComparable: neither has.
    """
    first, second = (game.model(setup) for setup in setups)
    varying = [{cell.label for cell in model.layout.slots} for model in (first, second)]
    if varying[1] <= varying[0]:
        return 0
    if varying[0] <= varying[1]:
        return 1
    raise NotComparable("each answer keeps something that the other doesn't")


def sought(id: str, condition: Term) -> Property:
    """A condition on the leader's states as a situation to be searched for."""
    return Property(id, "witness", "The runs part.", (), lambda state: condition)


# -- comparing rules ---------------------------------------------------------------------------------------------------
_Key = tuple[str, tuple[Any, ...]]
_ByMove = Mapping[_Key, Sequence[Path]]


def _by_move(paths: Iterable[Path]) -> _ByMove:
    found: dict[_Key, list[Path]] = {}
    for path in paths:
        found.setdefault(_key(path), []).append(path)
    return found


def _key(move: Move | Path) -> _Key:
    """What a move is known by; selections that are left free are the same if the same members may be chosen."""
    return move.action.name, tuple(
        frozenset((member, _node(amount)) for member, amount in value.items())
        if isinstance(value, Selection) else value
        for value in move.values
    )  # fmt: skip


def _apart_by(
    first: Model, ours: _ByMove, second: Model, theirs: _ByMove, ignored: frozenset[str]
) -> Iterator[Term]:
    mine, other = _Effects(first, ignored), _Effects(second, ignored)
    for move in dict.fromkeys((*ours, *theirs)):
        yield _apart(mine, ours.get(move, ()), other, theirs.get(move, ()))


def _over_apart(first: Model, second: Model) -> Term:
    over = (model.game.over(model.unknown()) for model in (first, second))
    return negation(equal(*over))


def _own_cells(model: Model, other: Model) -> frozenset[str]:
    """The cells that can vary in this model only, by their declaration.

    Raises:
        NotComparable: a cell has different domains.
    """
    own = set()
    for cell, theirs in zip(model.layout.cells, other.layout.cells, strict=True):
        if cell.domain.size > 1 and theirs.domain.size > 1 and cell.domain != theirs.domain:
            raise NotComparable(f"{cell.label} has another domain under each answer")
        if cell.domain.size > 1 and theirs.domain.size <= 1:
            own.add(cell.label)
    return frozenset(own)


def _some_paths(model: Model, action: Action) -> Iterator[Path]:
    """The paths of an action, unless an answer gives it far too many choices for a small set-up.

    Raises:
        NotComparable: there are too many.
    """
    some = list(islice(instances(model, action, symbolic=False), MOST_INSTANCES + 1))
    if len(some) > MOST_INSTANCES:
        raise NotComparable(f"{action.name} has more than {MOST_INSTANCES:,} choices under the other answer")
    for values in some:
        yield from trace(model, action, values)


class _Effects:
    """What the paths of a model do, by the labels of the cells that are compared."""

    def __init__(self, model: Model, ignored: frozenset[str]) -> None:
        self.model, self.ignored = model, ignored

    def of(self, path: Path) -> dict[str, Term]:
        slots = self.model.layout.slots
        changed = {slots[slot].label: value for slot, value in path.updates.items()} | dict(path.unfrozen)
        return {label: value for label, value in changed.items() if label not in self.ignored}

    def old(self, labels: Any) -> dict[str, Term]:
        """The values before."""
        symbols = self.model.layout.symbols()
        return {
            cell.label: symbols[cell.slot] if cell.slot is not None else cell.initial
            for cell in self.model.layout.cells if cell.label in labels
        }  # fmt: skip


def _apart(ours: _Effects, our_paths: Sequence[Path], theirs: _Effects, their_paths: Sequence[Path]) -> Term:
    """Where a move is allowed by only one of two rules, or has not the same effect by both."""
    mine = {_form(path, ours): path for path in our_paths}
    other = {_form(path, theirs): path for path in their_paths}
    left = [path for form, path in mine.items() if form not in other]
    right = [path for form, path in other.items() if form not in mine]
    allowed, allowed_there = (disjunction(guard_of(path) for path in paths) for paths in (left, right))
    parts = [negation(equal(allowed, allowed_there))]
    for path in left:
        for another in right:
            both = conjunction((guard_of(path), guard_of(another)))
            if both is not False:
                parts.append(conjunction((both, _differs(ours, path, theirs, another))))
    return disjunction(parts)


def _form(path: Path, effects: _Effects) -> tuple[Any, ...]:
    """Equal for paths that are the same: their expressions are the same nodes."""
    guard = frozenset(requirement.condition.number for requirement in path.guard)
    return guard, frozenset((label, _node(value)) for label, value in effects.of(path).items())


def _node(term: Term) -> Any:
    return ("node", term.number) if term.__class__ is Symbolic else int(term)


def _differs(ours: _Effects, path: Path, theirs: _Effects, another: Path) -> Term:
    after, after_there = ours.of(path), theirs.of(another)
    old = ours.old(after.keys() | after_there.keys())
    return disjunction(
        negation(equal(after.get(label, before), after_there.get(label, before))) for label, before in old.items()
    )


# -- playing both ------------------------------------------------------------------------------------------------------
def parting(first: Model, second: Model, moves: Sequence[Move]) -> Parting | None:
    """Where the plain models part, if they do not before the last of the moves; None if they don't after them either.

    Args:
        moves: of either model.

    Raises:
        ValueError: they part earlier, or refuse one of the moves.
    """
    one, other = first.initial(), second.initial()
    compared = _compared(first, second)
    for number, move in enumerate(moves):
        if _changes(one, other, compared):
            raise ValueError(f"the runs part before move {number + 1}, which is not the last")
        for model, state in ((first, one), (second, other)):
            clause = model.refusal(state, move)
            if clause is not None:
                raise ValueError(f"move {number + 1} is refused under {clause}")
            model.apply(state, move)
    apart = _changes(one, other, compared)
    over = (first.over(one), second.over(other))
    if apart or over[0] != over[1]:
        values = tuple(tuple(f"{cell.label} {shown(cell, side[i])}" for cell, *side in apart) for i in range(2))
        return Parting(tuple(moves), None, ((), ()), values, over)  # type: ignore[arg-type]
    here = {_key(move): move for move in first.legal(one)}
    there = {_key(move): move for move in second.legal(other)}
    offered = (
        tuple(move for key, move in here.items() if key not in there),
        tuple(move for key, move in there.items() if key not in here),
    )
    if any(offered):
        last = next(iter((*offered[0], *offered[1])))
        return Parting(tuple(moves), last, offered, ((), ()), over)
    for move in here.values():
        ends = [state.copy() for state in (one, other)]
        first.apply(ends[0], move)
        second.apply(ends[1], move)
        found = _changes(ends[0], ends[1], compared)
        if found:
            before = dict(zip((cell.label for cell in first.layout.cells), one.all_values(), strict=True))
            told = tuple(
                tuple(_change(cell, before[cell.label], side[i]) for cell, *side in found) for i in range(2)
            )
            return Parting(tuple(moves), move, ((), ()), told, over)  # type: ignore[arg-type]
    return None


def _compared(first: Model, second: Model) -> list[bool]:
    """For each cell, whether both models keep it."""
    return [
        (one.slot is None) == (other.slot is None)
        for one, other in zip(first.layout.cells, second.layout.cells, strict=True)
    ]


def _changes(one: State, other: State, compared: Sequence[bool]) -> list[tuple[Cell, Any, Any]]:
    return [
        (cell, value, another)
        for cell, value, another, both in zip(
            one._layout.cells, one.all_values(), other.all_values(), compared, strict=True
        )
        if both and value != another
    ]


def _change(cell: Cell, before: Any, after: Any) -> str:
    if before == after:
        return f"{cell.label} stays {shown(cell, after)}"
    return f"{cell.label} from {shown(cell, before)} to {shown(cell, after)}"


def shown(cell: Cell, value: Any) -> str:
    """A cell's value as its domain spells it."""
    names = cell.domain.names
    return names[int(value) - int(cell.domain.low)].lower() if names else str(int(value))

