"""What the commands of a crawl say by their exit code."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self


class ExitCode(IntEnum):
    """How a crawl ended, and what that means in a few words; docs/crawling.md has more of them."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        made = int.__new__(cls, code)
        made._value_ = code
        made.meaning = meaning
        return made

    FINISHED = 0, "finished, or a limit of the job is reached"
    FAILED = 1, "an error of the program, which the log names"
    USAGE = 2, "the arguments or the job cannot be used"
    STOPPED = 3, "stopped early and in order"
    IN_USE = 4, "another crawl works in the job's folder, or under the worker's name"
    STORAGE = 5, "the frontier or the corpus cannot be written"
    NOTHING = 6, "not one of the job's URLs could be fetched"
    KILLED = 130, "stopped at once"


def meanings() -> str:
    """All of them, as a command's help tells them.

    >>> meanings()[:62]
    'Exit codes: 0 finished, or a limit of the job is reached; 1 an'
    """
    codes = "; ".join(f"{code} {code.meaning}" for code in ExitCode)
    return f"Exit codes: {codes}. In every case, running the job again resumes it."


# Reasons of ours for which a crawl closes: its job was stopped for all workers, or its frontier or
# its corpus can take nothing any more, or no browser can be started.
STOPPED: Final = "stopped"
FRONTIER_FAILED: Final = "frontier_failed"
CORPUS_FAILED: Final = "corpus_failed"
BROWSER_FAILED: Final = "browser_failed"
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
