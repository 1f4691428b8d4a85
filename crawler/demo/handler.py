"""Handles one connection to the demo site: its requests, responses and access log."""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any, Final

from crawler.demo.oddities import odd_answer
from crawler.demo.site import Resource

if TYPE_CHECKING:
    from crawler.demo.server import Serving

_HOST: Final = re.compile(r"[a-zA-Z0-9.-]{1,253}(:\d{1,5})?")
_GLANCE: Final = 0.1


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    wbufsize = 65_536
    disable_nagle_algorithm = True

    target = ""
    arrived = 0.0
    answered = False

    def __init__(self, serving: Serving, *arguments: Any) -> None:
        self._serving = serving
        self.timings = serving.timings
        super().__init__(*arguments)

    def version_string(self) -> str:
        return "harbour-demo"

    def setup(self) -> None:
        super().setup()
        with self._serving.lock:
            self._serving.open.add(self.connection)
        # Otherwise close() sees the connection in the set.
        if self._serving.closing.is_set():
            raise ConnectionError("the server is closing")

    def finish(self) -> None:
        with self._serving.lock:
            self._serving.open.discard(self.connection)
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
        """Send a complete response."""
        self._send_head(status, content_type, {"Content-Length": str(len(body)), **(headers or {})})
        if self.command != "HEAD":
            self.wfile.write(body)

    def answer_page(self) -> None:
        """Send the site's content at this path."""
        site = self._serving.site
        if resource := site.resource(self.target):
            self._answer_with(200, resource)
        elif place := site.moved(self.target):
            self.answer(301, b"Moved.\n", "text/plain", {"Location": place})
        else:
            self._answer_with(404, site.missing)

    def _answer_with(self, status: int, resource: Resource) -> None:
        origin = f"http://{self.headers['Host']}"
        self.answer(status, resource.at(origin), resource.content_type)

    def stream(
        self, chunks: Iterator[bytes], content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        """Send chunk by chunk; in chunked encoding unless ``headers`` has a Content-Length."""
        headers = dict(headers or {})
        chunked = "Content-Length" not in headers and self.request_version != "HTTP/1.0"
        if chunked:
            headers["Transfer-Encoding"] = "chunked"
        elif "Content-Length" not in headers:
            headers["Connection"] = "close"
        self._send_head(200, content_type, headers)
        self.wfile.flush()
        if self.command == "HEAD":
            return
        for chunk in chunks:
            if chunk:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk) if chunked else chunk)
                self.wfile.flush()
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _send_head(self, status: int, content_type: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def wait(self, seconds: float) -> None:
        """Sleep; raises ConnectionError if the server is closing or the client has gone."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._serving.closing.wait(min(left, _GLANCE)) or self._client_gone():
                raise ConnectionError("the client has gone or the server is closing")

    def _client_gone(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)

    def visits(self) -> int:
        """How often this path was requested before, since the server started."""
        with self._serving.lock:
            self._serving.visits[self.target] += 1
            return self._serving.visits[self.target] - 1

    def cut(self) -> None:
        """Close the connection without a response."""
        self.log_request(0)
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Called when a response begins: a line is in the log before the body is sent."""
        if self.answered:
            return
        self.answered = True
        address, port = self.connection.getsockname()
        headers = getattr(self, "headers", None) or {}
        self._serving.log(
            time=self.arrived,
            address=f"{address}:{port}",
            host=headers.get("Host", ""),
            method=self.command or "",
            path=getattr(self, "path", ""),
            user_agent=headers.get("User-Agent", ""),
            status=int(code),
        )

    def log_message(self, *_: Any) -> None:
        """Silence http.server's log, because there is the access log."""
