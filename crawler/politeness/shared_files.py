"""Shares hosts' files in a fleet: one worker fetches them, the others read what it got."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Awaitable, Callable
from typing import Final

import orjson
from scrapy.http import Response

from crawler.frontier import SharedCache
from crawler.politeness.lifetime import age, lifetime
from crawler.politeness.robots_file import LARGEST

# The longest lifetime of a response in the cache, in seconds.
FRESH: Final = 3600.0
# The same for a server error.
_TROUBLE: Final = 30.0
# How long a claim lasts, and how long others wait for its result.
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.2
_KEPT: Final = ("Location", "Retry-After", "Cache-Control", "Expires", "Date", "Content-Type")

Fetch = Callable[[str], Awaitable[Response]]


async def shared_response(cache: SharedCache, url: str, fetch: Fetch) -> Response:
    """The response for ``url``, fetched by this worker or by another one; its ``Age`` tells when.

    Raises what ``fetch`` raises; then the next worker tries.
    """
    until = time.monotonic() + _PATIENCE
    while not await cache.claim(url, _PATIENCE) and time.monotonic() < until:
        kept = await cache.get(url)
        if kept is not None:
            return _read(kept, url)
        await asyncio.sleep(_PAUSE)
    try:
        # Another worker may have stored the response before this one got the claim.
        kept = await cache.get(url)
        if kept is not None:
            return _read(kept, url)
        response = await fetch(url)
        fresh = _TROUBLE if is_in_trouble(response) else min(FRESH, lifetime(response))
        await cache.put(url, _text(response), fresh)
        return response
    finally:
        # The response may expire before the claim would.
        await cache.give_up(url)


def is_in_trouble(response: Response) -> bool:
    """Whether this is a server error or a 429, so that the rules are unknown."""
    return response.status >= 500 or response.status == 429


def _text(response: Response) -> bytes:
    headers = {name: response.headers.get(name) for name in _KEPT}
    kept = {name: value.decode("latin-1") for name, value in headers.items() if value}
    head = orjson.dumps([response.status, kept, time.time() - age(response)])
    return zlib.compress(head + b"\n" + response.body[:LARGEST])


def _read(kept: bytes, url: str) -> Response:
    head, _, body = zlib.decompress(kept).partition(b"\n")
    status, stored, made = orjson.loads(head)
    headers = {name: value.encode("latin-1") for name, value in stored.items()}
    # The clocks of two workers may differ.
    headers["Age"] = str(int(max(0.0, time.time() - made))).encode()
    return Response(url, status=status, headers=headers, body=body)
