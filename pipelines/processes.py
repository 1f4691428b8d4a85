"""Processes that are started for pages: what they are told, and how they ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables for the processes that are started within."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def reason_of_death(exit_code: int | None) -> str:
    """What an exit code says.

    >>> reason_of_death(-11), reason_of_death(3)
    ('killed by signal 11 (Segmentation fault)', 'the process ended with status 3')
    """
    if exit_code is not None and exit_code < 0:
        return f"killed by signal {-exit_code} ({signal.strsignal(-exit_code)})"
    return f"the process ended with status {exit_code}"
