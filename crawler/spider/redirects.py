"""Handles redirects, whether by the server, by a refresh or by a script."""

from __future__ import annotations

import logging
from typing import Final

from crawler.crawl.crawl import Crawl
from crawler.fetching.leased_requests import LeasedRequest
from crawler.frontier.url_meta import MOST_REDIRECTS
from crawler.outcomes import (
    PRIVATE_ADDRESS,
    REDIRECT_INVALID,
    REDIRECT_LOOP,
    REDIRECT_OUT_OF_SCOPE,
    REDIRECTED,
    Done,
)
from crawler.urls import Address, UrlError, address, moved_to

_log = logging.getLogger(__name__)

# Log redirects out of scope for this many hosts.
_MOST_LOGGED: Final = 50


class Redirects:
    """Handles the redirects of one crawl."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._logged: set[str] = set()

    async def follow(self, leased: LeasedRequest, asked: str, location: bytes) -> Done | str:
        """Make the target a candidate, which waits for its host's turn; returns the outcome.

        But if the target is just another spelling of the URL, which the frontier takes for seen, it
        is returned, to be requested at once; unless that spelling was tried already.
        asked: the URL that redirects. location: the raw header.
        """
        try:
            target, here = moved_to(asked, location), address(leased.lease.url)
        except UrlError:
            return Done(REDIRECT_INVALID)
        respelled = target.canonical == here.canonical and target.url not in leased.tried
        if respelled and len(leased.tried) <= MOST_REDIRECTS:
            return target.url
        return await self.settle(leased, target)

    async def settle(self, leased: LeasedRequest, target: Address) -> Done:
        """Add the target to the frontier, if it is in scope; returns the outcome."""
        crawl, lease = self._crawl, leased.lease
        meta = leased.meta.redirected(lease.url)
        before = {address(url).canonical for url in meta.via}
        refusal = crawl.scope.refusal(
            target, lease.depth, wanted=leased.is_wanted, anywhere=not leased.is_page
        )
        if target.canonical in before or meta.redirects > MOST_REDIRECTS:
            return Done(REDIRECT_LOOP)
        if refusal == PRIVATE_ADDRESS:
            return Done(PRIVATE_ADDRESS)
        if refusal:
            self._log_once(target, lease.url)
            return Done(REDIRECT_OUT_OF_SCOPE)
        await crawl.add([meta.candidate(target.url, lease.depth, lease.priority)])
        return Done(REDIRECTED)

    def _log_once(self, target: Address, source: str) -> None:
        """Log a redirect out of scope, once for each target host."""
        if target.host not in self._logged and len(self._logged) < _MOST_LOGGED:
            self._logged.add(target.host)
            _log.warning("%s redirects to %s, which is out of scope", source, target.url)
