"""The end of a run: its numbers, and a page on which nothing of the web is alive."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from corpus_samples import document, page
from PIL import Image
from rich.console import Console
from run_samples import summary
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from crawler.adaptive.host_table import HostRendering
from crawler.crawl.crawl import register
from crawler.frontier import Policy, SqliteFrontier
from crawler.frontier.base import Candidate, DeadLetter
from crawler.frontier.stats import Stats
from crawler.logs import JsonFormatter
from crawler.outcomes import Rejection
from pipelines.reporting.counts import Counts, Totals, counted, totals
from pipelines.reporting.progress import Progress, Snapshot
from pipelines.reporting.report import report_html
from pipelines.reporting.sample_pages import LONGEST_TEXT, PageSample, thumbnail

EVIL = "</pre><script>alert(1)</script><img src=x onerror='alert(2)'>\"&\ud800"


def picture(size: tuple[int, int] = (1280, 3840)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "navy").save(out, "JPEG")
    return out.getvalue()


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def report(sample: PageSample, **fields: object) -> str:
    return report_html(summary(**fields), sample)


def test_the_beginning_of_a_long_text_is_marked_as_such() -> None:
    sample = PageSample()
    sample.add(document(1, "Kept words."), None, None)
    assert "…</p>" not in report(sample)
    sample.add(document(2, "words " * 100), None, None)
    assert "words…</p>" in report(sample)


def test_the_report_shows_documents_and_rejects() -> None:
    sample = PageSample()
    sample.add(
        document(1, "Kept words.", title="A title", genre="article", genre_scores={"article": 0.9}),
        None,
        picture(),
    )
    sample.add(document(2, "Too few."), Rejection("too-short", "2 words"), None)
    html = report(sample, groups={"genres": {"article": 6}})
    for shown in (
        "A title",
        "Kept words.",
        "<b>article</b> 0.90",
        "too-short: 2 words",
        "data:image/jpeg",
    ):
        assert shown in html
    assert "Documents of this run: a random sample of 1 out of 6" in html


def test_nothing_that_a_page_says_is_markup_in_the_report() -> None:
    sample = PageSample()
    for rejection in (None, Rejection(EVIL, EVIL)):
        sample.add(
            document(1, EVIL, title=EVIL, genre=EVIL, language=EVIL, genre_scores={EVIL: 1.0}),
            rejection,
            b"no picture",
        )
    letter = DeadLetter(1, f"http://a/{EVIL}", "a", 0, 1, EVIL, 0.0)
    html = report(sample, job=EVIL, failure=EVIL, groups={EVIL: {EVIL: 1}}, dead=(letter,))
    html.encode()
    tags = Tags(html).found
    assert {tag for tag, _ in tags}.isdisjoint({"script", "img", "link", "iframe", "object"})
    assert all(not name.startswith("on") for _, attributes in tags for name in attributes)


def test_the_report_tells_what_rendering_changed_by_host() -> None:
    hosts = (HostRendering("a.example", 40, 12, 9), HostRendering("<b>.example", 7))
    page = report_html(summary(hosts=hosts), PageSample())
    numbers = "\n".join(f'<td class="number">{count}</td>' for count in (40, 12, 9))
    assert numbers in page
    assert "&lt;b&gt;.example" in page
    assert "Rendering by host" not in report_html(summary(), PageSample())


def test_no_table_of_the_report_is_without_style() -> None:
    letter = DeadLetter(1, "http://a/", "a", 0, 1, "dns", 0.0)
    page = report_html(summary(hosts=(HostRendering("a"),), dead=(letter,)), PageSample())
    tables = [attributes.get("class") for tag, attributes in Tags(page).found if tag == "table"]
    assert set(tables) == {"chart", "plain"}
    assert tables.count("plain") == 2
    assert ".plain td" in page


def test_the_report_loads_nothing() -> None:
    sample = PageSample()
    sample.add(document(1), None, picture())
    tags = Tags(report(sample)).found
    policy = next(attributes for tag, attributes in tags if "http-equiv" in attributes)
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    sources = [attributes["src"] for _, attributes in tags if "src" in attributes]
    assert sources
    assert all(str(source).startswith("data:") for source in sources)
    assert not any("href" in attributes for _, attributes in tags)


def test_the_sample_is_bounded_whatever_comes() -> None:
    sample = PageSample(most=10, rng=random.Random(1))
    for number in range(1000):
        sample.add(document(number, "x" * 10_000), None, None)
    assert len(sample.documents) == 10
    assert all(len(shown.document.text) <= LONGEST_TEXT for shown in sample.documents)
    numbers = [int(shown.document.url.rpartition("/")[2]) for shown in sample.documents]
    assert max(numbers) > 500
    assert len(report(sample)) < 10 * (LONGEST_TEXT + 1500) + 10_000


def test_thumbnails_are_small_and_show_the_top() -> None:
    small = thumbnail(picture((1280, 16_000)))
    assert small is not None
    with Image.open(io.BytesIO(small)) as shown:
        assert shown.width <= 320
        assert shown.height <= 480
    assert thumbnail(b"no picture") is None


def test_documents_can_be_chosen_by_page_type_without_a_script() -> None:
    sample = PageSample()
    for number, page_type in enumerate(("article", "forum", None, "forum")):
        sample.add(document(number, page_type=page_type), None, None)
    tags = Tags(report(sample)).found
    buttons = {attributes["id"] for tag, attributes in tags if tag == "input"}
    labels = {attributes["for"] for tag, attributes in tags if tag == "label"}
    assert buttons == labels == {"documents-all", "documents-0", "documents-1", "documents-2"}
    kinds = [attributes["class"] for tag, attributes in tags if tag == "article"]
    assert kinds == ["card k1", "card k0", "card k2", "card k0"]


def test_pages_are_counted_in_scrapys_statistics() -> None:
    crawler = get_crawler()
    counts = Counts(crawler.stats)
    counts.read(page(1))
    counts.read(page(2, rendered_html="<p>Hello", rendering_reason="shell", rendering_gain=0.5))
    counts.add(document(1, genre="article", language="en"), None)
    counts.add(document(2), None)
    counts.add(document(3), Rejection("too-short"))
    counts.add_troubles(unclassified=4, replaced=5)
    found = crawler.stats.get_stats()
    assert totals(found) == Totals(
        documents=2,
        rejects=1,
        words=10,
        read=2,
        rendered=1,
        changed=1,
        unclassified=4,
        replaced=5,
    )
    assert counted(found, "rendering") == {"rendered: shell": 1}
    assert counted(found, "genre") == {"article": 1, "unsure": 1}
    assert counted(found, "reason") == {"too-short": 1}


def test_progress_is_a_table_or_a_line() -> None:
    moment = Snapshot(3.0, Stats(queued=7), Totals(documents=2), genres={"article": 2})
    assert "2 documents" in moment.line()
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(moment.table("a job"))
    assert "2 article" in console.export_text()


@asynccontextmanager
async def crawling(folder: Path) -> AsyncIterator[tuple[Crawler, SqliteFrontier, Progress]]:
    """A crawl that has just begun, its frontier, and its progress."""
    crawler = get_crawler()
    async with await SqliteFrontier.open(folder, Policy()) as frontier:
        now = datetime(2026, 5, 1, tzinfo=UTC)
        crawl: Any = SimpleNamespace(frontier=frontier, started=now, now=lambda: now)
        register(crawler, crawl)
        yield crawler, frontier, Progress(crawler, Console(file=io.StringIO()))


def test_progress_tells_how_long_all_hosts_are_left_alone(tmp_path: Path) -> None:
    async def moment() -> Snapshot:
        async with crawling(tmp_path) as (_, frontier, progress):
            await frontier.add([Candidate("http://a.example/")])
            assert (await progress.snapshot()).pause == 0
            await frontier.delay_host("a.example", 120)
            return await progress.snapshot()

    paused = asyncio.run(moment())
    assert paused.line().endswith("1 queued, 0 leased, 0 dead; the next visit in 2min")
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(paused.table("a job"))
    assert "the next visit in 2min" in console.export_text()


def test_log_lines_go_above_the_table_of_a_terminal() -> None:
    shown = io.StringIO()
    root, lists = logging.getLogger(), logging.getLogger("crawler.spider.sitemap_processing")
    ours = logging.StreamHandler(sys.stderr)
    ours.setLevel(logging.INFO)
    before = root.handlers[:]

    async def work() -> None:
        progress = Progress(get_crawler(), Console(file=shown, force_terminal=True, width=100))
        progress.start()
        assert ours not in root.handlers
        logging.getLogger("scrapy.crawler").warning("Received SIGINT, shutting down")
        lists.info("all of them taken")
        lists.debug("more than was asked for")
        await progress.stop()

    root.addHandler(ours)
    lists.setLevel(logging.DEBUG)
    try:
        asyncio.run(work())
        assert ours in root.handlers
    finally:
        root.handlers[:] = before
        lists.setLevel(logging.NOTSET)
    assert "Received SIGINT" in shown.getvalue()
    assert "all of them taken" in shown.getvalue()
    assert "more than was asked for" not in shown.getvalue()


def test_a_log_line_can_be_json() -> None:
    record = logging.LogRecord("a.b", logging.WARNING, "", 1, "%s is \ud800", ("it",), None)
    line = json.loads(JsonFormatter().format(record))
    assert (line["level"], line["logger"], line["message"]) == ("WARNING", "a.b", "it is \ufffd")


def test_the_first_line_of_progress_has_a_rate(tmp_path: Path) -> None:
    async def first_rate() -> float:
        async with crawling(tmp_path) as (crawler, _, progress):
            progress.start()
            Counts(crawler.stats).read(page(1))
            snapshot = await progress.snapshot()
            await progress.stop()
        return snapshot.rate

    assert asyncio.run(first_rate()) > 0


def test_a_log_line_can_have_fields_of_its_own() -> None:
    record = logging.LogRecord("a.b", logging.INFO, "", 1, "done", (), None)
    record.fields = {
        "this_run": {"documents": 3, "genres": {"\ud800": 1}, "sites": ["x\ud800"]},
        "failure": None,
    }
    line = json.loads(JsonFormatter().format(record))
    assert line["this_run"] == {
        "documents": 3,
        "genres": {"\ufffd": 1},
        "sites": ["x\ufffd"],
    }
    assert (line["failure"], line["message"]) == (None, "done")
