"""Which property notices a mistake: the mutant is tried on transitions of the unmutated rules that run its line.

From the state before such a transition the mutated rules list and make their moves; wherever that differs from what the
rules do, the properties are asked about the step, and about some moves at random beyond it, since damage often shows
later. What lists or makes no sense at all (a variable out of its domain, no move left) breaks what holds for every
game. While moves are made the mistake is planted, while properties are asked it is not: the measure stays unmutated.

A kill is shown as a game from the set-up, every move of it legal under the mutated rules. Where the way to the
state is no longer open under them, the kill is counted all the same, from a position that the rules allow: proof by
induction would fail there.
"""

from __future__ import annotations

import itertools
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from model.language import Model, Move, State
from model.language.record import decode, encode
from model.language.rule import Selection
from model.language.state import Journal
from properties.playing import DECISION_OPEN, LISTED_ACCEPTED, RULES_TOTAL
from properties.watching import reason
from solver.mutation.corpus import Corpus, Line, Moment, World
from solver.mutation.mutants import Mutant, Planted
from solver.mutation.sources import RuleFunction, statement_start

MOMENTS = 80  # states in which a mutant is tried
DIFFERING = 24  # of these, in which it does something else: after so many the properties have had their chance
WALKED = 8  # of these, from which play goes on
NEW_MOVES = 4  # moves that only the mutated rules allow, tried in one state
WALK = 12  # moves that play goes on for
SECONDS = 4.0  # for one mutant: a mistake in a condition may make the listing of moves explode
ACTION_ENABLED = "action-enabled"
CHOICE_ENABLED = "choice-enabled"
MORE = {
    ACTION_ENABLED: "Every action that is open in recorded games is open in one of them, or in a new game.",
    CHOICE_ENABLED: "Each phase in which an action is open, and what can be chosen in it, is so in a recorded game.",
}
SUSPECTS = 6  # things that can no longer be done where they could, looked for elsewhere
ENOUGH = 3  # states in which something was open and is not, at least
_OPEN = 25  # recorded states in which an action was open
_MOVES = 60


@dataclass(frozen=True)
class Kill:
    """A property that fails under the mutated rules, and the game that shows it.

    Attributes:
        world: the set-up. moves: from set-up, the last is the one that breaks it. told: that move as a line.
        detail: for which members, or why. whole: the mutated rules allow the whole game.
    """

    property: str
    world: World
    moves: tuple[dict[str, Any], ...]
    told: str
    detail: str
    whole: bool


@dataclass
class Attempt:
    """What came of trying one mutant.

    Attributes:
        kill: the property that noticed. differs: how it was first seen to differ, if it was.
        tried: in how many states. late: time ran out.
    """

    kill: Kill | None = None
    differs: str = ""
    tried: int = 0
    late: bool = False


@dataclass
class _Outcome:
    """A move under the mutated rules, and where it leads (as a key); or the property of every game that it breaks."""

    move: Move | None
    after: Any = None
    changed: set[int] = field(default_factory=set)
    broken: str = ""
    detail: str = ""


def attempt(mutant: Mutant, corpus: Corpus, seed: int = 0, seconds: float = SECONDS) -> Attempt:
    """Try to kill a mutant, for so many seconds of computing at most (where the system can interrupt)."""
    trial = _Trial(mutant, seed)
    try:
        with _limited(seconds):
            trial.run(corpus)
    except _OutOfTime:
        trial.attempt.late = True
        for play in corpus.plays:  # it may have been stopped before a move was taken back
            play.states.clear()
    trial.attempt.kill = trial.attempt.kill or trial.doubtful
    return trial.attempt


class _OutOfTime(BaseException):
    """Not an `Exception`: rules that fail are caught everywhere."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Seconds of this process, not of the clock: what is found must not depend on who else is computing."""
    if threading.current_thread() is not threading.main_thread():  # elsewhere Python allows no handlers
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def lines_of(mutant: Mutant) -> tuple[list[Line], list[Line]]:
    """The lines that run where the mutant differs: its own, and all of its function."""
    piece = mutant.piece
    if not isinstance(piece, RuleFunction):
        return [], []
    name = piece.code.co_filename
    first, last = statement_start(piece.node), piece.node.end_lineno or mutant.line
    own = range(mutant.line, (getattr(mutant.change.node, "end_lineno", None) or mutant.line) + 1)
    return [(name, line) for line in own], [(name, line) for line in range(first, last + 1)]


