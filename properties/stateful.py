"""Any model as a Hypothesis state machine.

Directed play as in `playing`, but with every decision drawn from Hypothesis, so that it minimises a failure in its own
way and keeps it in its example database. The failure is shown as what a player can follow: a numbered log of the game
with the clauses, not a program. For mass play use `playing.play_out` and `campaign.campaign`, which are far faster.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from model.language import Model, Move, Refused
from properties.campaign import CampaignResult, Finding, campaign, shrink
from properties.declaration import Property
from properties.playing import (
    CONTRACT,
    DECISION_OPEN,
    LISTED_ACCEPTED,
    RULES_TOTAL,
    Director,
    Playthrough,
    Policy,
    attempt,
    play_out,
    probed,
    told,
)
from properties.watching import Violation, Watch

__all__ = [
    "CONTRACT", "CampaignResult", "Finding", "ModelMachine", "Playthrough", "Policy", "Violation", "Watch", "campaign",
    "machine", "play_out", "shrink", "told",
]  # fmt: skip

# Hypothesis draws small ranges evenly but favours small numbers in large ones; so what needs to be finer than
# hundredths is drawn in two parts.
_HUNDREDTHS = st.integers(0, 99)
_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)  # no explanations: the log is one, and at once


class ModelMachine(RuleBasedStateMachine):
    """Plays a model; `machine` makes a class of it for one model.

    Attributes:
        reached, taken, clauses, refused: over all games so far, which witnesses were reached and how often, the actions
            taken, the clauses exercised and those that refused a move.
    """

    watch: ClassVar[Watch]
    policy: ClassVar[Policy]
    reached: ClassVar[Counter[str]]
    taken: ClassVar[Counter[str]]
    clauses: ClassVar[set[str]]
    refused: ClassVar[set[str]]

    def __init__(self) -> None:
        super().__init__()
        self.begin()

    def begin(self) -> None:
        """Set up a new game."""
        self.state = self.watch.model.initial()
        self.director = Director(self.policy)
        self.moves: list[Move] = []
        self.witnessed: set[str] = set()
        self._look(None, None, None)

    @rule(whim=_HUNDREDTHS, action=_HUNDREDTHS, choices=_HUNDREDTHS, finer=_HUNDREDTHS)
    def play(self, whim: int, action: int, choices: int, finer: int) -> None:
        """Make a legal move; where the game is over, set up another."""
        model = self.watch.model
        legal = self._legal()
        if legal is None:
            self.begin()
            return
        draws = iter((whim / 100, action / 100, choices / 100 + finer / 10_000))
        move = self.director.choose(self.state, legal, lambda: next(draws))
        before = self.state.copy() if self.watch.has_steps else None
        self.moves.append(move)
        changed: set[int] = set()
        try:
            model.apply(self.state, move, self.clauses, changed)
        except Refused as refused:
            self._fail(Violation(LISTED_ACCEPTED, len(self.moves), refused.clause))
        except Exception as error:
            self._fail(Violation(RULES_TOTAL, len(self.moves), f"{type(error).__name__}: {error}"))
        self.taken[move.action.name] += 1
        self._look(before, move, changed)

    @rule(seed=st.integers(0, 2**20))
    def try_something_illegal(self, seed: int) -> None:
        """Try a move that is probably not legal."""
        legal = self._legal()
        if legal is None:
            return
        probe = attempt(self.watch.model, random.Random(seed), legal, self.moves)
        violation = probed(self.watch.model, self.state, probe, legal, self.refused)
        if violation is not None:
            self._fail(violation)

    def _legal(self) -> list[Move] | None:
        """The legal moves; None where the game is over."""
        if self.watch.model.over(self.state):
            return None
        legal = self.watch.model.legal(self.state)
        if not legal:
            self._fail(Violation(DECISION_OPEN, len(self.moves)))
        return legal

    def _look(self, before: Any, move: Move | None, changed: set[int] | None) -> None:
        for violation in self.watch.violations(len(self.moves), before, move, self.state, changed):
            self._fail(violation)
        for witness in self.watch.reached(self.state, changed):
            if witness not in self.witnessed:
                self.witnessed.add(witness)
                self.reached[witness] += 1

    def _fail(self, violation: Violation) -> None:
        declared = self.watch.properties.get(violation.property)
        claim = declared.statement if declared else CONTRACT[violation.property]
        detail = f" ({violation.detail})" if violation.detail else ""
        # The cause is in the text; chained tracebacks through the rules would bury the game.
        raise AssertionError(
            f"{violation.property} fails: {claim}{detail}\n{told(self.watch.model, self.moves)}"
        ) from None


def machine(
    model: Model,
    properties: Sequence[Property],
    policy: Policy | None = None,
    max_moves: int = 60,
    games: int = 50,
) -> type[ModelMachine]:
    """A state machine class for the model; its `TestCase` can stand in a test module as it is.

    Args:
        properties: those expected to be refuted (holes of the rulebook) are left out.
        max_moves: steps of a run. games: runs.
    """
    namespace = {
        "watch": Watch(model, [declared for declared in properties if declared.expected == "PROVED"]),
        "policy": policy or Policy(),
        "reached": Counter(),
        "taken": Counter(),
        "clauses": set(),
        "refused": set(),
    }
    made: type[ModelMachine] = type(f"Playing {model.game.title}", (ModelMachine,), namespace)
    made.TestCase.settings = settings(
        max_examples=games,
        stateful_step_count=max_moves,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=_PHASES,
        print_blob=False,
        report_multiple_bugs=False,
    )
    return made
