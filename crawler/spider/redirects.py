"""Handles redirects, whether by the server, by a refresh or by a script."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from crawler.crawl.crawl import Crawl
from crawler.fetching.leased_requests import LeasedRequest
from crawler.frontier.url_meta import MOST_REDIRECTS, UrlMeta
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

# Log redirects that lead to no page for this many hosts.
_MOST_LOGGED: Final = 50


class Redirects:
    """Handles the redirects of one crawl."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._logged: set[str] = set()

    async def follow(self, leased: LeasedRequest, asked: str, location: bytes) -> Done | str:
        """Make the target a candidate, which waits for its host's turn; returns the outcome.

        But if the target is just another spelling of the URL, which the frontier takes for seen, it
        is returned as written, to be requested at once; unless that was tried already.
        asked: the URL that redirects. location: the raw header.
        """
        try:
            written = moved_to(asked, location)
            target, here = address(written), address(leased.lease.url)
        except UrlError:
            return Done(REDIRECT_INVALID)
        if target.canonical == here.canonical and _is_new(written, leased.tried):
            return written
        return await self.settle(leased, target)

    async def settle(self, leased: LeasedRequest, target: Address) -> Done:
        """Add the target to the frontier, if it is in scope; returns the outcome."""
        crawl, lease = self._crawl, leased.lease
        meta = leased.meta
        if leased.history is not None:
            # What led to it before it was found may since have been turned round.
            meta = UrlMeta(meta.kind, meta.level)
        meta = meta.redirected(lease.url)
        before = {address(url).canonical for url in meta.via}
        refusal = crawl.scope.refusal(
            target, lease.depth, wanted=leased.is_wanted, anywhere=not leased.is_page
        )
        if target.canonical in before or meta.redirects > MOST_REDIRECTS:
            if leased.is_page and lease.depth == 0:
                self._warn_once(target.host, "%s redirects in a loop, so it is no page", lease.url)
            return Done(REDIRECT_LOOP)
        if refusal == PRIVATE_ADDRESS:
            return Done(PRIVATE_ADDRESS)
        if refusal:
            message = "%s redirects to %s, which is out of scope"
            self._warn_once(target.host, message, lease.url, target.url)
            return Done(REDIRECT_OUT_OF_SCOPE)
        await crawl.add([meta.candidate(target.url, lease.depth, lease.priority)])
        return Done(REDIRECTED)

    def _warn_once(self, host: str, message: str, *urls: str) -> None:
        """Log a redirect that leads to no page, once for each target host."""
        if host not in self._logged and len(self._logged) < _MOST_LOGGED:
            self._logged.add(host)
            _log.warning(message, *urls)


def _is_new(spelling: str, tried: Sequence[str]) -> bool:
    """Whether to request a spelling of a URL; with a session id, which may be another one after
    each redirect, only once.
    """
    alike = sum(address(one).url == address(spelling).url for one in tried)
    return spelling not in tried and alike < 2 and len(tried) <= MOST_REDIRECTS
