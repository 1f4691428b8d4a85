"""The pages that a job's reports show, and the removal of some of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from pipelines.reporting.summary import REPORT, REPORTS

# What a page says is escaped, so that it cannot end its article.
_PAGE: Final = re.compile(
    r'<article class="card k\w+" data-id="([^"]+)">.*?</article>\n?', re.DOTALL
)


def report_files(job_folder: Path) -> Iterator[Path]:
    """The reports of a job's runs, and the latest one."""
    latest = job_folder / REPORT
    yield from sorted((job_folder / REPORTS).glob("*.html"))
    if latest.exists():
        yield latest


def without_pages(report: str, ids: Collection[str]) -> tuple[str, list[str]]:
    """A report without the pages of these documents, and the ids of what was removed."""
    removed: list[str] = []

    def kept(page: re.Match[str]) -> str:
        if page[1] not in ids:
            return page[0]
        removed.append(page[1])
        return ""

    return _PAGE.sub(kept, report), removed
