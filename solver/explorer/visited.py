"""The set of states seen so far: a hash table of 64-bit keys that takes a block of keys at a time.

Open addressing with linear probing, every step done for all keys at once: look at each key's place; where it
holds the key, the state is known; where it is empty, all who want it write their number there, and whoever is read back
has won it. Losers look again, and find either their own key (they were duplicates within the block) or somebody else's,
and go on to the next place. The outcome does not depend on luck: the first of equal keys wins, so runs are
repeatable. Against sorted runs with merging (the obvious alternative) the cost a key does not grow with depth.

One array of 8 bytes a place, at most half full. Compiled code inserts into the same table (`kernels`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.explorer.packing import Keys

_EMPTY = np.uint64(2**64 - 1)  # keys have 63 bits
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Visited:
    """A set of keys, in a table of 2^bits places."""

    def __init__(self, capacity: int = 2**16) -> None:
        self.count = 0
        self.bits = max(capacity - 1, 1).bit_length() + 1
        self.table = np.full(2**self.bits, _EMPTY, np.uint64)

    @property
    def nbytes(self) -> int:
        return self.table.nbytes

    def nbytes_for(self, more: int) -> int:
        """The bytes it needs, at its peak, to take so many more keys: while it grows there are two tables."""
        bits = self._bits_for(more)
        return self.nbytes if bits == self.bits else self.nbytes + 8 * 2**bits

    def insert(self, keys: Keys) -> NDArray[np.intp]:
        """Add the keys; return the indices, rising, of the first occurrence of each that is new."""
        self.reserve(len(keys))
        new = self._insert(keys)
        self.count += len(new)
        return new

    def _bits_for(self, more: int) -> int:
        return max(self.bits, (self.count + more - 1).bit_length() + 1)

    def reserve(self, more: int, rehash: Callable[[Keys, Keys, int], None] | None = None) -> None:
        """Make room for so many more keys; `rehash` moves keys from one table to another with 2^bits places."""
        bits = self._bits_for(more)
        if bits == self.bits:
            return
        old, self.bits = self.table, bits
        self.table = np.full(2**bits, _EMPTY, np.uint64)
        if rehash is not None:
            rehash(old, self.table, bits)
            return
        for part in np.array_split(old, max(1, len(old) >> 18)):
            self._insert(part[part != _EMPTY])

    def _insert(self, keys: Keys) -> NDArray[np.intp]:
        table = self.table
        places = ((keys ^ (keys >> np.uint64(29))) * _SPREAD >> np.uint64(64 - self.bits)).astype(np.intp)
        last = len(table) - 1
        pending = np.arange(len(keys))
        won: list[NDArray[np.intp]] = []
        while len(pending):
            found = table[places]
            vacant = np.flatnonzero(found == _EMPTY)
            if len(vacant):
                wanted, numbers = places[vacant], pending[vacant]
                # The last assignment to a place remains: reversed, the first of equal keys.
                table[wanted[::-1]] = numbers[::-1].astype(np.uint64)
                winner = table[wanted] == numbers.astype(np.uint64)
                winners = numbers[winner]
                table[wanted[winner]] = keys[winners]
                won.append(winners)
                found[vacant] = table[wanted]
            missed = np.flatnonzero(found != keys[pending])
            pending, places = pending[missed], (places[missed] + 1) & last
        return np.sort(np.concatenate(won)) if won else np.empty(0, np.intp)
