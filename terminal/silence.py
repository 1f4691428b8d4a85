"""Libraries that write to standard error below Python, where no logger can be told to be quiet."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Processes that were started meanwhile may keep the pipe open for ever.
_LAST_LINES: Final = 0.2


@contextmanager
def without_lines(unwanted: re.Pattern[bytes]) -> Iterator[None]:
    """Within, lines on standard error that begin as ``unwanted`` says are left out.

    It holds for the whole process, whatever writes them; other lines go through.
    """
    sys.stderr.flush()
    real = os.dup(2)
    readable, writable = os.pipe()
    os.dup2(writable, 2)
    os.close(writable)
    passing = threading.Thread(target=_pass_on, args=(readable, real, unwanted), daemon=True)
    passing.start()
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
