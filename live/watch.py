"""Snapshots of a job: what its frontier counts, and what its workers report."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Final

from crawler.frontier import Frontier, FrontierError, HostStats, SharedFrontier, Stats
from live.estimate import Course, End, Sample
from live.paced import Paced
from live.report import WorkerReport
from pipelines.reporting.job_state import RUNNING, job_state
from settings import Job
from settings.quantities import duration_text

_MOST_HOSTS: Final = 30
_MOST_DOCUMENTS: Final = 30
# Seconds until it is said that no answer comes.
_PATIENCE: Final = 3.0

PAUSED: Final = "paused"
ENDED: Final = "ended"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A job at one moment.

    at: seconds since 1970.
    state: ``running``, ``idle`` (no worker is heard of), ``finished``, ``paused``, ``stopped``,
        ``freed`` (being removed from Redis), or ``ended``.
    urls: of the whole job. hosts: those with the most queued URLs. dead: URLs by reason.
    leases: by worker. end: None if it is not known. reports: of the workers.
    is_shared: whether other workers may have done URLs of the job, of which no report tells.
    """

    job: str
    at: float
    state: str = RUNNING
    urls: Stats = field(default_factory=Stats)
    hosts: list[HostStats] = field(default_factory=list)
    dead: dict[str, int] = field(default_factory=dict)
    leases: dict[str, int] = field(default_factory=dict)
    end: End | None = None
    reports: list[WorkerReport] = field(default_factory=list)
    is_shared: bool = False

    def of_worker(self, name: str) -> Snapshot:
        """With the report of this worker only."""
        return replace(self, reports=[one for one in self.reports if one.worker == name])


class Watch:
    """Takes snapshots of a job.

    frontier: of the job. Raises FrontierError, or NotOpenError when the crawl is over.
    own: the report of the worker in this process; None if there is none.
    """

    def __init__(
        self,
        job: Job,
        frontier: Callable[[], Awaitable[Frontier]],
        own: Callable[[int], Awaitable[WorkerReport]] | None = None,
    ) -> None:
        self.job = job
        self._frontier = frontier
        self._own = own
        self._course = Course()
        self._others: dict[str, tuple[bytes, WorkerReport | None]] = {}
        self._stats: Paced[Stats] = Paced(lambda frontier: frontier.stats(), Stats())
        self._hosts: Paced[list[HostStats]] = Paced(lambda one: one.hosts(_MOST_HOSTS), [])
        self._dead: Paced[dict[str, int]] = Paced(lambda one: one.dead_reasons(), {})
        self._last = Snapshot(job.name, time.time())
        self._asking: asyncio.Task[Snapshot] | None = None

    @property
    def last(self) -> Snapshot:
        """The snapshot that was taken last."""
        return self._last

    async def sample(self) -> None:
        """Note how far the job has come; call it every few seconds. Raises as ``frontier``."""
        self._note(await self._stats.ask(await self._frontier()))

    async def snapshot(self) -> Snapshot:
        """The job now. Raises as ``frontier``, and FrontierError while no answer comes.

        In an outage, a worker's frontier waits an hour for Redis; who looks should know at once.
        """
        # A question goes on when nobody waits any more: the next who asks gets its answer.
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(), name="snapshot")
            self._asking.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            async with asyncio.timeout(_PATIENCE):
                return await asyncio.shield(self._asking)
        except TimeoutError:
            raise FrontierError("the frontier does not answer; is its Redis running?") from None

    async def _ask(self) -> Snapshot:
        frontier = await self._frontier()
        urls = await self._stats.ask(frontier)
        hosts = await self._hosts.ask(frontier)
        reports = await self._reports(frontier)
        state, leases = await _work(frontier, urls, reports)
        if state == RUNNING:
            self._note(urls)
        else:
            self._course.forget()
        self._last = Snapshot(
            job=self.job.name,
            at=time.time(),
            state=state,
            urls=urls,
            hosts=hosts,
            dead=await self._dead.ask(frontier),
            leases=leases,
            end=self._end(urls, hosts, reports) if state == RUNNING else None,
            reports=reports,
            is_shared=isinstance(frontier, SharedFrontier),
        )
        return self._last

    def finish(self, urls: Stats | None) -> Snapshot:
        """The last snapshot, of a crawl that is over. urls: its last counts."""
        if self._asking is not None:
            self._asking.cancel()
        urls = urls or self._last.urls
        self._last = replace(self._last, at=time.time(), state=ENDED, urls=urls, end=None)
        return self._last

    def changed(self) -> None:
        """An operator has changed something: look again at once."""
        for one in (self._stats, self._hosts, self._dead):
            one.expire()
        self._course.forget()

    async def _reports(self, frontier: Frontier) -> list[WorkerReport]:
        own = await self._own(_MOST_DOCUMENTS) if self._own is not None else None
        published = await frontier.reports() if isinstance(frontier, SharedFrontier) else {}
        self._others = {name: self._parsed(name, text) for name, text in published.items()}
        found = {one.worker: one for _, one in self._others.values() if one is not None}
        if own is not None:
            found[own.worker] = own
        return [found[name] for name in sorted(found)]

    def _parsed(self, name: str, content: bytes) -> tuple[bytes, WorkerReport | None]:
        """Of a report, which is published every few seconds and seen more often."""
        known = self._others.get(name)
        if known is not None and known[0] == content:
            return known
        return content, WorkerReport.from_json(content)

    def _note(self, urls: Stats) -> None:
        self._course.add(_sample(urls))

    def _end(self, urls: Stats, hosts: list[HostStats], reports: list[WorkerReport]) -> End | None:
        limits, politeness = self.job.limits, self.job.politeness
        longest = max((host.queued for host in hosts), default=0)
        time_left = None
        if limits.total_time is not None and reports:
            passed = time.time() - min(one.started for one in reports)
            by = f'limits.total_time = "{duration_text(limits.total_time)}"'
            time_left = (max(0.0, limits.total_time - passed), by)
        return self._course.end(
            _sample(urls),
            most_pages=limits.pages,
            seconds_left=time_left,
            longest_host=longest * politeness.delay / politeness.concurrency_per_host,
        )


def _sample(urls: Stats) -> Sample:
    return Sample(time.monotonic(), urls.left, urls.run.pages)


async def _work(
    frontier: Frontier, urls: Stats, reports: list[WorkerReport]
) -> tuple[str, dict[str, int]]:
    """The state of the job, and the leases by worker."""
    if not isinstance(frontier, SharedFrontier):
        is_paused = any(one.is_paused for one in reports)
        return PAUSED if is_paused else RUNNING, {one.worker: one.leases for one in reports}
    fleet = await frontier.fleet()
    return await job_state(frontier, fleet, urls, is_heard=bool(reports)), fleet.leases
