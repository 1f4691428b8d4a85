"""Runs one job in this process, on Scrapy, and says by an exit code how it ended."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

from crawler.crawl import Crawl, CrawlError, check_frontier, crawl_of
from crawler.exit_codes import ExitCode, code_of
from crawler.frontier import FrontierError, FrontierLockedError
from crawler.spider import CorpusSpider
from settings import Job


def run(job: Job, overrides: Mapping[str, Any] | None = None) -> ExitCode:
    """Crawl until the job is finished or stopped. Call it once in a process.

    The first Ctrl-C or SIGTERM finishes what is in work, the second ends the process at once.
    overrides: Scrapy settings that win over the project's and the job's.
    """
    problem = _problem(job)
    if problem:
        sys.stderr.write(f"{problem}\n")
        return _code(None, problem)
    settings = get_project_settings()
    settings.setdict(dict(overrides or {}), priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    scrapy_crawler = process.create_crawler(CorpusSpider)
    task = process.crawl(scrapy_crawler, job=job)
    process.start()
    crawl = crawl_of(scrapy_crawler)
    if not task.done():
        _end_now()
    error = task.exception() if not task.cancelled() else None
    return _code(crawl, error or crawl.failure)


def _problem(job: Job) -> Exception | None:
    """Why the crawl cannot begin. In a thread, since the reactor's loop is not to be touched."""
    with ThreadPoolExecutor(1) as thread:
        try:
            thread.submit(asyncio.run, check_frontier(job)).result()
        except (FrontierError, CrawlError, OSError) as error:
            return error
    return None


def _code(crawl: Crawl | None, error: BaseException | None) -> ExitCode:
    if isinstance(error, FrontierLockedError):
        return ExitCode.IN_USE
    if isinstance(error, CrawlError):
        return ExitCode.USAGE
    if isinstance(error, FrontierError | OSError):
        return ExitCode.STORAGE
    if crawl is None or (error is not None and error is not crawl.failure):
        return ExitCode.FAILED
    # What the crawl itself has noted was foreseen: the disk, the frontier, the corpus.
    return ExitCode.STORAGE if error else code_of(crawl.finish_reason or "shutdown")


def _end_now() -> None:
    """End without waiting for anything: files and frontier are made for a kill at any moment."""
    for child in multiprocessing.active_children():
        child.kill()
    logging.shutdown()
    os._exit(ExitCode.KILLED)
