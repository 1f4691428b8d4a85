"""A crawl that comes back, run as a user runs it."""

from __future__ import annotations

import asyncio
import signal
import time

import loaded_program

from benchmarks.faults.versions import PAUSE
from benchmarks.recrawl.second_crawl import RecrawlOfAll
from crawler.frontier import SqliteFrontier, Stats


class Recrawl(RecrawlOfAll):
    """Run in a process that has loaded the program."""

    def run(self) -> int:
        """One run to its end, if it has one; returns the exit code."""
        done = loaded_program.run("crawler", "run", str(self.written()))
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        return done.returncode

    def run_again(self) -> int:
        """As ``run``, when all is due that an earlier one has visited."""
        time.sleep(PAUSE)
        return self.run()

    def stats(self) -> Stats:
        async def read() -> Stats:
            async with await SqliteFrontier.attach(self.output) as frontier:
                return await frontier.stats()

        return asyncio.run(read())
