"""The browser's way out dials the addresses that it has judged, and no others (RFC 1928)."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

import pytest

from crawler.egress.browser_proxy import EgressProxy
from settings.networks import AddressPolicy

DONE, REFUSED, UNREACHABLE, NO_COMMAND = 0, 2, 4, 7
CONNECT, BIND = 1, 2
SOME_NAME = b"\3\x0csome.example"
PUBLIC, PRIVATE = "127.0.0.2", "127.0.0.1"


class OnlyPublic(AddressPolicy):
    """As if PUBLIC, an address of this machine, were on the open network."""

    def allows(self, address: object) -> bool:
        return address == PUBLIC


Story = Callable[[EgressProxy, int], Awaitable[None]]


def reached(story: Story, policy: AddressPolicy, *, at: str = "") -> list[str]:
    """The addresses of this machine that were dialled; a story has the proxy and a port of theirs.

    at: where a server listens, by default at all of them.
    """
    dialled: list[str] = []

    def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        dialled.append(writer.get_extra_info("sockname")[0])
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(accept, at or "0.0.0.0", 0)  # noqa: S104
        port = server.sockets[0].getsockname()[1]
        async with server, EgressProxy(policy) as way_out:
            await story(way_out, port)

    asyncio.run(work())
    return dialled


async def reply(
    way_out: EgressProxy, place: bytes, port: int, command: int = CONNECT, *, reads: int = 0
) -> int:
    """The answer to a wish: the kind of an address, and the address. reads: so many bytes more."""
    _, _, listens = way_out.url.rpartition(":")
    reader, writer = await asyncio.open_connection("127.0.0.1", int(listens))
    writer.write(b"\5\1\0" + bytes((5, command, 0)) + place + struct.pack(">H", port))
    try:
        assert await reader.readexactly(2) == b"\5\0"
        code = (await reader.readexactly(10))[1]
        await reader.readexactly(reads)
        return code
    finally:
        writer.close()


def let_names_be(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
    """What one lookup after another finds."""
    left = iter(answers)

    def getaddrinfo(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 0)) for one in next(left)]

    monkeypatch.setattr("crawler.egress.browser_proxy.socket.getaddrinfo", getaddrinfo)


def test_of_a_name_with_public_and_private_addresses_only_public_ones_are_dialled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_names_be(monkeypatch, [PRIVATE, PUBLIC])

    async def story(way_out: EgressProxy, port: int) -> None:
        assert await reply(way_out, SOME_NAME, port) == DONE
        assert way_out.refused == 0

    assert reached(story, OnlyPublic()) == [PUBLIC]


def test_not_even_where_those_do_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    let_names_be(monkeypatch, [PUBLIC, PRIVATE])

    async def story(way_out: EgressProxy, port: int) -> None:
        assert await reply(way_out, SOME_NAME, port) == UNREACHABLE

    assert reached(story, OnlyPublic(), at=PRIVATE) == []


def test_a_name_is_judged_anew_at_every_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    let_names_be(monkeypatch, [PUBLIC], [PRIVATE], [PUBLIC])

    async def story(way_out: EgressProxy, port: int) -> None:
        codes = [await reply(way_out, SOME_NAME, port) for _ in range(3)]
        assert codes == [DONE, REFUSED, DONE]
        assert way_out.refused == 1

    assert reached(story, OnlyPublic()) == [PUBLIC, PUBLIC]


def test_what_a_host_sends_is_counted() -> None:
    sent: list[tuple[str, int]] = []

    def send(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"x" * 1_000)
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(send, PRIVATE, 0)
        port = server.sockets[0].getsockname()[1]
        async with server, EgressProxy(AddressPolicy(loopback=True)) as way_out:
            way_out.received = lambda host, size: sent.append((host, size))
            place = b"\1" + ip_address(PRIVATE).packed
            assert await reply(way_out, place, port, reads=1_000) == DONE

    asyncio.run(work())
    assert {host for host, _ in sent} == {PRIVATE}
    assert sum(size for _, size in sent) == 1_000


def test_a_name_without_addresses_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    let_names_be(monkeypatch, [])

    async def story(way_out: EgressProxy, port: int) -> None:
        assert await reply(way_out, SOME_NAME, port) == UNREACHABLE
        assert way_out.refused == 0

    assert reached(story, OnlyPublic()) == []


def test_the_next_address_is_dialled_where_the_first_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_names_be(monkeypatch, ["127.0.0.3", "127.0.0.2"])

    async def story(way_out: EgressProxy, port: int) -> None:
        assert await reply(way_out, SOME_NAME, port) == DONE

    assert reached(story, AddressPolicy(loopback=True), at="127.0.0.2") == ["127.0.0.2"]


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]
)
def test_a_number_is_judged_as_a_name_is(address: str) -> None:
    packed = ip_address(address).packed
    place = (b"\1" if len(packed) == 4 else b"\4") + packed

    async def story(way_out: EgressProxy, port: int) -> None:
        assert await reply(way_out, place, port) == REFUSED
        way_out.policy = AddressPolicy(loopback=True)
        if address == "127.0.0.1":
            assert await reply(way_out, place, port) == DONE

    assert reached(story, AddressPolicy()) == ["127.0.0.1"] * (address == "127.0.0.1")


@pytest.mark.parametrize(
    ("place", "command"), [(b"\1\x7f\0\0\1", BIND), (b"\2\x7f\0\0\1", CONNECT)]
)
def test_nothing_else_is_done_for_anybody(place: bytes, command: int) -> None:
    async def story(way_out: EgressProxy, port: int) -> None:
        assert await reply(way_out, place, port, command) == NO_COMMAND

    assert reached(story, AddressPolicy(loopback=True)) == []


@pytest.mark.parametrize("greeting", [b"\4\1\0", b"\5\1\2"], ids=["SOCKS4", "with a password"])
def test_nor_in_another_way(greeting: bytes) -> None:
    async def story(way_out: EgressProxy, port: int) -> None:
        _, _, listens = way_out.url.rpartition(":")
        reader, writer = await asyncio.open_connection("127.0.0.1", int(listens))
        writer.write(greeting + b"\5\1\0\1\x7f\0\0\1" + struct.pack(">H", port))
        assert (await reader.read(2))[1] == NO_COMMAND
        writer.close()

    assert reached(story, AddressPolicy(loopback=True)) == []
