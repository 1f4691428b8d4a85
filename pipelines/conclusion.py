"""The end of a run: its summary on the terminal, its report in the job's folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console
from scrapy.crawler import Crawler

from crawler.crawl import Crawl
from crawler.frontier.errors import FrontierError
from pipelines.durable import replace_file
from pipelines.gallery import Gallery
from pipelines.json_logs import wanted as json_logs_wanted
from pipelines.layout import CORPUS
from pipelines.report import report_html
from pipelines.summary import Summary, as_tables, groups_of, report_of

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
        summary = await _summary(crawl, found)
        if json_logs_wanted():
            _log.info("the run is over: %s", summary.totals())
        else:
            (console or Console()).print(as_tables(summary))
        page = report_html(summary, gallery.documents, gallery.rejects)
        await asyncio.to_thread(replace_file, report_of(summary), page.encode())
    except (OSError, FrontierError) as error:
        _log.error("the report could not be written: %s", error)


async def _summary(crawl: Crawl, found: Mapping[str, Any]) -> Summary:
    frontier = await crawl.frontier.stats()
    return Summary(
        job=crawl.job.name,
        folder=crawl.folder,
        corpus=crawl.folder / CORPUS,
        started=crawl.started,
        seconds=(crawl.now() - crawl.started).total_seconds(),
        frontier=frontier,
        documents=found.get("corpus/documents", 0),
        rejects=found.get("corpus/rejects", 0),
        rendered=found.get("corpus/rendered", 0),
        groups=groups_of(found, frontier),
        dead=tuple(await crawl.frontier.dead_letters(_MOST_LETTERS)),
        failure=None if crawl.failure is None else str(crawl.failure),
    )
