"""Exports a job from Redis, and removes it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from crawler.frontier.encoding import depth_of, priority_of
from crawler.frontier.errors import FrontierError
from crawler.frontier.notes import StoredNote
from crawler.frontier.redis.frontier import RedisFrontier
from crawler.frontier.redis.records import Entry, PlannedVisit
from crawler.frontier.stats import Stats

_BATCH: Final = 500
# The keys of each host, beside its queues and visits.
_OF_HOSTS: Final = ("ranks", "site", "due", "counts")


async def return_expired(frontier: RedisFrontier) -> None:
    """Put the URLs of leases past their deadline back into the queue, as the next ``lease`` would.

    Of a job whose workers were killed, no other call does so.
    """
    while await frontier.job.call("expire"):
        pass


async def exported(frontier: RedisFrontier) -> AsyncIterator[dict[str, Any]]:
    """The job's counts, its hosts, and every URL that is queued, leased, dead or known.

    As JSON objects, each with one key that says what it is: ``stats``, ``leased``, ``waiting``,
    ``queued``, ``known`` (done, and to be visited again), ``host`` or ``dead``. While workers run,
    URLs may be missing or repeated. Raises FrontierError if the removal of the job has begun, also
    after the last object.
    """
    await frontier.check_complete()
    yield {"stats": asdict(await frontier.stats())}
    async for leased in _leased(frontier):
        yield {"leased": leased}
    async for waiting in _waiting(frontier):
        yield {"waiting": waiting}
    hosts = await frontier.hosts(limit=2**31)
    for host in hosts:
        async for queued in _queued(frontier, host.host):
            yield {"queued": queued}
        async for known in _known(frontier, host.host):
            yield {"known": known}
    for host in hosts:
        yield {"host": asdict(host)}
    async for letter in frontier.all_dead_letters():
        yield {"dead": asdict(letter)}
    # Somebody else's removal may have taken URLs away before they were read.
    await frontier.check_complete()


async def free(frontier: RedisFrontier, written: Mapping[str, int]) -> None:
    """Remove the job from Redis. If this is interrupted, call it again.

    written: how many objects of each kind were exported. Raises FrontierError, and removes nothing,
    if a worker holds leases or the export is not complete.
    """
    job = frontier.job
    if not await frontier.is_freed():
        await _check(frontier, written)
        await frontier.set_state("stopped")
        # Now that no leases are handed out: none must have been taken since the first check.
        await _check(frontier, written)
        await frontier.set_state("freed")
    # The record of hosts is removed last, because it is needed to find the other keys.
    async for names in job.host_names():
        for name in names:
            ranks = await _ranks(frontier, name)
            queues = [job.key(f"queue:{rank}:{name}") for rank in ranks]
            visits = await _lists_of_visits(frontier, name)
            await job.server.read(
                ("UNLINK", *(job.key(f"{kind}:{name}") for kind in _OF_HOSTS), *queues, *visits)
            )
    ((buckets,),) = await job.server.read(("HMGET", job.key("job"), "buckets"))
    # None if somebody else has completed the removal meanwhile.
    count = int(buckets or 0)
    for first in range(0, count, _BATCH):
        some = range(first, min(first + _BATCH, count))
        await job.server.read(("UNLINK", *(job.key(f"seen:{bucket}") for bucket in some)))
    await job.forget_throughput()
    rest = (
        "ready",
        "waiting",
        "leases",
        "deadlines",
        "dead",
        "outcomes",
        "outcomes_before",
        "recounts",
        "dues",
        "reports",
        "hosts",
        "schedule",
        "job",
    )
    await job.server.read(("UNLINK", *map(job.key, rest)))


async def _check(frontier: RedisFrontier, written: Mapping[str, int]) -> None:
    """Raise FrontierError unless the export is complete."""
    stats, name = await frontier.stats(), frontier.job.name
    if stats.leased:
        raise FrontierError(
            f"workers hold leases of job {name!r}; stop it, and free it once they have ended, or "
            "were killed and frontier.lease has passed, and nothing restarts them"
        )
    queued = written.get("queued", 0) + written.get("waiting", 0)
    has = (queued, written.get("dead", 0), written.get("known", 0))
    should = (stats.queued, stats.dead, await _count_known(frontier, stats))
    if has != should:
        counts = "{} URLs queued, {} dead and {} to be visited again"
        raise FrontierError(
            f"job {name!r} has {counts.format(*should)}, but its export has {counts.format(*has)}; "
            "stop it, and export it again once its workers have ended"
        )


async def _count_known(frontier: RedisFrontier, stats: Stats) -> int:
    (later,) = await frontier.job.server.read(("HVALS", frontier.job.key("dues")))
    return stats.due + sum(map(int, later))


async def _ranks(frontier: RedisFrontier, host: str) -> list[int]:
    key = frontier.job.key(f"ranks:{host}")
    (ranks,) = await frontier.job.server.read(("ZRANGE", key, 0, -1))
    return [int(rank) for rank in ranks]


async def _leased(frontier: RedisFrontier) -> AsyncIterator[dict[str, Any]]:
    (leases,) = await frontier.job.server.read(("HVALS", frontier.job.key("leases")))
    for lease in leases:
        _, _, host, rank, text = lease.decode().split(" ", 4)
        yield _url(host, int(rank), text)


async def _waiting(frontier: RedisFrontier) -> AsyncIterator[dict[str, Any]]:
    async for row in _rows(frontier, "ZRANGE", "waiting"):
        host, rank, text = row.split(" ", 2)
        yield _url(host, int(rank), text)


async def _queued(frontier: RedisFrontier, host: str) -> AsyncIterator[dict[str, Any]]:
    for rank in await _ranks(frontier, host):
        async for text in _rows(frontier, "LRANGE", f"queue:{rank}:{host}"):
            yield _url(host, rank, text)


async def _lists_of_visits(frontier: RedisFrontier, host: str) -> list[str]:
    """The keys of the visits to come of a host."""
    job = frontier.job
    (buckets,) = await job.server.read(("ZRANGE", job.key(f"due:{host}"), 0, -1))
    return [job.key(f"visits:{bucket.decode()}:{host}") for bucket in buckets]


async def _known(frontier: RedisFrontier, host: str) -> AsyncIterator[dict[str, Any]]:
    for key in await _lists_of_visits(frontier, host):
        (entries,) = await frontier.job.server.read(("LRANGE", key, 0, -1))
        for entry in entries:
            planned = PlannedVisit.read(entry)
            times = {"due_at": planned.due, "visited_at": planned.visited}
            yield _url(host, planned.rank, planned.entry) | times


async def _rows(frontier: RedisFrontier, command: str, name: str) -> AsyncIterator[str]:
    """All members of a list or sorted set, read in batches with the given range command."""
    first = 0
    while True:
        part = (command, frontier.job.key(name), first, first + _BATCH - 1)
        (rows,) = await frontier.job.server.read(part)
        for row in rows:
            yield row.decode()
        if len(rows) < _BATCH:
            return
        first += _BATCH


def _url(host: str, rank: int, text: str) -> dict[str, Any]:
    entry = Entry.read(text, host)
    stored = StoredNote.read(entry.note)
    return {
        "url": entry.url,
        "depth": depth_of(rank),
        "priority": priority_of(rank),
        "attempts": entry.attempts,
        "note": stored.note,
        "kind": stored.kind,
        "history": stored.history,
    }
