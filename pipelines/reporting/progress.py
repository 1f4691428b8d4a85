"""The progress of the crawl: a live table on a terminal, otherwise a log line at intervals."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console
from rich.live import Live
from rich.logging import RichHandler
from rich.table import Table
from scrapy.crawler import Crawler

from corpus_commons.counts import number_of
from crawler.crawl.crawl import crawl_of
from crawler.frontier.errors import FrontierError
from crawler.frontier.stats import Stats
from pipelines.reporting.counts import Totals, counted, totals
from pipelines.reporting.rates import Rates
from settings.quantities import duration_text

SECONDS_ON_TERMINAL: Final = 1.0
SECONDS_BETWEEN_LINES: Final = 15.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The numbers of one moment.

    seconds: since the crawl was opened.
    totals: of this run.
    rate: pages per second over the last seconds.
    errors: fetches that failed with an exception.
    pause: seconds until the next visit, if nothing can be done before.
    """

    seconds: float
    frontier: Stats
    totals: Totals = field(default_factory=Totals)
    rate: float = 0.0
    errors: int = 0
    pause: float = 0.0
    genres: Mapping[str, int] = field(default_factory=dict)

    def line(self) -> str:
        """For a log.

        >>> run = Totals(documents=3, rejects=1, held=9)
        >>> Snapshot(2.0, Stats(queued=5, leased=1), run, 2.0).line()[:42]
        '3 documents, 1 reject, 9 held; 2.0 pages/s'
        >>> Snapshot(2.0, Stats(queued=5), pause=62.3).line()[-52:]
        '5 queued, 0 leased, 0 dead; the next visit in 1min3s'
        """
        urls, run = self.frontier, self.totals
        return (
            f"{number_of(run.documents, 'document')}, {number_of(run.rejects, 'reject')}, "
            f"{run.held} held; "
            f"{self.rate:.1f} pages/s ({run.static} static, {run.rendered} rendered); "
            f"{urls.queued} queued, {urls.leased} leased, {urls.dead} dead"
            f"{'; ' if self.next_visit else ''}{self.next_visit}"
        )

    def table(self, name: str) -> Table:
        """For a terminal."""
        urls, run = self.frontier, self.totals
        table = Table.grid(padding=(0, 2))
        table.add_row(f"[bold]{name}[/]", f"{self.seconds:.0f} s", f"{self.rate:.1f} pages/s")
        table.add_row("pages", f"{run.static:,} static", f"{run.rendered:,} rendered")
        table.add_row(
            "corpus", number_of(run.documents, "document"), number_of(run.rejects, "reject")
        )
        table.add_row("", f"{run.held:,} held")
        table.add_row("genres", *(f"{count:,} {genre}" for genre, count in self.genres.items()))
        table.add_row("URLs", f"{urls.queued:,} queued", f"{urls.leased:,} leased")
        table.add_row("", f"{urls.dead:,} dead", f"{self.errors:,} errors")
        if self.next_visit:
            table.add_row("", self.next_visit)
        return table

    @property
    def next_visit(self) -> str:
        """When it is; empty if that is not worth telling."""
        seconds = math.ceil(self.pause)
        return f"the next visit in {duration_text(seconds)}" if seconds > 1 else ""


class Progress:
    """Shows the crawl's numbers from ``start`` to ``stop``.

    as_lines: also on a terminal.
    """

    def __init__(
        self, crawler: Crawler, console: Console | None = None, *, as_lines: bool = False
    ) -> None:
        self._crawler = crawler
        self._as_lines = as_lines
        self._console = console or Console(stderr=True)
        self._rates = Rates()
        self._live: Live | None = None
        self._task: asyncio.Task[None] | None = None
        self._handlers: list[logging.Handler] = []

    def start(self) -> None:
        """Begin; call it in the crawl's loop."""
        if self._console.is_terminal and not self._as_lines:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            # Before the live table starts, which replaces standard error.
            self._log_above()
            self._live.start()
        self._rate(totals(self._crawler.stats.get_stats()).read)
        self._task = asyncio.create_task(self._show(), name="progress")

    async def stop(self) -> None:
        """Stop, and clear the table from the terminal."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._live is not None:
            self._live.stop()
        if self._handlers:
            logging.getLogger().handlers[:] = self._handlers

    async def snapshot(self) -> Snapshot:
        """The numbers now."""
        crawl = crawl_of(self._crawler)
        found = self._crawler.stats.get_stats()
        run = totals(found)
        urls = await crawl.frontier.stats()
        return Snapshot(
            seconds=(crawl.now() - crawl.started).total_seconds(),
            frontier=urls,
            totals=run,
            rate=self._rate(run.read),
            errors=found.get("downloader/exception_count", 0),
            genres=counted(found, "genre"),
            pause=0.0 if urls.leased else await crawl.frontier.lease_in() or 0.0,
        )

    async def _show(self) -> None:
        pause = SECONDS_BETWEEN_LINES if self._live is None else SECONDS_ON_TERMINAL
        while True:
            await asyncio.sleep(pause)
            try:
                snapshot = await self.snapshot()
            except FrontierError as error:
                if crawl_of(self._crawler).ending.tells_more(error):
                    _log.warning("cannot show progress: %s", error)
                continue
            if self._live is None:
                _log.info("%s", snapshot.line())
            else:
                table = snapshot.table(crawl_of(self._crawler).job.name)
                self._live.update(table, refresh=True)

    def _rate(self, pages: int) -> float:
        """Pages per second, now that there are so many."""
        self._rates.sample(time.monotonic(), [pages])
        (rate,) = self._rates.per_second()
        return rate

    def _log_above(self) -> None:
        """Print log lines above the table instead of across it."""
        root = logging.getLogger()
        self._handlers = root.handlers[:]
        shown = [one for one in self._handlers if _writes_to_terminal(one)]
        for handler in shown:
            root.removeHandler(handler)
            above = RichHandler(console=self._console, show_path=False)
            above.setLevel(handler.level)
            root.addHandler(above)


def _writes_to_terminal(handler: logging.Handler) -> bool:
    return isinstance(handler, logging.StreamHandler) and handler.stream in (sys.stderr, sys.stdout)
