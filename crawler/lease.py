"""A lease: a URL that is handed to one worker until a deadline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Lease:
    """A URL that is handed to one worker until a deadline.

    url: what to fetch (see ``crawler.urls.Address.url``).
    host: the host that is visited, for politeness.
    attempt: 1 at first; grows with every failed try and every lost lease.
    token: the fencing token. It increases with every lease and is never reused, so a worker that
        was taken for dead cannot change what has been leased to another since.
    deadline: seconds since 1970; after that the lease is lost, unless it is renewed.
    note, kind: of the candidate.
    history: of the visit that is due (see ``Visit``); empty if the URL was never visited.
    hinted: whether the visit is early, because the URL is said to have changed.
    host_failures: how many visits of the host in a row had failed (``Frontier.set_failures``).
    """

    url: str
    host: str
    depth: int
    priority: int
    attempt: int
    token: int
    deadline: float
    note: str = ""
    kind: str = ""
    history: str = ""
    hinted: bool = False
    host_failures: int = 0

    @classmethod
    def of_none(cls, url: str) -> Self:
        """A placeholder, for a page that is in no frontier."""
        return cls(url, "", 0, 0, 1, 0, 0.0)
