"""Responses of broken and hostile servers."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from typing import Final

from benchmarks.fault_site import Answer, Exchange, once, page, reset
from crawler.demo import oddities

BOMB_BYTES: Final = 1024 * 1024 * 1024
_LONG: Final = {"Content-Length": "100000"}
_STALL_SECONDS: Final = 60.0


def resets(exchange: Exchange) -> None:
    """Resets the connection before the first byte of the response."""
    reset(exchange.connection)


def resets_in_the_middle(exchange: Exchange) -> None:
    exchange.begin("200 OK", _LONG)
    exchange.connection.sendall(b"<p>Some words of a page that" * 100)
    reset(exchange.connection)


def ends_in_the_middle(exchange: Exchange) -> None:
    exchange.begin("200 OK", _LONG)
    exchange.connection.sendall(b"<p>Some words of a page that" * 100)


def stalls(exchange: Exchange) -> None:
    """Never responds."""
    exchange.wait(_STALL_SECONDS)


def stalls_in_the_middle(exchange: Exchange) -> None:
    exchange.begin("200 OK", _LONG)
    exchange.connection.sendall(b"<p>Some words, and then")
    exchange.wait(_STALL_SECONDS)


def drips(exchange: Exchange) -> None:
    """Sends a byte now and then, for ever."""
    exchange.begin("200 OK", _LONG)
    while not exchange.site.closing.is_set():
        exchange.connection.sendall(b"a")
        exchange.wait(0.2)


def babbles(exchange: Exchange) -> None:
    """Sends bytes that are not HTTP."""
    exchange.connection.sendall(b"\x16\x03\x01 SSH-2.0 220 ready\r\n" * 20)


def endless_head(exchange: Exchange) -> None:
    exchange.connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while not exchange.site.closing.is_set():
        exchange.connection.sendall(b"X-More: " + b"a" * 1000 + b"\r\n")


def broken_chunks(exchange: Exchange) -> None:
    exchange.begin("200 OK", {"Transfer-Encoding": "chunked"})
    exchange.connection.sendall(b"5\r\n<p>Hi\r\nzz\r\nno number\r\n")


def torn_gzip(exchange: Exchange) -> None:
    """Sends only the first half of a compressed page."""
    lines = (f"<p>Paragraph {number} tells of the tide in the harbour." for number in range(1000))
    body = gzip.compress("".join(lines).encode())
    exchange.send("200 OK", body[: len(body) // 2], {"Content-Encoding": "gzip"})


def no_gzip(exchange: Exchange) -> None:
    """Declares an uncompressed page as compressed."""
    exchange.send("200 OK", b"<p>Plain words. " * 100, {"Content-Encoding": "gzip"})


def bomb(exchange: Exchange) -> None:
    """Sends a megabyte that decompresses to BOMB_BYTES."""
    exchange.send("200 OK", _bomb(1), {"Content-Encoding": "gzip"})


def bomb_in_a_bomb(exchange: Exchange) -> None:
    """Sends some kilobytes that were compressed twice."""
    exchange.send("200 OK", _bomb(2), {"Content-Encoding": "gzip, gzip"})


def too_many_requests(seconds: int) -> Answer:
    return lambda exchange: exchange.send(
        "429 Too Many Requests", b"<p>Slowly", {"Retry-After": str(seconds)}
    )


def closed_until(seconds: int) -> Answer:
    """503, with the end of the closure as a date in ``Retry-After``, in whole seconds."""

    def answer(exchange: Exchange) -> None:
        until = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
        exchange.send("503 Unavailable", b"<p>Closed", {"Retry-After": until})

    return answer


# The final state of a URL with a permanent fault: how its reason, or its outcome, begins.
ENDS: Final[dict[str, tuple[Answer, str]]] = {
    "/resets": (resets, "connection: "),
    "/resets-in-the-middle": (resets_in_the_middle, "connection: "),
    "/ends-in-the-middle": (ends_in_the_middle, "connection: "),
    "/stalls": (stalls, "timeout"),
    "/stalls-in-the-middle": (stalls_in_the_middle, "timeout"),
    "/drips": (drips, "timeout"),
    "/babbles": (babbles, "connection: "),
    "/endless-head": (endless_head, "connection: "),
    "/broken-chunks": (broken_chunks, "connection: "),
    "/torn-gzip": (torn_gzip, "connection: EOFError"),
    "/no-gzip": (no_gzip, "connection: "),
    "/too-many-requests": (too_many_requests(1), "http-429"),
    "/bomb": (bomb, "too-large"),
    "/bomb-in-a-bomb": (bomb_in_a_bomb, "too-large"),
}


def hostile_site(pages: int = 20) -> dict[str, Answer]:
    """Every permanent fault, and ``pages`` ordinary pages."""
    # Made in advance, so that no crawler waits for it.
    for times in (1, 2):
        _bomb(times)
    well = {f"/page/{number}": page(f"Page {number}") for number in range(pages)}
    faults = {path: answer for path, (answer, _) in ENDS.items()}
    return {"/": page("Home", links=[*faults, *well]), **faults, **well}


def moody_site(pages: int = 20) -> dict[str, Answer]:
    """Every temporary fault, only for the first visit, and ``pages`` ordinary pages."""
    faults: dict[str, Answer] = {
        path: once(answer, page(f"After {path}"))
        for path, (answer, end) in ENDS.items()
        if end != "too-large" and path != "/too-many-requests"
    }
    well = {f"/page/{number}": page(f"Page {number}") for number in range(pages)}
    return {"/": page("Home", links=[*faults, *well]), **faults, **well}


@cache
def _bomb(times: int) -> bytes:
    """BOMB_BYTES, compressed this many times."""
    if times > 1:
        return gzip.compress(_bomb(times - 1))
    return b"".join(oddities.bomb(b"", BOMB_BYTES))
