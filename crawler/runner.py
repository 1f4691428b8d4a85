"""Runs one job in this process, on Scrapy, and says by an exit code how it ended."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import re
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from crawler.crawl import (
    WORKER,
    Crawl,
    CrawlError,
    StoppedError,
    StorageError,
    check_frontier,
    crawl_of,
)
from crawler.exit_codes import ExitCode, code_of
from crawler.frontier import FrontierError, FrontierLockedError
from crawler.given_settings import check_given
from crawler.logs import configure
from crawler.spider import CorpusSpider
from crawler.verdicts import nothing_fetched
from crawler.worker_name import worker_name
from settings import Job
from settings.addresses import EMBEDDED

# It becomes part of file names.
_WORKER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")

_log = logging.getLogger(__name__)


def project_settings(overrides: Mapping[str, Any]) -> Settings:
    """Those of this project, in whatever folder the command is run, with ``overrides`` on top.

    ``SCRAPY_PROJECT=distributed`` takes ``settings.distributed``, as it does for ``scrapy``.
    Raises ValueError for what should be a JSON object and is none.
    """
    use = "distributed" if os.environ.get("SCRAPY_PROJECT") == "distributed" else "local"
    settings = Settings()
    settings.setmodule(f"settings.{use}", priority="project")
    for name, value in overrides.items():
        try:
            settings.set(name, value, priority="cmdline")
        except ValueError as error:
            raise ValueError(f"-s {name}={value}: must be a JSON object ({error})") from error
    return settings


def run(job: Job, settings: Settings, *, worker: str | None = None) -> ExitCode:
    """Crawl until the job is finished or stopped. Call it once in a process.

    The first Ctrl-C or SIGTERM finishes what is in work, the second ends the process at once.
    worker: names its files in the corpus; by default one that no other worker on the machine has.
    """
    problem = _problem(job, settings, worker)
    if problem:
        return _told(problem)
    if worker or job.frontier.url == EMBEDDED:
        return _crawl(job, settings, worker or WORKER)
    with contextlib.ExitStack() as stack:
        try:
            own = stack.enter_context(worker_name(job.folder))
        except OSError as error:
            return _told(_unusable(job.folder, error))
        code = _crawl(job, settings, own.name)
        if code in (ExitCode.FINISHED, ExitCode.NOTHING, ExitCode.STOPPED):
            own.retire()
        return code


def _crawl(job: Job, settings: Settings, worker: str) -> ExitCode:
    configure(settings)
    process = AsyncCrawlerProcess(settings)
    scrapy_crawler = process.create_crawler(CorpusSpider)
    task = process.crawl(scrapy_crawler, job=job, worker=worker)
    process.start()
    crawl = crawl_of(scrapy_crawler)
    if not task.done():
        _end_now()
    _take_no_more_signals()
    error = task.exception() if not task.cancelled() else None
    if error and crawl.failure is None:
        _log.error("the crawl cannot begin", exc_info=error)
    code = _code(crawl, error or crawl.failure)
    if code is ExitCode.NOTHING:
        _log.error("%s: not one of its URLs could be fetched", job.name)
    return code


def _problem(job: Job, settings: Settings, worker: str | None) -> Exception | None:
    """Why the crawl cannot begin."""
    try:
        check_given(settings)
        _check_worker(worker)
        # In a thread, since the reactor's loop is not to be touched.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, check_frontier(job)).result()
    except (FrontierError, CrawlError) as error:
        return error
    except OSError as error:
        return _unusable(job.folder, error)
    return None


def _check_worker(name: str | None) -> None:
    if name and not _WORKER.fullmatch(name):
        raise CrawlError(
            f'-a worker={name}: must be at most 64 letters, digits, ".", "_" and "-", such as '
            f'"{WORKER}"'
        )


def _unusable(folder: Path, error: OSError) -> StorageError:
    why = error.strerror or str(error)
    if isinstance(error, FileExistsError | NotADirectoryError):
        file = next(path for path in (folder, *folder.parents) if path.exists())
        why = f"{file} is no folder"
    return StorageError(f'outputs.folder is "{folder}", which cannot be used: {why}')


def _told(problem: Exception) -> ExitCode:
    sys.stderr.write(f"{problem}\n")
    return _code(None, problem)


def _code(crawl: Crawl | None, error: BaseException | None) -> ExitCode:
    if isinstance(error, FrontierLockedError):
        return ExitCode.IN_USE
    if isinstance(error, FrontierError | StorageError | OSError):
        return ExitCode.STORAGE
    if isinstance(error, StoppedError):
        return ExitCode.STOPPED
    if isinstance(error, CrawlError):
        return ExitCode.USAGE
    if crawl is None or error is not None:
        return ExitCode.FAILED
    code = code_of(crawl.finish_reason or "shutdown")
    if code is ExitCode.FINISHED and crawl.last_stats and nothing_fetched(crawl.last_stats):
        return ExitCode.NOTHING
    return code


def _take_no_more_signals() -> None:
    """The crawl has ended in order; a Ctrl-C that comes late would only hide how."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _end_now() -> None:
    """End without waiting for anything: files and frontier are made for a kill at any moment."""
    for child in multiprocessing.active_children():
        child.kill()
    logging.shutdown()
    os._exit(ExitCode.KILLED)
