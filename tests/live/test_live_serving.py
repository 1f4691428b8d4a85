"""When the server of the live page is loaded, and how it ends."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine
from threading import Event
from typing import Any, Final

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from live.serving import Serving

_SECONDS: Final = 10.0


def an_application() -> Starlette:
    return Starlette(routes=[Route("/", lambda _: PlainTextResponse("hello"))])


class Loading:
    """An application that is not made before it is allowed."""

    def __init__(self) -> None:
        self.begun = Event()
        self.allowed = Event()

    def __call__(self) -> Starlette:
        self.begun.set()
        self.allowed.wait(_SECONDS)
        return an_application()


async def asked(listener: socket.socket) -> bytes:
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    try:
        return await reader.read()
    finally:
        writer.close()


def a_listener() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def bounded(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, _SECONDS))


def test_the_visitor_for_whom_it_is_loaded_is_answered() -> None:
    async def check() -> None:
        loading = Loading()
        loading.allowed.set()
        serving = Serving(listener := a_listener(), loading)
        serving.start()
        assert not loading.begun.is_set(), "nobody has come yet"
        assert (await asked(listener)).endswith(b"hello")
        await serving.stop()

    bounded(check())


def test_it_ends_without_a_visitor() -> None:
    async def check() -> None:
        serving = Serving(listener := a_listener(), an_application)
        serving.start()
        await serving.stop()
        assert listener.fileno() < 0

    bounded(check())


def test_it_ends_while_it_is_loaded_for_the_first_visitor() -> None:
    async def check() -> None:
        loading = Loading()
        serving = Serving(listener := a_listener(), loading)
        serving.start()
        _, writer = await asyncio.open_connection(*listener.getsockname())
        await asyncio.to_thread(loading.begun.wait)
        stopping = asyncio.create_task(serving.stop())
        await asyncio.sleep(0)
        loading.allowed.set()
        await stopping
        writer.close()

    bounded(check())
