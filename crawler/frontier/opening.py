"""Opens the frontier of a job, in the job's folder or on a server."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Final, Protocol
from urllib.parse import urlsplit

from crawler.exit_codes import StoppedError
from crawler.frontier.base import Frontier
from crawler.frontier.policy import Policy
from crawler.frontier.worker_name import WORKER
from settings import Job
from settings.frontier_address import EMBEDDED
from settings.logins import without_any_login


class JobStore(Protocol):
    """A class of frontiers, as the jobs open them."""

    async def open_job(self, job: Job, policy: Policy, *, worker: str, scope: str) -> Frontier:
        """The frontier of the job, to crawl it."""

    async def attach_job(self, job: Job) -> Frontier:
        """The frontier of the job, to inspect and control it, whether its crawl runs or not."""


_REDIS: Final = "crawler.frontier.redis:RedisFrontier"
# By the scheme of ``frontier.url``; a new store is a new file and one more line. Imported when it
# is used, because its library may not be installed.
_STORES: Final = {
    EMBEDDED: "crawler.frontier.sqlite:SqliteFrontier",
    "redis": _REDIS,
    "rediss": _REDIS,
    "unix": _REDIS,
}


async def open_frontier(job: Job, worker: str = WORKER, scope: str = "") -> Frontier:
    """The frontier of the job, to crawl it. Raises FrontierError.

    scope: a digest of the job's scope, by which workers that share a frontier compare theirs.
    """
    return await _store_of(job).open_job(job, _policy(job), worker=worker, scope=scope)


async def attach_frontier(job: Job) -> Frontier:
    """The frontier of the job, to inspect and control it. Raises FrontierError if there is none."""
    return await _store_of(job).attach_job(job)


async def check_frontier(job: Job) -> None:
    """Raise the error with which a crawl of the job would fail at its start."""
    async with await open_frontier(job) as frontier:
        await frontier.check_complete()
        if await frontier.stopped():
            raise StoppedError(
                f"the job {job.name!r} was stopped for all its workers; run "
                "`genre-crawler frontier resume JOB`, then start again"
            )


def _store_of(job: Job) -> JobStore:
    url = job.frontier.url
    store: JobStore = resolve_name(_STORES[EMBEDDED if url == EMBEDDED else urlsplit(url).scheme])
    return store


def place_of(job: Job) -> str:
    """The place of the job's frontier, for messages; without login."""
    url = job.frontier.url
    return f"embedded, in {job.folder}" if url == EMBEDDED else without_any_login(url)


def _policy(job: Job) -> Policy:
    """The frontier's policy, from the tables of the job."""
    politeness, limits = job.politeness, job.limits
    return Policy(
        delay=politeness.delay,
        visits_per_host=politeness.concurrency_per_host,
        lease_seconds=job.frontier.lease,
        tries=job.frontier.tries,
        longest_delay=politeness.longest_delay,
        longest_pace=politeness.longest_delay if politeness.robots else 0.0,
        pages=limits.pages,
        pages_per_host=limits.pages_per_host,
        total_size=limits.total_size,
        daily_size_per_host=politeness.daily_size_per_host,
        revisit_share=None if job.recrawl.policy == "never" else job.recrawl.budget,
    )
