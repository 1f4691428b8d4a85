"""Serves a web on many addresses of this machine, with the same port."""

from __future__ import annotations

import asyncio
import threading
from typing import Final, Self

from benchmarks.adaptive.web import Answers

_MISSING: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class WebServer:
    """A context manager; ``port`` is known once it is entered."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
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
        first, *others = sorted({address for address, _ in self._answers})
        server = await asyncio.start_server(self._answer, first, 0)
        self.port = server.sockets[0].getsockname()[1]
        rest = await asyncio.start_server(self._answer, others, self.port) if others else None
        self._ready.set()
        await self._closing.wait()
        for listening in filter(None, (server, rest)):
            listening.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("sockname")[0]
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode("latin-1")
                found = self._answers.get((address, path))
                writer.write(_MISSING if found is None else _response(*found))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # The browser has closed the connection.
        finally:
            writer.close()


def _response(kind: str, body: bytes) -> bytes:
    cached = "Cache-Control: max-age=3600\r\n" if not kind.startswith("text/html") else ""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{cached}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
