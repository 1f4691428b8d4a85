"""The access log: one JSON line per request, and the latest requests in memory."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections import deque
from pathlib import Path
from typing import Final

_KEPT: Final = 100_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Access:
    """One request.

    ``time``: when it arrived, in seconds since 1970. ``address``: of the server, such as
    ``127.0.0.1:8000``. ``host``: the Host header. ``path``: includes the query. ``status``: 0 if
    the connection was closed without a response.
    """

    time: float
    address: str
    host: str
    method: str
    path: str
    user_agent: str
    status: int


class AccessLog:
    """Thread-safe. A line is written to the file before the response's body is sent."""

    def __init__(self, file: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._kept: deque[Access] = deque(maxlen=_KEPT)
        self._file = file.open("a", encoding="utf-8", buffering=1) if file else None

    def add(self, access: Access) -> None:
        with self._lock:
            self._kept.append(access)
            if self._file:
                self._file.write(json.dumps(dataclasses.asdict(access)) + "\n")

    def requests(self) -> list[Access]:
        """The latest 100,000 requests, by the time of their responses."""
        with self._lock:
            return list(self._kept)

    def close(self) -> None:
        with self._lock:
            if self._file:
                self._file.close()
                self._file = None
