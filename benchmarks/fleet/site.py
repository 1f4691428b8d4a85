"""A site of short pages on many hosts, which are addresses in 127.0.0.0/8; it records requests.

Every fifth host sets twice the delay in its robots.txt.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple, Self

from benchmarks.fault_site import html_of
from benchmarks.many_hosts import MISSING, ManyHosts, response
from crawler.consent.statement import AI_TXT, ROBOTS_TXT, TDMREP

_SLOWER: Final = 5
_HOST_FILES: Final = frozenset({ROBOTS_TXT, TDMREP, AI_TXT})


class Asked(NamedTuple):
    """A request. time: when its head was read, by the monotonic clock."""

    time: float
    host: str
    path: str


class FleetSite:
    """A context manager that serves ``pages`` pages on ``hosts`` addresses with the same port.

    delay: seconds that a crawl waits between two visits to a host.
    asked: all requests, in order.
    """

    def __init__(self, pages: int, hosts: int, delay: float) -> None:
        self.delay = delay
        self.asked: list[Asked] = []
        self.hosts = [f"127.0.{1 + number // 250}.{1 + number % 250}" for number in range(hosts)]
        self._counts = {
            host: pages // hosts + (number < pages % hosts)
            for number, host in enumerate(self.hosts)
        }
        self._server = ManyHosts(self.hosts, self._answer)

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.__exit__()

    def urls(self) -> list[str]:
        """The URLs of all pages."""
        return [
            f"{self._base(host)}{_path(number)}"
            for host, count in self._counts.items()
            for number in range(count)
        ]

    def homes(self) -> list[str]:
        """The home page of each host, which links to its other pages."""
        return [f"{self._base(host)}/" for host in self.hosts]

    def pages_asked(self) -> int:
        """The number of different pages requested so far."""
        pages = (one for one in list(self.asked) if one.path not in _HOST_FILES)
        return len({(one.host, one.path) for one in pages})

    def delay_of(self, host: str) -> float:
        """The delay in seconds that must be kept between two visits to the host."""
        return self.delay * (1 if self.hosts.index(host) % _SLOWER else 2)

    def too_soon(self) -> Iterator[str]:
        """A message for every request that came too soon after the previous one to its host."""
        by_host: defaultdict[str, list[Asked]] = defaultdict(list)
        for one in self.asked:
            by_host[one.host].append(one)
        for host, asked in by_host.items():
            # The first response is robots.txt; before that, the delay is not known.
            for before, after in pairwise(asked):
                wanted = self.delay if before.path == ROBOTS_TXT else self.delay_of(host)
                gap = after.time - before.time
                if gap < wanted:
                    yield f"{host}{after.path} {gap:.3f} s after {before.path}, not {wanted} s"

    def _base(self, host: str) -> str:
        return f"http://{host}:{self._server.port}"

    def _answer(self, host: str, path: str) -> bytes:
        self.asked.append(Asked(time.monotonic(), host, path))
        return self._page(host, path)

    def _page(self, host: str, path: str) -> bytes:
        if path == ROBOTS_TXT:
            rules = f"User-agent: *\nCrawl-delay: {self.delay_of(host)}\n"
            return response("text/plain", rules.encode())
        paths = {_path(number) for number in range(self._counts[host])}
        if path not in paths:
            return MISSING
        links = sorted(paths) if path == "/" else ["/"]
        html = html_of(f"Page {path} of {host}", words=60, links=links)
        return response("text/html; charset=utf-8", html.encode())


def _path(number: int) -> str:
    return f"/{number or ''}"
