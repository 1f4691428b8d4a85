"""The threads in which the reactor looks names up."""

from __future__ import annotations

from crawler.exit_codes import CrawlError


def start_threads() -> None:
    """Start all of them. Raises CrawlError if the system allows no more.

    Later, a request whose thread cannot be started would never be answered.
    """
    from twisted.internet import reactor  # noqa: PLC0415 - only when it is installed

    pool = reactor.getThreadPool()
    try:
        pool.adjustPoolsize(minthreads=pool.max)
    except RuntimeError as error:
        # The one that was not started cannot be joined at the end.
        pool.threads[:] = [thread for thread in pool.threads if thread.is_alive()]
        raise CrawlError(
            f"{error}; raise the limit of processes (ulimit -u), or that of the container (pids)"
        ) from error
