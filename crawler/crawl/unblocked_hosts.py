"""Brings back the URLs that were met while their host was blocked, once it no longer is."""

from __future__ import annotations

from typing import Final

from crawler.discovery.block_list import BlockList
from crawler.frontier import Frontier
from crawler.outcomes import BLOCKED

# Dead letters that are read at a time.
_BATCH: Final = 500


async def retry_unblocked(frontier: Frontier, blocked: BlockList) -> int:
    """Queue them again; returns how many.

    It may be called again after a crash, by all workers of a job. Raises FrontierError.
    """
    hosts: set[str] = set()
    after = 0
    while letters := await frontier.dead_letters(_BATCH, after=after):
        hosts.update(letter.host for letter in letters if letter.reason == BLOCKED)
        after = letters[-1].number
    back = [host for host in sorted(hosts) if not blocked.blocks_host(host)]
    return sum([await frontier.retry_dead(host, reason=BLOCKED) for host in back])
