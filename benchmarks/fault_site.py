"""A site on localhost with configurable faults per page, which records all requests.

It uses plain sockets, because an HTTP server could not violate the protocol.
"""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Final, NamedTuple, Self

_LINKS: Final = 25
_WORDS: Final = """
harbour tide ledger boat mast lantern fog signal keeper rope anchor gull pier storm chart compass
captain crew cargo barrel salt market morning evening letter window garden river bridge stone road
winter summer paper story answer question number picture people village mountain forest weather
travel kitchen bread music teacher doctor history science language machine engine metal glass
""".split()
_GLANCE: Final = 0.05


class Asked(NamedTuple):
    """A request. time: when its first line was read, by the monotonic clock."""

    time: float
    path: str


Answer = Callable[["Exchange"], None]


class Exchange(StreamRequestHandler):
    """One connection with one request.

    path: of the request. earlier: the number of earlier requests for it.
    """

    timeout = 30
    path = ""
    earlier = 0

    def handle(self) -> None:
        words = self.rfile.readline(65_537).split()
        if len(words) < 2:
            return
        self.path = words[1].decode("latin-1")
        while self.rfile.readline(65_537).strip():
            pass
        site = self.site
        with site.lock:
            self.earlier = site.visits[self.path]
            site.visits[self.path] += 1
            site.asked.append(Asked(time.monotonic(), self.path))
        self.wait(site.latency)
        # The client was killed, or has given up.
        with contextlib.suppress(ConnectionError, TimeoutError):
            site.answers.get(self.path, not_found)(self)

    @property
    def site(self) -> FaultSite:
        server = self.server
        assert isinstance(server, _Server)  # noqa: S101 - no other server has this handler
        return server.site

    def send(self, status: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        """Send a complete response."""
        self.begin(status, {"Content-Length": str(len(body)), **(headers or {})})
        self.connection.sendall(body)

    def begin(self, status: str, headers: dict[str, str]) -> None:
        """Send the head of a response."""
        all_headers = {"Content-Type": "text/html; charset=utf-8", "Connection": "close", **headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
        self.connection.sendall(f"HTTP/1.1 {status}\r\n{lines}\r\n".encode())

    def wait(self, seconds: float) -> None:
        """Sleep, or until the site is closed."""
        self.site.closing.wait(seconds)


class FaultSite:
    """A context manager that serves ``answers`` by path, on a free port of an ``address``.

    latency: seconds before each response.
    asked: all requests, in order. visits: the number of requests by path.
    """

    def __init__(
        self,
        answers: dict[str, Answer] | None = None,
        *,
        latency: float = 0.0,
        address: str = "127.0.0.1",
    ) -> None:
        self.answers = answers or {}
        self.latency = latency
        self.asked: list[Asked] = []
        self.visits: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._server = _Server(self, address)
        self.base = f"http://{address}:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_GLANCE,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def urls(self) -> list[str]:
        """The URLs of everything that it serves."""
        return [self.base + path for path in self.answers]

    def forget(self) -> None:
        """Reset the records."""
        with self.lock:
            self.asked.clear()
            self.visits.clear()


class _Server(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True

    def __init__(self, site: FaultSite, address: str) -> None:
        self.site = site
        super().__init__((address, 0), Exchange)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignored: killed clients are expected."""


def not_found(exchange: Exchange) -> None:
    exchange.send("404 Not Found", b"<title>Not here</title>")


def page(title: str, *, words: int = 300, links: Sequence[str] = ()) -> Answer:
    """Answers with a page with unique text."""
    body = html_of(title, words=words, links=links).encode()
    return lambda exchange: exchange.send("200 OK", body)


def html_of(title: str, *, words: int = 300, links: Sequence[str] = ()) -> str:
    """A page with unique text."""
    chance = random.Random(title)
    paragraphs = [
        " ".join(chance.choices(_WORDS, k=min(60, words - start))) for start in range(0, words, 60)
    ]
    text = "".join(f"<p>{title}: {paragraph.capitalize()}.</p>" for paragraph in paragraphs)
    menu = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    html = f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{text}"
    return f"{html}<ul>{menu}</ul></html>"


def library(pages: int) -> dict[str, Answer]:
    """A mostly ordinary site: lists of pages, every tenth too short to be kept, a redirect, a
    missing page, a page with a permanent and one with a temporary fault.
    """
    paths = [f"/page/{number}" for number in range(pages)]
    lists = [f"/list/{start // _LINKS}" for start in range(0, pages, _LINKS)]
    odd: dict[str, Answer] = {
        "/moved": lambda exchange: exchange.send("301 Moved", b"", {"Location": "/page/new"}),
        "/page/new": page("Where the redirect leads"),
        "/missing": not_found,
        "/broken": lambda exchange: exchange.send("500 Trouble", b"<p>Trouble"),
        "/busy": once(lambda exchange: exchange.send("503 Busy", b"<p>Busy"), page("Was busy")),
    }
    site = {"/": page("Home", links=[*lists, *(path for path in odd if path != "/page/new")])}
    for number, path in enumerate(lists):
        start = number * _LINKS
        site[path] = page(f"List {number}", links=paths[start : start + _LINKS])
    for number, path in enumerate(paths):
        site[path] = page(f"Page {number}", words=20 if number % 10 == 9 else 300)
    return site | odd


def once(fault: Answer, after: Answer) -> Answer:
    """The fault for the first request, then ``after``."""
    return lambda exchange: (after if exchange.earlier else fault)(exchange)


def reset(connection: socket.socket) -> None:
    """Close so that the other end gets ECONNRESET rather than EOF."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()
