"""Snapshots for all who watch, encoded once, one a second or two; none while nobody watches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Final

SECONDS: Final = 1.0
MOST_SECONDS: Final = 3.0
# Sending is what grows with the viewers: so many get half as many snapshots.
_MANY: Final = 50

_log = logging.getLogger(__name__)


class Broadcast:
    """Sends what ``make`` returns to any number of viewers. Use it in one loop.

    make: the next event. A viewer that is slow gets fewer events, and keeps nobody waiting.
    """

    def __init__(self, make: Callable[[], Awaitable[bytes]]) -> None:
        self._make = make
        self._latest = b""
        self._number = 0
        self._made_at = -math.inf
        self._viewers = 0
        self._news = asyncio.Condition()
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_over = False

    @property
    def viewers(self) -> int:
        return self._viewers

    @contextlib.contextmanager
    def viewer(self) -> Iterator[None]:
        """Count one who is let in, before the first of the events."""
        self._viewers += 1
        try:
            yield
        finally:
            self._viewers -= 1

    @property
    def pause(self) -> float:
        """Seconds between two events; 1 for few viewers, 2 for fifty, at most 3."""
        return min(SECONDS * (1 + self._viewers / _MANY), MOST_SECONDS)

    async def events(self) -> AsyncIterator[bytes]:
        """The events from now on, until the end, for a ``viewer``; the first comes at once."""
        if self._task is None and not self._is_over:
            self._task = asyncio.create_task(self._go_on(), name="live page")
        seen = self._number if time.monotonic() - self._made_at > self.pause else self._number - 1
        while True:
            async with self._news:
                while self._number == seen and not self._is_over:
                    await self._news.wait()
                seen, event = self._number, self._latest
            if event:
                yield event
            if self._is_over:
                return

    def hurry(self) -> None:
        """Make the next event now, because the last one is no longer right."""
        self._made_at = -math.inf
        self._wanted.set()

    async def end(self, last: bytes) -> None:
        """Send the last event; all viewers' events end with it."""
        self._is_over = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._tell(last)

    async def _go_on(self) -> None:
        """Make events until nobody watches."""
        while self._viewers:
            self._wanted.clear()
            try:
                await self._tell(await self._make())
            except Exception:
                _log.exception("cannot show the crawl on its page")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.pause):
                    await self._wanted.wait()
        self._task = None

    async def _tell(self, event: bytes) -> None:
        async with self._news:
            self._latest, self._made_at = event, time.monotonic()
            self._number += 1
            self._news.notify_all()
