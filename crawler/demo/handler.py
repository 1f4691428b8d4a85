"""Handles one connection to the demo site: its requests, responses and access log."""

from __future__ import annotations

import re
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from crawler.demo.access_log import Access, AccessLog
from crawler.demo.oddities import odd_answer
from crawler.demo.site import Resource, Site

_HOST: Final = re.compile(r"[a-zA-Z0-9.-]{1,253}(:\d{1,5})?")
_GLANCE: Final = 0.1


@dataclass(frozen=True, kw_only=True)
class Timings:
    """In seconds: the slow page's response time, the Retry-After of the 429, the Crawl-delay."""

    slow: float = 3.0
    retry_after: int = 1
    crawl_delay: float = 0.1


@dataclass(kw_only=True)
class Serving:
    """State shared by the connections of all addresses."""

    site: Site
    timings: Timings
    log: AccessLog
    closing: threading.Event = field(default_factory=threading.Event)
    open: set[socket.socket] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    visits: Counter[str] = field(default_factory=Counter)


class Handler(BaseHTTPRequestHandler):
    """An ``oddities.Exchange`` for each request of a connection."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    wbufsize = 65_536
    disable_nagle_algorithm = True

    target = ""
    arrived = 0.0
    answered = False

    def __init__(self, serving: Serving, *arguments: Any) -> None:
        self.serving = serving
        self.site = serving.site
        self.slow = serving.timings.slow
        self.retry_after = serving.timings.retry_after
        super().__init__(*arguments)

    def version_string(self) -> str:
        return "harbour-demo"

    def setup(self) -> None:
        super().setup()
        with self.serving.lock:
            self.serving.open.add(self.connection)
        # Otherwise close() sees the connection in the set.
        if self.serving.closing.is_set():
            raise ConnectionError("the server is closing")

    def finish(self) -> None:
        with self.serving.lock:
            self.serving.open.discard(self.connection)
        super().finish()

    def parse_request(self) -> bool:
        self.arrived = time.time()
        self.answered = False
        return super().parse_request()

    def do_GET(self) -> None:
        self.target = self.path if self.path.startswith("/") else ""
        if not _HOST.fullmatch(self.headers.get("Host", "")):
            self.answer(400, b"The Host header must be a host name.\n", "text/plain")
        elif not self.target:
            self.answer(400, b"The target must be a path.\n", "text/plain")
        elif not odd_answer(self):
            self.answer_page()

    do_HEAD = do_GET  # noqa: N815 - the name that http.server requires

    def answer(
        self, status: int, body: bytes, content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def answer_page(self) -> None:
        resource = self.site.resource(self.target)
        place = None if resource else self.site.moved(self.target)
        if resource:
            self._answer_with(200, resource)
        elif place:
            self.answer(301, b"Moved.\n", "text/plain", {"Location": place})
        else:
            self._answer_with(404, self.site.missing)

    def _answer_with(self, status: int, resource: Resource) -> None:
        origin = f"http://{self.headers['Host']}"
        self.answer(status, resource.at(origin), resource.content_type)

    def stream(
        self, chunks: Iterator[bytes], content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        headers = headers or {}
        chunked = "Content-Length" not in headers and self.request_version != "HTTP/1.0"
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif "Content-Length" not in headers:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.flush()
        if self.command == "HEAD":
            return
        for chunk in chunks:
            if chunk:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk) if chunked else chunk)
                self.wfile.flush()
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.serving.closing.wait(min(left, _GLANCE)) or self._client_gone():
                raise ConnectionError("the client has gone or the server is closing")

    def visits(self) -> int:
        with self.serving.lock:
            self.serving.visits[self.target] += 1
            return self.serving.visits[self.target] - 1

    def cut(self) -> None:
        self._write_log(0)
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Called when a response begins."""
        self._write_log(int(code))

    def log_message(self, *_: Any) -> None:
        """Silence http.server's log, because there is the access log."""

    def _write_log(self, status: int) -> None:
        if self.answered:
            return
        self.answered = True
        address = self.connection.getsockname()
        headers = getattr(self, "headers", None) or {}
        self.serving.log.add(
            Access(
                time=self.arrived,
                address=f"{address[0]}:{address[1]}",
                host=headers.get("Host", ""),
                method=self.command or "",
                path=getattr(self, "path", ""),
                user_agent=headers.get("User-Agent", ""),
                status=status,
            )
        )

    def _client_gone(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
