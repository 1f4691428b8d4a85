"""Standard outputs that take nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unread() -> Iterator[int]:
    """A pipe to write to, whose reader has gone."""
    readable, writable = os.pipe()
    os.close(readable)
    try:
        yield writable
    finally:
        os.close(writable)


@contextmanager
def full() -> Iterator[int]:
    """A disk without room."""
    descriptor = os.open("/dev/full", os.O_WRONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
