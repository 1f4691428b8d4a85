"""The end of a run: its summary on the terminal, its report in the job's folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console
from rich.text import Text
from scrapy.crawler import Crawler

from crawler.crawl import Crawl
from crawler.frontier.errors import FrontierError
from crawler.logs import json_wanted
from pipelines.durable import replace_file
from pipelines.gallery import Gallery
from pipelines.layout import CORPUS
from pipelines.report import report_html
from pipelines.summary import Summary, as_tables, ending, groups_of, last_words, report_of

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
            _log.info("%s: %s", ending(summary), summary.totals())
        else:
            console = console or Console()
            console.print(as_tables(summary))
            # Paths are copied from a terminal: no line break of ours may be in them.
            console.print(Text(last_words(summary)), soft_wrap=True)
        page = report_html(summary, gallery.documents, gallery.rejects)
        await asyncio.to_thread(replace_file, report_of(summary), page.encode())
    except (OSError, FrontierError) as error:
        _log.error("the report could not be written: %s", error)


async def _summary(crawl: Crawl, found: Mapping[str, Any], *, stopped: bool) -> Summary:
    frontier = await crawl.frontier.stats()
    dead = tuple(await crawl.frontier.dead_letters(_MOST_LETTERS))
    return Summary(
        job=crawl.job.name,
        folder=crawl.folder,
        corpus=crawl.folder / CORPUS,
        started=crawl.started,
        seconds=(crawl.now() - crawl.started).total_seconds(),
        frontier=frontier,
        documents=found.get("corpus/documents", 0),
        words=found.get("corpus/words", 0),
        rejects=found.get("corpus/rejects", 0),
        rendered=found.get("corpus/rendered", 0),
        unclassified=found.get("corpus/unclassified", 0),
        groups=groups_of(found, frontier, dead),
        dead=dead,
        stopped=stopped,
        job_stopped=crawl.is_stopped,
        failure=None if crawl.failure is None else str(crawl.failure),
    )
