"""A game as a whole, and one set-up of it ready to be played, traced and explored.

`Game` is what a package under `model/` declares: its actions, clauses, readings, presets. `Model` is the game with
every parameter fixed (players, deck, readings): families, layout, the initial state, legal moves.

The legal moves of a state are found by going through each action's choices in order and keeping the members that
qualify (`where`), so that what a player could do is listed in time proportional to what there is, and then by
probing the body's guard. `refusal` goes the same way for one given move and names the clause that forbids it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.language.catalogue import Catalogue
from model.language.errors import Refused, RuleError, raised_at
from model.language.family import Family
from model.language.rule import Action, Amounts, Choice, Having, One, Recorder, Selection, Subset, declared_at
from model.language.state import GuardPassed, Journal, Layout, State, Variable

PLAYERS = "player"  # how every game calls the family of its players


@dataclass(frozen=True)
class Preset:
    """A named set-up: a parameter object a (name, purpose) pair; `scaled` says what differs from the printed game."""

    name: str
    setups: Sequence[str]
    summary: str


@dataclass(frozen=True)
class Game:
    """What a game's package declares.

    Attributes:
        id: as on the command line. title: as printed. version: of the rules, written into saved games.
        actions: all rules. catalogue: clauses and readings. phases: names by number.
        presets: by name; each names the set-ups it consists of.
        setup: (set-up name, players, readings, deck file or None, symbolic) -> the game's parameter object.
        families: parameters -> families by name. variables: parameters, families -> declarations.
        state: the State subclass. player_counts: allowed numbers of players.
        over: whether the game has ended. observe: what one player can see.
        turn_clause, phase_clause: what forbids a move out of turn, and one in another phase.
    """

    id: str
    title: str
    version: str
    catalogue: Catalogue
    actions: Sequence[Action]
    phases: Sequence[str]
    presets: Mapping[str, Preset]
    player_counts: tuple[int, ...]
    setup: Callable[..., Any]
    families: Callable[[Any], dict[str, Family]]
    variables: Callable[[Any, dict[str, Family]], list[Variable]]
    state: type[State]
    over: Callable[[Any], Any]
    observe: Callable[[Any, int], dict[str, Any]]
    turn_clause: str
    phase_clause: str = ""

    def model(self, setup: Any, frozen: frozenset[str] = frozenset()) -> Model:
        """The game with its parameters fixed."""
        return Model(self, setup, frozen)


@dataclass(frozen=True)
class Move:
    """An action with all its choices made."""

    action: Action
    values: tuple[Any, ...]

    @property
    def player(self) -> Any:
        """The player it is the move of, which is the first one chosen in it; None where none is."""
        for choice, value in zip(self.action.choices.values(), self.values, strict=True):
            if choice.family == PLAYERS and isinstance(choice, One):
                return value
        return None


class Model:
    """One set-up of a game. `setup` must have `players`, `readings` and `catalogue`."""

    def __init__(self, game: Game, setup: Any, frozen: frozenset[str] = frozenset()) -> None:
        self.game = game
        self.setup = setup
        self.families = game.families(setup)
        self.layout = Layout(game.variables(setup, self.families), frozen)
        self.actions = {action.name: action for action in game.actions}
        self._unknown: State | None = None
        self._holders: Mapping[int, tuple[Any, Any]] | None = None
        self._choices = [(action, tuple(action.choices.values())) for action in game.actions]
        for action in game.actions:
            place = declared_at(action.function, action.function)
            for clause in (*action.clauses, *(choice.clause for choice in action.choices.values() if choice.clause)):
                if clause not in game.catalogue.clauses:
                    raise RuleError(f"clause `{clause}` is not in the catalogue", "Cite one that is, or add it", place)
            for name, choice in action.choices.items():
                if choice.family not in self.families:
                    raise RuleError(
                        f"the choice {name} is from the family {choice.family!r}, which the game does not declare",
                        f"Declare it, or use one of {', '.join(self.families)}",
                        place,
                    )

    def initial(self) -> State:
        """The state before the first move."""
        return self.game.state(self.layout, self.setup)

    def state(self, vector: Sequence[Any]) -> State:
        """The state with the given slot values."""
        return self.game.state(self.layout, self.setup, vector)

    def unknown(self) -> State:
        """The state of variables that rules are traced on. It is shared: whoever changes it undoes that."""
        if self._unknown is None:
            self._unknown = self.state(self.layout.symbols())
        return self._unknown

    def holders(self) -> Mapping[int, tuple[Any, Any]]:
        """Where the unknown state holds each variable, by its number."""
        if self._holders is None:
            self._holders = self.unknown().holders()
        return self._holders

    # -- playing -------------------------------------------------------------------------------------------------
    def legal(self, state: State) -> list[Move]:
        """Every legal move, in the order of the actions' declaration."""
        moves: list[Move] = []
        cache: dict[Any, Any] = {}
        phase = state.phase
        for action, choices in self._choices:
            if (not action.phases or phase in action.phases) and (action.when is None or action.when(state)):
                self._extend(state, action, choices, (), moves, cache)
        return moves

    def _extend(
        self,
        state: State,
        action: Action,
        choices: tuple[Choice, ...],
        values: tuple[Any, ...],
        moves: list[Move],
        cache: dict[Any, Any],
    ) -> None:
        position = len(values)
        if position == len(choices):
            if allowed(state, action, values):
                moves.append(Move(action, values))
            return
        for member in self._candidates(state, action, choices[position], values, cache):
            self._extend(state, action, choices, (*values, member), moves, cache)

    def _candidates(
        self, state: State, action: Action, choice: Choice, values: tuple[Any, ...], cache: dict[Any, Any]
    ) -> Sequence[Any]:
        if choice.__class__ is One:
            return self._qualified(state, action, choice, values, cache)
        total_of = choice.total if isinstance(choice, Subset | Amounts) else None
        exact = None if total_of is None else action.call(total_of, state, values)
        if exact == 0:
            return [Selection({}, False if isinstance(choice, Subset) else 0)]
        qualified = self._qualified(state, action, choice, values, cache)
        if isinstance(choice, Subset):
            return [Selection(dict.fromkeys(chosen, True), False) for chosen in _subsets(qualified, exact)]
        assert isinstance(choice, Amounts) and choice.limit is not None
        limits = [(member, action.call(choice.limit, state, values, member)) for member in qualified]
        return [Selection(chosen) for chosen in _amounts([pair for pair in limits if pair[1] > 0], exact)]

    def _qualified(
        self, state: State, action: Action, choice: Choice, values: tuple[Any, ...], cache: dict[Any, Any]
    ) -> Sequence[Any]:
        """The members that `where` lets through; asked once for equal earlier choices."""
        family, where = self.families[choice.family], choice.where
        if where is None:
            return family.members
        earlier = [values[i] for i in action.arguments[id(where)]]
        key = (id(where), choice.family, *[id(v) if v.__class__ is Selection else v for v in earlier])
        found = cache.get(key)
        if found is None:  # `earlier` is kept with it: a selection's id must not be used again meanwhile
            found = cache[key] = (_members(state, family, where, earlier, cache), earlier)
        members: list[Any] = found[0]
        return members

    def refusal(self, state: State, move: Move) -> str | None:
        """The clause that forbids the move in this state, or None if it is legal. Leaves the state as it is."""
        action, values = move.action, move.values
        turn = self.game.turn_clause
        if action.phases and state.phase not in action.phases:
            return self.game.phase_clause or turn
        if action.when is not None and not action.when(state):
            return turn
        for position, choice in enumerate(action.choices.values()):
            clause = self._unqualified(state, action, choice, values, position)
            if clause is not None:
                return clause or (action.clauses[0] if action.clauses else turn)
        object.__setattr__(state, "_probing", True)
        try:
            action.function(state, *values)
        except GuardPassed:
            pass
        except Refused as refused:
            return refused.clause
        finally:
            object.__setattr__(state, "_probing", False)
        return None

    def _unqualified(
        self, state: State, action: Action, choice: Choice, values: tuple[Any, ...], position: int
    ) -> str | None:
        """The clause (maybe empty) by which the choice at `position` is not allowed; None if it is."""
        earlier, chosen = values[:position], values[position]
        members = self.families[choice.family].members
        several = isinstance(chosen, Selection)
        if several is (choice.__class__ is One) or any(m not in members for m in (chosen if several else (chosen,))):
            return choice.clause
        if choice.where is not None and not all(
            action.call(choice.where, state, earlier, member) for member in (chosen if several else (chosen,))
        ):
            return choice.clause
        if isinstance(choice, Amounts):
            assert choice.limit is not None
            for member, amount in chosen.items():
                if not 0 < amount <= action.call(choice.limit, state, earlier, member):
                    return choice.clause
        exact = getattr(choice, "total", None)
        if exact is not None and chosen.size() != action.call(exact, state, earlier):
            return choice.clause
        return None

    def apply(
        self, state: State, move: Move, cited: set[str] | None = None, changed: set[int] | None = None
    ) -> None:
        """Make a move in place; a refused one changes nothing.

        Args:
            cited: where given, the clauses the move exercises are added to it.
            changed: where given, the slots to which the move gives another value are added to it.

        Raises:
            Refused: the move is not legal; names the clause.
        """
        clause = self.refusal(state, move)
        if clause is not None:
            raise Refused(clause)
        with Journal(state) as journal:
            try:
                if cited is None:
                    move.action.function(state, *move.values)
                else:
                    with Recorder(self.game.catalogue.clauses) as recorder:
                        move.action.function(state, *move.values)
                    cited |= recorder.clauses
                    cited.update(move.action.clauses)
                    cited.update(choice.clause for choice in move.action.choices.values() if choice.clause)
            except Refused as refused:  # the guard has passed, so this one came after a change
                journal.undo()
                raise RuleError(
                    f"`require` ({refused.clause}) comes after a change of the state",
                    "Move every `require` above the changes",
                    raised_at(refused),
                ) from None
            except BaseException:
                journal.undo()
                raise
        if changed is not None:
            changed |= journal.slots()

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return bool(self.game.over(state))

    # -- names ---------------------------------------------------------------------------------------------------
    def describe(self, move: Move) -> str:
        """The move as a line of a log."""
        labelled = {
            name: self._label(choice, value)
            for (name, choice), value in zip(move.action.choices.items(), move.values, strict=True)
        }
        return move.action.log.format(**labelled)

    def _label(self, choice: Choice, value: Any) -> str:
        label = self.families[choice.family].label
        if not isinstance(value, Selection):
            return str(label[value])
        parts = [label[m] if isinstance(choice, Subset) else f"{n} {label[m]}" for m, n in value.items()]
        return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing"


