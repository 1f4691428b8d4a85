"""The pages of a batch are read at once, as they would be one by one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from crawler.discovery.page_scan import ScanTask
from crawler.html import Html
from crawler.outcomes import Rejection
from extraction.site_memory import SiteMemory
from genre_model.html.classifier import HtmlClassifier
from pipelines.reading.content import Content, ContentTask
from pipelines.reading.page_reader import PageReader, PageRejectedError, PageTask, Task
from pipelines.reading.worker_process import TOGETHER, Message, read

NOW = datetime(2026, 11, 1, tzinfo=UTC)
TEXT = "<p>It rained on the harbour all day, and the boats stayed where they were.</p>"
READER = PageReader()


def task(html: str, **known: object) -> PageTask:
    return replace(PageTask(Html(html), "https://example.com/a", NOW), **known)  # type: ignore[arg-type]


TASKS: list[Task] = [
    task(f"<title>Rain</title><h1>Rain</h1>{TEXT * 9}<a href=/b>b</a>", scan=ScanTask()),
    task("<ul>" + f"<li><h3><a href=/x>Post</a></h3>{TEXT}" * 20 + "</ul>"),
    task(TEXT * 3, method="goce"),
    task("<p>" * 2_100_000),
    task(TEXT, rejection=Rejection("duplicate", "of another")),
    task("<div id=root></div><script src=app.js></script>"),
    ContentTask(
        Html(TEXT * 4), "https://example.com/c", "boosted-blocks", site=SiteMemory().to_bytes()
    ),
    task(f"<h1>Tides</h1>{TEXT * 2}", genre="forum"),
]


def comparable(found: Content | Rejection) -> object:
    if isinstance(found, Rejection):
        return found
    return replace(found, marks=None), found.marks and found.marks.to_bytes()


def alone(one: Task) -> object:
    try:
        return comparable(READER.content(READER.parse(one)))
    except PageRejectedError as error:
        return error.rejection


def answers(tasks: list[Task]) -> tuple[list[Message], list[object]]:
    """All messages, and what the last of them says."""
    told: list[Message] = []
    read(READER, tasks, told.append)
    last = told[-1]
    assert isinstance(last, list)
    return told, [comparable(found) for found in last]  # type: ignore[arg-type]


def test_pages_are_read_together_as_one_by_one() -> None:
    told, found = answers(TASKS)
    assert found == [alone(one) for one in TASKS]
    assert told[: len(TASKS)] == [*range(len(TASKS))]
    assert told[len(TASKS) + 1] == TOGETHER


def test_what_fails_together_is_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    predict = HtmlClassifier.predict

    def fail(self: HtmlClassifier, pages: list[object], urls: list[str]) -> object:
        if len(pages) > 1 or len(pages[0]) > 100:  # type: ignore[arg-type]
            raise RuntimeError("a page is too much")
        return predict(self, pages, urls)  # type: ignore[arg-type]

    tasks = [task(TEXT), task(TEXT * 200), task(TEXT * 2)]
    expected = [alone(one) for one in tasks]
    monkeypatch.setattr(HtmlClassifier, "predict", fail)
    told, found = answers(tasks)
    failed = Rejection("error", "RuntimeError: a page is too much")
    assert found == [expected[0], failed, expected[2]]
    assert told[-4:-1] == [0, 1, 2]
