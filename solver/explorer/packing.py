"""States as bit fields in 64-bit words: what the explorer stores, compares and rebuilds witnesses from.

Each slot takes as many bits as its domain needs and never straddles two words. A successor is made by replacing
the fields that a move changes in the words of the state before, so its cost is that of what changes, not of how wide
a state is.

A state is known by a 64-bit *key*. Where it fits into one word (but for the top bit, which `visited` needs), the key is
the word and exploration is exact. Otherwise it is a fingerprint of all words, and two states of n collide with a
probability of at most n^2/2^64 (half the pairs, 2^63 keys), which is reported, never hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.language.expression import INFINITY
from model.language.state import Domain, Layout
from solver.explorer.columns import Column, dtype_for

Words = NDArray[np.uint64]  # (words a state, states)
Keys = NDArray[np.uint64]

KEY_BITS = 63
UNBOUNDED = 255  # how far a variable without an upper bound is explored; more is an error, like leaving a domain
_KEY_MASK = np.uint64(2**KEY_BITS - 1)


@dataclass(frozen=True)
class Field:
    """Where a slot's value, less its lowest, stands."""

    word: int
    shift: int
    mask: int
    low: int
    dtype: np.dtype[Any]


class Packing:
    """The bit fields of a layout.

    Args:
        exact: whether to use the word itself as key where it fits; False tests fingerprints on small states.
    """

    def __init__(self, layout: Layout, exact: bool = True) -> None:
        self.fields: list[Field] = []
        used = [0]
        for cell in layout.slots:
            low, high = explored(cell.domain)
            bits = (high - low).bit_length()
            if used[-1] + bits > (KEY_BITS if len(used) == 1 else 64):
                used.append(0)
            dtype = np.dtype(np.bool_) if cell.domain.boolean else dtype_for(low, high)
            self.fields.append(Field(len(used) - 1, used[-1], 2**bits - 1, low, dtype))
            used[-1] += bits
        self.words = len(used)
        self.exact = exact and self.words == 1

    def pack(self, vector: Sequence[int]) -> Words:
        """One state from the values of its slots."""
        words = [0] * self.words
        for field, value in zip(self.fields, vector, strict=True):
            words[field.word] |= (int(value) - field.low) << field.shift
        return np.array(words, np.uint64).reshape(-1, 1)

    def vector(self, words: Words, row: int) -> list[int]:
        """The values of the slots of one state."""
        whole = [int(word) for word in words[:, row]]
        return [(whole[field.word] >> field.shift & field.mask) + field.low for field in self.fields]

    def column(self, words: Words, slot: int, rows: NDArray[np.intp] | None = None) -> Column:
        """A slot's values, in all or the given rows."""
        field = self.fields[slot]
        word: Words = words[field.word] if rows is None else words[field.word][rows]
        shifted = word >> np.uint64(field.shift) if field.shift else word
        if field.dtype == np.bool_:
            return np.asarray(shifted & np.uint64(1), np.bool_)
        column: Column = (shifted & np.uint64(field.mask)).astype(field.dtype)
        if field.low:
            column += field.dtype.type(field.low)
        return column

    def keys(self, words: Words) -> Keys:
        """What each state is known by: its word, or a fingerprint."""
        if self.exact:
            exact: Keys = words[0]
            return exact
        key = _mixed(words[0] ^ np.uint64(0x9E3779B97F4A7C15))
        for word in words[1:]:
            key = _mixed(key * np.uint64(0x9FB21C651E98DF25) ^ word)
        return key & _KEY_MASK

    def collision_probability(self, states: int) -> float:
        """At most how likely it is that two of so many states were taken for one."""
        return 0.0 if self.exact else min(1.0, states * (states - 1) / 2 / 2.0**KEY_BITS)


def explored(domain: Domain) -> tuple[int, int]:
    """The values of a domain that a packed state has room for."""
    return int(domain.low), domain.low + UNBOUNDED if domain.high == INFINITY else int(domain.high)


def _mixed(key: Keys) -> Keys:
    """Every bit of the key made to depend on every other: splitmix64's finaliser, a bijection."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))
