"""Brings back the URLs that were met while their host was blocked, once it no longer is."""

from __future__ import annotations

from crawler.discovery.block_list import BlockList
from crawler.frontier import Frontier
from crawler.outcomes import BLOCKED


async def retry_unblocked(frontier: Frontier, blocked: BlockList) -> int:
    """Queue them again; returns how many.

    It may be called again after a crash, by all workers of a job. Raises FrontierError.
    """
    hosts = {
        letter.host async for letter in frontier.all_dead_letters() if letter.reason == BLOCKED
    }
    back = [host for host in sorted(hosts) if not blocked.blocks_host(host)]
    return sum([await frontier.retry_dead(host, reason=BLOCKED) for host in back])
