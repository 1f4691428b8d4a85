"""Shares hosts' files in a fleet: one worker fetches them, the others read what it got."""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import orjson
from pydantic import Field, TypeAdapter
from scrapy.http import Response

from crawler.frontier import SharedCache
from crawler.politeness.lifetime import age, lifetime
from crawler.politeness.robots_file import LARGEST

_log = logging.getLogger(__name__)

# The longest lifetime of a response in the cache, in seconds.
FRESH: Final = 3600.0
# The same for a server error.
_TROUBLE: Final = 30.0
# How long a claim lasts, and how long others wait for its result.
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.2
# Of a stored response: its head, and as much as ``_text`` keeps of its body.
_MOST_BYTES: Final = LARGEST + 1_000_000
_HEADS: Final = TypeAdapter(
    tuple[
        Annotated[int, Field(ge=100, le=999)],
        dict[str, str],
        Annotated[float, Field(allow_inf_nan=False)],
    ]
)
_KEPT: Final = ("Location", "Retry-After", "Cache-Control", "Expires", "Date", "Content-Type")

Fetch = Callable[[str], Awaitable[Response]]


async def shared_response(cache: SharedCache, url: str, fetch: Fetch) -> Response:
    """The response for ``url``, fetched by this worker or by another one; its ``Age`` tells when.

    Raises what ``fetch`` raises; then the next worker tries.
    """
    until = time.monotonic() + _PATIENCE
    while not await cache.claim(url, _PATIENCE) and time.monotonic() < until:
        if kept := await _kept(cache, url):
            return kept
        await asyncio.sleep(_PAUSE)
    try:
        # Another worker may have stored the response before this one got the claim.
        if kept := await _kept(cache, url):
            return kept
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


def is_there(response: Response) -> bool:
    """Whether what was asked for was sent; of other responses only the head is read."""
    return 200 <= response.status < 300


def _text(response: Response) -> bytes:
    headers = {name: response.headers.get(name) for name in _KEPT}
    kept = {name: value.decode("latin-1") for name, value in headers.items() if value}
    head = orjson.dumps([response.status, kept, time.time() - age(response)])
    return zlib.compress(head + b"\n" + response.body[:LARGEST])


async def _kept(cache: SharedCache, url: str) -> Response | None:
    """The stored response; None if there is none, or nothing that can be read."""
    kept = await cache.get(url)
    if kept is None:
        return None
    try:
        return kept_response(kept, url)
    except ValueError as error:
        _log.warning("%s is fetched again: what another worker stored is damaged: %s", url, error)
        return None


def kept_response(kept: bytes, url: str) -> Response:
    """The response in a stored value. Raises ValueError if it is none."""
    try:
        unpack = zlib.decompressobj()
        head, _, body = unpack.decompress(kept, _MOST_BYTES).partition(b"\n")
    except zlib.error as error:
        raise ValueError(f"it does not decompress: {error}") from error
    if not unpack.eof:
        raise ValueError(f"it is cut short, or has more than {_MOST_BYTES:,} bytes")
    status, stored, made = _HEADS.validate_json(head)
    headers = {name: value.encode("latin-1") for name, value in stored.items()}
    # The clocks of two workers may differ.
    headers["Age"] = str(int(max(0.0, time.time() - made))).encode()
    return Response(url, status=status, headers=headers, body=body)
