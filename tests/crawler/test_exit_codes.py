"""What a crawl says by its exit code of why it closed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crawler.commands.command_line import main
from crawler.crawl.ending import Ending
from crawler.exit_codes import (
    BROWSER_FAILED,
    CORPUS_FAILED,
    FRONTIER_FAILED,
    STOPPED,
    CrawlError,
    ExitCode,
    InUseError,
    StoppedError,
    StorageError,
    code_of,
    code_of_error,
    meanings,
)
from crawler.frontier import FrontierError, FrontierLockedError, FrontierOwnerError
from crawler.frontier.errors import FrontierGoneError
from crawler.frontier.worker_name import NameInUseError
from crawler.rendering import NoBrowserError
from genre_crawler.scrapy_commands.crawl import Command
from pipelines.reading.worker import WorkerError


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("finished", ExitCode.FINISHED),
        ("closespider_timeout", ExitCode.FINISHED),
        ("closespider_itemcount", ExitCode.FINISHED),
        ("closespider_pagecount", ExitCode.FINISHED),
        (STOPPED, ExitCode.STOPPED),
        ("shutdown", ExitCode.STOPPED),
        ("memusage_exceeded", ExitCode.STOPPED),
        ("cancelled", ExitCode.STOPPED),
        (FRONTIER_FAILED, ExitCode.STORAGE),
        (CORPUS_FAILED, ExitCode.STORAGE),
        (BROWSER_FAILED, ExitCode.FAILED),
        ("whatever else", ExitCode.FAILED),
    ],
)
def test_every_reason_has_its_code(reason: str, code: ExitCode) -> None:
    assert code_of(reason) is code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (FrontierLockedError("x"), ExitCode.IN_USE),
        (InUseError("x"), ExitCode.IN_USE),
        (NameInUseError("x"), ExitCode.IN_USE),
        (FrontierOwnerError("x"), ExitCode.USAGE),
        (CrawlError("x"), ExitCode.USAGE),
        (FrontierError("x"), ExitCode.STORAGE),
        (FrontierGoneError("x"), ExitCode.STORAGE),
        (StorageError("x"), ExitCode.STORAGE),
        (OSError(28, "No space left on device"), ExitCode.STORAGE),
        (StoppedError("x"), ExitCode.STOPPED),
        (NoBrowserError("x"), ExitCode.FAILED),
        (WorkerError("x"), ExitCode.FAILED),
        (KeyError("x"), ExitCode.FAILED),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value.name,
)
def test_every_error_has_its_code(error: Exception, code: ExitCode) -> None:
    assert code_of_error(error) is code


def test_the_first_error_decides_and_not_what_follows_from_it() -> None:
    ending = Ending()
    assert [ending.fail(error) for error in (NoBrowserError("x"), StorageError("x"))] == [
        True,
        False,
    ]
    ending.reason = CORPUS_FAILED
    assert ending.exit_code() is ExitCode.FAILED


def test_the_help_of_both_commands_names_every_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    for text in (" ".join(capsys.readouterr().out.split()), Command().long_desc()):
        assert meanings() in text
    assert all(f" {code} {code.meaning}" in meanings() for code in ExitCode)


def test_the_documentation_names_every_code() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/exit-codes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|", page, re.MULTILINE)
    assert [int(code) for code in rows] == list(ExitCode)
