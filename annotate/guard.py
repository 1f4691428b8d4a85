"""Lets nobody in but the browser of whoever started the tool.

The address has a secret token, as in Jupyter, so that other users of the machine and pages of the
web cannot guess it. The Host header must name this machine, or else a page could reach the server
under a name of its own (DNS rebinding). What changes anything must come from our own pages.
"""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass, field
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS: Final = ("127.0.0.1", "localhost")
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
MAX_BODY: Final = 4_000_000
"""Bytes of a request; the labels of 20,000 blocks that alternate have a tenth of that."""

_HEADERS: Final = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class Door:
    """Where the server can be reached. port: of 127.0.0.1."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def address(self) -> str:
        return f"http://{HOSTS[0]}:{self.port}/{self.token}/"

    @property
    def hosts(self) -> set[str]:
        return {f"{host}:{self.port}" for host in HOSTS}


def listen(port: int) -> socket.socket:
    """A socket that listens on this machine only. port: 0 for any that is free.

    Raises OSError if the port is taken.
    """
    listener = socket.create_server((HOSTS[0], port))
    # asyncio does it for sockets of another making only; answers would wait 40 ms in between.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


class Guard:
    """Refuses requests that do not come through the door, and adds headers to all answers."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", POLICY)
                headers.update(_HEADERS)
            await send(message)

        if refusal := self._refusal(scope):
            answer = PlainTextResponse(refusal, status_code=403)
            await answer(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        if headers.get("host") not in self._door.hosts:
            return "This server answers to its own address only."
        _, token, *_ = f"{scope['path']}//".split("/")
        if not secrets.compare_digest(token.encode(), self._door.token.encode()):
            return "The address is not complete: open the one that the program has printed."
        if scope["method"] in ("GET", "HEAD"):
            return None
        if headers.get("origin") not in {f"http://{host}" for host in self._door.hosts}:
            return "Changes are accepted from this server's own pages only."
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return f"A request must say its length, at most {MAX_BODY:,} bytes."
        return None
