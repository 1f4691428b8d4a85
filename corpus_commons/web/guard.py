"""Lets in only whom a server of this machine is for, and adds headers to all answers.

What is not for everybody has a secret token in its address, as in Jupyter, so that other users of
the machine and pages of the web cannot guess it; programs may send it as a bearer token instead.
The Host header must name this machine, or else a page could reach the server under a name of its
own (DNS rebinding). What changes anything must come from our own pages.
"""

from __future__ import annotations

import contextlib
import secrets
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from corpus_commons.web.door import Door

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
        # Who left in the middle of a request hears no answer.
        with contextlib.suppress(ClientDisconnect):
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
