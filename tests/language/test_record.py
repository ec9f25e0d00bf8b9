"""Saved games: what was saved is what is read, and whatever else is read is one clear line."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.language import (
    FLAG,
    Amounts,
    Family,
    Game,
    InputError,
    Preset,
    State,
    Subset,
    Variable,
    action,
)  # fmt: skip
from model.language.game import Model, Move
from model.language.record import (
    BYTES_LIMIT,
    Identity,
    IllegalStep,
    decode,
    encode,
    identity_of,
    load,
    log,
    parse,
    read,
    replay,
    save,
)  # fmt: skip
from tests.language.toy import GAME, RULEBOOK, Stones

MODEL = GAME.model(Stones())
IDENTITY = Identity("six", 2, {"R-BLACK": "plain"}, "sha256:0", "six.csv")


def random_game(seed: int, model: Model = MODEL) -> list[Move]:
    chance = random.Random(seed)
    state, moves = model.initial(), []
    while not model.over(state):
        moves.append(chance.choice(model.legal(state)))
        model.apply(state, moves[-1])
    return moves


def a_document(seed: int = 1) -> dict[str, Any]:
    return save(MODEL, random_game(seed), IDENTITY)


# -- round trip ----------------------------------------------------------------------------------------------------
@given(st.integers(0, 10_000))
def test_a_saved_game_is_read_back_as_it_was(seed: int) -> None:
    moves = random_game(seed)
    document = parse(json.dumps(save(MODEL, moves, IDENTITY)))
    assert load(document, MODEL) == moves
    assert identity_of(document) == IDENTITY


def test_amounts_are_saved_by_label() -> None:
    class Heap(State):
        pass

    @action(clauses=("draw.stone",), stones=Amounts("stone", limit=lambda state, stone: 3), some=Subset("stone"))
    def take(state: State, stones: Any, some: Any) -> None:
        state.taken = True  # type: ignore[attr-defined]

    def families(setup: Any) -> dict[str, Family]:
        return {"stone": Family("stone", range(3), ["red", "green", "blue"])}

    game = Game(
        id="heap", title="Heap", version="1", catalogue=RULEBOOK, actions=(take,), phases=["ONLY"],
        presets={"tiny": Preset("tiny", (), "")}, player_counts=(2,), setup=lambda *_: Stones(), families=families,
        variables=lambda *_: [Variable("phase", FLAG), Variable("taken", FLAG)], state=Heap,
        over=lambda state: state.taken, observe=lambda *_: {}, turn_clause="draw.stone",
    )  # fmt: skip
    model = game.model(Stones())
    for move in random.Random(0).sample(model.legal(model.initial()), 40):
        entry = encode(model, move)
        assert all(amount > 0 for amount in entry["choices"]["stones"].values())
        assert decode(model, json.loads(json.dumps(entry))) == move
    entry = {"action": "take", "choices": {"stones": {"red": 2}, "some": ["blue"]}}
    assert [decode(model, entry).values[0][m] for m in (0, 1, 2)] == [2, 0, 0]
    for amount in (0, -1, True, 1.5, "2", 10**30):
        entry["choices"]["stones"] = {"red": amount}  # type: ignore[index]
        with pytest.raises(InputError, match=r"move \(take\): stones: red"):
            decode(model, entry)


def test_a_game_is_replayed_step_by_step() -> None:
    moves = random_game(3)
    steps = list(replay(MODEL, moves))
    assert [number for number, *_ in steps] == list(range(1, len(moves) + 1))
    assert MODEL.over(steps[-1][2])
    assert "draw.stone" in steps[0][3] and "bank.colour" in steps[1][3]


def test_the_log_numbers_moves_and_cites_clauses() -> None:
    first = next(log(MODEL, random_game(3)))
    assert first.startswith(" 1. draw stone ") and first.endswith("[draw.stone]")


def test_replay_stops_at_the_first_illegal_step_and_names_the_clause() -> None:
    moves = random_game(3)
    moves[2] = moves[0]  # that stone has left the bag
    seen = []
    message = r"^move 3 is not legal: draw stone \d \(forbidden by draw.stone\)$"
    with pytest.raises(IllegalStep, match=message) as caught:
        for number, *_ in replay(MODEL, moves):
            seen.append(number)
    assert seen == [1, 2] and caught.value.number == 3 and caught.value.clause == "draw.stone"


# -- what is wrong is said in one line --------------------------------------------------------------------------------
def broken(*path: Any, value: Any) -> dict[str, Any]:
    document = a_document()
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "the document: expected an object, found a list"),
        ({}, "the document: 'game' is missing; it is a text"),
        (broken("game", value="stoned"), "game is 'stoned', but this is 'stones'"),
        (broken("rules_version", value="2"), "rules_version is '2', but this is '1'"),
        (broken("setup", value=3), "the document: setup: expected an object, found a whole number"),
        (broken("setup", "players", value=3), "setup: players is 3, but this is a game for 2"),
        (broken("setup", "players", value=True), "setup: players: expected a whole number, found true or false"),
        (broken("setup", "players", value=10**50), "setup: players is a number beyond reason"),
        (broken("setup", "readings", "R-BLACK", value=0), "setup: readings: 'R-BLACK': expected a text"),
        (broken("setup", "deck", value=[]), "setup: deck: expected a text, found a list"),
        (broken("moves", value={}), "the document: moves: expected a list, found an object"),
        (broken("moves", 1, value=None), "move 2: expected an object, found null"),
        (broken("moves", 1, value={"action": "bank"}), "move 2 (bank): 'choices' is missing; it is an object"),
        (broken("moves", 1, "acton", value=1), "move 2: there is no 'acton' here; did you mean action?"),
        (broken("moves", 1, "action", value="bnak"), "move 2: there is no action 'bnak'; did you mean bank?"),
        (broken("moves", 1, "action", value="a\nb"), r"move 2: there is no action 'a\nb'"),
        (broken("moves", 1, "action", value="\ud800\u2028"), r"move 2: there is no action '\ud800\u2028'"),
        (broken("moves", 1, "choices", value={}), "move 2 (bank): the choice 'player' is missing"),
        (broken("moves", 1, "choices", "x", value=1), "move 2 (bank): choices: there is no 'x' here; there are: "),
        (
            broken("moves", 1, "choices", "player", value="Player 3"),
            "move 2 (bank): player: there is no player 'Player 3'; did you mean Player 2?",
        ),
        (broken("moves", 1, "choices", "player", value=["Player 1"]), "move 2 (bank): player: expected a text"),
        (broken("moves", 1, "choices", "stones", value="x"), "move 2 (bank): stones: expected a list, found a text"),
        (
            broken("moves", 1, "choices", "stones", value=["stone 1", "stone 1"]),
            "move 2 (bank): stones: a stone is chosen twice",
        ),
        (broken("moves", 0, "choices", "stone", value="x" * 10_000), "move 1 (draw): stone: there is no stone 'xxx"),
    ],
)  # fmt: skip
def test_a_broken_document_is_one_line(document: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(document, MODEL)
    text = str(caught.value)
    assert text.startswith(message)
    assert text.isprintable() and len(text) < 400


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "game: not JSON: Expecting value, line 1 column 1"),
        (b'{"moves": [}', "game: not JSON: Expecting value, line 1 column 12"),
        (b"\xff\xfe\x00", "game: not JSON"),
        (b'{"moves": NaN}', "game: not JSON: NaN is not a number"),
        (b"7" * 5000, "game: not JSON"),
        (b"7", "game: expected an object, found a whole number"),
        (b"[" * 200_000, "game: not a saved game: nested too deeply"),
        (b" " * (BYTES_LIMIT + 1), "game: larger than 64 MB"),
    ],
    ids=["empty", "cut off", "not text", "NaN", "endless number", "number", "deep", "huge"],
)
def test_broken_content_is_one_line(content: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(content, "game")
    assert str(caught.value).startswith(message)
    assert str(caught.value).isprintable()


def test_an_unreadable_file_is_one_line(tmp_path: Any) -> None:
    with pytest.raises(InputError, match=r"missing.json: cannot be read: No such file"):
        read(tmp_path / "missing.json")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read(tmp_path)
    (tmp_path / "game.json").write_text(json.dumps(a_document()), "utf-8")
    assert read(tmp_path / "game.json") == a_document()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["bank", "draw", "Player 1"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text() | st.sampled_from(["action", "choices", "stones", "player"]), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_no_json_whatever_gives_anything_but_an_input_error(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        load(value, MODEL)
    assert str(caught.value).isprintable()


@given(st.data())
def test_a_document_with_one_part_replaced_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    document = place = a_document(data.draw(st.integers(0, 20)))
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    try:
        moves = load(document, MODEL)
        list(replay(MODEL, moves))
    except InputError as error:
        assert str(error).isprintable()


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_no_content_whatever_gives_anything_but_an_input_error(content: Any) -> None:
    try:
        load(parse(content), MODEL)
    except InputError as error:
        assert str(error).isprintable()
