"""The time by which an embedded frontier lives."""

from __future__ import annotations

import time
from collections.abc import Callable


def steady_clock() -> Callable[[], float]:
    """Seconds since 1970, that go on evenly from here however the machine's clock is set.

    While the machine sleeps they stand still: a frontier has one worker, which sleeps as well.
    """
    begin = time.time() - time.monotonic()
    return lambda: begin + time.monotonic()
