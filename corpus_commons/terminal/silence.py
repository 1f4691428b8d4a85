"""Filters lines that native libraries write to standard error, bypassing Python's logging."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# How long to wait for the last lines; child processes may keep the pipe open for ever.
_LAST_LINES: Final = 0.2


@contextmanager
def without_lines(unwanted: re.Pattern[bytes]) -> Iterator[None]:
    """Within the block, drop lines on standard error whose beginning matches ``unwanted``.

    Affects the whole process; other lines are passed on. Raises RuntimeError if the system allows
    no more threads.
    """
    sys.stderr.flush()
    real = os.dup(2)
    readable, writable = os.pipe()
    passing = threading.Thread(target=_pass_on, args=(readable, real, unwanted), daemon=True)
    try:
        # First: without a reader, whatever is written next would be lost, the error among it.
        passing.start()
    except RuntimeError:
        for descriptor in (real, readable, writable):
            os.close(descriptor)
        raise
    os.dup2(writable, 2)
    os.close(writable)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(real, 2)
        passing.join(_LAST_LINES)


def _pass_on(readable: int, real: int, unwanted: re.Pattern[bytes]) -> None:
    with os.fdopen(readable, "rb") as lines, os.fdopen(real, "wb", buffering=0) as out:
        for line in lines:
            if not unwanted.match(line):
                out.write(line)
