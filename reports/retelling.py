"""From moves to a game that a reader can follow: each step's words, who took it, and the clauses it follows.

Nothing is taken over from whoever found the game: it is played again on the plain model, so that what the report shows
is what the rules do. The last step may be one that the rules refuse or fail on; that is then the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.language import CHANCE, Model, Move, Refused
from model.language.game import PLAYERS
from reports.document import Game, Step


def retold(model: Model, moves: Sequence[Move], title: str, attempt: Move | None = None) -> Game:
    """The game as evidence.

    Args:
        attempt: a move that was only tried, after the last one.
    """
    steps = list(_steps(model, moves))
    if attempt is not None:
        text = f"attempted: {model.describe(attempt)}"
        steps.append(Step(number=len(steps) + 1, text=text, actor=actor_of(model, attempt)))
    return Game(title=title, steps=steps)


def _steps(model: Model, moves: Sequence[Move]) -> Iterator[Step]:
    state = model.initial()
    for number, move in enumerate(moves, 1):
        cited: set[str] = set()
        text, failed = model.describe(move), ""
        try:
            model.apply(state, move, cited)
        except Refused as refused:
            failed, cited = "refused", {refused.clause}
        except Exception as mistake:  # the rule's own; what it says is what the reader needs
            failed = f"{type(mistake).__name__}: {mistake}"
        yield Step(
            number=number, text=f"{text} ({failed})" if failed else text, clauses=sorted(cited),
            actor=actor_of(model, move), chance=move.action.by == CHANCE,
        )  # fmt: skip
        if failed:
            return


def actor_of(model: Model, move: Move) -> str:
    """Who decides: the player chosen first in the move; else chance, or the rules."""
    if move.action.by == CHANCE or move.player is None:
        return move.action.by
    return str(model.families[PLAYERS].label[move.player])
