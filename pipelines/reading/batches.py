"""The pages that wait for the worker processes, taken in batches as they come."""

from __future__ import annotations

import math
import threading
from collections import deque
from typing import Final, Generic, TypeVar

# A tenth of a second of work, at 31 ms for a page of 280 kB, so that no page waits long for the
# others of its batch.
MOST_PAGES: Final = 8
# Bytes, or characters of HTML that a browser serialised.
LARGEST: Final = 700_000

Task = TypeVar("Task")


class Batches(Generic[Task]):
    """A queue of tasks. Thread-safe.

    takers: how many threads take batches.
    """

    def __init__(self, takers: int) -> None:
        self._takers = takers
        self._waiting: deque[tuple[Task, int]] = deque()
        self._changed = threading.Condition()
        self._is_closed = False

    def put(self, task: Task, size: int) -> None:
        """Add a task. size: of its page. Raises ValueError if the queue is closed."""
        with self._changed:
            if self._is_closed:
                raise ValueError("the queue is closed")
            self._waiting.append((task, size))
            self._changed.notify()

    def take(self) -> list[Task]:
        """The tasks that have waited longest, at least one; empty once the queue is closed and all
        are taken.

        It waits for the first task only, and leaves the other takers their share of the others. A
        page that is larger than a batch comes alone.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            share = min(math.ceil(len(self._waiting) / self._takers), MOST_PAGES)
            batch: list[Task] = []
            room = LARGEST
            while len(batch) < share and (not batch or self._waiting[0][1] <= room):
                task, size = self._waiting.popleft()
                batch.append(task)
                room -= size
            return batch

    def close(self) -> None:
        """Take no more tasks."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
