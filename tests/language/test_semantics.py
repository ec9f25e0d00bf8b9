"""One semantics: on random states and moves of two toy games, execution and traced paths say the same.

Also what playing promises: the listing is what brute force finds, a refusal names a clause and changes nothing, states
are independent and go through their vector unharmed.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import Phase as Stage
from hypothesis import given, settings
from hypothesis import strategies as st

import model.language.evaluate as evaluation
from model.language import Amounts, Model, Move, One, Refused, Selection, Subset
from model.language.evaluate import evaluate
from model.language.state import Journal
from model.language.trace import Path, paths_of, trace
from properties.agreement import check_agreement
from properties.playing import attempt
from tests.language import market
from tests.language.toy import GAME, Stones

MODELS = {
    "stones": GAME.model(Stones()),
    "stones, black is wild": GAME.model(Stones(readings={"R-BLACK": "wild"})),
    "market": market.GAME.model(market.Setup()),
}
SYMBOLIC: dict[str, list[Path]] = {name: paths_of(model, symbolic=True) for name, model in MODELS.items()}
EVERY_MODEL = pytest.mark.parametrize("name", MODELS)


def walk(model: Model, seed: int, length: int) -> tuple[Any, list[Move], random.Random]:
    """A state some random moves from the start, the moves, and the chance to go on with."""
    chance = random.Random(seed)
    state, moves = model.initial(), []
    for _ in range(length):
        legal = model.legal(state)
        if not legal:
            break
        moves.append(chance.choice(legal))
        model.apply(state, moves[-1])
    return state, moves, chance


def some_moves(model: Model, state: Any, moves: list[Move], chance: random.Random) -> list[Move]:
    legal = model.legal(state)
    tried = [attempt(model, chance, legal or moves, moves) for _ in range(4)] if legal or moves else []
    return [*chance.sample(legal, min(3, len(legal))), *tried]


WALKS = given(st.integers(0, 2**32), st.integers(0, 14))


# -- execution and paths -------------------------------------------------------------------------------------------
@EVERY_MODEL
@settings(max_examples=60)
@WALKS
def test_execution_agrees_with_the_paths_of_the_move(name: str, seed: int, length: int) -> None:
    model = MODELS[name]
    state, moves, chance = walk(model, seed, length)
    for move in some_moves(model, state, moves, chance):
        before = state.vector()
        assert check_agreement(model, state, move) == (model.refusal(state, move) is None)
        assert state.vector() == before


@EVERY_MODEL
@settings(max_examples=60)
@WALKS
def test_execution_agrees_with_paths_whose_selections_are_free(name: str, seed: int, length: int) -> None:
    model = MODELS[name]
    state, moves, chance = walk(model, seed, length)
    for move in some_moves(model, state, moves, chance):
        # One member stands for all of a symmetric family: only moves about that one have paths.
        if any(same_members(path, move) for path in SYMBOLIC[name]):
            check_agreement(model, state, move, SYMBOLIC[name])


def same_members(path: Path, move: Move) -> bool:
    return path.action is move.action and all(
        isinstance(traced, Selection) or traced == chosen
        for traced, chosen in zip(path.values, move.values, strict=True)
    )


@EVERY_MODEL
def test_both_kinds_of_moves_and_every_action_are_compared(name: str) -> None:
    """Against an empty comparison: the walks above do meet legal and illegal moves of every action."""
    model, met = MODELS[name], set()
    for seed in range(150):
        state, moves, chance = walk(model, seed, seed % 15)
        for move in some_moves(model, state, moves, chance):
            met.add((move.action.name, check_agreement(model, state, move)))
    assert met == set(itertools.product(model.actions, (True, False)))


def spoiled(operation: str) -> Any:
    right = evaluation.apply

    def apply(node: Any, arguments: list[Any]) -> Any:
        if node.operation != operation:
            return right(node, arguments)
        wrong = {
            "less": lambda: arguments[0] <= arguments[1],
            "sum": lambda: right(node, arguments) + 1,
            "choose": lambda: arguments[2] if arguments[0] else arguments[1],
            "equal": lambda: arguments[0] >= arguments[1],
            "and": lambda: any(arguments),
            "or": lambda: all(arguments),
        }
        return wrong[operation]()

    return apply


@pytest.mark.parametrize("operation", ["less", "sum", "choose", "equal", "and", "or"])
def test_a_wrong_evaluator_is_caught(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "apply", spoiled(operation))

    @settings(max_examples=3000, database=None, phases=[Stage.generate], print_blob=False)
    @given(st.sampled_from(list(MODELS)), st.integers(0, 2**32), st.integers(0, 14))
    def compare(name: str, seed: int, length: int) -> None:
        model = MODELS[name]
        state, moves, chance = walk(model, seed, length)
        for move in some_moves(model, state, moves, chance):
            if any(same_members(path, move) for path in SYMBOLIC[name]):
                check_agreement(model, state, move, SYMBOLIC[name], {"plain": evaluate, "spoiled": evaluate})

    with pytest.raises(AssertionError, match=r"plain evaluator, rule \w+ \(\w+\.py:\d+\)"):
        compare()


# -- playing ---------------------------------------------------------------------------------------------------------
def every_combination(model: Model) -> Iterator[Move]:
    """All moves there could be, legal or not: brute force, without a look at `where`, `limit` or `total`."""
    for action in model.actions.values():
        options: list[list[Any]] = []
        for choice in action.choices.values():
            members = model.families[choice.family].members
            if isinstance(choice, One):
                options.append(list(members))
            elif isinstance(choice, Subset):
                options.append([
                    Selection(dict.fromkeys(chosen, True), False)
                    for size in range(len(members) + 1)
                    for chosen in itertools.combinations(members, size)
                ])  # fmt: skip
            else:
                assert isinstance(choice, Amounts)
                options.append([
                    Selection({m: amount for m, amount in zip(members, amounts, strict=True) if amount})
                    for amounts in itertools.product(range(6), repeat=len(members))
                ])  # fmt: skip
        for values in itertools.product(*options):
            yield Move(action, values)


@EVERY_MODEL
@settings(max_examples=40, deadline=None)
@WALKS
def test_the_listing_is_what_brute_force_finds(name: str, seed: int, length: int) -> None:
    model = MODELS[name]
    state, _, _ = walk(model, seed, length)
    before = state.vector()
    listed = model.legal(state)
    accepted = [move for move in every_combination(model) if model.refusal(state, move) is None]
    assert len(set(map(repr, listed))) == len(listed)
    assert sorted(map(repr, listed)) == sorted(map(repr, accepted))
    assert state.vector() == before


@EVERY_MODEL
@settings(max_examples=40, deadline=None)
@WALKS
def test_every_illegal_move_is_refused_by_a_clause_and_changes_nothing(name: str, seed: int, length: int) -> None:
    model = MODELS[name]
    state, _, chance = walk(model, seed, length)
    before = state.vector()
    for move in chance.sample(list(every_combination(model)), 25):
        clause = model.refusal(state, move)
        if clause is None:
            continue
        assert clause in model.game.catalogue.clauses
        with pytest.raises(Refused) as caught:
            model.apply(state, move)
        assert caught.value.clause == clause
        assert state.vector() == before


@EVERY_MODEL
@settings(max_examples=40)
@WALKS
def test_a_move_that_fails_half_way_is_undone(name: str, seed: int, length: int) -> None:
    model = MODELS[name]
    state, _, chance = walk(model, seed, length)
    legal = model.legal(state)
    if not legal:
        return
    before, move = state.vector(), chance.choice(legal)
    with Journal(state) as journal:
        move.action.function(state, *move.values)
        changed = state.vector()
        journal.undo()
    assert changed != before and state.vector() == before
    model.apply(state, move)
    assert state.vector() == changed


@EVERY_MODEL
@settings(max_examples=40)
@WALKS
def test_a_state_goes_through_its_vector_and_copies_are_independent(name: str, seed: int, length: int) -> None:
    model = MODELS[name]
    state, _, chance = walk(model, seed, length)
    vector = state.vector()
    assert model.state(vector).vector() == vector
    assert [type(value) for value in model.state(vector).vector()] == [type(value) for value in vector]
    copy = state.copy()
    assert copy.key() == state.key()
    legal = model.legal(copy)
    if legal:
        model.apply(copy, chance.choice(legal))
        assert state.vector() == vector and copy.key() != state.key()


@EVERY_MODEL
def test_clauses_are_cited_alike_by_execution_and_by_paths(name: str) -> None:
    model = MODELS[name]
    for seed in range(40):
        state, _, _ = walk(model, seed, seed % 12)
        for move in model.legal(state)[:5]:
            cited: set[str] = set()
            before = model.state(state.vector())
            model.apply(before, move, cited)
            holding = [path for path in trace(model, move.action, move.values) if cited == set(path.clauses)]
            assert holding, f"{model.describe(move)} cites {cited}"
