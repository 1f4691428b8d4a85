"""The interface of what a job remembers of its sites' pages, for all workers of the job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

# How long a shared store remembers a site after its last use, in seconds. Workers keep the marks of
# the pages that still wait for their site, so what was forgotten is learned again.
REMEMBERED = 86_400


class SiteStore(Protocol):
    """For each host, the marks of at most ``capacity`` of its pages; what they say is not its own.

    Once a host has that many, they do not change any more, so all pages can be judged by the same.
    ``tests/crawler/sites_contract.py`` tests these guarantees. All methods raise FrontierError.
    """

    async def add(self, host: str, marks: Mapping[bytes, bytes]) -> list[bytes]:
        """Add the marks of some pages by their keys; returns all marks of a host that has enough.

        For other hosts it returns none. What finds no room is left out; a page with the same key
        replaces the earlier one, unless the host has enough. Without marks, it only asks.
        """
        ...

    async def all(self, host: str) -> list[bytes]:
        """The marks of a host, however many there are."""
        ...
