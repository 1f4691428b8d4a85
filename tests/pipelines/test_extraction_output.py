"""``[extraction]`` of a job: documents in the format it asks for, comments where it wants them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from corpus_samples import page
from scrapy_command import scrapy

from crawler.html import Html
from pipelines.reading.page_reader import PageReader, PageTask, Reading
from pipelines.reading.worker_pool import WorkerPool
from settings.tables.extraction import Extraction
from settings.tables.genres import Extractors, Genres

WORDS = "The tide comes in twice a day because the earth turns under two bulges of water. "
PAGE = f"""<!doctype html><html lang=en><title>Tides</title><body><article><h1>Tides</h1>
<p>{WORDS * 6}</p><p>See <a href="/moon">the moon</a>. {WORDS * 3}</p></article>
<div id="comments"><ol><li class="comment"><p>What about lakes, I ask?</p></li></ol></div>"""
ALL_TEXT = Genres(extractors=Extractors(default="all-text", article="all-text"))


def reading(**chosen: object) -> Reading:
    task = PageTask(Html(PAGE), "https://example.com/tides", datetime(2026, 5, 1, tzinfo=UTC))
    return PageReader(ALL_TEXT, Extraction(**chosen)).read(task)  # type: ignore[arg-type]


def test_the_text_is_in_the_format_that_was_asked_for() -> None:
    plain = reading().text
    assert plain.startswith("Tides\n\nThe tide")
    assert reading(format="markdown").text.startswith("# Tides\n\nThe tide")
    linked = reading(format="html", links=True).text
    assert linked.startswith("<h1>Tides</h1>\n<p>The tide")
    assert '<a href="https://example.com/moon">the moon</a>' in linked


def test_the_language_is_that_of_the_words() -> None:
    plain, marked = reading(), reading(format="html", links=True)
    assert (plain.language, plain.language_probability) == (
        marked.language,
        marked.language_probability,
    )


def test_comments_are_metadata_where_they_are_separate() -> None:
    line = orjson.loads(reading(comments="separate").document(page(1)).to_json())
    assert line["metadata"]["comments"] == "What about lakes, I ask?"
    assert "lakes" not in line["text"]
    for choice in ("drop", "keep"):
        line = orjson.loads(reading(comments=choice).document(page(1)).to_json())
        assert "comments" not in line["metadata"]


def test_workers_write_as_the_job_says() -> None:
    async def work() -> Reading:
        async with WorkerPool(ALL_TEXT, Extraction(format="markdown"), size=1) as pool:
            task = PageTask(Html(PAGE), "https://example.com/", datetime(2026, 5, 1, tzinfo=UTC))
            found = (await pool.read(task)).found
            assert isinstance(found, Reading)
            return found

    assert asyncio.run(work()).text.startswith("# Tides\n\n")


def test_one_page_is_written_as_asked(tmp_path: Path) -> None:
    file = tmp_path / "tides.html"
    file.write_text(PAGE)
    options = ("--method", "all-text", "--format", "markdown", "--comments", "separate", "--json")
    done = scrapy("extract", *options, file)
    line = orjson.loads(done.stdout)
    assert line["text"].startswith("# Tides\n\n")
    assert line["metadata"]["comments"] == "1. What about lakes, I ask?"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--links",), "--links is true, but plain text cannot show links"),
        (("--format", "md"), "invalid choice: 'md'"),
        (("--comments", "apart"), "invalid choice: 'apart'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: tuple[str, ...], message: str) -> None:
    done = scrapy("extract", *options, "page.html")
    assert done.returncode == 2
    assert message in done.stderr
