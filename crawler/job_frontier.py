"""The frontier of a job, where its file says: in the job's folder, or in a Redis."""

from __future__ import annotations

from crawler.errors import StoppedError
from crawler.frontier import Frontier, Policy, SqliteFrontier
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis.export import check_kept
from crawler.worker_name import WORKER
from settings import Job
from settings.addresses import EMBEDDED, without_any_login


async def open_frontier(job: Job, worker: str = WORKER, scope: str = "") -> Frontier:
    """The frontier of the job, in its folder or in a Redis. Raises FrontierError.

    scope: a digest of its rules, by which workers who share a Redis see that they have the same.
    """
    policy = _policy(job)
    if job.frontier.url == EMBEDDED:
        return await SqliteFrontier.open(job.folder, policy, job=job.name)
    return await RedisFrontier.open(job.frontier.url, job.name, policy, worker=worker, scope=scope)


async def attach_frontier(job: Job) -> Frontier:
    """The same, to be looked into and steered. Raises FrontierError if there is none."""
    if job.frontier.url == EMBEDDED:
        return await SqliteFrontier.attach(job.folder)
    return await RedisFrontier.attach(job.frontier.url, job.name)


async def check_frontier(job: Job) -> None:
    """Raise what a crawl of the job would meet at its beginning, while nothing is started yet."""
    async with await open_frontier(job) as frontier:
        if isinstance(frontier, RedisFrontier):
            await check_kept(frontier)
        if await frontier.stopped():
            raise StoppedError(
                f"the job {job.name!r} was stopped for all its workers: let them go on with "
                "`scrapy frontier resume JOB`, then start again"
            )


def place_of(job: Job) -> str:
    """Where its frontier is, without a password."""
    url = job.frontier.url
    return f"embedded, in {job.folder}" if url == EMBEDDED else without_any_login(url)


def _policy(job: Job) -> Policy:
    """How the frontier treats hosts and failures, as the job says."""
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
    )
