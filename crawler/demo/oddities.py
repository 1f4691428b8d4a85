"""Paths with unusual responses, such as a crawler meets on the web."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from crawler.demo.handler import Handler

LARGE_BYTES: Final = 30_000_000
BOMB_BYTES: Final = 512 * 1024 * 1024
_HTML: Final = "text/html; charset=utf-8"
_OPENING: Final = (
    b'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Odd</title></head><body>\n'
)
_LINE: Final = b"<p>The ledger of the harbour office goes on, a line for every boat and tide.</p>\n"

_REDIRECTS: Final[dict[str, tuple[int, str]]] = {
    "/odd/redirect/1": (301, "/odd/redirect/2"),
    "/odd/redirect/2": (302, "/odd/redirect/3"),
    "/odd/redirect/3": (308, "/articles/fog-signals"),
    "/odd/loop/a": (302, "/odd/loop/b"),
    "/odd/loop/b": (302, "/odd/loop/a"),
    "/odd/redirect-private": (302, "http://169.254.169.254/latest/meta-data/"),
}
_ANSWERS: Final[dict[str, tuple[int, bytes, str]]] = {
    "/odd/empty": (200, b"", _HTML),
    "/odd/error": (500, b"Something broke.\n", "text/plain"),
    "/odd/gone": (410, b"<!doctype html><title>Gone</title><h1>Gone</h1>", _HTML),
    "/odd/unavailable": (503, b"The office is closed.\n", "text/plain"),
}


def odd_answer(handler: Handler) -> bool:
    """Respond if the path is an unusual one; returns whether it is."""
    path = urlsplit(handler.target).path
    if path in _REDIRECTS:
        status, place = _REDIRECTS[path]
        handler.answer(status, b"Moved.\n", "text/plain", {"Location": place})
    elif path in _ANSWERS:
        handler.answer(*_ANSWERS[path])
    elif path in _ODDITIES:
        _ODDITIES[path](handler)
    else:
        return False
    return True


def _slow(handler: Handler) -> None:
    handler.wait(handler.timings.slow)
    handler.answer_page()


def _throttled(handler: Handler) -> None:
    if handler.visits():
        handler.answer_page()
    else:
        wait = {"Retry-After": str(handler.timings.retry_after)}
        handler.answer(429, b"Too many requests.\n", "text/plain", wait)


def _endless(handler: Handler) -> None:
    def lines() -> Iterator[bytes]:
        yield _OPENING
        while True:
            yield _LINE
            handler.wait(0.1)

    handler.stream(lines(), _HTML)


def _stalled(handler: Handler) -> None:
    def opening() -> Iterator[bytes]:
        yield _OPENING
        while True:
            handler.wait(1)
            yield b""

    handler.stream(opening(), _HTML, {"Content-Length": "100000"})


def _large(handler: Handler) -> None:
    handler.stream(_large_lines(), _HTML, {"Content-Length": str(LARGE_BYTES)})


def _large_chunked(handler: Handler) -> None:
    handler.stream(_large_lines(), _HTML)


def _large_lines() -> Iterator[bytes]:
    """A page of LARGE_BYTES, which repeats the same 64 kB object."""
    yield _OPENING
    block = _LINE * (65_536 // len(_LINE))
    left = LARGE_BYTES - len(_OPENING)
    while left >= len(block):
        yield block
        left -= len(block)
    yield b" " * left


def _bomb(handler: Handler) -> None:
    handler.stream(bomb(_OPENING, BOMB_BYTES), _HTML, {"Content-Encoding": "gzip"})


def bomb(opening: bytes, size: int) -> Iterator[bytes]:
    """A gzip file that expands a thousandfold, to the opening and ``size`` bytes of blanks.

    Deflate blocks that end with a full flush are independent, so one megabyte is compressed once
    and repeated; only the checksum is computed for the whole stream.
    """
    megabyte = b" " * 1024 * 1024
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    head = packer.compress(opening) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(megabyte) + packer.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + head
    checksum = zlib.crc32(opening)
    for _ in range(size // len(megabyte)):
        yield block
        checksum = zlib.crc32(megabyte, checksum)
    length = (len(opening) + size) % 2**32
    yield packer.flush() + checksum.to_bytes(4, "little") + length.to_bytes(4, "little")


_ODDITIES: Final[dict[str, Callable[[Handler], None]]] = {
    "/odd/bomb": _bomb,
    "/odd/endless": _endless,
    "/odd/large": _large,
    "/odd/large-chunked": _large_chunked,
    "/odd/reset": lambda handler: handler.cut(),
    "/odd/slow": _slow,
    "/odd/stalled": _stalled,
    "/odd/throttled": _throttled,
}
