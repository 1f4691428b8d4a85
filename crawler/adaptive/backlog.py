"""The backlog of a crawl: how many pages are known to come, so that a budget can be shared out."""

from __future__ import annotations

import time
from typing import Final

from crawler.frontier.lease_holder import LeaseHolder

# The frontier is asked again after so many seconds, or once a tenth of the pages has been taken.
_LOOK_EVERY: Final = 10.0
_LOOK_AT: Final = 0.9


class Backlog:
    """Of one worker, which takes pages one after the other.

    most: how many pages the crawl may read; None means any number.
    rendering: pages that were taken and whose visit is not over, as they are being rendered.
    """

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._left = 0
        self._look_at = 0.0
        self._next_look = 0.0
        self.rendering = 0

    async def take(self, leases: LeaseHolder) -> int:
        """Take a page; returns how many pages are known to come, with this one."""
        if self._left <= self._look_at or time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _LOOK_EVERY
            self._left = await self._known(leases)
            self._look_at = _LOOK_AT * self._left
        self._left -= 1
        return self._left + 1

    async def _known(self, leases: LeaseHolder) -> int:
        urls = await leases.frontier.stats()
        left = urls.left
        if self._most is not None:
            left = min(left, self._most - urls.run.pages)
        # Leased, but taken before.
        taken = leases.held - leases.visits + self.rendering
        return max(1, left - taken)
