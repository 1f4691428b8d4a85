"""Processes that are started for pages: what they are told, how they begin, and how they ended."""

from __future__ import annotations

import logging
import multiprocessing
import os
import resource
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import resource_tracker


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


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started within, from their first moment on.

    A terminal sends it to them as well. It is blocked for this thread alone, and kept for it.
    """
    # Started with the first process, it would end the blocking.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def reason_of_death(exit_code: int | None) -> str:
    """What an exit code says.

    >>> reason_of_death(-11), reason_of_death(3)
    ('killed by signal 11 (Segmentation fault)', 'the process ended with status 3')
    """
    if exit_code is not None and exit_code < 0:
        return f"killed by signal {-exit_code} ({signal.strsignal(-exit_code)})"
    return f"the process ended with status {exit_code}"


def settle(memory_bytes: int | None) -> None:
    """Make this process fit for pages that hang, chatter or grow. Call it first in the process.

    It leaves Ctrl-C to the process that started it, and ends with that one; it has at most
    ``memory_bytes`` of address space, and its libraries cannot write to the terminal.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_outlive_nobody, name="end with the parent", daemon=True).start()
    logging.disable()
    warnings.simplefilter("ignore")
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(silence, stream.fileno())
    if memory_bytes is not None:
        _bound_memory(memory_bytes)


def _bound_memory(most: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _outlive_nobody() -> None:
    """End with the process that asks, however it ends; nobody else would end a page that hangs."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
