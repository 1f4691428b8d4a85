"""A site of any number of small pages, made when they are asked for, in a process of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from typing import Final

from benchmarks.fault_site import html_of
from benchmarks.many_hosts import MISSING, ManyHosts, response

# How many pages one page of a host links to: they are all found within a few links.
_LINKS: Final = 10
_WORDS: Final = 80
_PIECES: Final = 997
_STARTING: Final = 30.0


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
    ours, theirs = context.Pipe()
    server = context.Process(
        target=_serve, args=(addresses, pages // hosts, asked, theirs), daemon=True
    )
    server.start()
    theirs.close()
    try:
        if not ours.poll(_STARTING):
            raise TimeoutError("the site did not start")
        port = ours.recv()
        yield SoakSite(tuple(f"http://{address}:{port}/" for address in addresses), asked)
    finally:
        server.kill()
        server.join()


def _serve(addresses: list[str], pages: int, asked: Synchronized[int], parent: Connection) -> None:
    """Serve until the process is killed; tells its parent the port."""
    makers = {address: _Pages(address, pages) for address in addresses}

    def answer(host: str, path: str) -> bytes:
        page = makers[host].page(path)
        asked.value += page is not None
        return page or MISSING

    with ManyHosts(addresses, answer) as server:
        parent.send(server.port)
        threading.Event().wait()


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
        return response("text/html; charset=utf-8", body)
