"""Files of hosts, such as robots.txt: each is asked for once, and used for its lifetime."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, Generic, Protocol, TypeVar

from scrapy.http import Response

from crawler.politeness.shared_files import Fetch
from crawler.urls import UrlError, moved_to

# RFC 9309: a crawler follows at least five redirects.
MOST_REDIRECTS: Final = 5
_MOST_FILES: Final = 10_000
_MOST_BYTES: Final = 64_000_000


class HostFile(Protocol):
    """What was read of a file. expires: by the cache's clock. size: its memory, in bytes."""

    @property
    def expires(self) -> float: ...
    @property
    def size(self) -> int: ...


File = TypeVar("File", bound=HostFile)


class HostFiles(Generic[File]):
    """A cache of files by name. Whoever asks while a file is fetched gets the same answer.

    ask: fetches and reads a file, given what was known of it before; must not raise.
    """

    def __init__(
        self,
        ask: Callable[[str, File | None], Awaitable[File]],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._clock = clock
        self._known: OrderedDict[str, File] = OrderedDict()
        self._asking: dict[str, asyncio.Future[File]] = {}
        self._bytes = 0

    def fresh(self, name: str) -> File | None:
        """The file, if it was read within its lifetime."""
        known = self._known.get(name)
        if known is None or known.expires <= self._clock():
            return None
        self._known.move_to_end(name)
        return known

    async def get(self, name: str) -> File:
        """The file, as it was read within its lifetime, or is read now."""
        if (fresh := self.fresh(name)) is not None:
            return fresh
        if name not in self._asking:
            asking = asyncio.ensure_future(self._read(name, self._known.get(name)))
            self._asking[name] = asking
            asking.add_done_callback(lambda _: self._asking.pop(name, None))
        # Shielded, because other requests may wait for it too.
        return await asyncio.shield(self._asking[name])

    def known(self) -> Iterator[tuple[str, File]]:
        """All files that are remembered, expired ones too."""
        yield from self._known.items()

    async def _read(self, name: str, before: File | None) -> File:
        file = await self._ask(name, before)
        old = self._known.pop(name, None)
        self._bytes += file.size - (old.size if old else 0)
        self._known[name] = file
        while len(self._known) > _MOST_FILES or self._bytes > _MOST_BYTES:
            self._bytes -= self._known.popitem(last=False)[1].size
        return file


async def followed(fetch: Fetch, url: str) -> Response:
    """The response for a host's file, after redirects. Raises what ``fetch`` raises."""
    for _ in range(MOST_REDIRECTS + 1):
        response = await fetch(url)
        target = _target(response)
        if target is None:
            break
        url = target
    return response


def _target(response: Response) -> str | None:
    """The target of a redirect; None if there is none, or it is not an http or https URL."""
    location = response.headers.get(b"Location")
    if not 300 <= response.status < 400 or not location:
        return None
    try:
        return moved_to(response.url, location)
    except UrlError:
        return None
