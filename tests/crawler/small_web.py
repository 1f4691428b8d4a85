"""A site of a few answers, for what the demo site does not do."""

from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

# Files about the use of pages, which most sites lack.
OF_CONSENT = {"/.well-known/tdmrep.json", "/ai.txt"}
PAGE = "<title>A page</title><p>" + "Words of a page. " * 20


class Web(ThreadingHTTPServer):
    """Serves ``answers`` (status, headers, body) by path while it is entered; 304 to who has them.

    asked: the paths, in order, without missing files of OF_CONSENT. read: those of which a body
        was sent. times: of all, by the monotonic clock. languages: their Accept-Language headers.
        senders: their From headers. cookies: their Cookie headers.
    slow: seconds that an answer takes, by path. encodings: of bodies that are not UTF-8.
    """

    daemon_threads = True

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, 0), _Handler)
        self.answers: dict[str, tuple[int, dict[str, str], str]] = {}
        self.slow: dict[str, float] = {}
        self.encodings: dict[str, str] = {}
        self.is_over = threading.Event()
        self.asked: list[str] = []
        self.read: list[str] = []
        self.times: list[float] = []
        self.languages: list[str | None] = []
        self.senders: list[str | None] = []
        self.cookies: list[str | None] = []
        name = f"[{host}]" if ":" in host else host
        self.base = f"http://{name}:{self.server_port}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        web: Web = self.server  # type: ignore[assignment]
        if self.path in OF_CONSENT - web.answers.keys():
            self.send_error(404)
            return
        web.asked.append(self.path)
        web.times.append(time.monotonic())
        web.languages.append(self.headers["Accept-Language"])
        web.senders.append(self.headers["From"])
        web.cookies.append(self.headers["Cookie"])
        if web.is_over.wait(web.slow.get(self.path, 0)):
            return
        status, headers, body = web.answers.get(self.path, (404, {}, ""))
        if "ETag" in headers and headers["ETag"] == self.headers["If-None-Match"]:
            status, body = 304, ""
        if body:
            web.read.append(self.path)
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", **headers}.items():
            self.send_header(name, value)
        encoded = body.encode(web.encodings.get(self.path, "utf-8"))
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""
