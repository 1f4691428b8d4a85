"""Paths with unusual responses, such as a crawler meets on the web."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Final, Protocol
from urllib.parse import urlsplit

from crawler.demo.calendar import calendar_page, is_calendar
from crawler.demo.site import Site

LARGE_BYTES: Final = 30_000_000
BOMB_BYTES: Final = 512 * 1024 * 1024
_HTML: Final = "text/html; charset=utf-8"
_OPENING: Final = (
    b'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Odd</title></head><body>\n'
)
_LINE: Final = b"<p>The ledger of the harbour office goes on, a line for every boat and tide.</p>\n"


class Exchange(Protocol):
    """One request, and methods to respond to it; ``handler.Handler`` implements it."""

    target: str
    site: Site
    slow: float
    retry_after: int

    def answer(
        self, status: int, body: bytes, content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        """Send a complete response."""

    def answer_page(self) -> None:
        """Send the site's page at this path."""

    def stream(
        self, chunks: Iterator[bytes], content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        """Send chunk by chunk; in chunked encoding unless ``headers`` has a Content-Length."""

    def wait(self, seconds: float) -> None:
        """Sleep; raises ConnectionError if the server is closing or the client has gone."""

    def visits(self) -> int:
        """How often this path was requested before, since the server started."""

    def cut(self) -> None:
        """Close the connection without a response."""


def odd_answer(exchange: Exchange) -> bool:
    """Respond if the path is an unusual one; returns whether it is."""
    path = urlsplit(exchange.target).path
    if path in REDIRECTS:
        status, place = REDIRECTS[path]
        exchange.answer(status, b"Moved.\n", "text/plain", {"Location": place})
    elif is_calendar(path):
        page = calendar_page(path)
        exchange.answer(200, exchange.site.layouts.html(page).encode(), _HTML)
    elif path in _ODDITIES:
        _ODDITIES[path](exchange)
    else:
        return False
    return True


REDIRECTS: Final[dict[str, tuple[int, str]]] = {
    "/odd/redirect/1": (301, "/odd/redirect/2"),
    "/odd/redirect/2": (302, "/odd/redirect/3"),
    "/odd/redirect/3": (308, "/articles/fog-signals"),
    "/odd/loop/a": (302, "/odd/loop/b"),
    "/odd/loop/b": (302, "/odd/loop/a"),
    "/odd/redirect-private": (302, "http://169.254.169.254/latest/meta-data/"),
}


def _slow(exchange: Exchange) -> None:
    exchange.wait(exchange.slow)
    exchange.answer_page()


def _throttled(exchange: Exchange) -> None:
    if exchange.visits():
        exchange.answer_page()
    else:
        wait = {"Retry-After": str(exchange.retry_after)}
        exchange.answer(429, b"Too many requests.\n", "text/plain", wait)


def _unavailable(exchange: Exchange) -> None:
    exchange.answer(503, b"The office is closed.\n", "text/plain")


def _error(exchange: Exchange) -> None:
    exchange.answer(500, b"Something broke.\n", "text/plain")


def _gone(exchange: Exchange) -> None:
    exchange.answer(410, b"<!doctype html><title>Gone</title><h1>Gone</h1>", _HTML)


def _empty(exchange: Exchange) -> None:
    exchange.answer(200, b"", _HTML)


def _endless(exchange: Exchange) -> None:
    def lines() -> Iterator[bytes]:
        yield _OPENING
        while True:
            yield _LINE
            exchange.wait(0.1)

    exchange.stream(lines(), _HTML)


def _stalled(exchange: Exchange) -> None:
    def opening() -> Iterator[bytes]:
        yield _OPENING
        while True:
            exchange.wait(1)
            yield b""

    exchange.stream(opening(), _HTML, {"Content-Length": "100000"})


def _reset(exchange: Exchange) -> None:
    exchange.cut()


def _large_lines() -> Iterator[bytes]:
    """A page of LARGE_BYTES, which repeats the same 64 kB object."""
    yield _OPENING
    block = _LINE * (65_536 // len(_LINE))
    left = LARGE_BYTES - len(_OPENING)
    while left >= len(block):
        yield block
        left -= len(block)
    yield (b" " * left)


def _large(exchange: Exchange) -> None:
    exchange.stream(_large_lines(), _HTML, {"Content-Length": str(LARGE_BYTES)})


def _large_chunked(exchange: Exchange) -> None:
    exchange.stream(_large_lines(), _HTML)


def bomb() -> Iterator[bytes]:
    """A gzip bomb, which expands a thousandfold to BOMB_BYTES.

    Deflate blocks that end with a full flush are independent, so one megabyte is compressed once
    and repeated; only the checksum is computed for the whole stream.
    """
    megabyte = b" " * 1024 * 1024
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    opening = packer.compress(_OPENING) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(megabyte) + packer.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + opening
    checksum = zlib.crc32(_OPENING)
    for _ in range(BOMB_BYTES // len(megabyte)):
        yield block
        checksum = zlib.crc32(megabyte, checksum)
    size = len(_OPENING) + BOMB_BYTES
    yield packer.flush() + checksum.to_bytes(4, "little") + (size % 2**32).to_bytes(4, "little")


def _bomb(exchange: Exchange) -> None:
    exchange.stream(bomb(), _HTML, {"Content-Encoding": "gzip"})


_ODDITIES: Final[dict[str, Callable[[Exchange], None]]] = {
    "/odd/bomb": _bomb,
    "/odd/empty": _empty,
    "/odd/endless": _endless,
    "/odd/error": _error,
    "/odd/gone": _gone,
    "/odd/large": _large,
    "/odd/large-chunked": _large_chunked,
    "/odd/reset": _reset,
    "/odd/slow": _slow,
    "/odd/stalled": _stalled,
    "/odd/throttled": _throttled,
    "/odd/unavailable": _unavailable,
}
