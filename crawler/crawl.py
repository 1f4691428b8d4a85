"""The running crawl: what its parts share, from the opening of the frontier to its end."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from scrapy.crawler import Crawler as ScrapyCrawler

from crawler.egress import EgressGuard
from crawler.frontier import Candidate, FrontierError, FrontierGoneError, Lease, Stats
from crawler.holding import HoldingFrontier
from crawler.job_frontier import open_frontier, place_of
from crawler.page_look import LocalReader, Reader
from crawler.scope import Scope
from crawler.seeds import seed_hosts, seed_lists, seed_pages, seeds
from crawler.urls import UrlError, address
from crawler.worker_name import WORKER
from settings import Job
from settings.networks import AddressPolicy

# Bytes received of which the frontier is told at once; where they are limited, a hundredth of that.
_WORTH_TELLING: Final = 4_000_000

_log = logging.getLogger(__name__)


class NotOpenError(RuntimeError):
    """The frontier is asked for before the crawl is open, or when it has been closed."""


class Crawl:
    """One worker's share of a job. ``crawl_of`` finds it from any part of Scrapy.

    job: what is crawled.
    worker: what this one is called, in its files' names and in a fleet.
    folder: of the job; frontier and outputs lie in it.
    policy: which addresses may be dialled.
    guard: sees to it, for every name that is looked up.
    scope: which URLs belong to the job.
    lists: the sitemaps and feeds that it names, in canonical form; a link to one leads to no page.
    reader: parses pages; the pipelines put theirs here, which goes on to read their content.
    received: bytes of bodies, after decompression, of this run.
    started: when the crawl was opened, UTC.
    is_stopped: whether an operator has ended the job for all its workers.
    finish_reason: Scrapy's word for why the crawl ended; None while it runs.
    last_stats: the frontier's numbers when the crawl was closed.
    failure: the error for which the crawl could not begin, or had to end; None if there is none.
    """

    def __init__(self, job: Job, *, worker: str = WORKER) -> None:
        self.job = job
        self.worker = worker
        self.folder: Path = job.folder
        self.policy = AddressPolicy(loopback=job.is_loopback())
        self.guard = EgressGuard(self.policy)
        self.scope = Scope(job.scope, (), self.policy)
        self.reader: Reader = LocalReader(job.politeness)
        self.received = 0
        self._counted = 0
        limit = job.limits.total_size
        self._worth_telling = min(_WORTH_TELLING, max(1, limit // 100)) if limit else _WORTH_TELLING
        self.started = datetime.now(UTC)
        self.is_stopped = False
        self.finish_reason: str | None = None
        self.last_stats: Stats | None = None
        self.failure: Exception | None = None
        self._frontier: HoldingFrontier | None = None
        self._seed_pages = seed_pages(job.seeds)
        self.lists = seed_lists(job.seeds)

    @property
    def frontier(self) -> HoldingFrontier:
        """The frontier, while the crawl is open. Raises NotOpenError."""
        if self._frontier is None:
            raise NotOpenError("the crawl is not open")
        return self._frontier

    @property
    def is_closed(self) -> bool:
        return self.finish_reason is not None

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def open(self) -> None:
        """Open the frontier and put the seeds in. Raises CrawlError or FrontierError."""
        self.started = self.now()
        _log.info("%s: the frontier is %s", self.job.name, place_of(self.job))
        try:
            began = time.monotonic()
            self.scope.add_seed_hosts(seed_hosts(self.job.seeds))
            store = await open_frontier(self.job, self.worker, self.scope.digest())
            self._frontier = HoldingFrontier(store)
            new = await self._frontier.add(self._seeds())
        except Exception as error:
            self.failure = error
            await self.close("cannot open")
            raise
        self._frontier.start()
        from twisted.internet import reactor  # noqa: PLC0415 - only when it is installed

        self.guard.install(reactor)
        _log.info("%s: %d new seeds in %.1f s", self.job.name, new, time.monotonic() - began)

    def hurry(self) -> None:
        """End soon, also where the frontier's store is in trouble."""
        if self._frontier is not None:
            self._frontier.hurry()

    async def close(self, reason: str) -> None:
        """Give back what is held and close the frontier; may be called again."""
        self.finish_reason = self.finish_reason or reason
        self.guard.uninstall()
        if self._frontier is None:
            return
        self.hurry()
        frontier, self._frontier = self._frontier, None
        try:
            try:
                await frontier.count_received(self._uncounted())
                self.last_stats = await frontier.stats()
            finally:
                await frontier.close()
        except FrontierError as error:
            if isinstance(error, FrontierGoneError) and not frontier.held:
                # An operator may remove a job whose last workers hold nothing, and are ending.
                _log.warning("%s", error)
                return
            self.failure = self.failure or error
            _log.error("what is leased comes back at the next start: %s", error)

    async def add(self, found: list[Candidate]) -> int:
        """Add candidates; how many were new."""
        return await self.frontier.add(found) if found else 0

    async def count_received(self) -> None:
        """Tell the frontier what was received since it was last told, if that is worth a write."""
        if self.received - self._counted >= self._worth_telling:
            await self.frontier.count_received(self._uncounted())

    def as_seed(self, lease: Lease) -> Lease:
        """The lease, with a seed's depth where an earlier run found the seed as a link."""
        if lease.depth and address(lease.url).canonical in self._seed_pages:
            return replace(lease, depth=0)
        return lease

    def _uncounted(self) -> int:
        new, self._counted = self.received - self._counted, self.received
        return new

    def _seeds(self) -> Iterator[Candidate]:
        for seed in seeds(self.job.seeds):
            if not self.policy.allows_host(_host(seed.url)):
                _log.warning("the seed %s is on a private network and left out", seed.url)
            else:
                yield seed


def _host(url: str) -> str:
    try:
        return address(url).host
    except UrlError:
        return ""


_CRAWLS: WeakKeyDictionary[ScrapyCrawler, Crawl] = WeakKeyDictionary()


def register(crawler: ScrapyCrawler, crawl: Crawl) -> None:
    """Let ``crawl_of(crawler)`` find the crawl; the spider does this when it is made."""
    _CRAWLS[crawler] = crawl


def crawl_of(crawler: ScrapyCrawler) -> Crawl:
    """The crawl that a Scrapy crawler runs. Raises LookupError where it runs another spider."""
    try:
        return _CRAWLS[crawler]
    except KeyError:
        raise LookupError(f"{crawler.spidercls.__name__} is no spider of a job") from None
