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
from pipelines.durable import make_folder, replace_file
from pipelines.ending import ending, limit_reached
from pipelines.gallery import Gallery
from pipelines.layout import CORPUS
from pipelines.report import report_html
from pipelines.summary import REPORT, Summary, groups_of
from pipelines.summary_tables import as_tables, last_words

_MOST_LETTERS: Final = 200

_log = logging.getLogger(__name__)


async def conclude(
    crawl: Crawl, crawler: Crawler, gallery: Gallery, console: Console | None = None
) -> None:
    """Print the summary and write the report; call it before the frontier is closed.

    What goes wrong here is logged: the corpus is complete without it.
    """
    found: Mapping[str, Any] = crawler.stats.get_stats() if crawler.stats is not None else {}
    try:
        # Scrapy takes the mark away when it is told to stop, and leaves it at the end of the URLs.
        summary = await _summary(crawl, found, stopped=not crawler.crawling)
        if json_wanted():
            _log.info("%s", ending(summary), extra={FIELDS: summary.as_data()})
        else:
            console = console or Console()
            console.print(as_tables(summary))
            # Paths are copied from a terminal: no line break of ours may be in them.
            console.print(Text(last_words(summary)), soft_wrap=True)
        if summary.has_report:
            page = report_html(summary, gallery.documents, gallery.rejects)
            await asyncio.to_thread(_write_report, summary, page.encode())
    except (OSError, FrontierError) as error:
        _log.error("the report could not be written: %s", error)


async def _summary(crawl: Crawl, found: Mapping[str, Any], *, stopped: bool) -> Summary:
    frontier = await crawl.frontier.stats()
    seconds = (crawl.now() - crawl.started).total_seconds()
    documents, rejects = found.get("corpus/documents", 0), found.get("corpus/rejects", 0)
    return Summary(
        job=crawl.job.name,
        worker=crawl.worker,
        folder=crawl.folder,
        corpus=crawl.folder / CORPUS,
        started=crawl.started,
        seconds=seconds,
        frontier=frontier,
        documents=documents,
        words=found.get("corpus/words", 0),
        rejects=rejects,
        rendered=found.get("corpus/rendered", 0),
        unclassified=found.get("corpus/unclassified", 0),
        replaced=found.get("corpus/replaced", 0),
        lost=crawl.frontier.lost,
        groups=groups_of(found),
        dead=tuple(await crawl.frontier.dead_letters(_MOST_LETTERS)),
        stopped=stopped,
        job_stopped=crawl.is_stopped,
        limit=limit_reached(crawl.job.limits, frontier, seconds),
        failure=None if crawl.failure is None else str(crawl.failure),
        # There would be nothing to look at; the report of an earlier run has more to show.
        has_report=documents + rejects > 0 or not (crawl.folder / REPORT).exists(),
    )


def _write_report(summary: Summary, page: bytes) -> None:
    """As a file of this run, which stays, and as the latest of the job."""
    own = summary.own_report
    make_folder(own.parent)
    replace_file(own, page)
    # Workers of one job may end at the same moment: each copies to a name of its own.
    latest = own.with_suffix(".latest")
    shutil.copyfile(own, latest)
    latest.replace(summary.report)
