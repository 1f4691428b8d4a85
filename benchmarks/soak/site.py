"""A site of any number of small pages, made when they are asked for, in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import random
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from typing import Final

from benchmarks.faults.site import html_of
from benchmarks.redis_process import free_port

# How many pages one page of a host links to: they are all found within a few links.
_LINKS: Final = 10
_WORDS: Final = 80
_PIECES: Final = 997
_NOT_FOUND: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class SoakSite:
    """A running site. homes: the home page of each host. asked: how many pages were sent so far."""

    homes: tuple[str, ...]
    asked: Synchronized[int]


@contextlib.contextmanager
def serving(pages: int, hosts: int) -> Iterator[SoakSite]:
    """Serve so many pages of every host together, on addresses of this machine."""
    context = multiprocessing.get_context("fork")
    asked: Synchronized[int] = context.Value("q", 0)
    addresses = [f"127.0.1.{number}" for number in range(1, hosts + 1)]
    port = free_port()
    listening = context.Event()
    server = context.Process(
        target=lambda: asyncio.run(_serve(addresses, port, pages // hosts, asked, listening)),
        daemon=True,
    )
    server.start()
    try:
        listening.wait(30)
        yield SoakSite(tuple(f"http://{address}:{port}/" for address in addresses), asked)
    finally:
        server.kill()
        server.join()


async def _serve(
    addresses: list[str], port: int, pages: int, asked: Synchronized[int], listening: object
) -> None:
    makers = {address: _Pages(address, pages) for address in addresses}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        of_host = makers[writer.get_extra_info("sockname")[0]]
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                page = of_host.page(head.split(b" ", 2)[1].decode("latin-1"))
                asked.value += page is not None
                writer.write(page or _NOT_FOUND)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, addresses, port)
    listening.set()  # type: ignore[attr-defined]
    async with server:
        await server.serve_forever()


class _Pages:
    """The pages of a host, numbered from its home page, 0; page n links to 10n + 1 … 10n + 10."""

    def __init__(self, host: str, count: int) -> None:
        self._count = count
        chance = random.Random(host)
        texts = (html_of(f"{host} {number}", words=_WORDS) for number in range(_PIECES))
        self._texts = [text.removesuffix("<ul></ul></html>") for text in texts]
        chance.shuffle(self._texts)

    def page(self, path: str) -> bytes | None:
        """The response for a path; None if there is no such page."""
        name = path[1:] or "0"
        if not name.isdecimal() or int(name) >= self._count:
            return None
        number = int(name)
        first = _LINKS * number + 1
        links = "".join(
            f'<li><a href="/{link}">{link}</a>'
            for link in range(first, min(first + _LINKS, self._count))
        )
        text = self._texts[number % _PIECES]
        body = f"{text}<p>This is page {number} of {self._count}.</p><ul>{links}</ul>".encode()
        head = f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
        return f"HTTP/1.1 200 OK\r\n{head}".encode() + body
