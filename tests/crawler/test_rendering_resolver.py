"""Names that pages ask for, and a name server that does not answer."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from crawler.egress import browser_proxy
from crawler.egress.browser_proxy import EgressProxy
from settings.networks import AddressPolicy

UNREACHABLE = 4


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The names of silent domains that are looked up; no answer comes before the test is over."""
    look_up, is_over, asked = socket.getaddrinfo, threading.Event(), set()

    def getaddrinfo(host: str, *args: object, **kwargs: object) -> object:
        if "silent" in host:
            asked.add(host)
            is_over.wait(120)
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return look_up(host, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    yield asked
    is_over.set()


async def reply(way_out: EgressProxy, host: str) -> int:
    """The code of RFC 1928 for a visit of port 1; an EOF if none came."""
    _, port = way_out.url.removeprefix("socks5://").split(":")
    reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
    name = host.encode()
    writer.write(b"\5\1\0" + b"\5\1\0\3" + bytes((len(name),)) + name + struct.pack(">H", 1))
    try:
        answer = await reader.readexactly(4)
    finally:
        writer.close()
    return answer[3]


@pytest.mark.parametrize("is_given_up", [False, True])
def test_a_silent_name_server_holds_up_nothing_else(
    silent: set[str], monkeypatch: pytest.MonkeyPatch, *, is_given_up: bool
) -> None:
    monkeypatch.setattr(browser_proxy, "_CONNECTING", 0.2 if is_given_up else 60)

    async def work() -> None:
        async with EgressProxy(AddressPolicy(loopback=True)) as way_out:
            names = [
                f"n{number}.{site}-silent.com" for number in range(60) for site in ("one", "two")
            ]
            waiting = [asyncio.ensure_future(reply(way_out, name)) for name in names]
            if is_given_up:
                await asyncio.wait(waiting)
            else:
                await asyncio.wait(waiting, timeout=0.5)
            monkeypatch.setattr(browser_proxy, "_CONNECTING", 60)
            async with asyncio.timeout(30):
                assert await reply(way_out, "localhost") == UNREACHABLE
                await asyncio.to_thread(int)
            assert 0 < len(silent) < len(names)
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(work())
