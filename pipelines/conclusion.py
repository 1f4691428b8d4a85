"""The end of a run: its summary on the terminal, its report in the job's folder."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console
from rich.text import Text
from scrapy.crawler import Crawler

from crawler.crawl import Crawl
from crawler.frontier.errors import FrontierError
from crawler.logs import FIELDS, json_wanted
from pipelines.counts import totals
from pipelines.durable import make_folder, replace_file
from pipelines.ending import ending, limit_reached
from pipelines.gallery import Gallery
from pipelines.layout import CORPUS
from pipelines.report import report_html
from pipelines.summary import REPORT, Summary, groups_of
from pipelines.summary_tables import as_tables, last_words
from terminal.output import OutputConsole, standard_output

_MOST_LETTERS: Final = 200
# Scrapy's names.
_MEMORY_USED_UP: Final = "memusage/limit_reached"
_LIMIT: Final = "MEMUSAGE_LIMIT_MB"

_log = logging.getLogger(__name__)


async def conclude(
    crawl: Crawl, crawler: Crawler, gallery: Gallery, console: Console | None = None
) -> None:
    """Write the report and print the summary; call it before the frontier is closed.

    What goes wrong here is logged: the corpus is complete without it.
    """
    try:
        summary = await _summary(crawl, crawler)
    except (OSError, FrontierError) as error:
        _log.error("the run could not be summed up: %s", error)
        return
    if summary.has_report:
        page = report_html(summary, gallery.documents, gallery.rejects)
        try:
            await asyncio.to_thread(_write_report, summary, page.encode())
        except OSError as error:
            _log.error("the report could not be written: %s", error)
    try:
        _tell(summary, console or OutputConsole())
    except OSError as error:
        _log.error("the summary could not be printed: %s", error)


def _failure(crawl: Crawl, crawler: Crawler, found: Mapping[str, Any]) -> str | None:
    """Why the run ended before it was done."""
    if crawl.failure is not None:
        return str(crawl.failure)
    # Scrapy closes the spider then, and has the reason told only when all is closed.
    if found.get(_MEMORY_USED_UP):
        return f"its memory is used up ({_LIMIT} = {crawler.settings.getint(_LIMIT)})"
    return None


async def _summary(crawl: Crawl, crawler: Crawler) -> Summary:
    # Scrapy takes the mark away when it is told to stop, and leaves it where URLs end.
    stopped = not crawler.crawling or crawl.frontier.has_new_scope
    found = crawler.stats.get_stats()
    frontier = await crawl.frontier.stats()
    seconds = (crawl.now() - crawl.started).total_seconds()
    run = totals(found)
    return Summary(
        job=crawl.job.name,
        worker=crawl.worker,
        folder=crawl.folder,
        corpus=crawl.folder / CORPUS,
        started=crawl.started,
        seconds=seconds,
        frontier=frontier,
        totals=run,
        lost=crawl.frontier.lost,
        groups=groups_of(found),
        dead=tuple(await crawl.frontier.dead_letters(_MOST_LETTERS)),
        dead_reasons=await crawl.frontier.dead_reasons(),
        stopped=stopped,
        job_stopped=crawl.is_stopped,
        limit=limit_reached(crawl.job.limits, frontier, seconds),
        failure=_failure(crawl, crawler, found),
        # There would be nothing to look at; the report of an earlier run has more to show.
        has_report=run.pages > 0 or not (crawl.folder / REPORT).exists(),
    )


def _tell(summary: Summary, console: Console) -> None:
    if json_wanted():
        _log.info("%s", ending(summary), extra={FIELDS: summary.as_data()})
        return
    with standard_output():
        console.print(as_tables(summary))
        # Paths are copied from a terminal: no line break of ours may be in them.
        console.print(Text(last_words(summary)), soft_wrap=True)


def _write_report(summary: Summary, page: bytes) -> None:
    """As a file of this run, which stays, and as the latest of the job."""
    own = summary.own_report
    make_folder(own.parent)
    replace_file(own, page)
    # Workers of one job may end at the same moment: each copies to a name of its own.
    latest = own.with_suffix(".latest")
    shutil.copyfile(own, latest)
    latest.replace(summary.report)
