"""What the spider does with a sitemap, feed or robots.txt: what it lists goes into the frontier."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from typing import Final

from scrapy.http import Response

from crawler.crawl import Crawl
from crawler.entries import ListError
from crawler.frontier import Candidate
from crawler.lists import DEEPEST_INDEX, LARGEST, LIST_PRIORITY, Listed, listed
from crawler.notes import Kind, Note
from crawler.urls import UrlError, address
from crawler.verdicts import TOO_LARGE, Done, Rejection
from crawler.visits import Visit

_NO_URL: Final = "no-url"
_NESTED: Final = "nested"

_log = logging.getLogger(__name__)


class ListReading:
    """Reads the lists of one crawl. The log tells of each what it gave."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    async def give_up(self, visit: Visit, verdict: Done | Rejection) -> None:
        """End the visit of a list that cannot be had. It is no page, and so no reject."""
        kind = visit.note.kind
        if isinstance(verdict, Done):
            outcome = reason = verdict.outcome
        else:
            outcome, reason = f"{kind}-{verdict.reason}", verdict.reason
        if reason == TOO_LARGE:
            reason = f"it is larger than {LARGEST:,} bytes"
        _log.warning("%s: the %s cannot be read: %s", visit.lease.url, kind.label, reason)
        await self._crawl.frontier.ack(visit.lease, outcome)

    async def read(self, visit: Visit, response: Response) -> None:
        """End the visit, once what is listed is in the frontier."""
        crawl, lease, note = self._crawl, visit.lease, visit.note
        try:
            # In a thread: other hosts do not wait for the 50,000 URLs of this one.
            found, candidates, refused = await asyncio.to_thread(self._read, visit, response)
        except ListError as error:
            _log.warning("%s: %s", lease.url, error)
            await crawl.frontier.ack(lease, f"{note.kind}-unreadable")
            return
        await crawl.add(candidates)
        _tell(lease.url, found, len(candidates), refused)
        await crawl.frontier.ack(lease, note.kind.label)

    def _read(
        self, visit: Visit, response: Response
    ) -> tuple[Listed, list[Candidate], Counter[str]]:
        """What is listed, what of it belongs to the job, and why the rest does not."""
        depth, note = visit.lease.depth, visit.note
        found = listed(note.kind, response.body, response.url)
        refused: Counter[str] = Counter()
        pages = [Candidate(url, depth) for url in self._in_scope(found.pages, depth, refused)]
        further = self._further(found.sitemaps, note.level + 1, refused)
        return found, [*pages, *further], refused

    def _further(self, urls: Iterable[str], level: int, refused: Counter[str]) -> list[Candidate]:
        """The sitemaps that may be fetched; those in an index may be anybody's."""
        wanted = self._in_scope(urls, 0, refused, wanted=True)
        if level > DEEPEST_INDEX:
            refused[_NESTED] += len(wanted)
            return []
        note = Note(Kind.SITEMAP, level)
        return [note.candidate(url, priority=LIST_PRIORITY) for url in wanted]

    def _in_scope(
        self, urls: Iterable[str], depth: int, refused: Counter[str], *, wanted: bool = False
    ) -> list[str]:
        """Those of the URLs that belong to the job; the others are counted by the reason."""
        kept = []
        for url in urls:
            try:
                refusal = self._crawl.scope.refusal(address(url), depth, wanted=wanted)
            except UrlError:
                refusal = _NO_URL
            if refusal is None:
                kept.append(url)
            else:
                refused[refusal] += 1
        return kept


def _tell(url: str, found: Listed, taken: int, refused: Counter[str]) -> None:
    """Say what a list gave; a list that gave nothing, or not all of it, needs somebody to look."""
    told = f"{len(found.pages) + len(found.sitemaps):,} listed, {taken:,} taken"
    if refused:
        told += "; left out: " + ", ".join(f"{why} {count:,}" for why, count in refused.items())
    if found.problem:
        told = f"{found.problem}; {told}"
    level = logging.INFO if taken and not found.problem else logging.WARNING
    _log.log(level, "%s: %s", url, told)
