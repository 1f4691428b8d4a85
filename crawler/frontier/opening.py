"""Opens the frontier of a job, in the job's folder or in Redis."""

from __future__ import annotations

from crawler.exit_codes import StoppedError
from crawler.frontier import Frontier, Policy, SqliteFrontier
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.worker_name import WORKER
from settings import Job
from settings.addresses import EMBEDDED, without_any_login


async def open_frontier(job: Job, worker: str = WORKER, scope: str = "") -> Frontier:
    """The frontier of the job, to crawl it. Raises FrontierError.

    scope: a digest of the job's scope, by which workers that share a Redis compare theirs.
    """
    policy = _policy(job)
    if job.frontier.url == EMBEDDED:
        return await SqliteFrontier.open(job.folder, policy, job=job.name)
    return await RedisFrontier.open(job.frontier.url, job.name, policy, worker=worker, scope=scope)


async def attach_frontier(job: Job) -> Frontier:
    """The frontier of the job, to inspect and control it. Raises FrontierError if there is none."""
    if job.frontier.url == EMBEDDED:
        return await SqliteFrontier.attach(job.folder)
    return await RedisFrontier.attach(job.frontier.url, job.name)


async def check_frontier(job: Job) -> None:
    """Raise the error with which a crawl of the job would fail at its start."""
    async with await open_frontier(job) as frontier:
        await frontier.check_complete()
        if await frontier.stopped():
            raise StoppedError(
                f"the job {job.name!r} was stopped for all its workers; run "
                "`scrapy frontier resume JOB`, then start again"
            )


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
    )
