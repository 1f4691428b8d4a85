"""robots.txt as the whole fleet has it: one worker fetches it, the others read its answer."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Awaitable, Callable
from typing import Final

import orjson
from scrapy.http import Response

from crawler.frontier.redis.cache import SharedCache

# With the 23 hours for which each worker keeps it, a copy is at most a day old (RFC 9309).
_FRESH: Final = 3600.0
# While a server is in trouble it is asked by one worker at a time.
_TROUBLE: Final = 30.0
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.2
# As much as is read of a robots.txt.
_LARGEST: Final = 512_000

Fetch = Callable[[str], Awaitable[Response]]


async def shared_answer(cache: SharedCache, url: str, fetch: Fetch) -> Response:
    """The answer to ``url``, of this worker's ``fetch`` or of another's.

    Raises what ``fetch`` raises; then the next worker tries.
    """
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        kept = await cache.get(url)
        if kept is not None:
            return _read(kept, url)
        if await cache.claim(url, _PATIENCE):
            break
        await asyncio.sleep(_PAUSE)
    try:
        response = await fetch(url)
    except BaseException:
        await cache.give_up(url)
        raise
    in_trouble = response.status >= 500 or response.status == 429
    await cache.put(url, _text(response), _TROUBLE if in_trouble else _FRESH)
    return response


def _text(response: Response) -> bytes:
    location = (response.headers.get(b"Location") or b"").decode("latin-1")
    head = orjson.dumps([response.status, location])
    return zlib.compress(head + b"\n" + response.body[:_LARGEST])


def _read(kept: bytes, url: str) -> Response:
    head, _, body = zlib.decompress(kept).partition(b"\n")
    status, location = orjson.loads(head)
    headers = {"Location": location} if location else {}
    return Response(url, status=status, headers=headers, body=body)