class _Trial:
    def __init__(self, mutant: Mutant, seed: int) -> None:
        self.mutant = mutant
        self.planted = Planted(mutant)
        self.chance = random.Random(f"{seed} {mutant.number}")
        self.attempt = Attempt()
        self.doubtful: Kill | None = None
        self.differing = 0
        self.legal: frozenset[Any] | None = None  # what was last listed
        self.listings: list[tuple[Moment, frozenset[Any]]] = []

    def run(self, corpus: Corpus) -> None:
        own, whole = lines_of(self.mutant)
        lines = own if any(line in corpus.applied or line in corpus.listed for line in own) else whole
        # What only runs once a guard has passed has no say in which moves are legal.
        effect = any(line in corpus.applied for line in lines) and not any(line in corpus.listed for line in lines)
        moments = corpus.moments(lines, self.mutant.actions, not effect)
        for moment in itertools.islice(itertools.chain(moments, () if self.mutant.actions else corpus.ends), MOMENTS):
            self.attempt.tried += 1
            kill = self._tried(moment, effect)
            if kill is not None and kill.whole:
                self.attempt.kill = kill
                return
            self.doubtful = self.doubtful or kill
            if self.differing >= DIFFERING:
                break
        self.attempt.kill = self.doubtful or self._never_enabled(corpus) or self._never_reached(corpus)

    def _tried(self, moment: Moment, effect: bool) -> Kill | None:
        model = moment.play.world.model
        before = moment.state
        usual = None if effect else _usual(moment, before)
        self.legal, played = None, moment.move
        with self.planted:
            outcomes = list(self._outcomes(model, before, played, usual))
        if self.legal is not None:
            self.listings.append((moment, self.legal))
        differs = False
        for outcome in outcomes:
            if outcome.broken:
                self._differ(f"{outcome.broken}: {outcome.detail}")
                return self._kill(moment, [outcome.move] if outcome.move else [], outcome.broken, outcome.detail)
            if outcome.move is None:
                differs = True
                self._differ(outcome.detail)
                continue
            if outcome.move == played and outcome.after == moment.following:
                continue
            differs = True
            what = "does something else" if outcome.move == played else "is allowed only by the mutant"
            self._differ(f"`{model.describe(outcome.move)}` {what}")
            kill = self._noticed(moment, before, outcome)
            if kill is None and self.differing < WALKED:
                kill = self._walked(moment, outcome)
            if kill is not None:
                return kill
        self.differing += differs
        return None

    def _outcomes(
        self, model: Model, before: State, played: Move | None, usual: frozenset[Any] | None
    ) -> Iterator[_Outcome]:
        """What the mutated rules make of a state: the move that was played there, moves that only they allow.

        `usual`: the moves that the unmutated rules allow; None: what is legal can't differ.
        """
        if usual is None:
            assert played is not None
            yield _applied(model, before, played)
            return
        try:
            if model.over(before):
                self.legal = frozenset()
                if usual:
                    yield _Outcome(None, detail="the game is over too early")
                return
            legal = model.legal(before)
        except Exception as error:
            yield _Outcome(None, broken=RULES_TOTAL, detail=reason(error))
            return
        self.legal = frozenset(_key(move) for move in legal)
        if not legal:
            yield _Outcome(None, broken=DECISION_OPEN, detail="no move is left")
            return
        new = [move for move in legal if _key(move) not in usual]
        missing = len(usual) - (len(legal) - len(new))
        if missing:
            yield _Outcome(None, detail=f"{missing} of {len(usual)} moves are no longer allowed")
        if played in legal:
            yield _applied(model, before, played)
        for move in self._some(new, NEW_MOVES):
            yield _applied(model, before, move)

    def _some(self, moves: Sequence[Move], most: int) -> Iterable[Move]:
        return moves if len(moves) <= most else self.chance.sample(list(moves), most)

    def _differ(self, how: str) -> None:
        self.attempt.differs = self.attempt.differs or how

    def _noticed(self, moment: Moment, before: State, outcome: _Outcome) -> Kill | None:
        assert outcome.move is not None
        return self._looked(moment, [outcome.move], before, moment.play.world.model.state(outcome.after), outcome)

    def _looked(
        self, moment: Moment, moves: Sequence[Move], before: State, after: State, outcome: _Outcome
    ) -> Kill | None:
        """Ask the properties about a step."""
        world = moment.play.world
        for violation in world.watch.violations(0, before, moves[-1], after, outcome.changed):
            if self._held(world, violation.property, before):
                return self._kill(moment, moves, violation.property, violation.detail)
        return None

    def _held(self, world: World, name: str, before: State) -> bool:
        """A property that the unmutated rules break themselves kills nothing."""
        declared = world.watch.properties[name]
        return declared.kind != "invariant" or declared.holds(world.model, before)

    def _walked(self, moment: Moment, outcome: _Outcome) -> Kill | None:
        """Go on at random under the mutated rules."""
        model = moment.play.world.model
        moves = [outcome.move] if outcome.move is not None else []
        # A second state, one move behind: cheaper than copying a wide state before each move.
        state, trailing = model.state(outcome.after), model.state(outcome.after)
        for _ in range(WALK):
            with self.planted:
                step = self._step(model, state)
            if step is None:
                return None
            if step.move is not None:
                moves.append(step.move)
            if step.broken:
                return self._kill(moment, moves, step.broken, step.detail)
            kill = self._looked(moment, moves, trailing, state, step)
            if kill is not None:
                return kill
            with self.planted:
                moves[-1].action.function(trailing, *moves[-1].values)
        return None

    # -- what can no longer be done -------------------------------------------------------------------------------
    def _never_enabled(self, corpus: Corpus) -> Kill | None:
        """Whether something that could be done, or chosen, in recorded games can no longer be done in any of them."""
        lost = Counter(option for moment, legal in self.listings for option in self._lost(moment, legal))
        for option in sorted(lost, key=lambda option: (len(option), -lost[option], repr(option)))[:SUSPECTS]:
            moments = [moment for moment in corpus.opened.get(option[0], []) if option in _options(moment)]
            tried = {moment: legal for moment, legal in self.listings if option in _options(moment)}
            for moment in moments[:_OPEN]:
                if moment not in tried:
                    tried[moment] = self._listing(moment)
            if len(tried) >= ENOUGH and not any(option in _all_options(m, legal) for m, legal in tried.items()):
                gone = self._gone(option, tried)
                if gone is not None:
                    return gone
        return None

    def _lost(self, moment: Moment, legal: frozenset[Any]) -> frozenset[Any]:
        if legal == moment.play.usual[moment.number]:
            return frozenset()
        return _options(moment) - _all_options(moment, legal)

    def _listing(self, moment: Moment) -> frozenset[Any]:
        model = moment.play.world.model
        state = moment.state
        _usual(moment, state)
        with self.planted:
            try:
                return frozenset(_key(move) for move in model.legal(state))
            except Exception:
                return frozenset()

    def _gone(self, option: tuple[Any, ...], tried: Mapping[Moment, Any]) -> Kill | None:
        moment = next(iter(tried))
        world, (name, *choice) = moment.play.world, option
        if not choice and any(self._played_into(name, each) for each in {m.play.world: 0 for m in tried}):
            return None
        what = f"{name} {_told(world.model, option)}".rstrip()
        detail = f"{what} is open in none of {len(tried)} states in which it was"
        return Kill(
            CHOICE_ENABLED if choice else ACTION_ENABLED, world, tuple(moment.before),
            "(what can be done there is asked)", detail, self._leads_there(moment),
        )  # fmt: skip

    def _never_reached(self, corpus: Corpus) -> Kill | None:
        """Whether no recorded move that reached a witness does so any more."""
        for witness, moments in corpus.reaching.items() if self.attempt.differs else ():
            some = moments[:_OPEN]
            if len(some) >= ENOUGH and not any(self._reaches(witness, moment) for moment in some):
                detail = f"reached by none of {len(some)} moves that reached it"
                world, move, there = some[0].play.world, some[0].move, self._leads_there(some[0])
                assert move is not None
                moves = tuple(some[0].play.path(some[0].child))
                return Kill(witness, world, moves, world.model.describe(move), detail, there)
        return None

    def _reaches(self, witness: str, moment: Moment) -> bool:
        world = moment.play.world
        model, move = world.model, moment.move
        assert move is not None
        with self.planted:
            outcome = _applied(model, moment.state, move)
        declared = next(each for each in world.witnesses if each.id == witness)
        return not outcome.broken and declared.holds(model, model.state(outcome.after))

    def _played_into(self, name: str, world: World) -> bool:
        """Whether a random game of the mutated rules has the action open."""
        model, state = world.model, world.model.initial()
        with self.planted:
            try:
                for _ in range(_MOVES):
                    legal = model.legal(state)
                    if any(move.action.name == name for move in legal):
                        return True
                    if model.over(state) or not legal:
                        return False
                    model.apply(state, self.chance.choice(legal))
            except Exception:
                return False
        return False

    def _step(self, model: Model, state: State) -> _Outcome | None:
        """Make a move at random, in place."""
        try:
            if model.over(state):
                return None
            legal = model.legal(state)
        except Exception as error:
            return _Outcome(None, broken=RULES_TOTAL, detail=reason(error))
        if not legal:
            return _Outcome(None, broken=DECISION_OPEN, detail="no move is left")
        by_action: dict[str, list[Move]] = {}
        for move in legal:
            by_action.setdefault(move.action.name, []).append(move)
        return _applied(model, state, self.chance.choice(self.chance.choice(list(by_action.values()))), False)

    def _kill(self, moment: Moment, moves: Sequence[Move], name: str, detail: str) -> Kill:
        world = moment.play.world
        model = world.model
        last = model.describe(moves[-1]) if moves else "(what can be done there is asked)"
        game = (*moment.before, *(encode(model, move) for move in moves))
        return Kill(name, world, game, last, detail, self._leads_there(moment))

    def _leads_there(self, moment: Moment) -> bool:
        """Whether the mutated rules allow the game so far, and it leads to the same state."""
        model = moment.play.world.model
        state = model.initial()
        try:
            with self.planted:
                for entry in moment.before:
                    if model.over(state):
                        return False
                    model.apply(state, decode(model, entry))
        except Exception:
            return False
        return state.key() == moment.vector


