"""A web server in a loop that does other work; it is loaded when the first visitor comes."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from live.loop_server import LoopServer

_log = logging.getLogger(__name__)


class Serving:
    """Serves from ``start`` to ``stop``, in one loop.

    load: makes the application, in a thread, once somebody connects.
    """

    def __init__(self, listener: socket.socket, load: Callable[[], ASGIApp]) -> None:
        self._listener = listener
        self._load = load
        self._server: LoopServer | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False

    def start(self) -> None:
        self._listener.setblocking(False)
        asyncio.get_running_loop().add_reader(self._listener, self._begin)

    async def stop(self) -> None:
        """Close all connections; returns when that is done."""
        self._is_stopped = True
        asyncio.get_running_loop().remove_reader(self._listener)
        if self._server is not None:
            self._server.end()
        if self._task is not None:
            await self._task
        self._listener.close()

    def _begin(self) -> None:
        # Those who connect meanwhile wait in the kernel's queue.
        asyncio.get_running_loop().remove_reader(self._listener)
        self._task = asyncio.create_task(self._serve(), name="live server")

    async def _serve(self) -> None:
        try:
            self._server = await asyncio.to_thread(self._loaded)
            if not self._is_stopped:
                await self._server.serve(sockets=[self._listener])
        except Exception:
            # The crawl goes on without its page.
            _log.exception("cannot serve the live page")

    def _loaded(self) -> LoopServer:
        from live.loop_server import LoopServer  # noqa: PLC0415 - see above

        return LoopServer(self._load())
