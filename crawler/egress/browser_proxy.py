"""The browser's SOCKS5 proxy (RFC 1928), which lets pages connect to public addresses only.

Chromium resolves no names itself. For every connection of a page (images, frames, redirects,
fetches, web sockets), the proxy resolves the name once, checks the address, and connects to exactly
that address, so DNS rebinding is ruled out.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, Self
from weakref import WeakValueDictionary

from settings.addresses import own_domain
from settings.networks import AddressPolicy

_THREADS: Final = 128
# How many threads the lookups for one registered domain may use.
_THREADS_PER_DOMAIN: Final = 8
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_VERSION: Final = 5
_NO_LOGIN: Final = 0
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_DONE, _REFUSED, _UNREACHABLE, _NO_COMMAND = 0, 2, 4, 7
# Seconds. Longer than the 5 s after which resolvers retry, and half of the time that a page has to
# load, so that pages continue without resources of a dead host.
_CONNECTING = 6.0
_CHUNK = 65_536


class NameResolver:
    """DNS lookups in threads of their own, so that a silent name server blocks nothing else.

    Must be closed.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="names")
        self._room: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host; none if it does not resolve.

        A lookup occupies its thread until it ends, even if the caller is cancelled.
        """
        room = self._room.setdefault(own_domain(host), asyncio.Semaphore(_THREADS_PER_DOMAIN))
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


class RefusalError(Exception):
    """The connection is refused with a reply code of RFC 1928."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class EgressProxy:
    """A proxy on a free port of 127.0.0.1. Use as an async context manager.

    policy: which addresses may be connected to; may be changed at any time.
    received: is called with a host and how many bytes have come from it; may be changed, too.
    refused: how many connections were refused so far.
    """

    def __init__(self, policy: AddressPolicy | None = None) -> None:
        self.policy = policy or AddressPolicy()
        self.received: Callable[[str, int], object] | None = None
        self.refused = 0
        self._resolver = NameResolver()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """For example ``socks5://127.0.0.1:41234``."""
        if self._server is None:
            raise RuntimeError("the proxy has not been started")
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"socks5://{host}:{port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0, limit=_CHUNK)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        self._resolver.close()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            try:
                async with asyncio.timeout(_CONNECTING):
                    host, port = await _asked_for(reader, writer)
                    outer = await self._dial(host, port)
                writer.write(_reply(_DONE))
                await self._relay((reader, writer), outer, host)
            except RefusalError as refusal:
                writer.write(_reply(refusal.code))
                await writer.drain()
            finally:
                writer.close()

    async def _relay(self, browser: Streams, server: Streams, host: str) -> None:
        """Relay bytes in both directions until one side closes."""
        count = partial(self.received, host) if self.received else None
        ways = [
            asyncio.ensure_future(_pass(browser[0], server[1])),
            asyncio.ensure_future(_pass(server[0], browser[1], count)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            server[1].close()

    async def _dial(self, host: str, port: int) -> Streams:
        """A connection to the first allowed address that accepts one."""
        found = await self._resolver.addresses(host, port)
        allowed = [address for address in found if self.policy.allows(address)]
        if found and not allowed:
            self.refused += 1
            raise RefusalError(_REFUSED)
        for address in allowed:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(address, port, limit=_CHUNK)
        raise RefusalError(_UNREACHABLE)


async def _asked_for(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    """The requested host and port; raises RefusalError if it is not a CONNECT request."""
    version, count = await reader.readexactly(2)
    methods = await reader.readexactly(count)
    if version != _VERSION or _NO_LOGIN not in methods:
        raise RefusalError(_NO_COMMAND)
    writer.write(bytes((_VERSION, _NO_LOGIN)))
    _, command, _, kind = await reader.readexactly(4)
    if kind == _NAME:
        (length,) = await reader.readexactly(1)
        host = (await reader.readexactly(length)).decode("ascii", "replace")
    elif kind in (_IPV4, _IPV6):
        packed = await reader.readexactly(4 if kind == _IPV4 else 16)
        host = str(ipaddress.ip_address(packed))
    else:
        raise RefusalError(_NO_COMMAND)
    port = int.from_bytes(await reader.readexactly(2), "big")
    if command != _CONNECT:
        raise RefusalError(_NO_COMMAND)
    return host, port


def _reply(code: int) -> bytes:
    return bytes((_VERSION, code, 0, _IPV4, 0, 0, 0, 0, 0, 0))


async def _pass(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    count: Callable[[int], object] | None = None,
) -> None:
    while data := await reader.read(_CHUNK):
        if count is not None:
            count(len(data))
        writer.write(data)
        await writer.drain()
