"""Held pages for tests."""

from __future__ import annotations

from corpus_samples import document

from crawler.html import Html
from crawler.lease import Lease
from pipelines.corpus.held_page import HeldPage, HeldRow
from pipelines.reading.content import ContentTask


def held_page(number: int, html: bytes | str = b"<p>Some words.") -> HeldPage:
    return HeldPage(
        document(number, site_pages=0),
        ContentTask(
            Html(html, "koi8-r"), f"https://example.com/{number}", "boosted-blocks", "article"
        ),
        Lease.of_none(f"https://example.com/{number}"),
    )


def row(number: int, host: str = "example.com") -> HeldRow:
    return HeldRow.of(held_page(number), host, b"key %d" % number, b"marks of %d" % number)
