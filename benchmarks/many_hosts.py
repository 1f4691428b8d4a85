"""A web server in a thread: many addresses of this machine are its hosts, all on one port."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Final, Self

MISSING: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class ManyHosts:
    """A context manager; ``port`` is known once it is entered.

    answer: the response to a GET request, from host and path; called in the server's thread.
    """

    def __init__(self, hosts: Sequence[str], answer: Callable[[str, str], bytes]) -> None:
        self._hosts = hosts
        self._answer = answer
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        first, *others = self._hosts
        servers = [await asyncio.start_server(self._converse, first, 0)]
        self.port = servers[0].sockets[0].getsockname()[1]
        if others:
            servers.append(await asyncio.start_server(self._converse, others, self.port))
        self._ready.set()
        await self._closing.wait()
        for server in servers:
            server.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host = writer.get_extra_info("sockname")[0]
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._answer(host, head.split(b" ", 2)[1].decode("latin-1")))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # The client has closed the connection, or was killed.
        finally:
            writer.close()


def response(kind: str, body: bytes, *headers: str) -> bytes:
    """A response with the media type and further header lines."""
    lines = ("HTTP/1.1 200 OK", f"Content-Type: {kind}", *headers, f"Content-Length: {len(body)}")
    return "\r\n".join((*lines, "", "")).encode() + body
