"""What a crawl says by its exit code of why it closed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crawler.command_line import main
from crawler.exit_codes import (
    BROWSER_FAILED,
    CORPUS_FAILED,
    FRONTIER_FAILED,
    STOPPED,
    ExitCode,
    code_of,
    meanings,
)
from pipelines.commands.crawl import Command


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("finished", ExitCode.FINISHED),
        ("closespider_timeout", ExitCode.FINISHED),
        (STOPPED, ExitCode.STOPPED),
        ("shutdown", ExitCode.STOPPED),
        (FRONTIER_FAILED, ExitCode.STORAGE),
        (CORPUS_FAILED, ExitCode.STORAGE),
        (BROWSER_FAILED, ExitCode.FAILED),
        ("whatever else", ExitCode.FAILED),
    ],
)
def test_every_reason_has_its_code(reason: str, code: ExitCode) -> None:
    assert code_of(reason) is code


def test_the_help_of_both_commands_names_every_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    for text in (" ".join(capsys.readouterr().out.split()), Command().long_desc()):
        assert meanings() in text
    assert all(f" {code} {code.meaning}" in meanings() for code in ExitCode)


def test_the_documentation_names_every_code() -> None:
    page = (Path(__file__).parents[2] / "docs/crawling.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|", page, re.MULTILINE)
    assert [int(code) for code in rows] == list(ExitCode)
