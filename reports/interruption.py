"""Ctrl-C and SIGTERM while a run is going on: stop what runs, keep what is done.

Both become a `KeyboardInterrupt` here, and are remembered: a stage may catch it in order to save what it has, and the
run still has to know that it is over. A second one is not caught by anybody: who insists gets out.
"""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType, TracebackType


class Interruption:
    """While the block runs, signals interrupt it; `happened` tells afterwards that one did."""

    def __init__(self) -> None:
        self.happened = False
        self._process = os.getpid()
        self._before: dict[int, object] = {}

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():  # elsewhere Python allows no handlers
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._interrupt)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _interrupt(self, number: int, _: FrameType | None) -> None:
        if os.getpid() != self._process:  # a forked child has inherited this handler, and nothing to save
            os._exit(128 + number)
        self.happened = True
        raise KeyboardInterrupt
