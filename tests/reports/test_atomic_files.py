"""Files are written whole or not at all, and a place that takes none is told in one line.

The tests may run as root, whom permission bits do not stop: most unwritable places are made of files and failing calls.
"""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from reports import atomic
from reports.atomic import OutputError

NOBODY = 65534


def failing_with(number: int) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def one_line(error: pytest.ExceptionInfo[OutputError], path: Path) -> str:
    message = str(error.value)
    assert "\n" not in message
    assert str(path) in message
    return message


def test_text_and_bytes(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    assert atomic.write(file, "Béla\n") == file
    assert file.read_bytes() == "Béla\n".encode()
    atomic.write(file, b"\x00\xff")
    assert file.read_bytes() == b"\x00\xff"
    assert list(tmp_path.iterdir()) == [file]


def test_a_finished_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    atomic.write(tmp_path / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_failure_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int) -> None:
    file = atomic.write(tmp_path / "report.json", "old")
    monkeypatch.setattr(os, call, failing_with(number))
    with pytest.raises(OutputError) as error:
        atomic.write(file, "new")
    assert "--out" in one_line(error, file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_ctrl_c_leaves_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    file = atomic.write(tmp_path / "report.json", "old")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        atomic.write(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_folders_are_made_with_their_parents_and_left_clean(tmp_path: Path) -> None:
    place = atomic.folder(tmp_path / "a" / "b")
    assert atomic.folder(place) == place
    assert list(place.iterdir()) == []


def test_a_file_in_the_folders_place(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.touch()
    with pytest.raises(OutputError) as error:
        atomic.folder(file)
    assert "not a folder" in one_line(error, file)


def test_a_file_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    for attempt in (atomic.folder, lambda path: atomic.write(path, "")):
        with pytest.raises(OutputError) as error:
            attempt(tmp_path / "out" / "deeper")
        assert "a part of the path is a file" in one_line(error, tmp_path / "out" / "deeper")


def test_a_folder_in_the_files_place(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(OutputError) as error:
        atomic.write(tmp_path / "report.html", "")
    assert "a folder is in the file's place" in one_line(error, tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_names_no_file_system_takes(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="too long"):
        atomic.folder(tmp_path / ("x" * 300))
    with pytest.raises(OutputError, match="null byte"):
        atomic.folder(tmp_path / "x\0y")
    with pytest.raises(OutputError, match="circle"):
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        atomic.write(tmp_path / "loop" / "file", "")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No such file or directory"):
        atomic.write(tmp_path / "missing" / "file", "")


@pytest.mark.parametrize(("number", "word"), [(errno.EACCES, "may not"), (errno.EROFS, "read-only")])
def test_a_folder_that_takes_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, word: str
) -> None:
    monkeypatch.setattr(os, "open", failing_with(number))
    with pytest.raises(OutputError) as error:
        atomic.folder(tmp_path)
    assert word in one_line(error, tmp_path)


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Permission bits do not stop root, who therefore becomes nobody for a moment."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_read_only_folder() -> None:
    with tempfile.TemporaryDirectory() as name:  # not `tmp_path`, which lies where nobody else may look
        folder = Path(name)
        folder.chmod(0o777)
        with ordinary_user():
            assert atomic.folder(folder) == folder
        folder.chmod(0o555)
        with ordinary_user(), pytest.raises(OutputError, match="may not write"):
            atomic.folder(folder)
        folder.chmod(0o777)


def test_a_newline_in_the_path_keeps_the_message_on_one_line(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as error:
        atomic.write(tmp_path / "a\nb" / "\x1b[31m", "")
    assert str(error.value).isprintable()
