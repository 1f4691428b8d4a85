"""DNS lookups in a thread pool of their own, so that a silent name server blocks nothing else."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from weakref import WeakValueDictionary

from settings.addresses import registered_domain

_THREADS: Final = 128
# How many threads the lookups for one registered domain may use.
_THREADS_PER_DOMAIN: Final = 8


class Names:
    """Must be closed."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="names")
        self._room: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host; none if it does not resolve.

        A lookup occupies its thread until it ends, even if the caller is cancelled.
        """
        room = self._room.setdefault(
            registered_domain(host), asyncio.Semaphore(_THREADS_PER_DOMAIN)
        )
        await room.acquire()
        loop = asyncio.get_running_loop()
        lookup = loop.run_in_executor(self._threads, _found, host, port)
        lookup.add_done_callback(lambda _: room.release())
        return await asyncio.shield(lookup)

    def close(self) -> None:
        """Start no more lookups; those in progress are left to end."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _found(host: str, port: int) -> list[str]:
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(place[0]).partition("%")[0] for *_, place in places]
