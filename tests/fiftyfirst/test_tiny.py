"""The tiny set-ups: each explored to its end, counted a second time by plain play, and together reaching every clause.

The numbers are pinned: whoever changes a rule sees here which set-ups it touches, and must say why they change.
"""

from __future__ import annotations

from functools import cache

import pytest

from model.fiftyfirst.game import GAME
from model.fiftyfirst.presets import TINY, catalogue, setup
from properties.fiftyfirst import PROPERTIES
from solver.explorer.frozen import Thawed, thawed
from solver.explorer.search import Limits, Result, explore

# Set-up: states, transitions, depth.
PINNED = {
    "factions": (6181, 6780, 185),
    "short-deal": (144, 149, 64),
    "picks": (135959, 213134, 144),
    "denial": (253939, 356039, 148),
    "two-cards": (157802, 226737, 146),
    "display-trimmed": (30794, 43657, 106),
    "hand-limit": (4807, 5649, 114),
    "hand-limit-down": (4707, 5557, 114),
    "three-slots": (257951, 366801, 136),
    "slots-unpaid": (1405, 1661, 101),
    "any-slots": (3209, 3663, 109),
    "hosts": (60512, 79939, 185),
    "hosts-moved": (917795, 1339462, 195),
    "rebuilding": (2332, 2504, 123),
    "machines": (3754, 4303, 165),
    "machines-at-once": (4402, 5090, 161),
    "leaders": (20290, 22741, 192),
    "baby-swift": (6397, 7318, 254),
    "workers": (309854, 444634, 187),
    "visits": (1193, 1400, 102),
    "thieves": (204669, 299807, 164),
    "thieves-victim": (7805, 10503, 121),
    "combo": (343241, 537086, 157),
    "storage": (1897, 2415, 126),
    "icons": (15090, 18611, 128),
    "icon-goods": (3238, 3689, 123),
    "toll": (726, 800, 82),
    "broker": (12190, 14733, 184),
    "tokens": (1469, 1610, 101),
    "ties": (138, 140, 41),
    "leftover-at-end": (30452, 43846, 82),
    "hosts-kept": (104151, 138979, 185),
    "mixed-slots": (12104, 14506, 208),
    "spoils-for-ever": (611, 771, 109),
    "two-leftovers": (3360, 3865, 131),
    "president": (2241, 2585, 122),
    "school": (6450, 7604, 124),
    "traders": (6917, 8173, 102),
    "market": (339, 357, 120),
    "toll-and-leader": (10088, 11946, 105),
    "robbed-leader": (53718, 78740, 130),
    "combo-full": (132105, 163527, 203),
    "counted-again": (7917, 9139, 127),
    "leader-returns": (63343, 72228, 342),
}
SMALL = [name for name, (states, _, _) in PINNED.items() if states <= 32_000]
LARGE = [name for name in PINNED if name not in SMALL]
# States of a large set-up that the quick tests look at; of the others 20,000.
GLIMPSE = {"hosts-moved": 460_000, "two-cards": 160_000}
# Too few points on the table to end.
ENDLESS = {
    "short-deal", "two-cards", "display-trimmed", "leftover-at-end", "thieves-victim", "spoils-for-ever", "president",
}  # fmt: skip

# Actions that no tiny set-up enables, and the test that makes them.
ELSEWHERE = {
    "discard_homeless": "test_semantics.py: a redeveloped host whose cards find every slot taken",
}


@cache
def thaw(name: str) -> Thawed:
    return thawed(GAME, setup(name))


@cache
def explored(name: str) -> Result:
    """A small set-up to its end with all properties; the first states of a large one."""
    small = name in SMALL
    limits = Limits() if small else Limits(states=GLIMPSE.get(name, 20_000))
    return explore(thaw(name), PROPERTIES if small else (), limits, block=2**12)[0]


def check(name: str, result: Result) -> None:
    assert result.complete and not result.stopped
    assert (result.states, result.transitions, result.depth) == PINNED[name]
    assert result.deadlocks == 0
    assert (result.terminal == 0) == (name in ENDLESS)
    expected = {declared.id for declared in PROPERTIES if declared.expected == "REFUTED"}
    assert set(result.violations) <= expected


def test_every_tiny_set_up_is_pinned() -> None:
    assert list(PINNED) == list(TINY)


@pytest.mark.parametrize("name", SMALL)
def test_a_small_set_up_explored_to_the_end(name: str) -> None:
    check(name, explored(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_large_set_up_explored_to_the_end(name: str) -> None:
    check(name, explore(thaw(name), PROPERTIES)[0])


def counted_by_play(name: str) -> tuple[int, int, int]:
    """States, transitions and depth of a set-up, found with nothing but the plain model."""
    model = GAME.model(setup(name))
    level = [model.initial()]
    seen, transitions, depth = {level[0].key()}, 0, -1
    while level:
        depth += 1
        reached = []
        for state in level:
            moves = model.legal(state)
            transitions += len(moves)
            for move in moves:
                after = state.copy()
                model.apply(after, move)
                if after.key() not in seen:
                    seen.add(after.key())
                    reached.append(after)
        level = reached
    return len(seen), transitions, depth


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if states < 1500 else [pytest.mark.slow])
        for name, (states, _, _) in PINNED.items()
        if states < 8000
    ],
)
def test_plain_play_counts_the_same(name: str) -> None:
    assert counted_by_play(name) == PINNED[name]


def test_the_tiny_set_ups_reach_every_clause() -> None:
    reached = frozenset[str]().union(*(explored(name).clauses for name in PINNED))
    applicable = {name for name, clause in catalogue().clauses.items() if clause.not_applicable is None}
    assert applicable <= reached, sorted(applicable - reached)


def test_every_action_is_enabled_in_a_tiny_set_up_or_made_elsewhere() -> None:
    enabled = {action for name in PINNED for action, times in explored(name).action_counts.items() if times}
    assert {action.name for action in GAME.actions} - enabled == set(ELSEWHERE)


def test_the_holes_are_found_where_they_can_show() -> None:
    """A statement that the rulebook does not keep must be refuted in some set-up, with a game that shows it."""
    for declared in PROPERTIES:
        if declared.expected == "REFUTED":
            found = [explored(name).violations.get(declared.id) for name in SMALL]
            assert any(game is not None and game.log for game in found), declared.id
