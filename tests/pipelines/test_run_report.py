"""The end of a run: its numbers, and a page on which nothing of the web is alive."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
import sys
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

from corpus_samples import document
from PIL import Image
from rich.console import Console
from scrapy.utils.test import get_crawler

from crawler.frontier.base import DeadLetter, Stats
from crawler.items import Rejection
from crawler.logs import JsonFormatter
from pipelines.counts import Counts, counted
from pipelines.gallery import LONGEST_TEXT, Gallery, thumbnail
from pipelines.progress import Progress, Snapshot
from pipelines.report import report_html
from pipelines.summary import Summary, as_tables, ending, groups_of, last_words

EVIL = "</pre><script>alert(1)</script><img src=x onerror='alert(2)'>\"&\ud800"


def summary(**fields: object) -> Summary:
    given = {
        "job": "a job",
        "folder": Path("runs/a"),
        "corpus": Path("runs/a/corpus"),
        "started": datetime(2026, 5, 1, tzinfo=UTC),
        "seconds": 4.0,
        "frontier": Stats(added=9, done=8, queued=1, outcomes={"kept": 6, "gone": 2}),
        "documents": 6,
        "rejects": 2,
        **fields,
    }
    return Summary(**given)  # type: ignore[arg-type]


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


def report(gallery: Gallery, **fields: object) -> str:
    return report_html(summary(**fields), gallery.documents, gallery.rejects)


def test_the_report_shows_documents_and_rejects() -> None:
    gallery = Gallery()
    gallery.add(
        document(1, "Kept words.", title="A title", genre="article", genre_scores={"article": 0.9}),
        None,
        picture(),
    )
    gallery.add(document(2, "Too few."), Rejection("too-short", "2 words"), None)
    html = report(gallery, groups={"genre": {"article": 6}})
    for shown in (
        "A title",
        "Kept words.",
        "<b>article</b> 0.90",
        "too-short: 2 words",
        "data:image/jpeg",
    ):
        assert shown in html
    assert "Documents: a random 1 of 6" in html


def test_nothing_that_a_page_says_is_markup_in_the_report() -> None:
    gallery = Gallery()
    for rejection in (None, Rejection(EVIL, EVIL)):
        gallery.add(
            document(1, EVIL, title=EVIL, genre=EVIL, language=EVIL, genre_scores={EVIL: 1.0}),
            rejection,
            b"no picture",
        )
    letter = DeadLetter(1, f"http://a/{EVIL}", "a", 0, 1, EVIL, 0.0)
    html = report(gallery, job=EVIL, failure=EVIL, groups={EVIL: {EVIL: 1}}, dead=(letter,))
    html.encode()
    tags = Tags(html).found
    assert {tag for tag, _ in tags}.isdisjoint({"script", "img", "link", "iframe", "object"})
    assert all(not name.startswith("on") for _, attributes in tags for name in attributes)


def test_the_report_loads_nothing() -> None:
    gallery = Gallery()
    gallery.add(document(1), None, picture())
    tags = Tags(report(gallery)).found
    policy = next(attributes for tag, attributes in tags if "http-equiv" in attributes)
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    sources = [attributes["src"] for _, attributes in tags if "src" in attributes]
    assert sources
    assert all(str(source).startswith("data:") for source in sources)
    assert not any("href" in attributes for _, attributes in tags)


def test_the_gallery_is_bounded_whatever_comes() -> None:
    gallery = Gallery(most=10, rng=random.Random(1))  # noqa: S311
    for number in range(1000):
        gallery.add(document(number, "x" * 10_000), None, None)
    assert len(gallery.documents) == 10
    assert all(len(shown.text) == LONGEST_TEXT for shown in gallery.documents)
    numbers = [int(shown.url.rpartition("/")[2]) for shown in gallery.documents]
    assert max(numbers) > 500
    assert len(report(gallery)) < 10 * (LONGEST_TEXT + 1500) + 10_000


def test_thumbnails_are_small_and_show_the_top() -> None:
    small = thumbnail(picture((1280, 16_000)))
    assert small is not None
    with Image.open(io.BytesIO(small)) as shown:
        assert shown.width <= 320
        assert shown.height <= 480
    assert thumbnail(b"no picture") is None


def test_the_summary_names_its_groups_and_files() -> None:
    console = Console(record=True, width=100, file=io.StringIO())
    stats = {"corpus/genre/article": 4, "corpus/genre/list-view": 2}
    urls = Stats(outcomes={"kept": 6})
    console.print(as_tables(summary(groups=groups_of(stats, urls))))
    shown = console.export_text()
    assert "not classified" not in shown
    assert summary(unclassified=16).totals()["screenshots not classified"] == "16"
    for word in ("a job", "pages/s", "2.0", "list-view", "kept"):
        assert word in shown
    assert last_words(summary()).splitlines()[-2:] == [
        "corpus  runs/a/corpus",
        "report  runs/a/report.html",
    ]


def test_the_summary_says_how_the_run_ended() -> None:
    done, left = Stats(added=2, done=2), Stats(added=5, done=2, queued=3)
    assert ending(summary(frontier=done)) == "finished: every URL is done or given up"
    assert ending(summary(frontier=left)) == "a limit is reached: 3 URLs are left unvisited"
    assert "stopped early: 3 URLs are left" in ending(summary(frontier=left, stopped=True))
    assert "stopped for all workers: 3 URLs" in ending(summary(frontier=left, job_stopped=True))
    assert "not one URL could be fetched" in ending(summary(frontier=Stats(added=2, dead=2)))
    assert "ended early: no room" in ending(summary(frontier=left, failure="no room"))


def test_rejects_and_given_up_urls_are_counted_by_reason() -> None:
    urls = Stats(outcomes={"rejected: empty": 1, "kept": 5, "rejected: too-short": 2})
    dead = [DeadLetter(number, "", "", 0, 1, "timeout", 0.0) for number in range(2)]
    groups = groups_of({"corpus/reason/empty": 1}, urls, dead)
    assert groups["URLs of the job"] == {"kept": 5, "rejected": 3}
    assert groups["rejected for"] == {"empty": 1}
    assert groups["given up for"] == {"timeout": 2}


def test_documents_can_be_chosen_by_page_type_without_a_script() -> None:
    gallery = Gallery()
    for number, page_type in enumerate(("article", "forum", None, "forum")):
        gallery.add(document(number, page_type=page_type), None, None)
    tags = Tags(report(gallery)).found
    buttons = {attributes["id"] for tag, attributes in tags if tag == "input"}
    labels = {attributes["for"] for tag, attributes in tags if tag == "label"}
    assert buttons == labels == {"documents-all", "documents-0", "documents-1", "documents-2"}
    kinds = [attributes["class"] for tag, attributes in tags if tag == "article"]
    assert kinds == ["k1", "k0", "k2", "k0"]


def test_pages_are_counted_in_scrapys_statistics() -> None:
    crawler = get_crawler()
    counts = Counts(crawler.stats)
    counts.add(document(1, genre="article", language="en"), None)
    counts.add(document(2, rendered=True), None)
    counts.add(document(3), Rejection("too-short"))
    assert crawler.stats is not None
    found = crawler.stats.get_stats()
    assert (found["corpus/documents"], found["corpus/rejects"], found["corpus/rendered"]) == (
        2,
        1,
        1,
    )
    assert counted(found, "genre") == {"article": 1, "unsure": 1}
    assert counted(found, "reason") == {"too-short": 1}


def test_progress_is_a_table_or_a_line() -> None:
    moment = Snapshot(3.0, Stats(queued=7), documents=2, static=2, genres={"article": 2})
    assert "2 documents" in moment.line()
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(moment.table("a job"))
    assert "2 article" in console.export_text()


def test_log_lines_go_above_the_table_of_a_terminal() -> None:
    shown = io.StringIO()
    root = logging.getLogger()
    ours = logging.StreamHandler(sys.stderr)
    before = root.handlers[:]

    async def work() -> None:
        progress = Progress(get_crawler(), Console(file=shown, force_terminal=True, width=100))
        progress.start()
        assert ours not in root.handlers
        logging.getLogger("scrapy.crawler").warning("Received SIGINT, shutting down")
        logging.getLogger("another").info("no news")
        await progress.stop()

    root.addHandler(ours)
    try:
        asyncio.run(work())
        assert ours in root.handlers
    finally:
        root.handlers[:] = before
    assert "Received SIGINT" in shown.getvalue()
    assert "no news" not in shown.getvalue()


def test_a_log_line_can_be_json() -> None:
    record = logging.LogRecord("a.b", logging.WARNING, "", 1, "%s is \ud800", ("it",), None)
    line = json.loads(JsonFormatter().format(record))
    assert (line["level"], line["logger"], line["message"]) == ("WARNING", "a.b", "it is ?")
