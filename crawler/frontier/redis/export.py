"""What is kept of a job when it leaves Redis, and its removal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any, Final

from crawler.frontier.errors import FrontierError
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis.entries import Entry, depth_of, priority_of

_PORTION: Final = 500


async def exported(frontier: RedisFrontier) -> AsyncIterator[dict[str, Any]]:
    """The job's numbers, then its hosts, what is still queued, and its dead letters, as JSON.

    Each has one key that says what it is. What is leased meanwhile is only counted.
    """
    yield {"stats": asdict(await frontier.stats())}
    async for name in _hosts(frontier):
        async for queued in _queued(frontier, name):
            yield {"queued": queued}
    for host in await frontier.hosts(limit=2**31):
        yield {"host": asdict(host)}
    after = 0
    while letters := await frontier.dead_letters(_PORTION, after=after):
        for letter in letters:
            yield {"dead": asdict(letter)}
        after = letters[-1].number


async def free(frontier: RedisFrontier) -> None:
    """Remove all that Redis keeps of the job. May be repeated where it was interrupted.

    Raises FrontierError while a worker holds leases.
    """
    job = frontier.job
    if (await frontier.stats()).leased:
        raise FrontierError(
            f"workers hold leases of job {job.name!r}: stop it, and free it when they have ended"
        )
    await frontier.set_state("stopped")
    # The hosts' own record goes last: it is how the other keys are found.
    async for name in _hosts(frontier):
        ranks = await _ranks(frontier, name)
        queues = [job.key(f"queue:{rank}:{name}") for rank in ranks]
        await job.server.read(("UNLINK", job.key(f"ranks:{name}"), *queues))
    ((buckets,),) = await job.server.read(("HMGET", job.key("job"), "buckets"))
    for first in range(0, int(buckets), _PORTION):
        some = range(first, min(first + _PORTION, int(buckets)))
        await job.server.read(("UNLINK", *(job.key(f"seen:{bucket}") for bucket in some)))
    rest = ("ready", "waiting", "leases", "deadlines", "dead", "outcomes", "hosts", "job")
    await job.server.read(("UNLINK", *map(job.key, rest)))


async def _hosts(frontier: RedisFrontier) -> AsyncIterator[str]:
    cursor = b"0"
    while True:
        scan = ("HSCAN", frontier.job.key("hosts"), cursor, "COUNT", _PORTION)
        ((cursor, found),) = await frontier.job.server.read(scan)
        for name in list(found)[:: 1 if isinstance(found, dict) else 2]:
            yield name.decode()
        if int(cursor) == 0:
            return


async def _ranks(frontier: RedisFrontier, host: str) -> list[int]:
    key = frontier.job.key(f"ranks:{host}")
    (ranks,) = await frontier.job.server.read(("ZRANGE", key, 0, -1))
    return [int(rank) for rank in ranks]


async def _queued(frontier: RedisFrontier, host: str) -> AsyncIterator[dict[str, Any]]:
    for rank in await _ranks(frontier, host):
        key, first = frontier.job.key(f"queue:{rank}:{host}"), 0
        while True:
            command = ("LRANGE", key, first, first + _PORTION - 1)
            (texts,) = await frontier.job.server.read(command)
            for text in texts:
                entry = Entry.read(text.decode(), host)
                yield {
                    "url": entry.url,
                    "depth": depth_of(rank),
                    "priority": priority_of(rank),
                    "attempts": entry.attempts,
                    "note": entry.note,
                }
            if len(texts) < _PORTION:
                break
            first += _PORTION
