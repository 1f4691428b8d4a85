"""How many bytes a worker has received, and hosts have sent, and when the frontier is told."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from crawler.frontier import Frontier
from crawler.politeness.sent_sizes import SentSizes
from settings.tables.limits import Limits
from settings.tables.politeness import Politeness

# Received bytes are reported to the frontier in steps of this; with a limit, of at most 1 % of it.
# Fewer are reported after so many seconds.
_STEP: Final = 4_000_000
_SECONDS: Final = 30.0

_log = logging.getLogger(__name__)


class Traffic:
    """The bytes of one worker's run.

    received: of response bodies, after decompression.
    sent: what hosts have sent; None if the job does not limit it.
    """

    def __init__(
        self,
        limits: Limits,
        politeness: Politeness,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.received = 0
        daily_size = politeness.daily_size_per_host
        self.sent = SentSizes(daily_size) if daily_size else None
        total = limits.total_size
        self._step = min(_STEP, max(1, total // 100)) if total else _STEP
        self._clock = clock
        self._reported = 0
        self._reported_at = clock()

    async def report(self, frontier: Frontier, *, is_last: bool = False) -> None:
        """Tell the frontier what it was not told, if it is time to. Raises FrontierError."""
        now, new = self._clock(), self.received - self._reported
        is_late = new > 0 and now - self._reported_at >= _SECONDS
        if is_last or is_late or new >= self._step:
            self._reported, self._reported_at = self.received, now
            await frontier.count_received(new)
        if self.sent is not None and (is_last or self.sent.is_due):
            for host in await frontier.count_sent(self.sent.take()):
                _log.info(
                    "%s has sent enough for today and is left alone until midnight, UTC", host
                )
