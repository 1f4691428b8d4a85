"""A site to crawl, its crawl as a process, and requests to the crawl's page."""

from __future__ import annotations

import contextlib
import http.client
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import loaded_program
import orjson

EVIL = "\x1b[31m\u202e<script>evil()</script>\"'><img src=x onerror=evil()>"
PAGES = 400
BROKEN = 2
MENU = "Cookies | Privacy | Log in"
LONG_TITLE = "long " * 200_000
_WORDS = "The ferry crosses the bay twice a day, and nobody on board is ever in a hurry. " * 6
_JOB = """name = "watched"
seeds.urls = ["{base}/"]
[limits]
pages = "unlimited"
processes = 1
[politeness]
delay = "100ms"
delay_factor = 0
[rendering]
mode = "never"
[extraction]
site_memory = false
[filters]
duplicates = "keep"
[frontier]
tries = 1
[outputs]
folder = "{folder}"
[live]
port = {port}
"""


class Site(ThreadingHTTPServer):
    """Hostile pages, and some that fail until the site ``is_repaired``. asked: paths, in order."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.base = f"http://127.0.0.1:{self.server_port}"
        self.is_repaired = False
        self.asked: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        name = self.path
        self.server.asked.append(name)
        if name in ("/robots.txt", "/ai.txt", "/.well-known/tdmrep.json"):
            self.send_error(404)
        elif name.startswith("/broken") and not self.server.is_repaired:
            self.send_error(500)
        else:
            body = _page(name).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _page(name: str) -> str:
    paths = [f"/broken/{n}" for n in range(BROKEN)] + [f"/p/{n}?x=<b>'%22" for n in range(PAGES)]
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in paths)
    title = LONG_TITLE if name.startswith("/p/1?") else f"{EVIL} {name}"
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    menu = f"<ul>{links}</ul>" if name == "/" else ""
    article = f"<h1>{escaped[:200]}</h1><p>{_WORDS}</p><p>{EVIL.replace('<', '&lt;')}</p>"
    footer = f"<footer><p>{MENU}</p><p>Imprint {EVIL.replace('<', '&lt;')}</p></footer>"
    return f"<!doctype html><title>{escaped}</title>{menu}<article>{article}</article>{footer}"


@contextlib.contextmanager
def site() -> Iterator[Site]:
    with Site() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def crawl(
    base: str, folder: Path, *lines: str, port: int
) -> Iterator[tuple[str, loaded_program.Program]]:
    """The address of the page of a crawl, and its process. lines: more of the job file."""
    job = folder / "job.toml"
    text = _JOB.format(base=base, folder=folder / "out", port=port)
    job.write_text("\n".join([text, *lines]), encoding="utf-8")
    with started("crawl", str(job)) as found:
        yield found


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[tuple[str, loaded_program.Program]]:
    """Run ``genre-crawler`` until it tells an address; kill it at the end."""
    process = loaded_program.start(
        "genre_crawler", *arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line)
            if found := re.search(r"(?i:watch) .*(http://\S+)", line):
                reader = threading.Thread(target=_drain, args=(process.stdout, said), daemon=True)
                reader.start()
                yield found[1], process
                return
        raise AssertionError("".join(said))
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _drain(stream: IO[str], said: list[str]) -> None:
    said += stream


def events(address: str) -> Iterator[dict[str, object]]:
    """What the page's server tells, one event after the other."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    connection.request("GET", f"{parts.path}events")
    answer = connection.getresponse()
    try:
        while line := answer.readline():
            if line.startswith(b"data: "):
                yield orjson.loads(line.removeprefix(b"data: "))
    finally:
        connection.close()
