"""A block of states expanded by compiled code, on all cores, with the result that NumPy would give, array by array.

Four steps, each a loop without Python in it, and each split over the cores: successors of a share of the block's
states; their order (by path, then by row); insertion into the table of visited states, each core the keys it owns;
gathering what is new. The split shows nowhere in the result.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.language.expression import Term
from solver.explorer import kernels
from solver.explorer.native import CONTEXT, STUCK, TERMINAL, Library, Notes, expansion, firing_order
from solver.explorer.packing import Keys, Words
from solver.explorer.program import Program
from solver.explorer.visited import Visited

SHARE = 2**11  # states that are worth a core of their own
_INT, _POINTER = ctypes.c_int64, ctypes.c_void_p


@dataclass(frozen=True)
class Successors:
    """What one block leads to, before it is inserted.

    Attributes:
        noted: by note, whether some state or move met it. taken: by path, how many states take it.
        terminal, stuck: how many states are over; how many are not, and allow no move.
    """

    noted: NDArray[np.bool_]
    taken: NDArray[np.int64]
    terminal: int
    stuck: int


class Compiled:
    """The rules of a model as machine code.

    Args:
        over: when the game is over. notes: what is to be noted.
        cores: how many threads.
        optimised: whether to take the time for the best code.
    """

    def __init__(self, program: Program, over: Term, notes: Notes, cores: int, optimised: bool) -> None:
        self.cores, self.notes, self.optimised = cores, notes, optimised
        self._width = program.packing.words
        self._paths = np.array(firing_order(program.guards), np.uint32)  # by rank
        self._pool = ThreadPoolExecutor(cores) if cores > 1 else None
        library = self._library = Library(kernels.text(program.packing) + expansion(program, over, notes), optimised)
        self._expand = library.function("expand", *_types("pii"))
        self._keyed = library.function("keyed", *_types("iipipppii"))
        self._ordered = library.function("ordered", *_types("iippppii"))
        self._insert = library.function("insert", *_types("iipppip"))
        self._rehash = library.function("rehash", *_types("iippi"))
        self._counted = library.function("counted", *_types("iippp"))
        self._gathered = library.function("gathered", *_types("iippppipp"), ctypes.c_uint32, *_types("pipp"))
        self._room = 0
        self._make_room(2**12)

    def _make_room(self, room: int) -> None:
        """Arrays for so many candidates a core."""
        self._room, whole = room, room * self.cores + kernels.AHEAD
        self._words = np.empty((self._width, whole), np.uint64)
        self._rows, self._ranks = np.empty(whole, np.uint32), np.empty(whole, np.uint32)
        self._keys, self._fresh = np.zeros(whole, np.uint64), np.empty(whole, np.uint8)
        self._order = np.zeros(whole, np.uint32)

    def _each(self, work: Callable[[int], object], numbers: Sequence[int]) -> None:
        if self._pool is None or len(numbers) == 1:
            for number in numbers:
                work(number)
        else:
            for _ in self._pool.map(work, numbers):
                pass

    def expand(self, words: Words) -> Successors:
        """The successors of a block; they stay here until they are inserted."""
        if words.strides[1] != 8 or words.strides[0] % 8:
            words = np.ascontiguousarray(words)
        rows, paths = words.shape[1], len(self._paths)
        self._shares = range(self.cores if rows >= self.cores * SHARE else 1)
        found = self._expanded(words)
        while found is None:
            self._make_room(2 * self._room)
            found = self._expanded(words)
        noted, tally = found
        taken = np.zeros(paths, np.int64)
        taken[self._paths] = self._counts.sum(axis=(0, 1))
        return Successors(noted, taken, int(tally[TERMINAL]), int(tally[STUCK]))

    def _expanded(self, words: Words) -> tuple[NDArray[np.bool_], NDArray[np.int64]] | None:
        """What is noted and tallied; nothing if there was no room for all successors."""
        shares, paths = len(self._shares), len(self._paths)
        cuts = [words.shape[1] * share // shares for share in range(shares + 1)]
        notes = np.zeros((shares, self.notes.size + 64), np.uint8)  # a cache line of distance
        tally = np.zeros((shares, 8), np.int64)
        counts = self._counts = np.zeros((shares, shares, paths), np.int64)  # by share, owner and rank
        ends = [0] * shares

        def run(share: int) -> None:
            first = share * self._room
            context = self._context(words, notes[share], tally[share], first)
            end = ends[share] = self._expand(_address(context), cuts[share], cuts[share + 1])
            if end >= 0:
                self._keyed(first, end, _address(self._words), self._words.shape[1], _address(self._ranks),
                            _address(self._keys), _address(counts[share]), shares, paths)  # fmt: skip

        self._each(run, self._shares)
        self._spans = [(share * self._room, end) for share, end in enumerate(ends)]
        if min(ends) < 0:
            return None
        return np.any(notes[:, : self.notes.size], axis=0), tally.sum(axis=0)

    def _context(self, words: Words, notes: NDArray[Any], tally: NDArray[Any], first: int) -> NDArray[np.int64]:
        values = {
            "words": _address(words), "stride": words.strides[0] // 8, "successors": _address(self._words),
            "capacity": self._words.shape[1], "rows": _address(self._rows), "ranks": _address(self._ranks),
            "notes": _address(notes), "tally": _address(tally), "first": first, "last": first + self._room,
        }  # fmt: skip
        return np.array([values[name] for name in CONTEXT], np.int64)

    def insert(self, visited: Visited, start: int) -> tuple[Words, NDArray[np.uint32], NDArray[np.uint32]]:
        """Add the successors; of the new ones give the words, the rows they come from (from `start` on), the paths."""
        shares, paths = len(self._shares), len(self._paths)
        visited.reserve(int(self._counts.sum()), self.rehash)
        places, ends = _places(self._counts.transpose(1, 2, 0))
        cursors = np.ascontiguousarray(places.transpose(2, 0, 1))

        def order(share: int) -> None:
            first, last = self._spans[share]
            self._ordered(first, last, _address(self._ranks), _address(self._keys), _address(cursors[share]),
                          _address(self._order), shares, paths)  # fmt: skip

        def insert(owner: int) -> None:
            self._insert(ends[owner], ends[owner + 1], _address(self._order), _address(self._keys),
                         _address(visited.table), visited.bits, _address(self._fresh))  # fmt: skip

        counts = np.zeros((shares, paths), np.int64)

        def count(share: int) -> None:
            self._counted(*self._spans[share], _address(self._fresh), _address(self._ranks), _address(counts[share]))

        self._each(order, self._shares)
        self._each(insert, self._shares)
        self._each(count, self._shares)
        places, _ = _places(counts.transpose()[np.newaxis])
        cursors = np.ascontiguousarray(places[0].transpose())
        new = int(counts.sum())
        reached = np.empty((self._width, new), np.uint64)
        parents, taken = np.empty(new, np.uint32), np.empty(new, np.uint32)

        def gather(share: int) -> None:
            self._gathered(*self._spans[share], _address(self._fresh), _address(self._ranks), _address(cursors[share]),
                           _address(self._words), self._words.shape[1], _address(self._rows), _address(self._paths),
                           start, _address(reached), new, _address(parents), _address(taken))  # fmt: skip

        self._each(gather, self._shares)
        visited.count += new
        return reached, parents, taken

    def arrivals(self, start: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Keys]:
        """Of every successor, new or not, in order: the row it comes from (from `start` on), the path, the key."""
        whole = [
            np.concatenate([column[first:last] for first, last in self._spans])
            for column in (self._ranks, self._rows, self._keys)
        ]
        ranks, rows, keys = (column[np.argsort(whole[0], kind="stable")] for column in whole)
        return rows + np.uint32(start), self._paths[ranks], keys

    def rehash(self, old: Keys, new: Keys, bits: int) -> None:
        """Move the keys of a table to a larger one."""
        self._rehash(0, len(old), _address(old), _address(new), bits)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def _types(letters: str) -> list[Any]:
    """The types of arguments: integers and pointers."""
    return [_POINTER if letter == "p" else _INT for letter in letters]


def _places(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[int]]:
    """Where each bucket begins if one follows the other; where each of the first axis does, and where the last ends."""
    ends = np.cumsum(counts.reshape(-1)).reshape(counts.shape)
    places: NDArray[np.int64] = ends - counts
    return places, [0, *ends.reshape(len(counts), -1)[:, -1].tolist()]


def _address(array: NDArray[Any]) -> int:
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]

