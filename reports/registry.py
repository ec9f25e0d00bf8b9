"""The games there are: each with its properties, the way random play should go, and the graphs worth drawing of it.

The one place outside `model/` and `properties/` that names a game. Everything else takes an `Entry`, so adding a
game to the command line is adding one here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.fiftyfirst.game import GAME as FIFTYFIRST
from model.fiftyfirst.table import Phase
from model.language import Game, InputError, where
from model.language.catalogue import closest
from model.language.expression import Term
from properties.commuting import Commuting
from properties.declaration import Property
from properties.fiftyfirst import ENDLESS as FIFTYFIRST_ENDLESS
from properties.fiftyfirst import PROPERTIES as FIFTYFIRST_PROPERTIES
from properties.fiftyfirst.holes import HOLES as FIFTYFIRST_HOLES
from properties.fiftyfirst.relations import COMMUTING as FIFTYFIRST_COMMUTING
from properties.fiftyfirst.relations import MEASURES as FIFTYFIRST_MEASURES
from properties.hole import Hole
from properties.measure import Measure
from properties.playing import Policy


@dataclass(frozen=True)
class View:
    """How to fold the reachable states into a graph: the parts of its nodes, and how their values read.

    The first part is the phase; a coarser graph of the phases alone is drawn beside it.
    """

    title: str
    projection: Callable[[Any], Mapping[str, Term]]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A game as the command line knows it.

    Attributes:
        endless: what the rulebook lets go on for ever, with the reason: `ends.game`, `ends.phases`.
        commuting: moves that may be made in either order. measures: what falls until a part of the game ends.
        outcome: what counts of a game that is over, such as who has won; None: nothing but that it is over.
    """

    game: Game
    properties: Sequence[Property]
    policy: Policy = field(default_factory=Policy)
    finest: View | None = None
    endless: Mapping[str, str] = field(default_factory=dict)
    holes: Sequence[Hole] = ()
    commuting: Sequence[Commuting] = ()
    measures: Sequence[Measure] = ()
    outcome: View | None = None

    @property
    def view(self) -> View:
        """How to fold the states of the game: as it was given, else by phase."""
        return self.finest or phases(self.game)

    def setup(
        self, name: str, players: int, readings: Mapping[str, str], deck: Path | None = None, symbolic: bool = False
    ) -> Any:
        """The parameters of a set-up.

        Raises:
            InputError: an unknown name or reading, a wrong number of players, a deck that can't be used.
        """
        try:
            return self.game.setup(name, players, readings, deck, symbolic)
        except InputError:
            raise
        except ValueError as broken:  # each game has its own deck reader, with its own error
            raise InputError(str(broken)) from None

    def readings(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every reading with its chosen or default value.

        Raises:
            InputError: an unknown reading or value.
        """
        return self.game.catalogue.readings_in_force(chosen)

    def preset(self, name: str | None) -> str:
        """The name of a preset; by default the printed game, or what there is.

        Raises:
            InputError: there is no such preset.
        """
        presets = self.game.presets
        if name is None:
            return STANDARD if STANDARD in presets else next(iter(presets))
        if name not in presets:
            raise InputError(f"--preset {name}: {self.game.id} has no such preset{closest(name, presets)}")
        return name

    def count(self, players: int | None) -> tuple[int, ...]:
        """The numbers of players that are meant: the one asked for, or all.

        Raises:
            InputError: the game is not for so many.
        """
        allowed = self.game.player_counts
        if players is None:
            return allowed
        if players not in allowed:
            raise InputError(f"--players {players}: {self.game.title} is for {', '.join(map(str, allowed))} players")
        return (players,)


STANDARD = "standard"
EXPLORED = "tiny"
QUESTIONS = "questions"  # set-ups in which answers to open questions part, besides those explored anyway


def phase_names(game: Game) -> list[str]:
    """The phases as a reader would write them: `First pick`."""
    return [name.replace("_", " ").capitalize() for name in game.phases]


def phases(game: Game) -> View:
    """The graph that every game has."""
    return View("Phases of the game", lambda state: {"phase": state.phase}, {"phase": phase_names(game)})


def _turns(state: Any) -> Mapping[str, Term]:
    """The phase; in the action phase also whose turn it is and who has passed."""
    acting = state.phase == Phase.ACTION
    passed = where(state.passed[0], 1, 0) + where(state.passed[1], 2, 0)
    return {"phase": state.phase, "turn": where(acting, state.player + 1, 0), "passed": where(acting, passed, 0)}


TURNS = View(
    "Turns of two players, and who has passed", _turns,
    {
        "phase": phase_names(FIFTYFIRST),
        "turn": ("", "Player 1's turn", "Player 2's turn"),
        "passed": ("", "Player 1 has passed", "Player 2 has passed", "both have passed"),
    },
)  # fmt: skip

def _winner(state: Any) -> Mapping[str, Term]:
    """The winner's number; that of the players where nobody wins, whatever their number: 0."""
    tied = state.winner == state.setup.players
    return {"winner": where(tied, 0, state.winner + 1)}


WINNER = View("Who wins", _winner, {"winner": ("nobody", "Player 1", "Player 2", "Player 3", "Player 4")})

ENTRIES: Mapping[str, Entry] = {
    entry.game.id: entry
    for entry in (
        Entry(
            FIFTYFIRST, FIFTYFIRST_PROPERTIES, finest=TURNS, endless=FIFTYFIRST_ENDLESS, holes=FIFTYFIRST_HOLES,
            commuting=FIFTYFIRST_COMMUTING, measures=FIFTYFIRST_MEASURES,
            outcome=WINNER,
        ),
    )
}


def entry_of(name: str | None = None) -> Entry:
    """The game of that name, or the first one.

    Raises:
        InputError: there is no such game.
    """
    if name is None:
        return next(iter(ENTRIES.values()))
    if name not in ENTRIES:
        raise InputError(f"there is no game {name!r}{closest(name, ENTRIES)}")
    return ENTRIES[name]
