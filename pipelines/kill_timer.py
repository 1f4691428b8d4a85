"""Time limits on processes, kept by one thread for all of them: a page must not cost a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

# How much later than its time a process may be killed.
_PERIOD = 0.1


class Killable(Protocol):
    def kill(self) -> None: ...


class KillTimer:
    """Kills a process unless a block is left in time; ``fired`` says whether it did, the last time.

    It only acts while a ``KillWatch`` looks at it. For one block at a time.
    """

    def __init__(self) -> None:
        self.fired = False
        self._lock = threading.Lock()
        self._process: Killable | None = None
        self._due = 0.0

    @contextmanager
    def limit(self, process: Killable, seconds: float) -> Iterator[None]:
        """Kill the process in so many seconds from now, if this block is not left by then."""
        with self._lock:
            self.fired = False
            self._process, self._due = process, time.monotonic() + seconds
        try:
            yield
        finally:
            # A killing that has begun finishes first, so that no later page is blamed.
            with self._lock:
                self._process = None

    def check(self) -> None:
        """Kill if it is time."""
        with self._lock:
            if self._process is not None and time.monotonic() >= self._due:
                self.fired = True
                self._process.kill()
                self._process = None


class KillWatch:
    """The thread that looks at the timers, from ``start`` to ``end``."""

    def __init__(self, timers: Sequence[KillTimer]) -> None:
        self._timers = timers
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="kill timers", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(_PERIOD):
            for timer in self._timers:
                timer.check()
