"""The clock of an embedded frontier."""

from __future__ import annotations

import time
from collections.abc import Callable


def steady_clock() -> Callable[[], float]:
    """A clock of seconds since 1970 that ignores later changes of the machine's clock.

    It stands still while the machine sleeps, which is right for a single worker that sleeps too.
    """
    begin = time.time() - time.monotonic()
    return lambda: begin + time.monotonic()
