"""How a crawl ends: the exit codes of the commands, and the errors and reasons behind them."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Final, Self

# Our own finish reasons: the job was stopped for all workers, the frontier or the corpus cannot be
# written, no browser can be started, no host can be connected to.
STOPPED: Final = "stopped"
FRONTIER_FAILED: Final = "frontier_failed"
CORPUS_FAILED: Final = "corpus_failed"
BROWSER_FAILED: Final = "browser_failed"
NOBODY_THERE: Final = "nobody_there"
# Scrapy's finish reasons that mean success.
_ENDS: Final = frozenset(
    {"finished", "closespider_timeout", "closespider_itemcount", "closespider_pagecount"}
)
_STORAGE: Final = frozenset({FRONTIER_FAILED, CORPUS_FAILED})


class ExitCode(IntEnum):
    """How a crawl ended; docs/reference/exit-codes.md explains the codes."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        made = int.__new__(cls, code)
        made._value_ = code
        made.meaning = meaning
        return made

    FINISHED = 0, "finished, or reached a limit of the job"
    FAILED = 1, "an error of the program, see the log"
    USAGE = 2, "unusable arguments or job"
    STOPPED = 3, "stopped early, after a clean shutdown"
    IN_USE = 4, "another crawl uses the job's folder or the worker's name"
    STORAGE = 5, "the frontier or the corpus cannot be written"
    NOTHING = 6, "no URL could be fetched"
    KILLED = 130, "stopped at once"


class CrawlError(Exception):
    """The crawl cannot start, or ends; the message says why and what helps."""

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE


class StorageError(CrawlError):
    """The corpus cannot be written, for example because the disk is full."""

    exit_code = ExitCode.STORAGE


class InUseError(CrawlError):
    """Another crawl uses the corpus, the frontier or the worker's name."""

    exit_code = ExitCode.IN_USE


class StoppedError(CrawlError):
    """An operator has stopped the job for all its workers, and not resumed it."""

    exit_code = ExitCode.STOPPED


def meanings() -> str:
    """All exit codes, for a command's help.

    >>> meanings()[:58]
    'Exit codes: 0 finished, or reached a limit of the job; 1 a'
    """
    codes = "; ".join(f"{code} {code.meaning}" for code in ExitCode)
    return f"Exit codes: {codes}. Running the job again always resumes it."


def code_of(finish_reason: str) -> ExitCode:
    """The exit code for a finish reason, Scrapy's or ours.

    >>> code_of("finished").name, code_of("shutdown").name, code_of("start_error").name
    ('FINISHED', 'STOPPED', 'FAILED')
    """
    if finish_reason in _ENDS:
        return ExitCode.FINISHED
    if finish_reason in _STORAGE:
        return ExitCode.STORAGE
    if finish_reason in (STOPPED, "shutdown", "memusage_exceeded", "cancelled"):
        return ExitCode.STOPPED
    return ExitCode.FAILED


def code_of_error(error: BaseException) -> ExitCode:
    """The exit code of a crawl that ends by an error.

    >>> code_of_error(OSError(28, "No space left on device")).name, code_of_error(KeyError()).name
    ('STORAGE', 'FAILED')
    """
    if isinstance(error, CrawlError):
        return error.exit_code
    return ExitCode.STORAGE if isinstance(error, OSError) else ExitCode.FAILED
