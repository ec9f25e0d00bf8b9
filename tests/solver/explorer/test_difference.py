"""Two answers in lock-step: where they part, by a shortest game; what can't part; what can't be compared."""

from collections.abc import Sequence
from typing import Any

import pytest

from model.language import Move
from solver.explorer.difference import Leader, MustLead, Parting, leads, parting, sought
from solver.explorer.frozen import thawed, whole
from solver.explorer.search import explore
from tests.language import toy
from tests.solver.explorer.questions import GAME, setup

STANDING = setup()


def parted(leading: dict[str, str], other: dict[str, str], freeze: bool = True) -> tuple[Move, ...] | None:
    """A shortest game to where the two part."""
    leader = Leader((thawed if freeze else whole)(GAME, setup(readings=leading)))
    condition = leader.parts_from(setup(readings=other))
    if condition is False:
        return None
    result, _ = explore(leader.thawed, [sought("apart", condition)])
    found = result.witnesses.get("apart")
    return None if found is None else found.moves


def played(answers: dict[str, str], moves: Sequence[Move]) -> Parting | None:
    return parting(GAME.model(STANDING), GAME.model(setup(readings=answers)), moves)


@pytest.mark.parametrize("freeze", [True, False])
def test_a_move_that_only_one_answer_offers(freeze: bool) -> None:
    moves = parted({}, {"R-LIMIT": "three"}, freeze)
    assert moves is not None and [move.action.name for move in moves] == ["count_up"] * 3
    apart = played({"R-LIMIT": "three"}, moves)
    assert apart is not None and apart.last is not None
    assert ([move.action.name for move in apart.offered[0]], apart.offered[1]) == (["count_up"], ())
    assert apart.length == 4


def test_a_move_that_ends_differently() -> None:
    moves = parted({}, {"R-BONUS": "one"})
    assert moves is not None and len(moves) == 1
    apart = played({"R-BONUS": "one"}, moves)
    assert apart is not None and apart.last is not None and apart.last.action.name == "finish"
    assert apart.outcomes == (("bonus stays 0",), ("bonus from 0 to 1",))


def test_an_answer_with_a_cell_of_its_own_leads_and_the_cell_is_not_compared() -> None:
    setups = [STANDING, setup(readings={"R-MEMORY": "twice"})]
    assert (leads(GAME, setups), leads(GAME, setups[::-1])) == (1, 0)
    moves = parted({"R-MEMORY": "twice"}, {})
    assert moves is not None and len(moves) == 2  # not at once, where only the memory differs
    apart = played({"R-MEMORY": "twice"}, moves)
    assert apart is not None and [move.action.name for move in apart.offered[0]] == ["count_up"]


def test_it_can_not_follow() -> None:
    with pytest.raises(MustLead):
        parted({}, {"R-MEMORY": "twice"})


def test_what_no_rule_asks_for_and_what_never_matters() -> None:
    leader = Leader(thawed(GAME, STANDING))
    assert leader.parts_from(setup(readings={"R-UNASKED": "otherwise"})) is False
    assert leader.parts_from(setup(readings={"R-MOOT": "right"})) is not False
    assert parted({}, {"R-MOOT": "right"}) is None


def test_a_game_that_does_not_part_is_not_believed() -> None:
    one_more = GAME.model(STANDING).legal(GAME.model(STANDING).initial())[0]
    assert played({"R-LIMIT": "three"}, [one_more]) is None
    with pytest.raises(ValueError, match=r"refused under count\.up"):
        played({"R-LIMIT": "three"}, [one_more] * 4)
    finish = next(move for move in parted_moves({"R-BONUS": "one"}) if move.action.name == "finish")
    with pytest.raises(ValueError, match="part before move 3"):
        played({"R-BONUS": "one"}, [one_more, finish, one_more])


def parted_moves(answers: dict[str, str]) -> list[Move]:
    """The moves after the first count."""
    model = GAME.model(setup(readings=answers))
    state = model.initial()
    model.apply(state, model.legal(state)[0])
    return model.legal(state)


def test_cards_of_a_symmetric_family_and_selections() -> None:
    """Black stones: a draw, nothing banked, a draw, and only the wild black can be banked with another colour."""
    plain, wild = (toy.Stones(readings={"R-BLACK": value}) for value in ("plain", "wild"))
    leader = Leader(thawed(toy.GAME, plain))
    condition = leader.parts_from(wild)
    result, _ = explore(leader.thawed, [sought("apart", condition)])
    moves = result.witnesses["apart"].moves
    assert len(moves) == 3
    apart = parting(toy.GAME.model(plain), toy.GAME.model(wild), moves)
    assert apart is not None and not apart.offered[0]
    assert {_stones(move) for move in apart.offered[1]} <= {(i, 5) for i in range(5)}


def _stones(move: Move) -> tuple[Any, ...]:
    return tuple(int(stone) for stone in move.values[1])
