"""The end of a run: a summary on the terminal and a report in the job's folder."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.text import Text
from scrapy.crawler import Crawler

from corpus_commons.durable_files import make_folder, replace_file
from corpus_commons.terminal.console import OutputConsole
from corpus_commons.terminal.output import OutputError, standard_output
from crawler.crawl.crawl import Crawl
from crawler.frontier.errors import FrontierError
from crawler.logs import FIELDS, json_wanted
from pipelines.corpus.layout import CORPUS
from pipelines.reporting.counts import groups_of, totals
from pipelines.reporting.report import report_html
from pipelines.reporting.sample_pages import PageSample
from pipelines.reporting.summary import REPORT, Part, Summary, label_of, limit_reached
from pipelines.reporting.tables import count_table, table

_MOST_LETTERS: Final = 200
# Scrapy's names of a statistic and a setting.
_MEMORY_USED_UP: Final = "memusage/limit_reached"
_LIMIT: Final = "MEMUSAGE_LIMIT_MB"

_log = logging.getLogger(__name__)


async def report_run(
    crawl: Crawl, crawler: Crawler, sample: PageSample, console: Console | None = None
) -> None:
    """Write the report and print the summary; call it before the frontier is closed.

    Errors are only logged: the corpus does not depend on the report.
    """
    try:
        summary = await _summary(crawl, crawler)
    except (OSError, FrontierError) as error:
        if crawl.ending.tells_more(error):
            _log.error("could not collect the statistics of the run: %s", error)
        return
    if summary.has_report:
        try:
            page = report_html(summary, sample).encode()
            await asyncio.to_thread(_write_report, summary, page)
        except OSError as error:
            _log.error("could not write the report: %s", error)
            summary = replace(summary, has_report=False)
    try:
        _print(summary, console or OutputConsole(), as_json=json_wanted(crawl.job))
    except OutputError as error:
        _log.error("could not print the summary: %s", error)


def _failure(crawl: Crawl, crawler: Crawler) -> str | None:
    """Why the run ended before it was done."""
    if crawl.ending.failure is not None:
        return str(crawl.ending.failure)
    if is_out_of_memory(crawler):
        return f"memory limit reached ({_LIMIT} = {crawler.settings.getint(_LIMIT)})"
    return None


def is_out_of_memory(crawler: Crawler) -> bool:
    """Whether the crawl ends because its limit of memory was reached."""
    # Scrapy closes the spider in this case, but reports the reason only after everything is closed.
    return bool(crawler.stats.get_value(_MEMORY_USED_UP))


async def _summary(crawl: Crawl, crawler: Crawler) -> Summary:
    # Scrapy clears this flag when it is told to stop, but not when the URLs run out.
    stopped = not crawler.crawling
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
        lost=crawl.leases.lost,
        groups=groups_of(found),
        hosts=tuple(crawl.decider.hosts()) if crawl.decider is not None else (),
        dead=tuple(await crawl.frontier.dead_letters(_MOST_LETTERS)),
        dead_reasons=await crawl.frontier.dead_reasons(),
        stopped=stopped,
        job_stopped=crawl.is_stopped,
        has_new_scope=crawl.frontier.has_new_scope,
        limit=limit_reached(crawl.job.limits, frontier, seconds),
        failure=_failure(crawl, crawler),
        # Without pages the report would be empty: keep the one of an earlier run.
        has_report=run.pages > 0 or not (crawl.folder / REPORT).exists(),
    )


def as_tables(summary: Summary) -> Group:
    """The numbers of this run, then those of the whole job."""
    parts = (summary.this_run(), summary.whole_job())
    return Group(*(row for part in parts for row in _rows(summary.job, part)))


def _rows(job: str, part: Part) -> Iterator[RenderableType]:
    numbers = table((f"{job}: {part.title}", ""), part.shown().items())
    numbers.columns[1].justify = "right"
    yield numbers
    if part.groups:
        groups = [count_table(label_of(name), counts) for name, counts in part.groups.items()]
        yield from (Text(), Columns(groups, padding=(1, 4)))
    yield Text()


def closing_lines(summary: Summary) -> str:
    """How the run ended, and where its results are, one per line."""
    lines = [summary.final_status(), f"corpus  {summary.corpus}"]
    if summary.kept > summary.totals.documents:
        lines.append(f"counts  genre-crawler corpus stats {summary.corpus}")
    if summary.has_report:
        lines.append(f"report  {summary.report}")
    elif summary.report.exists():
        lines.append(f"report  {summary.report} (of an earlier run)")
    return "\n".join(lines)


def _print(summary: Summary, console: Console, *, as_json: bool) -> None:
    if as_json:
        _log.info("%s", summary.final_status(), extra={FIELDS: summary.as_data()})
        return
    with standard_output():
        console.print(as_tables(summary))
        # Users copy paths from the terminal, so do not wrap them.
        console.print(Text(closing_lines(summary)), soft_wrap=True)


def _write_report(summary: Summary, page: bytes) -> None:
    """Write the report of this run, and copy it to the job's latest report."""
    own = summary.own_report
    make_folder(own.parent)
    replace_file(own, page)
    # Several workers of one job may end at the same time: each uses its own temporary name.
    latest = own.with_suffix(".latest")
    shutil.copyfile(own, latest)
    latest.replace(summary.report)
