"""Lets in only whom a server of this machine is for, and adds headers to all answers.

What is not for everybody has a secret token in its address, as in Jupyter, so that other users of
the machine and pages of the web cannot guess it; programs may send it as a bearer token instead.
The Host header must name this machine, or else a page could reach the server under a name of its
own (DNS rebinding). What changes anything must come from our own pages.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK: Final = "127.0.0.1"
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
_BEARER: Final = "Bearer "


def new_token() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class Door:
    """Where a server can be reached.

    port, host: which it listens on. host is an IP address.
    token: the secret part of the address; empty if there is none, which is only for this machine.
    """

    port: int
    host: str = LOOPBACK
    token: str = field(default_factory=new_token, repr=False)

    @property
    def address(self) -> str:
        """What a browser on this machine opens."""
        path = f"{self.token}/" if self.token else ""
        return f"http://{_written(self._shown)}:{self.port}/{path}"

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return ipaddress.ip_address(self.host).is_loopback

    def knows(self, host: str | None) -> bool:
        """Whether a request may have this Host header: any if others reach the server, too.

        They have names for this machine that it does not know, and the token keeps strangers out.
        """
        names = {LOOPBACK, "localhost", _written(self._shown)}
        return bool(host) and (not self.is_local or host in {f"{one}:{self.port}" for one in names})

    @property
    def _shown(self) -> str:
        """The host; for all addresses of the machine, one of them."""
        ip = ipaddress.ip_address(self.host)
        if not ip.is_unspecified:
            return self.host
        return LOOPBACK if ip.version == 4 else "::1"


def listen(port: int, host: str = LOOPBACK) -> socket.socket:
    """A socket that listens. port: 0 for any that is free. Raises OSError if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family)
    # asyncio does it for sockets of another making only; answers would wait 40 ms in between.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


class Guard:
    """Refuses requests that do not come through the door.

    The application behind it sees paths without the token, which is in ``root_path`` then.
    """

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
        root = f"/{self._door.token}" if self._has_token_in_path(scope) else ""
        await self._app({**scope, "root_path": root}, receive, with_headers)

    def _refusal(self, scope: Scope) -> str | None:
        headers, door = Headers(scope=scope), self._door
        host = headers.get("host")
        if not door.knows(host):
            return "This server answers to its own address only."
        if door.token and not (self._has_token_in_path(scope) or self._has_token(headers)):
            return "The address is not complete: open the one that the program has printed."
        if scope["method"] in ("GET", "HEAD"):
            return None
        # A proxy in front of it may speak HTTPS.
        if headers.get("origin") not in {f"http://{host}", f"https://{host}"}:
            return "Changes are accepted from this server's own pages only."
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return f"A request must say its length, at most {MAX_BODY:,} bytes."
        return None

    def _has_token_in_path(self, scope: Scope) -> bool:
        _, first, *_ = f"{scope['path']}//".split("/")
        return bool(self._door.token) and self._is_token(first)

    def _has_token(self, headers: Headers) -> bool:
        given = headers.get("authorization", "")
        return given.startswith(_BEARER) and self._is_token(given.removeprefix(_BEARER))

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self._door.token.encode())


def _written(host: str) -> str:
    """The host as a part of an address."""
    return f"[{host}]" if ":" in host else host
