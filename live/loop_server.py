"""uvicorn in a loop that does other work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from starlette.types import ASGIApp

_MOST_CONNECTIONS: Final = 256
# For visitors to get the last event; then their connections are closed.
_SECONDS_TO_END: Final = 1


class LoopServer(uvicorn.Server):
    """Leaves signals, and logging, to those whose loop it is."""

    def __init__(self, app: ASGIApp) -> None:
        config = uvicorn.Config(
            app,
            access_log=False,
            lifespan="off",
            limit_concurrency=_MOST_CONNECTIONS,
            log_config=None,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=_SECONDS_TO_END,
            ws="none",
        )
        super().__init__(config)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def end(self) -> None:
        """Have ``serve`` return soon."""
        self.should_exit = True
