"""A port for a server of a benchmark's or a test's own."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
