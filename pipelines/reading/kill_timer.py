"""Time limits on processes, all enforced by one thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

# Seconds between two checks, so a process may be killed this much too late.
_PERIOD = 0.1


class Killable(Protocol):
    def kill(self) -> None: ...


class KillTimer:
    """Kills a process if a block takes too long; ``fired`` says whether it killed the last one.

    Works only while a ``KillWatch`` checks it, and for one block at a time.
    """

    def __init__(self) -> None:
        self.fired = False
        self._lock = threading.Lock()
        self._process: Killable | None = None
        self._due = 0.0

    @contextmanager
    def limit(self, process: Killable, seconds: float) -> Iterator[None]:
        """Kill the process unless the block ends within so many seconds."""
        with self._lock:
            self.fired = False
            self._process, self._due = process, time.monotonic() + seconds
        try:
            yield
        finally:
            # Under the lock, so that a kill in progress cannot hit the next page.
            with self._lock:
                self._process = None

    def check(self) -> None:
        """Kill the process if its time is up."""
        with self._lock:
            if self._process is not None and time.monotonic() >= self._due:
                self.fired = True
                self._process.kill()
                self._process = None


class KillWatch:
    """A thread that checks the timers, from ``start`` to ``end``."""

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