def _applied(model: Model, state: State, move: Move, back: bool = True) -> _Outcome:
    """Make a move in place, and take it back unless play goes on from there."""
    try:
        clause = model.refusal(state, move)
        if clause is not None:
            return _Outcome(move, broken=LISTED_ACCEPTED, detail=f"refused by {clause}")
        with Journal(state) as journal:
            try:
                move.action.function(state, *move.values)
            except BaseException:
                journal.undo()
                raise
    except Exception as error:
        return _Outcome(move, broken=RULES_TOTAL, detail=reason(error))
    outcome = _Outcome(move, state.key() if back else None, journal.slots())
    if back:
        journal.undo()
    return outcome


def _key(move: Move) -> Any:
    return move.action.name, move.values


def _usual(moment: Moment, before: State) -> frozenset[Any]:
    """The moves that the unmutated rules allow there; many mutants are tried in the same states."""
    known = moment.play.usual
    if moment.number not in known:
        known[moment.number] = frozenset(_key(move) for move in moment.play.world.model.legal(before))
    return known[moment.number]


# -- what can be done in a state -----------------------------------------------------------------------------------
def _options(moment: Moment) -> frozenset[Any]:
    """What the unmutated rules let one do there: actions; for each its phase, what can be chosen, and how many."""
    known = moment.play.options
    if moment.number not in known:
        known[moment.number] = _all_options(moment, moment.play.usual.get(moment.number) or _usual_of(moment))
    return known[moment.number]


def _usual_of(moment: Moment) -> frozenset[Any]:
    return _usual(moment, moment.state)


def _all_options(moment: Moment, legal: frozenset[Any]) -> frozenset[Any]:
    actions = moment.play.world.model.actions
    found: set[Any] = set()
    for name, values in legal:
        found |= {(name,), (name, "phase", moment.phase)}
        for choice, value in zip(actions[name].choices, values, strict=True):
            if isinstance(value, Selection):
                found.add((name, choice, "number", value.size()))
                found.update((name, choice, member) for member in value)
            else:
                found.add((name, choice, value))
    return frozenset(found)


def _told(model: Model, option: tuple[Any, ...]) -> str:
    name, *choice = option
    if not choice:
        return ""
    if choice[0] == "phase" and len(choice) == 2:
        return f"in phase {model.game.phases[choice[1]]}"
    if len(choice) == 3:
        return f"with {choice[2]} {choice[0]}"
    family = model.families[model.actions[name].choices[choice[0]].family]
    return f"with {choice[0]} {family.label[choice[1]]}"
