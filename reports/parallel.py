"""Tasks in processes of their own, some at a time: each result as it comes, each failure told, nothing left running.

A process a task, not a pool of workers: what a task took in memory is given back when it ends, and a task that is
killed, runs out of memory or hangs costs only itself. Processes are forked, so that tasks, which hold functions of the
rules, need no pickling; only results travel.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
import traceback
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, TypeVar

Result = TypeVar("Result")
GRACE = 2.0  # seconds by which a task may be late


@dataclass(frozen=True)
class Failure:
    """A task without a result, and why: its own last words, or ours."""

    reason: str


@dataclass
class _Running:
    name: str
    process: ForkProcess
    pipe: Connection


def run(
    tasks: Mapping[str, Callable[[], Result]], processes: int, deadline: float
) -> Generator[tuple[str, Result | Failure], None, None]:
    """The name and the result of each task, in the order in which they end.

    Args:
        deadline: on `time.monotonic`; then what is running is ended, and what waits is not begun. A task that wants to
            keep what it has by then must stop by itself.
    """
    waiting = list(tasks.items())[::-1]
    running: list[_Running] = []
    try:
        while waiting or running:
            while waiting and len(running) < processes and time.monotonic() < deadline:
                running.append(_started(*waiting.pop()))
            left = deadline + GRACE - time.monotonic()
            ready = wait([task.pipe for task in running], max(0.0, left)) if running else []
            for task in [task for task in running if task.pipe in ready]:
                running.remove(task)
                yield task.name, _received(task)
            if not ready:
                break
        late = [task.name for task in running] + [name for name, _ in reversed(waiting)]
        yield from ((name, Failure("out of time")) for name in late)
    finally:
        for task in running:
            task.process.kill()
            task.process.join()


def _started(name: str, task: Callable[[], Any]) -> _Running:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(task, theirs), daemon=True)
    process.start()
    theirs.close()
    return _Running(name, process, ours)


def _received(task: _Running) -> Any:
    try:
        received = task.pipe.recv()
    except (EOFError, OSError):
        task.process.join()
        return Failure(f"the process died (exit status {task.process.exitcode})")
    task.process.join()
    return received


def _work(task: Callable[[], Any], pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal interrupts us all; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        pipe.send(task())
    except MemoryError:
        pipe.send(Failure("out of memory"))
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        pipe.send(Failure(f"{type(error).__name__}: {error} ({last.filename.rpartition('/')[2]}:{last.lineno})"))
