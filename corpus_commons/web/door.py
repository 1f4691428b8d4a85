"""Where a server of this machine listens, and who is let in; ``guard`` sees to it."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from typing import Final

from corpus_commons.url_reference import host_in_url

LOOPBACK: Final = "127.0.0.1"
# The port of http, from what they send as Host and Origin.
_BROWSERS_LEAVE_OUT: Final = 80


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
        return f"http://{host_in_url(self._shown)}:{self.port}/{path}"

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return ipaddress.ip_address(self.host).is_loopback

    def knows(self, host: str | None) -> bool:
        """Whether a request may have this Host header: any if others reach the server, too.

        They have names for this machine that it does not know, and the token keeps strangers out.
        """
        names = {LOOPBACK, "localhost", host_in_url(self._shown)}
        known = {f"{one}:{self.port}" for one in names}
        if self.port == _BROWSERS_LEAVE_OUT:
            known |= names
        return bool(host) and (not self.is_local or host in known)

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
