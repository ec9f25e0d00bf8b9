"""Directed random play of any model, with every property watched on the way.

Uniform random play of a board game mostly takes what is most numerous and never sees its rare rules. Here the action is
chosen first, the less often used the likelier, then one of its moves; a game's `Policy` may pull further. A small share
of decisions stays uniform, so that no situation is out of reach because a policy dislikes it.

Besides the declared properties, some hold for every game whatever its rules: they are listed in `CONTRACT`. They
are what catches a mistake in the rules' *form* (a guard that reads badly, a listing that forgets a move).
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from model.language import Action, Amounts, InputError, Model, Move, One, Refused, Selection, State, Subset
from model.language.record import log
from model.language.rule import Refusals
from properties.declaration import Property
from properties.watching import Violation, Watch, reason

DECISION_OPEN = "decision-open"
LISTED_ACCEPTED = "listed-accepted"
LISTING_COMPLETE = "listing-complete"
REFUSAL_HARMLESS = "refusal-harmless"
RULES_TOTAL = "rules-total"
CONTRACT = {
    DECISION_OPEN: "Until the game is over, some decision is open.",
    LISTED_ACCEPTED: "Every move listed as legal is accepted.",
    LISTING_COMPLETE: "Every move that is accepted is listed as legal.",
    REFUSAL_HARMLESS: "A refused move names its clause and leaves the state unchanged.",
    RULES_TOTAL: "No rule fails to compute or leaves a variable's domain.",
}
PROBE_SHARE = 0.1  # of the decisions are preceded by an attempt at an illegal move
_REMEMBERED = 50  # moves that were legal once, to be tried when they no longer are


class Policy:
    """Where random play should go. A game may subclass it to direct play toward rare situations."""

    epsilon = 0.1  # the share of decisions taken uniformly

    def weight(self, state: Any, move: Move) -> float:
        """How much the move is wanted, beside others of its action and, by its best move, the action itself."""
        return 1.0


class Director:
    """Chooses the moves of one game.

    Args:
        policy: the game's wishes.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.taken: Counter[str] = Counter()
        self._plain = type(policy).weight is Policy.weight

    def choose(self, state: State, legal: Sequence[Move], draw: Callable[[], float]) -> Move:
        """One of the legal moves; `draw` gives numbers from 0 to below 1, the only source of chance."""
        if draw() >= 1 - self.policy.epsilon:
            move = legal[int(draw() * len(legal))]
        else:
            groups: dict[str, list[Move]] = {}
            for candidate in legal:
                groups.setdefault(candidate.action.name, []).append(candidate)
            move = self._directed(state, groups, draw)
        self.taken[move.action.name] += 1
        return move

    def _directed(self, state: State, groups: dict[str, list[Move]], draw: Callable[[], float]) -> Move:
        taken = self.taken
        if self._plain:
            rarity = [1 / (1 + taken[name]) for name in groups]
            moves = list(groups.values())[_weighted(rarity, draw())]
            return moves[int(draw() * len(moves))]
        wishes = [[self.policy.weight(state, move) for move in moves] for moves in groups.values()]
        rarity = [max(wished) / (1 + taken[name]) for name, wished in zip(groups, wishes, strict=True)]
        chosen = _weighted(rarity, draw())
        return list(groups.values())[chosen][_weighted(wishes[chosen], draw())]


def _weighted(weights: Sequence[float], part: float) -> int:
    """The index at which `part` (0 to below 1) of the total weight is reached."""
    left = part * sum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    return len(weights) - 1


# -- one game ------------------------------------------------------------------------------------------------------
@dataclass
class Playthrough:
    """One random game.

    Attributes:
        moves: what was played, a last one that failed included. over: whether it came to its end.
        late: whether it was broken off for lack of time.
        clauses: those exercised. refused: those that refused a move. refusing: the places of requirements that did.
        violations: the first of each property. witnesses: after which move each was first reached.
        counts: how often each action was taken.
    """

    seed: int
    moves: list[Move] = field(default_factory=list)
    over: bool = False
    late: bool = False
    clauses: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    refusing: set[str] = field(default_factory=set)
    violations: dict[str, Violation] = field(default_factory=dict)
    witnesses: dict[str, int] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


def play_out(
    model: Model,
    seed: int,
    policy: Policy | None = None,
    properties: Sequence[Property] | Watch = (),
    max_moves: int = 2000,
    deadline: float = float("inf"),
) -> Playthrough:
    """Play one game at random, watching the properties and the contract of the language.

    Args:
        properties: those to watch; a `Watch` where many games are played.
        deadline: on `time.monotonic`, when to break off.
    """
    watch = properties if isinstance(properties, Watch) else Watch(model, properties)
    return _Game(model, seed, policy or Policy(), watch).play(max_moves, deadline)


