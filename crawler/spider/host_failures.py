"""Gives up hosts that fail again and again, for which a crawl would wait for days.

How often a host has failed is in the frontier, so that all workers know it by their leases.
"""

from __future__ import annotations

import logging
from typing import Final

from crawler.crawl.crawl import Crawl
from crawler.lease import Lease
from crawler.outcomes import HOST_DOWN, Done, Retry, Verdict

_log = logging.getLogger(__name__)

# A host that asks for no more seconds than that is waited for, however short the delays of a job.
_SOON: Final = 60.0

SKIPPED: Final = Retry(HOST_DOWN, is_final=True, sent=False)
"""What becomes of the other URLs of a host that is given up."""


class HostFailures:
    """The hosts of one crawl that fail."""

    def __init__(self, crawl: Crawl) -> None:
        politeness = crawl.job.politeness
        self._crawl = crawl
        self._tries = crawl.job.frontier.host_tries
        self._longest_delay = max(politeness.longest_delay, _SOON)
        # Without growing pauses, many visits fail during a short outage.
        self._counts = politeness.delay > 0 and politeness.delay_factor > 0

    def is_down(self, lease: Lease) -> bool:
        """Whether the host of a lease was given up."""
        return lease.host_failures >= self._tries

    async def judged(self, lease: Lease, verdict: Verdict) -> Verdict:
        """Note what a verdict says of the host. Returns it, or another if it gives the host up.

        Raises FrontierError.
        """
        before, now = lease.host_failures, self._failures(lease, verdict)
        if now == before or not await self._crawl.frontier.set_failures(lease.host, before, now):
            return verdict
        if now < self._tries or not isinstance(verdict, Retry):
            return verdict
        why = f"{now} failed visits in a row"
        if self._asks_too_much(verdict):
            why = f"Retry-After {verdict.host_delay:,.0f} s"
        _log.warning(
            "%s is given up (%s, %s): its other URLs end as %s; `genre-crawler frontier retry JOB "
            "--reason %s` brings dead ones back",
            *(lease.host, verdict.reason, why, HOST_DOWN, HOST_DOWN),
        )
        return Retry(HOST_DOWN, is_final=True)

    def _failures(self, lease: Lease, verdict: Verdict) -> int:
        """How many visits in a row have failed now."""
        if isinstance(verdict, Done | Retry) and not verdict.sent:
            return lease.host_failures
        if not isinstance(verdict, Retry):
            return 0
        if self._asks_too_much(verdict):
            return self._tries
        return lease.host_failures + (verdict.of_host and self._counts)

    def _asks_too_much(self, retry: Retry) -> bool:
        return retry.of_host and (retry.host_delay or 0.0) > self._longest_delay
