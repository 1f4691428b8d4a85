"""``live``: the page of all workers of a job in Redis."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from corpus_commons.terminal.arguments import argument
from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import EXIT_UNUSABLE, UsageError, usage_errors
from crawler.frontier import Frontier, FrontierError
from crawler.frontier.opening import attach_frontier
from crawler.logs import show_log
from live.place import place_of
from settings import Job, load_job
from settings.addresses import ip_address
from settings.frontier_address import EMBEDDED
from settings.given_job import with_frontier
from settings.logins import without_any_login

_log = logging.getLogger(__name__)

_EXIT_CODES: Final = """exit codes:
  0    ended by Ctrl-C or SIGTERM
  2    the arguments or the job file cannot be used
  3    there is no frontier, or it cannot be used
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Serve the page of all workers of a job in Redis, and their metrics, until Ctrl-C. It may "
        "run anywhere that reaches the Redis."
    )
    parser.epilog = _EXIT_CODES
    parser.add_argument("job", type=Path, metavar="JOB", help="a job file; [live] says where")
    parser.add_argument(
        "--frontier", metavar="URL", help="the job's Redis, instead of what the job file says"
    )
    parser.add_argument(
        "--address",
        type=argument(ip_address),
        metavar="IP",
        help="where to listen, instead of what the job file says; 0.0.0.0 in a container",
    )


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    show_log()
    with usage_errors():
        job = _at(with_frontier(load_job(arguments.job), arguments.frontier), arguments.address)
    if job.frontier.url == EMBEDDED:
        raise UsageError(
            f'{arguments.job}: frontier.url is "{EMBEDDED}"; the page of such a job is served by '
            "its crawl, which logs its address"
        )
    try:
        asyncio.run(_serve(job))
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    except FrontierError as error:
        raise CommandError(str(error), EXIT_UNUSABLE) from error


def _at(job: Job, address: str | None) -> Job:
    """The job with its page at this address; unchanged for None."""
    if address is None:
        return job
    return job.model_copy(update={"live": job.live.model_copy(update={"address": address})})


class _Attached:
    """The job's frontier, attached again after an outage that outlasted its patience."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._frontier: Frontier | None = None
        self._turn = asyncio.Lock()
        self._is_lost = False

    async def frontier(self) -> Frontier:
        """Raises FrontierError."""
        async with self._turn:
            if self._frontier is not None:
                try:
                    await self._frontier.stopped()
                    return self._frontier
                except FrontierError:
                    self._is_lost = True
                    await self.close()
            self._frontier = await attach_frontier(self._job)
            if self._is_lost:
                self._is_lost = False
                _log.warning("%s is back", without_any_login(self._job.frontier.url))
            return self._frontier

    async def close(self) -> None:
        frontier, self._frontier = self._frontier, None
        if frontier is not None:
            await frontier.close()


async def _serve(job: Job) -> None:
    from live.loop_server import LoopServer  # noqa: PLC0415 - after the arguments were checked
    from live.server import LiveServer, Site  # noqa: PLC0415
    from live.steering import Steering  # noqa: PLC0415
    from live.watch import Watch  # noqa: PLC0415

    attached = _Attached(job)
    await attached.frontier()
    try:
        door, listener = place_of(job.live)
        watch = Watch(job, attached.frontier)
        live = LiveServer(Site(watch, Steering(attached.frontier), None, lambda _: None), door)
        server = LoopServer(live.app)
        _log.info("watch %s at %s (Ctrl-C ends it)", job.name, door.address)
        with _on_signals(server.end), listener:
            await server.serve(sockets=[listener])
    finally:
        await attached.close()


@contextmanager
def _on_signals(end: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    ends = (signal.SIGINT, signal.SIGTERM)
    for one in ends:
        loop.add_signal_handler(one, end)
    try:
        yield
    finally:
        for one in ends:
            loop.remove_signal_handler(one)
