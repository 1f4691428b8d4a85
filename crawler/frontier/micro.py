"""Times as frontiers store them: whole microseconds."""

from __future__ import annotations

from typing import Final

# Microseconds per second.
MICRO: Final = 1_000_000


def micro(seconds: float) -> int:
    """The seconds in microseconds.

    >>> micro(1.5)
    1500000
    """
    return round(seconds * MICRO)
