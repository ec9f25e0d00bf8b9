"""The open questions of 51st State: holes well declared, and the lock-step against plain play of both answers."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import pytest

from model.fiftyfirst.game import GAME
from model.fiftyfirst.presets import catalogue, setup
from model.language import Model, Move
from properties.fiftyfirst.holes import HOLES
from reports.registry import entry_of
from reports.telling_apart import Key, looked_at, looked_at_leading

STANDING = catalogue().readings_in_force({})
# Answers with cells of their own, which plain play can't lay over the standing ones.
COUNTING = {"R-BANK=box_only", "R-CAP-DEAL=three", "R-CAP-RETURN=per_game", "R-REDEV-TOKENS=paid_too"}
KEYS = [Key(id, value) for id, reading in catalogue().readings.items() for value in reading.values[1:]]


def test_holes_cite_what_there_is() -> None:
    assert len({hole.id for hole in HOLES}) == len(HOLES)
    for hole in HOLES:
        assert hole.clauses and set(hole.clauses) <= catalogue().clauses.keys(), hole.id
        assert {*hole.readings, *hole.under} <= catalogue().readings.keys(), hole.id
        assert hole.shown or hole.readings or hole.textual, hole.id
        if hole.shown:
            assert set(hole.shown.actions) <= {action.name for action in GAME.actions}, hole.id
            assert set(hole.shown.clauses) <= catalogue().clauses.keys(), hole.id


def test_each_situation_is_of_a_hole() -> None:
    shown = [hole.shown.id for hole in HOLES if hole.shown]
    assert len(set(shown)) == len(shown)


def parted_by_play(name: str, key: Key) -> int | None:
    """The moves of a shortest game to a difference, found with nothing but two plain models."""
    first = GAME.model(setup(name, readings=STANDING))
    second = GAME.model(setup(name, readings={**STANDING, key.reading: key.value}))
    begin = first.initial().vector()
    seen, waiting = {tuple(begin)}, deque([(begin, 1)])
    while waiting:
        vector, moves = waiting.popleft()
        here, there = (_outcomes(model, vector) for model in (first, second))
        if here != there:
            return moves
        for outcome in here.values():
            if outcome not in seen:
                seen.add(outcome)
                waiting.append((list(outcome), moves + 1))
    return None


def _outcomes(model: Model, vector: Any) -> dict[Any, tuple[Any, ...]]:
    found = {}
    for move in model.legal(model.state(vector)):
        state = model.state(vector)
        model.apply(state, move)
        found[_name(move)] = tuple(state.vector())
    return found


def _name(move: Move) -> tuple[Any, ...]:
    return move.action.name, move.values


PLAIN = [key for key in KEYS if str(key) not in COUNTING]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("short-deal", [Key("R-EMPTY", "end"), Key("R-RESHUFFLE", "at_once"), Key("R-LEFTOVER", "at_end")]),
        *(pytest.param(name, PLAIN, marks=pytest.mark.slow) for name in ("short-deal", "market", "toll")),
    ],
)
def test_the_lock_step_finds_what_plain_play_finds(name: str, keys: list[Key]) -> None:
    found = looked_at(entry_of(), name, 2, STANDING, keys, (), time.monotonic() + 300)
    assert not found.aside and not found.unfit
    for key in keys:
        told = found.told.get(key)
        assert parted_by_play(name, key) == (told.moves if told else None), key


def test_an_answer_that_counts_leads() -> None:
    """R-BANK box_only counts what was paid: the third redevelopment token is not there to be gained."""
    key = Key("R-BANK", "box_only")
    found = looked_at(entry_of(), "president", 2, STANDING, [key], (), time.monotonic() + 60)
    assert key in found.aside
    told = looked_at_leading(entry_of(), "president", 2, STANDING, key, time.monotonic() + 60).told[key]
    assert told.moves == 19 and told.parting.keys() == {"unlimited", "box_only"}
