"""A site of real pages on localhost, served by nginx if it is installed, otherwise by asyncio.

Its home page links to lists, and these to all pages, so that a spider that follows links finds all
of them. The pages' own links lead to their original targets, off the site.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from benchmarks.free_port import free_port
from extraction.labelled import LabelledPage

PAGES = "p"
_LIST_LENGTH = 100
_HEAD = re.compile(r"\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>)?", re.IGNORECASE)
_START_SECONDS = 10.0
_NGINX = """\
daemon off;
worker_processes 1;
pid {state}/nginx.pid;
error_log {state}/error.log;
events {{ worker_connections 1024; }}
http {{
  log_format line '$msec $uri';
  access_log {log} line;
  types {{ text/html html; }}
  charset utf-8;
  sendfile on;
  keepalive_requests 1000000;
  client_body_temp_path {state}/body;
  proxy_temp_path {state}/proxy;
  fastcgi_temp_path {state}/fastcgi;
  uwsgi_temp_path {state}/uwsgi;
  scgi_temp_path {state}/scgi;
  server {{ listen 127.0.0.1:{port}; root {root}; index index.html; }}
}}
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A running site. urls: of its pages, without the lists. server: the program that serves it.

    process: its number.
    """

    base: str
    urls: tuple[str, ...]
    server: str
    log: Path
    process: int

    def visits(self) -> list[tuple[float, str]]:
        """Every request so far: its time, in seconds since 1970, and the path."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [(float(time), path) for time, path in (line.split(" ", 1) for line in lines)]

    def forget(self) -> None:
        """Empty the log."""
        with self.log.open("r+") as file:
            file.truncate(0)


def write_site(root: Path, pages: Sequence[LabelledPage], count: int) -> list[str]:
    """Write ``count`` pages, repeating the given ones, and lists of them; returns their paths."""
    (root / "html").mkdir()
    (root / PAGES).mkdir()
    for number, page in enumerate(pages):
        home = page.url or f"https://page-{number}.example/"
        file = root / "html" / f"{number}.html"
        file.write_text(_with_base(page.html, home), encoding="utf-8")
    names = [f"{number}.html" for number in range(count)]
    for number, name in enumerate(names):
        (root / PAGES / name).symlink_to(f"../html/{number % len(pages)}.html")
    lists = []
    for start in range(0, count, _LIST_LENGTH):
        lists.append(f"/list-{start // _LIST_LENGTH}.html")
        links = [f"/{PAGES}/{name}" for name in names[start : start + _LIST_LENGTH]]
        (root / lists[-1][1:]).write_text(_list(links), encoding="utf-8")
    (root / "index.html").write_text(_list(lists), encoding="utf-8")
    return [f"/{PAGES}/{name}" for name in names]


@contextlib.contextmanager
def serving(folder: Path, pages: Sequence[LabelledPage], count: int) -> Iterator[Site]:
    """A site of ``count`` pages, with its files in ``folder``."""
    # nginx drops its privileges, and must still be able to read the files.
    folder.chmod(0o755)
    root, state = folder / "site", folder / "state"
    for made in (root, state):
        made.mkdir()
    paths = write_site(root, pages, count)
    log = folder / "access.log"
    log.touch()
    log.chmod(0o666)
    port = free_port()
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if nginx:
        config = state / "nginx.conf"
        config.write_text(_NGINX.format(state=state, log=log, port=port, root=root))
        command = [nginx, "-e", f"{state}/error.log", "-c", str(config)]
    else:
        command = [sys.executable, "-m", "benchmarks.crawl.site", str(root), str(log), str(port)]
    process = subprocess.Popen(command)  # noqa: S603
    try:
        _wait_for(port, process)
        base = f"http://127.0.0.1:{port}"
        urls = tuple(base + path for path in paths)
        yield Site(base, urls, "nginx" if nginx else "asyncio", log, process.pid)
    finally:
        process.terminate()
        process.wait()


def _with_base(html: str, home: str) -> str:
    """The page with its links relative to its original URL; the first ``<base>`` wins."""
    match = _HEAD.match(html)
    end = match.end() if match else 0
    return f'{html[:end]}<base href="{escape(home)}">{html[end:]}'


def _list(paths: Sequence[str]) -> str:
    links = "\n".join(f'<li><a href="{path}">Page {path}</a></li>' for path in paths)
    return f"<!doctype html><title>Pages</title><h1>Pages</h1><ul>\n{links}\n</ul>\n"


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise SystemExit(f"{process.args!r} does not answer on port {port}")


class _Answers(asyncio.Protocol):
    """HTTP/1.1 for GET of static files, with persistent connections and ETags."""

    def __init__(self, root: Path, log: Path) -> None:
        self._root = root
        self._log = log.open("a", buffering=1)
        self._waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - only TCP is served
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *heads, self._waiting = (self._waiting + data).split(b"\r\n\r\n")
        for head in heads:
            path = head.split(b" ", 2)[1].decode("latin-1").partition("?")[0]
            self._log.write(f"{time.time():.3f} {path}\n")
            self._transport.write(self._answer(path, head))

    def connection_lost(self, exc: Exception | None) -> None:
        self._log.close()

    def _answer(self, path: str, head: bytes) -> bytes:
        file = self._root / (path[1:] or "index.html")
        found = ".." not in path and file.is_file()
        etag = f'"{file.stat().st_mtime_ns:x}"' if found else '""'
        if found and etag.encode() in head:
            return f"HTTP/1.1 304 Not Modified\r\nETag: {etag}\r\n\r\n".encode()
        body = file.read_bytes() if found else b""
        status = "200 OK" if found else "404 Not Found"
        kind = "text/html; charset=utf-8"
        return (
            f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
            f"ETag: {etag}\r\n\r\n"
        ).encode() + body


async def _serve(root: Path, log: Path, port: int) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Answers(root, log), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
