"""Viewers of a live page, as connections of a thread."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from typing import Final

_RETRY_SECONDS: Final = 0.1


class Viewers(threading.Thread):
    """Connections that read the events of a live page. received: bytes, of all."""

    def __init__(self, port: int, count: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._count = count
        self._told: set[int] = set()
        self._is_over = threading.Event()
        self.received = 0

    def run(self) -> None:
        with selectors.DefaultSelector() as selector:
            while not self._is_over.is_set():
                if len(selector.get_map()) < self._count:
                    self._connect(selector)
                for key, _ in selector.select(_RETRY_SECONDS) if selector.get_map() else ():
                    self._read(selector, key.fileobj)
                if not selector.get_map():
                    time.sleep(_RETRY_SECONDS)

    @property
    def waiting(self) -> bool:
        """Whether any of them has not been told anything yet."""
        return len(self._told) < self._count

    def end(self) -> None:
        self._is_over.set()
        self.join()

    def _connect(self, selector: selectors.BaseSelector) -> None:
        try:
            viewer = socket.create_connection(("127.0.0.1", self._port), timeout=10)
        except OSError:  # It has not begun, or it has ended.
            return
        request = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n"
        viewer.sendall(request.encode())
        viewer.setblocking(False)
        selector.register(viewer, selectors.EVENT_READ)

    def _read(self, selector: selectors.BaseSelector, viewer: object) -> None:
        if not isinstance(viewer, socket.socket):
            return
        try:
            content = viewer.recv(1 << 20)
        except OSError:
            content = b""
        self.received += len(content)
        if b"data: " in content:
            self._told.add(viewer.fileno())
        if not content:
            selector.unregister(viewer)
            viewer.close()
