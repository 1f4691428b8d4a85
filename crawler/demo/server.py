"""The server of the demo site: threaded, on loopback addresses only, with a clean shutdown."""

from __future__ import annotations

import contextlib
import dataclasses
import ipaddress
import json
import socket
import sys
import threading
from collections import Counter, deque
from collections.abc import Sequence
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, Self

from crawler.demo.handler import Handler
from crawler.demo.site import Site

_KEPT: Final = 100_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Timings:
    """In seconds: the slow page's response time, the Retry-After of the 429, the Crawl-delay."""

    slow: float = 3.0
    retry_after: int = 1
    crawl_delay: float = 0.1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Access:
    """One request.

    ``time``: when it arrived, in seconds since 1970. ``address``: of the server, such as
    ``127.0.0.1:8000``. ``host``: the Host header. ``path``: includes the query. ``status``: 0 if
    the connection was closed without a response.
    """

    time: float
    address: str
    host: str
    method: str
    path: str
    user_agent: str
    status: int


class Serving:
    """State shared by the connections of all addresses; thread-safe."""

    def __init__(self, timings: Timings, log: Path | None) -> None:
        self.site = Site(crawl_delay=timings.crawl_delay)
        self.timings = timings
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self.open: set[socket.socket] = set()
        self.visits: Counter[str] = Counter()
        self.accesses: deque[Access] = deque(maxlen=_KEPT)
        self._file = log.open("a", encoding="utf-8", buffering=1) if log else None

    def log(self, **fields: Any) -> None:
        with self.lock:
            self.accesses.append(Access(**fields))
            if self._file:
                self._file.write(json.dumps(fields) + "\n")

    def close_log(self) -> None:
        with self.lock:
            if self._file:
                self._file.close()
                self._file = None


class DemoSite:
    """A running server; call ``close``, or use it as a context manager.

    It serves the same pages on each of ``addresses``, all on one port, by default a free one.
    ``bases`` are their URLs without a trailing slash, ``base`` is the first. ``log`` is a file for
    the access log, a JSON line of an ``Access`` per request.

    Raises ValueError for an address that is not loopback, OSError if an address cannot be bound,
    OverflowError for a port above 65535.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        addresses: Sequence[str] = ("127.0.0.1",),
        log: Path | None = None,
        timings: Timings | None = None,
    ) -> None:
        for address in addresses:
            if not _is_loopback(address):
                raise ValueError(f"address {address!r} must be loopback, such as '127.0.0.2'")
        self._serving = Serving(timings or Timings(), log)
        self._servers: list[_Server] = []
        try:
            for address in addresses:
                server = _Server((address, port), self._serving)
                self._servers.append(server)
                port = server.server_port
        except (OSError, OverflowError):
            self.close()
            raise
        self.bases = tuple(f"http://{address}:{port}" for address in addresses)
        self.base = self.bases[0]
        for server in self._servers:
            server.start()

    def requests(self) -> list[Access]:
        """The latest 100,000 requests, by the time of their responses."""
        with self._serving.lock:
            return list(self._serving.accesses)

    def close(self) -> None:
        """Close all connections and wait until every thread has ended; may be called again."""
        self._serving.closing.set()
        for server in self._servers:
            server.end()
        self._servers.clear()
        self._serving.close_log()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.IPv4Address(address).is_loopback
    except ValueError:
        return False


class _Server(ThreadingHTTPServer):
    """The server of one address. Its threads end when ``closing`` is set, and are waited for."""

    daemon_threads = False
    block_on_close = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], serving: Serving) -> None:
        self._serving = serving
        self._thread: threading.Thread | None = None
        super().__init__(address, partial(Handler, serving))

    def start(self) -> None:
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,))
        self._thread.start()

    def end(self) -> None:
        if self._thread:
            self.shutdown()
            self._thread.join()
        with self._serving.lock:
            for connection in self._serving.open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that disconnect are normal here; other errors are shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)
