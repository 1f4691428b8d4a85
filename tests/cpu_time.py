"""The processor's time that work may take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

# What grows with the square of these inputs takes minutes; a busy machine, a few seconds for one.
_SECONDS = 30


@contextmanager
def bounded_time() -> Iterator[None]:
    """Fails where the work within took much longer than any work in linear time."""
    started = time.process_time()
    yield
    assert time.process_time() - started < _SECONDS
