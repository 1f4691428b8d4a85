"""What the commands of a crawl say by their exit code."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class ExitCode(IntEnum):
    """Exit codes of ``python -m crawler``. Whatever it is, running the job again goes on with it.

    FINISHED: every URL is done or dead, or a limit of the job is reached.
    FAILED: an error of the program; the log says which.
    USAGE: the arguments or the job file cannot be used; standard error says why.
    STOPPED: ended early and in order, by Ctrl-C, SIGTERM, the memory limit or, with all workers of
        the job, by ``scrapy frontier stop``.
    IN_USE: another crawl works in the job's folder.
    STORAGE: the frontier or the corpus cannot be written, as on a full disk.
    NOTHING: at its end, and not one of the job's URLs could be fetched.
    KILLED: stopped at once, by a second Ctrl-C or SIGTERM; what was in work is fetched again.
    """

    FINISHED = 0
    FAILED = 1
    USAGE = 2
    STOPPED = 3
    IN_USE = 4
    STORAGE = 5
    NOTHING = 6
    KILLED = 130


# Reasons of ours for which a crawl closes: its job was stopped for all workers, or its frontier or
# its corpus can take nothing any more.
STOPPED: Final = "stopped"
FRONTIER_FAILED: Final = "frontier_failed"
CORPUS_FAILED: Final = "corpus_failed"
# Scrapy's words for the ends that are meant.
_ENDS: Final = frozenset(
    {"finished", "closespider_timeout", "closespider_itemcount", "closespider_pagecount"}
)
_STORAGE: Final = frozenset({FRONTIER_FAILED, CORPUS_FAILED})


def code_of(finish_reason: str) -> ExitCode:
    """The exit code of a crawl that closed for this reason of Scrapy's or ours.

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
