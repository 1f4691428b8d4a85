"""A fleet of real workers that are killed and restarted, and so is their Redis."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.fault_crawl import Run
from benchmarks.fleet.site import FleetSite
from benchmarks.redis_process import RedisProcess
from crawler.frontier import Stats
from crawler.frontier.redis import RedisFrontier
from pipelines.corpus.folder import shards
from pipelines.corpus.layout import CORPUS
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_REPEATS, EXIT_SOUND, verify

JOB: Final = "fleet"
_GLANCE: Final = 0.05
# How long Redis is down, in seconds.
_AWAY: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The plan of a chaos test.

    kill_every: the mean number of seconds between two kills of a worker.
    restarts: of Redis, spread over the pages.
    seconds: the time limit, after which the crawl counts as failed.
    """

    pages: int = 5000
    hosts: int = 60
    workers: int = 4
    delay: float = 0.2
    kill_every: float = 8.0
    restarts: int = 2
    seed: int = 1
    seconds: float = 1800.0


@dataclass(slots=True)
class Outcome:
    """The result; problems: a message for every broken guarantee.

    moments: of kills and restarts, in seconds after the start.
    """

    kills: int = 0
    restarts: int = 0
    moments: list[float] = field(default_factory=list)
    seconds: float = 0.0
    exit_codes: list[int] = field(default_factory=list)
    repeats: int = 0
    lines: int = 0
    requests: int = 0
    problems: list[str] = field(default_factory=list)


class Worker:
    """A worker of the fleet, on a core of its own, which can be killed and started again."""

    def __init__(self, folder: Path, number: int, url: str) -> None:
        self._job = folder / "job.toml"
        self._errors = folder / f"worker-{number}.log"
        self._options = ("-s", f"FRONTIER={url}", "-s", "LOG_LEVEL=WARNING")
        # One core per worker, so that each uses a single process for pages and starts quickly.
        cores = sorted(os.sched_getaffinity(0))
        self._core = cores[number % len(cores)]
        self.start()

    def start(self) -> None:
        variables = {"SCRAPY_PROJECT": "distributed"}
        self.run = Run(self._job, self._errors, *self._options, variables=variables)
        os.sched_setaffinity(self.run.process.pid, {self._core})

    @property
    def exit_code(self) -> int | None:
        return self.run.process.poll()

    @property
    def errors(self) -> str:
        """The end of its output to standard error."""
        return self.run.errors[-1000:]

    def kill(self, *, group: bool) -> None:
        """SIGKILL it, alone, or with all its children, as if the machine had died."""
        self.run.strike(group=group)


def chaos(folder: Path, plan: Plan) -> Outcome:
    """Crawl the site with a fleet that is disturbed as planned, and audit the output."""
    outcome = Outcome()
    began = time.monotonic()
    state = folder / "redis"
    state.mkdir(parents=True)
    with (
        RedisProcess(state, append_only=True) as redis,
        FleetSite(plan.pages, plan.hosts, plan.delay) as site,
    ):
        write_job(folder, plan, site)
        workers = [Worker(folder, number, redis.url) for number in range(plan.workers)]
        try:
            _disturb(workers, redis, site, plan, outcome)
        finally:
            for worker in workers:
                worker.kill(group=True)
        outcome.seconds = time.monotonic() - began
        outcome.requests = len(site.asked)
        outcome.problems += list(_audit(folder, redis.url, site, outcome))
    return outcome


def _disturb(
    workers: list[Worker], redis: RedisProcess, site: FleetSite, plan: Plan, outcome: Outcome
) -> None:
    """Kill and restart workers until all of them have ended by themselves."""
    chance = random.Random(plan.seed)
    began = time.monotonic()
    end = began + plan.seconds
    # The first kill is as soon as there is something to lose, the others only after some progress.
    next_kill, asked_then = 0.0, 0
    working = list(workers)
    while working and time.monotonic() < end:
        time.sleep(_GLANCE)
        for worker in [one for one in working if one.exit_code is not None]:
            outcome.exit_codes.append(worker.exit_code or 0)
            working.remove(worker)
            if worker.exit_code:
                outcome.problems.append(f"a worker ended with {worker.exit_code}: {worker.errors}")
        asked = site.pages_asked()
        if asked > plan.pages * (outcome.restarts + 1) / (plan.restarts + 1):
            redis.stop()
            time.sleep(_AWAY)
            redis.start()
            outcome.restarts += 1
            outcome.moments.append(time.monotonic() - began)
        if working and time.monotonic() > next_kill and asked_then < asked < plan.pages:
            worker = chance.choice(working)
            worker.kill(group=chance.random() < 0.5)
            worker.start()
            outcome.kills += 1
            outcome.moments.append(time.monotonic() - began)
            asked_then = asked
            next_kill = time.monotonic() + plan.kill_every * chance.uniform(0.5, 1.5)
    outcome.problems += [f"a worker has not ended: {worker.errors}" for worker in working]


def _audit(folder: Path, url: str, site: FleetSite, outcome: Outcome) -> Iterator[str]:
    yield from site.too_soon()
    expected = set(site.urls())
    stats = asyncio.run(numbers(url))
    if (stats.added, stats.done) != (len(expected), len(expected)):
        yield f"for {len(expected)} pages: {stats}"
    corpus, merged = folder / "out" / CORPUS, folder / "merged"
    written = verify(corpus)
    outcome.repeats = written.repeats
    yield from [*written.problems, *written.notes]
    if written.exit_code not in (EXIT_SOUND, EXIT_REPEATS):
        yield f"verify exits with {written.exit_code}"
    shutil.rmtree(merged, ignore_errors=True)
    merge([corpus], merged)
    if verify(merged).exit_code != EXIT_SOUND:
        yield f"verify of the merged corpus exits with {verify(merged).exit_code}"
    lines = Counter(
        document["metadata"]["url"] for shard in shards(merged) for document in shard.documents()
    )
    outcome.lines = lines.total()
    for text, urls in (
        ("missing", expected - lines.keys()),
        ("unexpected", lines.keys() - expected),
        ("there twice", {page for page, times in lines.items() if times > 1}),
    ):
        if urls:
            yield f"{len(urls)} pages are {text}: {sorted(urls)[:3]}"


async def numbers(url: str) -> Stats:
    """The statistics of the frontier."""
    async with await RedisFrontier.attach(url, JOB) as frontier:
        return await frontier.stats()


def write_job(folder: Path, plan: Plan, site: FleetSite) -> None:
    """Write the job file of a fleet, with its corpus in ``folder/out``."""
    seeds = ", ".join(f'"{url}"' for url in site.homes())
    (folder / "job.toml").write_text(f"""
name = "{JOB}"
[seeds]
urls = [{seeds}]
[scope]
stay_on = "host"
[politeness]
delay = {plan.delay}
concurrency = 8
[filters]
min_words = 20
[frontier]
lease = "10s"
[outputs]
folder = "{folder / "out"}"
shard_size = "20 kB"
""")
