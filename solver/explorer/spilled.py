"""Arrays on disk: where the levels of a search go when memory is short.

A level is written once, from front to back, and read likewise when it is expanded; after that only games look up a row
here and there. So a file mapped into memory is all it takes: the system keeps in memory what it can, and whoever
uses the array need not know. Packed states mean nothing to other programs; they get no file format.

The file has no name, so nothing is left behind, however the process ends. It is written before it is mapped: on a full
disk, writing is an error, but touching a mapped page kills the process.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def spilled(parts: Sequence[NDArray[Any]], folder: Path) -> NDArray[Any]:
    """The parts joined along their last axis, in a file that goes when the array does; read only.

    Args:
        parts: at least one; of one type, and equally long but for the last axis.

    Raises:
        OSError: the disk is full, or the folder can't be written to.
    """
    first = parts[0]
    shape = (*first.shape[:-1], sum(part.shape[-1] for part in parts))
    if 0 in shape:
        return np.empty(shape, first.dtype)
    with tempfile.TemporaryFile(dir=folder) as file:
        for row in np.ndindex(first.shape[:-1]):
            for part in parts:
                np.ascontiguousarray(part[row]).tofile(file)
        file.flush()
        return np.asarray(np.memmap(file, first.dtype, "r", shape=shape))
