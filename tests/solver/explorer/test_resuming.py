"""A search that is stopped anywhere, stored and gone on with ends as one that nobody stopped."""

import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.language import Game
from solver.explorer.endings import Moves
from solver.explorer.frozen import thawed
from solver.explorer.perft import perft
from solver.explorer.resuming import ResumeError, restore, store
from solver.explorer.search import Exploration, Limits, Result, search
from tests.language.toy import GAME, Stones
from tests.solver.explorer.small import bag, few, modest, put_back, with_action

PROPERTIES = [few, bag, modest]
ABOUT = {"game": "stones"}


def begun(game: Game) -> Exploration:
    return Exploration(thawed(game, Stones()))


def whole(game: Game) -> tuple[Result, list[int]]:
    exploration, moves = begun(game), Moves()
    result = search(exploration, PROPERTIES, block=5, observers=[moves])
    return result, list(perft(moves.graph(exploration), exploration, 5).counts)


WHOLE = {"ends": whole(GAME), "goes round": whole(with_action(put_back))}
GAMES = {"ends": GAME, "goes round": with_action(put_back)}


def gone_on(game: Game, stops: list[int], compiled_from: float) -> tuple[Result, list[int]]:
    """Stopped after so many states, stored, read into a new exploration and gone on with, again and again."""
    exploration, moves, earlier = begun(game), Moves(), None
    for stop in [*sorted(stops), float("inf")]:
        result = search(
            exploration, PROPERTIES, Limits(states=stop), block=5, observers=[moves], earlier=earlier,
            compiled_from=compiled_from,
        )  # fmt: skip
        if result.complete:
            return result, list(perft(moves.graph(exploration), exploration, 5).counts)
        file = io.BytesIO()
        store(file, exploration, result, moves, ABOUT)
        file.seek(0)
        exploration, moves = begun(game), Moves()
        earlier = restore(file, exploration, moves, ABOUT)
    raise AssertionError("it never ended")


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.lists(st.integers(1, 250), max_size=3), st.sampled_from((0, float("inf"))))
def test_counts_and_shortest_games_are_those_of_an_uninterrupted_search(
    name: str, stops: list[int], compiled_from: float
) -> None:
    (one, sequences), (other, others) = gone_on(GAMES[name], stops, compiled_from), WHOLE[name]
    for field in ("states", "transitions", "checked", "depth_histogram", "terminal", "deadlocks", "action_counts",
                  "clauses", "deciding", "triggered", "changed"):  # fmt: skip
        assert getattr(one, field) == getattr(other, field), field
    assert sequences == others
    for table in ("violations", "witnesses"):
        lengths = [{id: len(game.moves) for id, game in getattr(found, table).items()} for found in (one, other)]
        assert lengths[0] == lengths[1]


def stored() -> bytes:
    exploration, moves = begun(GAME), Moves()
    result = search(exploration, PROPERTIES, Limits(states=50), block=5, observers=[moves])
    assert not result.complete
    file = io.BytesIO()
    store(file, exploration, result, moves, ABOUT)
    return file.getvalue()


def refusal(content: bytes, game: Game = GAME, about: Any = ABOUT) -> str:
    with pytest.raises(ResumeError) as refused:
        restore(io.BytesIO(content), begun(game), Moves(), about)
    return str(refused.value)


def test_a_search_about_something_else_is_refused() -> None:
    assert "about another game: stones, not draughts" in refusal(stored(), about={"game": "draughts"})


def test_a_search_under_other_rules_is_refused() -> None:
    assert "have changed since" in refusal(stored(), with_action(put_back))
    fewer = replace(GAME, actions=GAME.actions[:1])
    assert "have changed since" in refusal(stored(), fewer)


@pytest.mark.parametrize("content", [b"", b"no archive", stored()[:-200]], ids=["empty", "text", "cut off"])
def test_a_damaged_file_is_refused(content: bytes) -> None:
    assert "no stored search, or it is damaged" in refusal(content)
