"""Levels on disk change nothing but where they are."""

import errno
import pathlib
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from model.language.state import between
from solver.explorer import search
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, Limits, Result, explore
from solver.explorer.spilled import spilled
from tests.language import toy
from tests.solver.explorer import small

TABLE = 2**20  # bytes of the table of states at its first size, which stays in memory
SPACE = {"seconds", "nbytes", "on_disk"}
WIDE = thawed(small.with_banked(between(0, 2**50)), small.SETUP)  # three words a state


@given(st.data(), st.integers(1, 3), st.lists(st.integers(0, 5), min_size=1, max_size=4))
@settings(max_examples=50, deadline=None)
def test_parts_are_joined(data: st.DataObject, height: int, widths: list[int]) -> None:
    parts = [data.draw(arrays.arrays(np.uint64, (height, width))) for width in widths]
    together = spilled(parts, pathlib.Path())
    assert np.array_equal(together, np.concatenate(parts, axis=1)) and together.dtype == np.uint64
    single = [part[0] for part in parts]
    assert np.array_equal(spilled(single, pathlib.Path()), np.concatenate(single))


def test_nothing_is_left_in_the_folder(tmp_path: pathlib.Path) -> None:
    array = spilled([np.arange(5)], tmp_path)
    assert array.tolist() == [0, 1, 2, 3, 4] and not list(tmp_path.iterdir())


def everything(result: Result, exploration: Exploration) -> tuple[Any, ...]:
    levels = [[array.tolist() for array in (level.words, level.parents, level.paths)] for level in exploration.levels]
    counted = [getattr(result, one.name) for one in fields(result) if one.name not in SPACE | {"taken"}]
    return levels, counted, result.taken.tolist()


@pytest.mark.parametrize("compiled_from", [0, float("inf")])
@pytest.mark.parametrize("memory", [1.0, 50_000.0])  # above the table: next to nothing, and about a level
def test_a_search_short_of_memory_goes_on_on_disk(tmp_path: pathlib.Path, memory: float, compiled_from: float) -> None:
    expected = explore(WIDE, small.PROPERTIES, block=50)
    room = Limits(memory=TABLE + memory)
    assert not explore(WIDE, small.PROPERTIES, room, block=50, compiled_from=compiled_from)[0].complete
    result, exploration = explore(
        WIDE, small.PROPERTIES, room, block=50, compiled_from=compiled_from, folder=tmp_path
    )
    assert result.complete and result.on_disk > 0 and result.nbytes <= room.memory
    assert everything(result, exploration) == everything(*expected)
    assert sum(level.nbytes for level in exploration.levels) == result.on_disk + result.nbytes - TABLE
    for depth in (0, 5, 12):
        assert len(exploration.game(depth, 0).moves) == depth


def test_a_table_that_does_not_fit_stops_the_search(tmp_path: pathlib.Path) -> None:
    result, _ = explore(thawed(toy.GAME, small.SETUP), limits=Limits(memory=1000), folder=tmp_path)
    assert not result.complete and "1,000 bytes of memory" in result.stopped


@pytest.mark.parametrize("writes", [0, 3, 40, 200])
def test_a_full_disk_leaves_what_is_known(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    left = [writes]

    def full(parts: Any, folder: pathlib.Path) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return spilled(parts, folder)

    monkeypatch.setattr(search, "spilled", full)
    expected, _ = explore(WIDE)
    result, exploration = explore(WIDE, small.PROPERTIES, Limits(memory=TABLE + 1), block=50, folder=tmp_path)
    assert not result.complete and "No space left on device" in result.stopped and str(tmp_path) in result.stopped
    assert result.states == sum(level.states for level in exploration.levels) < expected.states
    assert result.depth_histogram[:-1] == expected.depth_histogram[: result.depth]
    assert len(exploration.game(result.depth, 0).moves) == result.depth


def test_a_folder_that_is_not_there_is_told(tmp_path: pathlib.Path) -> None:
    result, _ = explore(WIDE, limits=Limits(memory=TABLE + 1), folder=tmp_path / "none")
    assert not result.complete and "none" in result.stopped
