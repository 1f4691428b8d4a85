"""Worker processes: whatever a page does to its worker, the others get their answers."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import interrupted_worker
import odd_workers
import pytest

from corpus_commons.kinds import GENRES, PAGE_TYPES
from crawler.demo.site import Site
from crawler.discovery.page_scan import ScanTask
from crawler.html import Html
from crawler.items import Page
from crawler.lease import Lease
from crawler.outcomes import Rejection
from extraction import extract
from genre_model.html import HtmlClassifier
from genre_model.prediction import Prediction
from genre_model.stacking import Stacking
from pipelines.reading import worker_process
from pipelines.reading.content import Reading
from pipelines.reading.page_reader import (
    PageReader,
    PageRejectedError,
    PageTask,
)
from pipelines.reading.worker import WorkerError
from pipelines.reading.worker_pool import WorkerPool
from settings.tables.genres import Extractors, Genres

pytestmark = pytest.mark.usefixtures("forked_workers")
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def task(order: str, url: str = "http://localhost/", **fields: Any) -> PageTask:
    return PageTask(Html(order), url, NOW, **fields)


def pool(serve: Callable[..., None] = odd_workers.obedient, **options: Any) -> WorkerPool:
    return WorkerPool(**{"size": 1, "timeout": 20, "load_timeout": 60, **options}, serve=serve)


def answers(pool: WorkerPool, *orders: str) -> list[Reading | Rejection]:
    async def work() -> list[Reading | Rejection]:
        async with pool:
            found = await asyncio.gather(
                *(pool.read(task(order, str(at))) for at, order in enumerate(orders))
            )
            return [answer.found for answer in found]

    return asyncio.run(work())


def scanned_and_read(page: PageTask) -> tuple[Any, Reading | Rejection]:
    told: list[Any] = []
    worker_process.read(PageReader(), [page], told.append)
    [scan], [found] = (message for message in told if isinstance(message, list))
    return scan, found


def test_every_caller_gets_the_answer_to_its_own_page() -> None:
    orders = [f"sleep {0.05 * (at % 3)}" for at in range(12)]
    found = answers(pool(size=3), *orders)
    read = [answer for answer in found if isinstance(answer, Reading)]
    assert [answer.text.split()[1] for answer in read] == [str(at) for at in range(12)]
    assert len({answer.text.split()[0] for answer in read}) == 3


@pytest.mark.usefixtures("fresh_workers")
def test_ctrl_c_while_a_worker_starts_is_left_to_the_crawl() -> None:
    workers = pool(interrupted_worker.serve, size=2)
    found = answers(workers, "sleep 0.1", "sleep 0.1")
    assert all(isinstance(answer, Reading) for answer in found)
    assert workers.replaced == 0


@pytest.mark.parametrize("order", ["hang", "stop"])
def test_a_page_that_hangs_costs_its_own_result_only(order: str) -> None:
    workers = pool(timeout=1)
    begin = time.monotonic()
    first, hung, last = answers(workers, "go", order, "go")
    assert hung == Rejection("timeout", "not read after 1 s")
    assert isinstance(first, Reading)
    assert isinstance(last, Reading)
    assert workers.replaced == 1
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize("serve", [odd_workers.obedient, odd_workers.joint])
@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("hang", "timeout"),
        ("crash", "crashed"),
        ("early hang", "timeout"),
        ("early stop", "timeout"),
    ],
)
def test_a_hostile_page_fails_alone_in_its_batch(
    serve: Callable[..., None], order: str, reason: str
) -> None:
    # The first page keeps the worker busy until all others wait.
    orders = ["sleep 0.3", "go", order, "go", "go"]
    first, *found = answers(pool(serve, timeout=1), *orders)
    assert isinstance(first, Reading)
    assert [isinstance(one, Reading) for one in found] == [True, False, True, True]
    assert isinstance(found[1], Rejection)
    assert found[1].reason == reason


def test_several_hostile_pages_in_a_batch_fail_one_after_the_other() -> None:
    workers = pool(timeout=1)
    found = answers(workers, "sleep 0.3", "hang", "go", "crash", "go")
    reasons = [one.reason if isinstance(one, Rejection) else None for one in found]
    assert reasons == [None, "timeout", None, "crashed", None]
    # The page that hung is not tried again, the other one is.
    assert workers.replaced == 3


def test_the_time_limit_is_for_a_page_and_not_for_its_batch() -> None:
    workers = pool(timeout=1)
    found = answers(workers, "sleep 0.3", *["sleep 0.4"] * 5)
    assert all(isinstance(one, Reading) for one in found)
    assert workers.replaced == 0


def test_what_is_done_for_a_batch_at_once_has_the_time_of_a_page() -> None:
    workers = pool(odd_workers.joint, timeout=3)
    found = answers(workers, "sleep 0.3", *["sleep 0.4"] * 3)
    assert all(isinstance(one, Reading) for one in found)
    assert workers.replaced == 0


@pytest.mark.parametrize(
    ("order", "why"), [("crash", "signal 11 (Segmentation fault)"), ("exit 3", "status 3")]
)
def test_a_page_that_kills_its_worker_is_rejected_and_the_worker_replaced(
    order: str, why: str
) -> None:
    workers = pool()
    lost, after = answers(workers, order, "go")
    assert isinstance(lost, Rejection)
    assert lost.reason == "crashed"
    assert lost.detail.endswith(why)
    assert isinstance(after, Reading)
    # The page had a second chance.
    assert workers.replaced == 2


@pytest.mark.parametrize(("order", "reason"), [("crash", "crashed"), ("hang", "timeout")])
def test_what_was_seen_of_a_page_outlives_the_worker_that_it_kills(order: str, reason: str) -> None:
    async def work() -> Any:
        async with pool(timeout=1) as workers:
            return await workers.read(task(order, scan=ScanTask()))

    answer = asyncio.run(work())
    assert isinstance(answer.found, Rejection)
    assert answer.found.reason == reason
    assert answer.scan.links.refused == 7


def test_a_page_is_looked_at_and_read_in_one_parse() -> None:
    page = task(
        "<title>Tea</title><main><h1>Tea</h1><a href='/b'>B</a>"
        "<p>Some words, enough to be a sentence, and then some more of them.</main>",
        scan=ScanTask(),
    )
    scan, found = scanned_and_read(page)
    assert isinstance(found, Reading)
    assert "Some words, enough" in found.text
    assert [link.url for link in scan.links.links] == ["http://localhost/b"]
    assert scan.empty is None


def test_links_of_a_page_in_an_old_charset_are_written_in_it() -> None:
    html = (
        "<meta charset=gbk><main><a href='/list?q=\u65b0\u95fb'>x</a><p>A sentence of words.</main>"
    )
    scan, _ = scanned_and_read(
        PageTask(Html(html.encode("gbk")), "http://localhost/", NOW, scan=ScanTask())
    )
    assert [link.url for link in scan.links.links] == ["http://localhost/list?q=%D0%C2%CE%C5"]


@pytest.mark.parametrize("method", ["boosted-blocks", "resiliparse"])
def test_in_a_page_served_as_xml_a_tag_may_end_its_own_element(method: str) -> None:
    html = b"""<html><head><title>Tea</title><script src="a.js"/></head><body><textarea/>
    <p>A sentence of words, with <a href="/b">a link</a>.</p></body></html>"""
    headers = (("content-type", "Application/XHTML+XML; charset=utf-8"),)
    served = Page(Lease.of_none("http://localhost/"), "http://localhost/", 200, headers, html, NOW)
    scan, found = scanned_and_read(replace(PageTask.of(served), scan=ScanTask(), method=method))
    assert isinstance(found, Reading)
    assert found.text == "A sentence of words, with a link."
    assert [link.url for link in scan.links.links] == ["http://localhost/b"]


def test_an_empty_page_is_looked_at_and_not_read() -> None:
    scan, found = scanned_and_read(task("<div id=app><script>go()</script>", scan=ScanTask()))
    assert isinstance(found, Rejection)
    assert found.reason == "empty"
    assert scan.empty is not None


def test_a_page_whose_worker_was_killed_by_others_is_read_by_the_next() -> None:
    async def work() -> tuple[Any, Any, int]:
        async with pool() as workers:
            first = (await workers.read(task("go"))).found
            assert isinstance(first, Reading)
            asked = asyncio.create_task(workers.read(task("sleep 1")))
            await asyncio.sleep(0.3)
            os.kill(int(first.text.split()[0]), 9)
            return first, (await asked).found, workers.replaced

    first, second, replaced = asyncio.run(work())
    assert isinstance(second, Reading)
    assert first.text != second.text
    assert replaced == 1


def test_a_worker_that_died_between_two_pages_is_nobodys_fault() -> None:
    async def work() -> tuple[Any, Any]:
        async with pool() as workers:
            first = (await workers.read(task("go"))).found
            assert isinstance(first, Reading)
            os.kill(int(first.text.split()[0]), 9)
            await asyncio.sleep(0.5)
            return first, (await workers.read(task("go"))).found

    first, second = asyncio.run(work())
    assert isinstance(second, Reading)
    assert first.text != second.text


@pytest.mark.parametrize(
    ("serve", "why"),
    [
        (odd_workers.not_ready, "methods: newspaper needs the package newspaper4k"),
        (
            odd_workers.stillborn,
            "worker process: the process ended with status 7",
        ),
        (odd_workers.asleep, "not ready after 2 s"),
    ],
)
def test_workers_that_cannot_start_are_an_error_at_once(
    serve: Callable[..., None], why: str
) -> None:
    with pytest.raises(WorkerError, match=why):
        answers(pool(serve, load_timeout=2 if serve is odd_workers.asleep else 60), "go")


def test_a_worker_that_is_killed_while_it_starts_is_started_again(tmp_path: Path) -> None:
    (found,) = answers(pool(partial(odd_workers.killed_once, tmp_path / "mark")), "go")
    assert isinstance(found, Reading)


def test_closing_ends_workers_that_are_busy() -> None:
    async def work() -> Rejection | Reading:
        async with pool() as workers:
            asked = asyncio.create_task(workers.read(task("hang")))
            await asyncio.sleep(0.5)
        return (await asked).found

    begin = time.monotonic()
    answer = asyncio.run(work())
    assert isinstance(answer, Rejection)
    assert time.monotonic() - begin < 60


@pytest.mark.timeout(240)
@pytest.mark.usefixtures("fresh_workers")
def test_the_real_worker_reads_pages_of_the_demo_site() -> None:
    site = Site()
    paths = ("/articles/how-tides-work", "/forum/t/rye-starter", "/zh/articles/tea")

    async def work() -> list[Reading | Rejection]:
        async with WorkerPool(size=1) as workers:
            tasks = [
                PageTask(Html(resource.body, "utf-8"), f"http://localhost{path}", NOW)
                for path in paths
                if (resource := site.resource(path))
            ]
            return [(await workers.read(one)).found for one in tasks]

    tides, forum, tea = (found for found in asyncio.run(work()) if isinstance(found, Reading))
    assert (tides.prediction.genre, tides.language) == ("article", "en")
    assert tides.metadata.title == "Why the sea comes back twice a day"
    assert "The moon does pull on the sea" in tides.text
    assert forum.prediction.page_type == "forum"
    assert tea.language == "zh"


def html(path: str) -> bytes:
    resource = Site().resource(path)
    assert resource is not None
    return resource.body


def test_the_job_chooses_the_method_by_the_kind_of_page() -> None:
    page = PageTask(Html(html("/articles/how-tides-work")), "http://localhost/", NOW)
    chosen = Genres(extractors=Extractors(article="justext"))
    assert PageReader(chosen).read(page).extractor == "justext"
    named = PageTask(page.html, page.url, NOW, genre="list-view", method="goce")
    assert PageReader(chosen).read(named).extractor == "goce"


def test_a_doubtful_kind_is_none_and_takes_the_default_method() -> None:
    doubting = Genres(
        genre_threshold=1.0, page_type_threshold=1.0, extractors=Extractors(article="justext")
    )
    page = PageTask(Html(html("/articles/how-tides-work")), "http://localhost/", NOW)
    found = PageReader(doubting).read(page)
    assert (found.prediction.genre, found.prediction.page_type) == (None, None)
    assert found.extractor == "boosted-blocks"
    assert found.prediction.genre_scores["article"] > 0.5


def test_a_screenshot_that_is_sure_moves_the_genre() -> None:
    seen = Prediction.of(
        {genre: 0.999 if genre == "list-view" else 0.001 for genre in GENRES},
        {kind: 1 / len(PAGE_TYPES) for kind in PAGE_TYPES},
    )
    page = PageTask(Html("<title>A</title><p>Some words."), "http://localhost/", NOW)
    without = PageReader().read(page).prediction.genre_scores["list-view"]
    scores = (
        PageReader()
        .read(PageTask(page.html, page.url, NOW, screenshot=seen))
        .prediction.genre_scores
    )
    assert scores["list-view"] > without


def test_page_types_are_those_of_html_url_and_extractor_together() -> None:
    page = PageTask(Html(html("/forum/t/rye-starter"), "utf-8"), "http://localhost/", NOW)
    [by_html] = HtmlClassifier.shipped().predict([page.html.content], [page.url])
    alone = extract(page.html.content, url=page.url, charset=page.html.charset)
    weighed = Stacking.shipped().weigh(by_html, alone.page_type_scores)
    found = PageReader().read(page)
    assert found.prediction.page_type_scores == pytest.approx(weighed.page_type_scores, abs=1e-6)
    assert found.prediction.page_type_scores != pytest.approx(by_html.page_type_scores, abs=1e-3)
    # The type is found after the text, which does not depend on it.
    assert found.text == alone.text


def test_a_method_that_does_not_judge_pages_leaves_the_type_to_html_and_url() -> None:
    page = PageTask(
        Html(html("/forum/t/rye-starter"), "utf-8"), "http://localhost/", NOW, method="justext"
    )
    [by_html] = HtmlClassifier.shipped().predict([page.html.content], [page.url])
    found = PageReader().read(page).prediction
    assert found.page_type_scores == pytest.approx(by_html.page_type_scores)
    assert found.genre_scores == pytest.approx(by_html.genre_scores)


def test_a_page_beyond_reading_is_rejected_with_the_reason() -> None:
    page = PageTask(Html("<p>" * 3_000_000), "http://localhost/", NOW)
    with pytest.raises(PageRejectedError, match="nodes"):
        PageReader().read(page)
    _, answer = scanned_and_read(page)
    assert isinstance(answer, Rejection)
    assert answer.reason == "unreadable"


def test_an_error_of_the_program_is_a_rejection_not_an_end() -> None:
    page = PageTask(Html("<p>A page"), "http://localhost/", NOW, method="no-such")
    _, answer = scanned_and_read(page)
    assert isinstance(answer, Rejection)
    assert answer.reason == "error"
    assert "no-such" in answer.detail
