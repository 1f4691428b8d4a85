"""Samples the memory of a program and all its child processes while it runs."""

from __future__ import annotations

import threading
import time
from typing import NamedTuple

from corpus_commons.process_tree import descendants, memory

# A sample of a few processes takes some 30 ms of CPU time, which is lost to the program.
_PERIOD = 1.0


class Sample(NamedTuple):
    """time: seconds since 1970. bytes: PSS, of all processes."""

    time: float
    bytes: int


class MemoryWatch:
    """Samples the process ``root`` and all its descendants every second, until ``end``."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._ended = threading.Event()
        self._samples: list[Sample] = []
        self._thread = threading.Thread(target=self._watch, name="memory watch")
        self._thread.start()

    def end(self) -> list[Sample]:
        self._ended.set()
        self._thread.join()
        return self._samples

    def _watch(self) -> None:
        while not self._ended.wait(_PERIOD):
            self._samples.append(Sample(time.time(), memory(descendants(self._root))))
