"""Where a page has moved: a redirect, a refresh or a script that leads elsewhere."""

from __future__ import annotations

import logging
from typing import Final

from crawler.crawl import Crawl
from crawler.notes import MOST_REDIRECTS
from crawler.urls import Address, UrlError, address, moved_to
from crawler.verdicts import PRIVATE_ADDRESS, REDIRECTED
from crawler.visits import Visit

_log = logging.getLogger(__name__)

# Hosts that are told of, where pages of the job have gone to them.
_MOST_TOLD: Final = 50


class Redirects:
    """Settles the URLs of one crawl that lead elsewhere."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._told: set[str] = set()

    async def follow(self, visit: Visit, asked: str, location: bytes) -> str | None:
        """Where the target is a candidate, None: it is visited in its host's turn.

        If it is only another spelling of the URL, which the frontier has seen, it comes back and
        is to be asked for at once; a spelling that was tried ends it.
        asked: the URL that redirects. location: the header, as it came.
        """
        try:
            target, here = moved_to(asked, location), address(visit.lease.url)
        except UrlError:
            await self._crawl.frontier.ack(visit.lease, "redirect-invalid")
            return None
        respelled = target.canonical == here.canonical and target.url not in visit.tried
        if respelled and len(visit.tried) <= MOST_REDIRECTS:
            return target.url
        await self.settle(visit, target)
        return None

    async def settle(self, visit: Visit, target: Address) -> None:
        """End the visit, once the page it leads to is in the frontier."""
        crawl, lease = self._crawl, visit.lease
        note = visit.note.redirected(lease.url)
        before = {address(url).canonical for url in note.via}
        refusal = crawl.scope.refusal(target, lease.depth, wanted=visit.is_wanted)
        if target.canonical in before or note.redirects > MOST_REDIRECTS:
            outcome = "redirect-loop"
        elif refusal == PRIVATE_ADDRESS:
            outcome = PRIVATE_ADDRESS
        elif refusal:
            outcome = "redirect-out-of-scope"
            self._tell_of(target, lease.url)
        else:
            outcome = REDIRECTED
            await crawl.add([note.candidate(target.url, lease.depth, lease.priority)])
        await crawl.frontier.ack(lease, outcome)

    def _tell_of(self, target: Address, source: str) -> None:
        """Say where the job's pages have gone, once for each host."""
        if target.host not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(target.host)
            _log.warning("%s redirects to %s, which is out of scope", source, target.url)