class _Game:
    def __init__(self, model: Model, seed: int, policy: Policy, watch: Watch) -> None:
        self.model = model
        self.watch = watch
        self.chance = random.Random(seed)
        self.director = Director(policy)
        self.played = Playthrough(seed, counts=self.director.taken)
        self.state = model.initial()
        # A second state, one move behind: cheaper than copying a wide state before each move.
        self.trailing = model.initial() if watch.has_steps else None
        self.earlier: list[Move] = []

    def play(self, max_moves: int, deadline: float) -> Playthrough:
        self._look(None, None)
        try:
            while len(self.played.moves) < max_moves and self._decide():
                if time.monotonic() > deadline:
                    self.played.late = True
                    break
        except Exception as error:  # the rules' own mistake; whatever it is, it is a finding, with its game
            self._note(Violation(RULES_TOTAL, len(self.played.moves), reason(error)))
        return self.played

    def _decide(self) -> bool:
        model, state, played = self.model, self.state, self.played
        if model.over(state):
            played.over = True
            return False
        legal = model.legal(state)
        if not legal:
            self._note(Violation(DECISION_OPEN, len(played.moves)))
            return False
        if self.chance.random() < PROBE_SHARE:
            self._probe(legal)
        move = self.director.choose(state, legal, self.chance.random)
        self._remember(move)
        played.moves.append(move)
        changed: set[int] = set()
        try:
            model.apply(state, move, played.clauses, changed)
        except Refused as refused:
            self._note(Violation(LISTED_ACCEPTED, len(played.moves), refused.clause))
            return False
        self._look(move, changed)
        return True

    def _look(self, move: Move | None, changed: set[int] | None) -> None:
        number = len(self.played.moves)
        for violation in self.watch.violations(number, self.trailing, move, self.state, changed):
            self._note(violation)
        if self.trailing is not None and move is not None:
            move.action.function(self.trailing, *move.values)
        for witness in self.watch.reached(self.state, changed):
            self.played.witnesses.setdefault(witness, number)

    def _probe(self, legal: Sequence[Move]) -> None:
        probe = attempt(self.model, self.chance, legal, self.earlier)
        with Refusals() as refusals:
            violation = probed(self.model, self.state, probe, legal, self.played.refused)
        self.played.refusing |= refusals.places
        if violation is not None:
            self._note(Violation(violation.property, len(self.played.moves), violation.detail, probe))

    def _remember(self, move: Move) -> None:
        if len(self.earlier) < _REMEMBERED:
            self.earlier.append(move)
        else:
            self.earlier[self.chance.randrange(_REMEMBERED)] = move

    def _note(self, violation: Violation) -> None:
        self.played.violations.setdefault(violation.property, violation)


# -- moves that are probably illegal ---------------------------------------------------------------------------------
def attempt(model: Model, chance: random.Random, legal: Sequence[Move], earlier: Sequence[Move]) -> Move:
    """A move that is probably not legal: a legal one changed in one choice, one from earlier, or any at all."""
    kind = chance.random()
    if kind < 0.3 and earlier:
        return chance.choice(earlier)
    if kind < 0.6:
        return _any_move(model, chance)
    return _changed(model, chance, chance.choice(legal))


def _changed(model: Model, chance: random.Random, move: Move) -> Move:
    if not move.values:
        return _any_move(model, chance)
    position = chance.randrange(len(move.values))
    choice = list(move.action.choices.values())[position]
    if not len(model.families[choice.family]):
        return _any_move(model, chance)
    members = model.families[choice.family].members
    if not members:
        return _any_move(model, chance)
    member = chance.choice(members)
    value = move.values[position]
    if isinstance(choice, One):
        value = member
    else:
        amounts = dict(value)
        more = 1 - amounts.get(member, 0) if isinstance(choice, Subset) else chance.choice((1, -1))
        amounts[member] = amounts.get(member, 0) + more
        value = _selection(choice, amounts)
    return Move(move.action, (*move.values[:position], value, *move.values[position + 1 :]))


def _any_move(model: Model, chance: random.Random) -> Move:
    action = chance.choice([action for action in model.actions.values() if _has_members(model, action)])
    values: list[Any] = []
    for choice in action.choices.values():
        members = model.families[choice.family].members
        if isinstance(choice, One):
            values.append(chance.choice(members))
        else:
            some = chance.sample(members, min(len(members), chance.randrange(3)))
            values.append(_selection(choice, dict.fromkeys(some, 1)))
    return Move(action, tuple(values))


def _has_members(model: Model, action: Action) -> bool:
    """Whether there is a member for every choice of one: a small set-up may have no card of a kind."""
    ones = [choice for choice in action.choices.values() if isinstance(choice, One)]
    return all(len(model.families[choice.family]) for choice in ones)


def _selection(choice: Any, amounts: dict[Any, int]) -> Selection:
    """As playing would hold it: only what is chosen."""
    kept = {member: amount for member, amount in amounts.items() if amount > 0}
    return Selection(kept) if isinstance(choice, Amounts) else Selection(dict.fromkeys(kept, True), False)


def probed(
    model: Model, state: State, probe: Move, legal: Sequence[Move], refused: set[str] | None = None
) -> Violation | None:
    """Try a move that is probably illegal; what of the contract it shows to be broken."""
    before = state.vector()
    clause = model.refusal(state, probe)
    if state.vector() != before:
        return Violation(REFUSAL_HARMLESS, 0, f"asking for `{model.describe(probe)}` changes the state")
    if clause is None:
        return None if probe in legal else Violation(LISTING_COMPLETE, 0, f"`{model.describe(probe)}` is not listed")
    if refused is not None:
        refused.add(clause)
    if clause not in model.game.catalogue.clauses:
        return Violation(REFUSAL_HARMLESS, 0, f"refused by `{clause}`, which is not in the catalogue")
    try:
        model.apply(state, probe)
    except Refused:
        if state.vector() == before:
            return None
    return Violation(REFUSAL_HARMLESS, 0, f"`{model.describe(probe)}` is refused ({clause}) but changes the state")


def told(model: Model, moves: Sequence[Move]) -> str:
    """The game as a numbered log with clauses; where a move cannot be made, the log says why and ends."""
    lines = []
    try:
        for line in log(model, moves):
            lines.append(line)
    except InputError as refused:
        lines.append(str(refused))
    except Exception as error:
        lines.append(f"{len(lines) + 1}. {model.describe(moves[len(lines)])}: {reason(error)}")
    return "\n".join(lines) if lines else "(before the first move)"
