"""The running crawl: the state that its parts share."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from weakref import WeakKeyDictionary

from scrapy.crawler import Crawler as ScrapyCrawler

from corpus_commons.counts import number_of
from crawler.adaptive.decider import Decider, GainDecider
from crawler.consent.host_signals import HostSignals
from crawler.crawl.ending import Ending
from crawler.crawl.threads import BROWSER, start_threads
from crawler.crawl.traffic import Traffic
from crawler.crawl.unblocked_hosts import retry_unblocked
from crawler.discovery.block_list import BLOCK_LIST, BlockList
from crawler.discovery.page_scan import LocalReader, Reader, ScanRules
from crawler.discovery.scope import Scope
from crawler.discovery.seeds import seed_hosts, seed_pages, seed_sitemaps, seeds
from crawler.egress.resolver_guard import EgressGuard
from crawler.frontier import Candidate, Frontier, FrontierError, FrontierGoneError, Lease
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.opening import open_frontier, place_of
from crawler.frontier.worker_name import WORKER
from crawler.recrawl.observation import Observation
from crawler.recrawl.revisits import Revisits, history_of
from crawler.urls import address, host_if_any
from settings import Job
from settings.networks import AddressPolicy

_log = logging.getLogger(__name__)


class NotOpenError(RuntimeError):
    """The frontier was used before the crawl was opened, or after it was closed."""


class Crawl:
    """One worker's crawl of a job. ``crawl_of`` finds it from any part of Scrapy.

    job: what is crawled.
    worker: the name of this worker, in file names and in the fleet.
    folder: the job's folder, with the frontier and the outputs.
    policy: which addresses may be connected to.
    guard: enforces the policy for every name that is resolved.
    scope: which URLs belong to the job.
    sitemaps: canonical URLs of the job's sitemaps and feeds; links to these are not followed.
    host_signals: what hosts' files say about the use of pages; None if robots.txt is not obeyed,
        since then hosts' files are not asked for.
    decider: decides whether a page is rendered; None if the job's mode says so for all pages.
    reader: parses pages; the pipelines replace it by one that also reads their content.
    unreachable: why hosts cannot be connected to, by host; None once one has answered.
    traffic: the bytes that it has received.
    started: when the crawl was opened, UTC.
    is_up_to_date: whether nothing was due when it was opened: it leases nothing, and reads no page.
    is_stopped: whether an operator has stopped the job for all its workers.
    is_paused: whether this worker takes no more leases, until this is False again.
    waited: seconds for which there was room for fetches, but no host might be visited.
    ending: why and how it ends.
    """

    def __init__(
        self, job: Job, *, worker: str = WORKER, leases: LeaseHolder | None = None
    ) -> None:
        """leases: those of a frontier that is open already; otherwise ``open`` opens the job's."""
        self.job = job
        self.worker = worker
        self.folder: Path = job.folder
        self.policy = AddressPolicy(loopback=job.is_loopback())
        self.guard = EgressGuard(self.policy)
        self.scope = Scope(job.scope, (), self.policy)
        self.host_signals: HostSignals | None = None
        self.decider: Decider | None = (
            GainDecider.of(job.rendering, job.limits) if job.rendering.mode == "adaptive" else None
        )
        self.reader: Reader = LocalReader(ScanRules.of(job))
        self.blocked = BlockList()
        self.unreachable: dict[str, str] | None = {}
        self.traffic = Traffic(job.limits, job.politeness)
        self.started = datetime.now(UTC)
        self.is_up_to_date = False
        self.is_stopped = False
        self.is_paused = False
        self.waited = 0.0
        self.ending = Ending()
        self._leases = leases
        self._seed_pages = seed_pages(job.seeds)
        self.sitemaps = seed_sitemaps(job.seeds)

    @cached_property
    def revisits(self) -> Revisits:
        """When pages are visited again; used while the crawl is open."""
        return Revisits(self.job, self.frontier.counts)

    async def visited(
        self, lease: Lease, outcome: str, found: Observation, *, sent: bool = True
    ) -> None:
        """Acknowledge a visit of which nothing is written; plan the next one, if there is one.

        sent: whether anything was sent to the host.
        """
        visit, counts = await self.revisits.after(lease, found)
        await self.leases.ack(lease, outcome, visit=visit, counts=counts, sent=sent)

    @property
    def leases(self) -> LeaseHolder:
        """The leases of this worker, while the crawl is open. Raises NotOpenError."""
        if self._leases is None:
            raise NotOpenError("the crawl is not open")
        return self._leases

    @property
    def frontier(self) -> Frontier:
        """The frontier, while the crawl is open. Raises NotOpenError."""
        return self.leases.frontier

    @property
    def is_closed(self) -> bool:
        return self.ending.reason is not None

    @property
    def is_called_off(self) -> bool:
        """Whether this worker is to end early: the job was stopped, or has a new scope."""
        return self.is_stopped or self.frontier.has_new_scope

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def open(self) -> None:
        """Open the frontier and add the seeds. Raises CrawlError."""
        self.started = self.now()
        _log.info("%s: the frontier is %s", self.job.name, place_of(self.job))
        try:
            start_threads(BROWSER if self.job.rendering.mode != "never" else 0)
            began = time.monotonic()
            self.blocked = BlockList.read(self.folder)
            self.scope.add_seed_hosts(seed_hosts(self.job.seeds))
            store = await open_frontier(self.job, self.worker, self.scope.digest())
            self._leases = LeaseHolder(store)
            if self.revisits.is_on and await store.begin_run():
                _log.info("%s: a new run, with the known pages that are due", self.job.name)
            if (self.folder / BLOCK_LIST).exists() and await retry_unblocked(store, self.blocked):
                _log.info("%s: hosts were unblocked, of which URLs wait", self.job.name)
            new = await self._leases.add(self._seeds())
            self.is_up_to_date = await store.finished()
        except Exception as error:
            self.ending.fail(error)
            await self.close("cannot open")
            raise
        self._leases.start()
        from twisted.internet import reactor  # noqa: PLC0415 - only when it is installed

        self.guard.install(reactor)
        seconds = time.monotonic() - began
        _log.info("%s: %s in %.1f s", self.job.name, number_of(new, "new seed"), seconds)

    def hurry(self) -> None:
        """Shut down soon, even during an outage of the frontier's store."""
        if self._leases is not None:
            self._leases.frontier.hurry()

    async def close(self, reason: str) -> None:
        """Give back all leases and close the frontier; may be called again."""
        self.ending.reason = self.ending.reason or reason
        self.guard.uninstall()
        if self._leases is None:
            return
        self.hurry()
        leases, self._leases = self._leases, None
        try:
            try:
                await self.traffic.report(leases.frontier, is_last=True)
                self.ending.last_stats = await leases.frontier.stats()
            finally:
                await leases.close()
        except FrontierError as error:
            is_gone = isinstance(error, FrontierGoneError)
            if is_gone and not self.ending.tells_more(error):
                return
            if is_gone and not leases.held:
                # An operator may remove a job while its last workers, without leases, shut down.
                _log.warning("%s", error)
                return
            self.ending.fail(error)
            _log.error("could not give back leases, their URLs are queued again later: %s", error)

    async def add(self, found: list[Candidate]) -> int:
        """Add candidates; returns how many were new."""
        return await self.leases.add(found) if found else 0

    def is_seed(self, lease: Lease) -> bool:
        """Whether it is one, or may be: those in files are too many to be remembered."""
        if lease.depth:
            return False
        return bool(self.job.seeds.files) or address(lease.url).canonical in self._seed_pages

    def as_it_is(self, lease: Lease) -> Lease:
        """The lease, with depth 0 if it is a seed that an earlier run had found as a link.

        It has no history if it was blocked since: its documents were removed, so the next one is
        its first.
        """
        if lease.depth and address(lease.url).canonical in self._seed_pages:
            lease = replace(lease, depth=0)
        freed_at = self.blocked.freed_at(lease.url)
        history = history_of(lease.history) if freed_at else None
        if history is not None and history.visited_at <= freed_at:
            lease = replace(lease, history="")
        return lease

    def _seeds(self) -> Iterator[Candidate]:
        for seed in seeds(self.job.seeds):
            if not self.policy.allows_host(host_if_any(seed.url)):
                _log.warning("skipped the seed %s: it is in a private network", seed.url)
            else:
                yield seed


_CRAWLS: WeakKeyDictionary[ScrapyCrawler, Crawl] = WeakKeyDictionary()


def register(crawler: ScrapyCrawler, crawl: Crawl) -> None:
    """Let ``crawl_of(crawler)`` find the crawl; called when the spider is made."""
    _CRAWLS[crawler] = crawl


def crawl_of(crawler: ScrapyCrawler) -> Crawl:
    """The crawl that a Scrapy crawler runs. Raises LookupError if it runs another spider."""
    try:
        return _CRAWLS[crawler]
    except KeyError:
        raise LookupError(f"the spider {crawler.spidercls.__name__} does not crawl a job") from None
