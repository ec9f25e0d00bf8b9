"""Writing results so that a file is either the old one or the new one, never half of either.

A run takes minutes and may be interrupted at any of them; a reader may have the last report open. So each file is
written beside its place, flushed to the disk, and then moved over the old one in a single step. What can't be written
is told in one line that names the place and the mend, and `folder` tells it before the work, not after.
"""

import contextlib
import errno
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from reports.wording import visible

_MENDS = {
    errno.EACCES: "you may not write there; choose another folder with --out",
    errno.EPERM: "you may not write there; choose another folder with --out",
    errno.EROFS: "the file system is read-only; choose another folder with --out",
    errno.ENOTDIR: "a part of the path is a file, not a folder; remove it or choose another folder with --out",
    errno.EEXIST: "it exists and is not a folder; remove it or choose another folder with --out",
    errno.EISDIR: "a folder is in the file's place; remove it or choose another folder with --out",
    errno.ENOSPC: "the disk is full; free some space or choose another folder with --out",
    errno.EDQUOT: "your disk quota is used up; free some space or choose another folder with --out",
    errno.ENAMETOOLONG: "the path is too long; choose a shorter one with --out",
    errno.ELOOP: "its links lead in a circle; choose another folder with --out",
}


class OutputError(Exception):
    """A result could not be written; the message is one line: what, where, and how to mend it."""

    def __init__(self, path: Path, cause: OSError | ValueError) -> None:
        number = cause.errno if isinstance(cause, OSError) else None
        reason = (cause.strerror if isinstance(cause, OSError) else None) or str(cause)
        mend = _MENDS.get(number or 0, f"{reason}; choose another folder with --out")
        # A path may hold a newline; the message must stay one line.
        super().__init__(f"cannot write {visible(str(path)).replace(chr(10), '⏎')}: {mend}")
        self.path = path


def folder(path: Path) -> Path:
    """Make the folder if it is missing and make sure that files can be written there.

    Returns the path itself. Raises `OutputError` when it can't be made, is not a folder, or takes no files.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        # Asking for permission bits proves nothing (root, read-only mounts, quotas): only writing does.
        probe, handle = _beside(path / "probe")
        os.close(handle)
        probe.unlink()
    except (OSError, ValueError) as cause:
        raise OutputError(path, cause) from cause
    return path


def write(path: Path, content: str | bytes) -> Path:
    """Write the file whole or not at all; text goes out as UTF-8 with `\\n` line ends.

    Returns the path itself. Raises `OutputError` when it can't be written; an older file is then still there.
    """
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    return write_with(path, lambda file: file.write(data))


def write_with(path: Path, fill: Callable[[BinaryIO], object]) -> Path:
    """Write the file whole or not at all, by a function that fills it; for what is too large to be held twice.

    Returns the path itself. Raises `OutputError` when it can't be written; an older file is then still there.
    """
    try:
        _replace(path, fill)
    except (OSError, ValueError) as cause:
        raise OutputError(path, cause) from cause
    return path


def _replace(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    temporary, handle = _beside(path)
    try:
        with os.fdopen(handle, "wb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:  # Ctrl-C too must leave no litter behind.
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _beside(path: Path) -> tuple[Path, int]:
    """A new file in the same folder, so that the move stays on one file system.

    Not `tempfile`: its files are readable by their owner only, and the finished report keeps the mode.
    """
    temporary = path.parent / f".ruleproof-{secrets.token_hex(8)}.tmp"
    return temporary, os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
