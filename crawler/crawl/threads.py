"""The threads in which the reactor looks names up, and what to say where there are too few."""

from __future__ import annotations

import threading
from typing import Final

from crawler.exit_codes import CrawlError

BROWSER: Final = 64
"""Threads that a browser and its driver need at least, in all their processes; most need twice as
many.
"""
_ADVICE: Final = "raise the limit of processes (ulimit -u), or that of the container (pids)"


def lack_of_threads(error: BaseException) -> CrawlError | None:
    """What to tell the user if the system allows no more threads or processes; None for any other
    error.

    >>> lack_of_threads(RuntimeError("can't start new thread"))
    CrawlError("can't start new thread; raise the limit of processes (ulimit -u), or that of the \
container (pids)")
    """
    is_lack = isinstance(error, BlockingIOError) or str(error) == "can't start new thread"
    return CrawlError(f"{error}; {_ADVICE}") if is_lack else None


def start_threads(spare: int = 0) -> None:
    """Start all of them. Raises CrawlError if the system allows no more.

    Later, a request whose thread cannot be started would never be answered.

    spare: how many more it must allow, for what is started later and would only hang or die.
    """
    from twisted.internet import reactor  # noqa: PLC0415 - only when it is installed

    pool = reactor.getThreadPool()
    try:
        pool.adjustPoolsize(minthreads=pool.max)
        _try(spare)
    except RuntimeError as error:
        # The one that was not started cannot be joined at the end.
        pool.threads[:] = [thread for thread in pool.threads if thread.is_alive()]
        raise lack_of_threads(error) or error from error


def _try(count: int) -> None:
    """Start so many threads for a moment. Raises RuntimeError if the system does not allow them."""
    is_over = threading.Event()
    started: list[threading.Thread] = []
    try:
        for _ in range(count):
            thread = threading.Thread(target=is_over.wait, name="spare")
            thread.start()
            started.append(thread)
    finally:
        is_over.set()
        for thread in started:
            thread.join()
