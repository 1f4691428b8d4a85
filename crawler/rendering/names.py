"""Names looked up in threads of their own: nothing else waits for a name server that is silent."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from weakref import WeakValueDictionary

from settings.addresses import registered_domain

_THREADS: Final = 128
# Of the threads, those that the names of one domain may hold.
_FOR_A_DOMAIN: Final = 8


class Names:
    """Must be closed."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="names")
        self._room: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def addresses(self, host: str, port: int) -> list[str]:
        """Those of a host, none if the system knows it not.

        A lookup holds its thread until the system has ended it, whether or not somebody waits.
        """
        room = self._room.setdefault(registered_domain(host), asyncio.Semaphore(_FOR_A_DOMAIN))
        await room.acquire()
        loop = asyncio.get_running_loop()
        lookup = loop.run_in_executor(self._threads, _found, host, port)
        lookup.add_done_callback(lambda _: room.release())
        return await asyncio.shield(lookup)

    def close(self) -> None:
        """Begin no more lookups; those under way end by themselves."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _found(host: str, port: int) -> list[str]:
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(place[0]).partition("%")[0] for *_, place in places]
