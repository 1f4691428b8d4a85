"""A site of short pages on many hosts, which are addresses in 127.0.0.0/8; it records requests.

Every fifth host sets twice the delay in its robots.txt.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple, Self

from benchmarks.faults.site import html_of
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
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

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
        return f"http://{host}:{self._port}"

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        server = await asyncio.start_server(self._answer, self.hosts[0], 0)
        self._port = server.sockets[0].getsockname()[1]
        others = await asyncio.start_server(self._answer, self.hosts[1:], self._port)
        self._ready.set()
        await self._closing.wait()
        for listening in (server, others):
            listening.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host = writer.get_extra_info("sockname")[0]
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode("latin-1")
                self.asked.append(Asked(time.monotonic(), host, path))
                writer.write(self._page(host, path))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # The client was killed, or has given up.
        finally:
            writer.close()

    def _page(self, host: str, path: str) -> bytes:
        if path == ROBOTS_TXT:
            return _response("text/plain", f"User-agent: *\nCrawl-delay: {self.delay_of(host)}\n")
        paths = {_path(number) for number in range(self._counts[host])}
        if path not in paths:
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        links = sorted(paths) if path == "/" else ["/"]
        return _response("text/html", html_of(f"Page {path} of {host}", words=60, links=links))


def _path(number: int) -> str:
    return f"/{number or ''}"


def _response(kind: str, text: str) -> bytes:
    body = text.encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
