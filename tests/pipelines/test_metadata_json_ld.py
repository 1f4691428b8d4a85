"""JSON-LD: of which kinds of things, about which page, and with which mistakes it is read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from corpus_commons.markup import parse
from pipelines.metadata import PageMetadata, page_metadata
from tests.cpu_time import bounded_time

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def read(html: str) -> PageMetadata:
    return page_metadata(parse(html), url="https://example.com/a", fetched_at=NOW)


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def json_ld(*things: Any) -> str:
    return "".join(script(orjson.dumps(thing).decode()) for thing in things)


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article", "headline": "x",}',
        '{"@type": "Organization"}, {"@type": "Article", "headline": "x"}',
        '// The article\n{"@type": "Article", "headline": "x"}',
        r'{"description": "it\'s", "@type": "Article", "headline": "x"}',
        "{&quot;@type&quot;: &quot;Article&quot;, &quot;headline&quot;: &quot;x&quot;}",
        '{"@type": ["CreativeWork", "schema:NewsArticle"], "headline": {"@value": "x"}}',
    ],
)
def test_usual_mistakes_and_rare_forms_are_read(text: str) -> None:
    assert read(script(text)).title == "x"


@pytest.mark.parametrize(
    "own",
    [
        {"url": "https://www.example.com/a/?from=home"},
        {"mainEntityOfPage": {"@id": "//example.com/a#main"}},
        {"headline": "the harbour"},
    ],
)
def test_of_two_articles_the_one_with_the_address_or_headline_is_the_pages(own: Any) -> None:
    other = {"@type": "Article", "url": "https://example.com/b", "datePublished": "2019-01-01"}
    article = {"@type": "Article", "datePublished": "2024-02-03", **own}
    page = "<title>The Harbour | The Site</title>"
    assert read(page + json_ld(other, article)).published == "2024-02-03"
    # The type still counts for more.
    webpage = {**article, "@type": "WebPage"}
    assert read(page + json_ld(other, webpage)).published == "2019-01-01"


@pytest.mark.parametrize("kind", ["Dataset", "PodcastEpisode", "Thesis", "LearningResource"])
def test_works_of_many_kinds_are_what_a_page_is_about(kind: str) -> None:
    work = {"@type": kind, "datePublished": "2024-02-03", "creator": {"name": "Jane Doe"}}
    found = read(json_ld(work))
    assert (found.published, found.author) == ("2024-02-03", "Jane Doe")


def test_a_job_is_published_when_it_is_posted() -> None:
    job = {"@type": "JobPosting", "datePosted": "2024-02-03"}
    assert read(json_ld(job)).published == "2024-02-03"


@pytest.mark.parametrize("text", ["{," + ", " * 300_000, "{} " * 100_000 + "{", '{"a": ' * 100_000])
def test_broken_json_is_read_in_bounded_time(text: str) -> None:
    dom = parse(script(text))
    with bounded_time():
        found = page_metadata(dom, url="https://example.com/a", fetched_at=NOW)
    assert found == PageMetadata()
