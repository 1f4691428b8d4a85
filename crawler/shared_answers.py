"""robots.txt as the whole fleet has it: one worker fetches it, the others read its answer."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Awaitable, Callable
from typing import Final

import orjson
from scrapy.http import Response

from crawler.frontier import SharedCache
from crawler.robots_file import LARGEST

# For how many seconds an answer is read from the cache.
FRESH: Final = 3600.0
# While a server is in trouble it is asked by one worker at a time.
_TROUBLE: Final = 30.0
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.2
_KEPT: Final = ("Location", "Retry-After")

Fetch = Callable[[str], Awaitable[Response]]


async def shared_answer(cache: SharedCache, url: str, fetch: Fetch) -> Response:
    """The answer to ``url``, of this worker's ``fetch`` or of another's.

    Raises what ``fetch`` raises; then the next worker tries.
    """
    until = time.monotonic() + _PATIENCE
    while not await cache.claim(url, _PATIENCE) and time.monotonic() < until:
        kept = await cache.get(url)
        if kept is not None:
            return _read(kept, url)
        await asyncio.sleep(_PAUSE)
    try:
        # Whoever had the claim before has put the answer by now.
        kept = await cache.get(url)
        if kept is not None:
            return _read(kept, url)
        response = await fetch(url)
        life = _TROUBLE if is_in_trouble(response) else FRESH
        await cache.put(url, _text(response), life)
        return response
    finally:
        # An answer may live shorter than a claim.
        await cache.give_up(url)


def is_in_trouble(response: Response) -> bool:
    """Whether the server asks for patience, so that nothing is known of its rules."""
    return response.status >= 500 or response.status == 429


def _text(response: Response) -> bytes:
    headers = {name: response.headers.get(name) for name in _KEPT}
    told = {name: value.decode("latin-1") for name, value in headers.items() if value}
    head = orjson.dumps([response.status, told])
    return zlib.compress(head + b"\n" + response.body[:LARGEST])


def _read(kept: bytes, url: str) -> Response:
    head, _, body = zlib.decompress(kept).partition(b"\n")
    status, told = orjson.loads(head)
    headers = {name: value.encode("latin-1") for name, value in told.items()}
    return Response(url, status=status, headers=headers, body=body)
