"""Runs one job in this process with Scrapy, and returns an exit code."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from corpus_commons.browser import has_browser
from corpus_commons.processes import STARTING
from crawler.commands.given_settings import check_given
from crawler.commands.startup import NOT_BEGUN
from crawler.crawl.crawl import crawl_of
from crawler.crawl.ending import Ending
from crawler.crawl.threads import lack_of_threads
from crawler.exit_codes import CrawlError, ExitCode, StorageError, code_of_error
from crawler.frontier.opening import check_frontier
from crawler.frontier.worker_name import WORKER, NameInUseError, checked_name, worker_name
from crawler.logs import configure, json_wanted
from crawler.spider.required_components import missing_components
from crawler.spider.spider import CorpusSpider
from settings import Job
from settings.frontier_address import EMBEDDED
from settings.given_job import with_frontier

_log = logging.getLogger(__name__)

# How long to wait for a process that is just started, which would print a traceback otherwise.
_START_SECONDS: Final = 1.0


def project_settings(overrides: Mapping[str, Any]) -> Settings:
    """The settings of this project, in any current folder, updated with ``overrides``.

    ``SCRAPY_PROJECT=distributed`` selects ``settings.distributed``, as for ``scrapy``. Raises
    ValueError if a value must be a JSON object and is not.
    """
    use = "distributed" if os.environ.get("SCRAPY_PROJECT") == "distributed" else "local"
    settings = Settings()
    settings.setmodule(f"settings.{use}", priority="project")
    for name, value in overrides.items():
        try:
            settings.set(name, value, priority="cmdline")
        except (TypeError, ValueError) as error:
            raise ValueError(f"-s {name}={value}: must be a JSON object ({error})") from error
    return settings


def run(job: Job, settings: Settings, *, worker: str | None = None) -> ExitCode:
    """Crawl until the job is finished or stopped. Call it only once per process.

    The first Ctrl-C or SIGTERM shuts down cleanly, the second ends the process at once.
    settings: FRONTIER, if set, overrides the job's.
    worker: the worker's name, in file names; by default one that is unique on this machine.
    """
    try:
        job = with_frontier(job, settings.get("FRONTIER"))
    except ValueError as error:
        return _refused(CrawlError(str(error)))
    problem = _problem(job, settings, worker)
    if problem:
        return _refused(problem)
    if job.frontier.url == EMBEDDED:
        return _crawl(job, settings, worker or WORKER).code
    with contextlib.ExitStack() as stack:
        try:
            own = stack.enter_context(worker_name(job.folder, given=worker))
        except OSError as error:
            return _refused(_unusable(job.folder, error))
        except NameInUseError as error:
            return _refused(error)
        end = _crawl(job, settings, own.name)
        is_clean = end.code in (ExitCode.FINISHED, ExitCode.NOTHING, ExitCode.STOPPED)
        if is_clean and not end.left_work:
            own.retire()
        return end.code


class _Process(AsyncCrawlerProcess):
    """Scrapy's process, which tells the crawl to hurry when it is stopped.

    is_before_crawl: whether it was stopped while the crawl was being opened, before any work.
    """

    is_before_crawl = False

    async def stop(self) -> None:
        for crawler in self.crawlers:
            crawl_of(crawler).hurry()
            self.is_before_crawl |= crawler.crawling and not crawler.engine.running
        await super().stop()


class _End(NamedTuple):
    """How a crawl ended. left_work: as ``Ending.left_work``."""

    code: ExitCode
    left_work: bool


def _crawl(job: Job, settings: Settings, worker: str) -> _End:
    configure(settings, job)
    process = _Process(settings)
    scrapy_crawler = process.create_crawler(CorpusSpider)
    task = process.crawl(scrapy_crawler, job=job, worker=worker)
    process.start()
    crawl = crawl_of(scrapy_crawler)
    if not task.done():
        if process.is_before_crawl:
            _log.info(NOT_BEGUN)
        _end_now(ExitCode.STOPPED if process.is_before_crawl else ExitCode.KILLED)
    _take_no_more_signals()
    error = task.exception() if not task.cancelled() else None
    if error is not None:
        _tell(crawl.ending, error)
    code = crawl.ending.exit_code()
    if code is ExitCode.NOTHING:
        _log.error("%s: no URL could be fetched", job.name)
    return _End(code, crawl.ending.left_work)


def _tell(ending: Ending, error: BaseException) -> None:
    """Log why the crawl cannot start, unless that was told already."""
    lack = lack_of_threads(error)
    if not ending.fail(lack or error):
        return
    if lack:
        _log.error("the crawl cannot start: %s", lack)
    else:
        _log.error("the crawl cannot start", exc_info=error)


def _problem(job: Job, settings: Settings, worker: str | None) -> Exception | None:
    """Why the crawl cannot start; None if it can."""
    try:
        check_given(settings)
        _check_components(settings)
        _check_log()
        if worker:
            _check_worker(worker)
        _check_browser(job, settings)
        # In a thread, so that the reactor's event loop is not affected.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(check_frontier(job))).result()
    except CrawlError as error:
        return error
    except (OSError, RuntimeError) as error:
        if lack := lack_of_threads(error):
            return lack
        if isinstance(error, RuntimeError):
            raise
        return _unusable(job.folder, error)
    return None


def _check_components(settings: Settings) -> None:
    if missing := missing_components(settings):
        raise CrawlError(
            f"the settings lack {', '.join(missing)}, which a crawl needs; "
            "a table given with -s replaces the whole table"
        )


def _check_log() -> None:
    try:
        json_wanted()
    except ValueError as error:
        raise CrawlError(str(error)) from None


def _check_worker(name: str) -> None:
    try:
        checked_name(name)
    except ValueError as error:
        raise CrawlError(f"-a worker={name}: {error}") from None


def _check_browser(job: Job, settings: Settings) -> None:
    mode = job.rendering.mode
    given = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    if mode != "never" and "executable_path" not in given and not has_browser():
        raise CrawlError(
            f'rendering.mode is "{mode}", but no browser is installed; install '
            '`chromium-headless-shell` or `chromium` (`make browser`), or set it to "never"'
        )


def _unusable(folder: Path, error: OSError) -> StorageError:
    why = error.strerror or str(error)
    if isinstance(error, FileExistsError | NotADirectoryError):
        file = next(path for path in (folder, *folder.parents) if path.exists())
        why = f"{file} is not a folder"
    return StorageError(f'cannot use outputs.folder "{folder}": {why}')


def _refused(problem: Exception) -> ExitCode:
    sys.stderr.write(f"{problem}\n")
    return code_of_error(problem)


def _take_no_more_signals() -> None:
    """The crawl has ended cleanly: a late Ctrl-C must not change the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _end_now(code: ExitCode) -> None:
    """Exit without waiting: the corpus and the frontier survive a kill at any moment."""
    # What loads for page workers may take long, or hang.
    STARTING.acquire(timeout=_START_SECONDS)
    for child in multiprocessing.active_children():
        child.kill()
    logging.shutdown()
    os._exit(code)
