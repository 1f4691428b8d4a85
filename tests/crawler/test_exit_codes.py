"""What a crawl says by its exit code of why it closed."""

from __future__ import annotations

import pytest

from crawler.exit_codes import CORPUS_FAILED, FRONTIER_FAILED, STOPPED, ExitCode, code_of


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("finished", ExitCode.FINISHED),
        ("closespider_timeout", ExitCode.FINISHED),
        (STOPPED, ExitCode.STOPPED),
        ("shutdown", ExitCode.STOPPED),
        (FRONTIER_FAILED, ExitCode.STORAGE),
        (CORPUS_FAILED, ExitCode.STORAGE),
        ("whatever else", ExitCode.FAILED),
    ],
)
def test_every_reason_has_its_code(reason: str, code: ExitCode) -> None:
    assert code_of(reason) is code
