"""The server of the demo site: threaded, on loopback addresses only, with a clean shutdown."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
import threading
from collections.abc import Sequence
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from crawler.demo.access_log import Access, AccessLog
from crawler.demo.handler import Handler, Serving, Timings
from crawler.demo.site import Site


class DemoSite:
    """A running server; call ``close``, or use it as a context manager.

    It serves the same pages on each of ``addresses``, all on one port, by default a free one.
    ``bases`` are their URLs without a trailing slash, ``base`` is the first. ``log`` is a file for
    the access log, see ``access_log.Access``.

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
        timings = timings or Timings()
        site = Site(crawl_delay=timings.crawl_delay)
        self._serving = Serving(site=site, timings=timings, log=AccessLog(log))
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
        """The requests so far."""
        return self._serving.log.requests()

    def close(self) -> None:
        """Close all connections and wait until every thread has ended; may be called again."""
        self._serving.closing.set()
        for server in self._servers:
            server.end()
        self._servers.clear()
        self._serving.log.close()

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