def _members(state: State, family: Family, where: Any, earlier: list[Any], cache: dict[Any, Any]) -> list[Any]:
    """The members that qualify."""
    if where.__class__ is not Having:
        return [member for member in family.members if where(state, *earlier, member)]
    key = (family.name, where.cells)
    index = cache.get(key)
    if index is None:
        index = cache[key] = {}
        rows = [getattr(state, cell) for cell in where.cells]
        for member in family.members:
            index.setdefault(tuple([row[member] for row in rows]), []).append(member)
    found: list[Any] = index.get(where.values(earlier), [])
    return found if where.also is None else [member for member in found if where.passes(state, earlier, member)]


def allowed(state: State, action: Action, values: tuple[Any, ...]) -> bool:
    """Whether the body's guard passes: it is run up to its first write."""
    object.__setattr__(state, "_probing", True)
    try:
        action.function(state, *values)
    except GuardPassed:
        return True
    except Refused:
        return False
    finally:
        object.__setattr__(state, "_probing", False)
    return True


def _subsets(members: Sequence[Any], exact: int | None) -> Iterator[tuple[Any, ...]]:
    if exact is not None and (exact < 0 or exact > len(members)):
        return
    if not members:
        yield ()
        return
    first, rest = members[0], members[1:]
    yield from _subsets(rest, exact)
    for chosen in _subsets(rest, None if exact is None else exact - 1):
        yield (first, *chosen)


def _amounts(limits: Sequence[tuple[Any, int]], exact: int | None) -> Iterator[dict[Any, int]]:
    if exact is not None and (exact < 0 or exact > sum(limit for _, limit in limits)):
        return
    if not limits:
        yield {}
        return
    (member, limit), rest = limits[0], limits[1:]
    for amount in range(limit + 1 if exact is None else min(limit, exact) + 1):
        for chosen in _amounts(rest, None if exact is None else exact - amount):
            yield {**({member: amount} if amount else {}), **chosen}
