"""Counts of documents and rejects in Scrapy's statistics, during the crawl.

The keys are ``corpus/`` and the fields of ``Totals``; for documents also ``corpus/genre/…``,
``corpus/page_type/…`` and ``corpus/language/…``; for rejects ``corpus/reason/…``; and for pages of
which it was decided whether they are rendered, ``corpus/rendering/…`` with the reason. How a page
was read is counted when it comes; what became of it when that is safe on disk and acknowledged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scrapy.statscollectors import StatsCollector

from corpus_commons.kinds import UNSURE
from corpus_commons.markup.words import count_words
from crawler.adaptive.decider import CHANGED
from crawler.items import Document, Page
from crawler.outcomes import Judgement, Unchanged

PREFIX: Final = "corpus/"
# Stands for None, such as a language that was not identified.
UNKNOWN: Final = "unknown"
# Fields of documents whose values are counted: the name of the counts, and the value for None.
GROUPS: Final = {
    "genre": ("genres", UNSURE),
    "page_type": ("page_types", UNSURE),
    "language": ("languages", UNKNOWN),
}


class Totals(NamedTuple):
    """The counts of a whole run.

    words: of the documents. unchanged: known pages of which nothing was written.
    gone: pages that got a tombstone.
    held: pages that wait for their site now, also those of earlier runs.
    read: pages that came, also those that wait now, but not those that earlier runs have read.
    rendered: pages that were rendered in a browser. changed: those whose text it changed, where
        that is known.
    unclassified: screenshots that the genre network could not classify.
    replaced: worker processes that died or were killed.
    """

    documents: int = 0
    words: int = 0
    rejects: int = 0
    unchanged: int = 0
    gone: int = 0
    held: int = 0
    read: int = 0
    rendered: int = 0
    changed: int = 0
    unclassified: int = 0
    replaced: int = 0

    @property
    def pages(self) -> int:
        return self.documents + self.rejects + self.unchanged

    @property
    def static(self) -> int:
        """Pages that were read without a browser."""
        return self.read - self.rendered


class Counts:
    """Counts documents and rejects; all keys come from small, fixed vocabularies."""

    def __init__(self, stats: StatsCollector) -> None:
        self._stats = stats

    def read(self, page: Page) -> None:
        """Count a page that came, whatever becomes of it."""
        is_rendered = page.rendered_html is not None
        self._count("read")
        if is_rendered:
            self._count("rendered")
        if (page.rendering_gain or 0.0) >= CHANGED:
            self._count("changed")
        if page.rendering_reason is not None:
            verdict = "rendered" if is_rendered else "not rendered"
            self._count(f"rendering/{verdict}: {page.rendering_reason}")

    def add(self, document: Document, judgement: Judgement) -> None:
        """Count what became of a page."""
        if isinstance(judgement, Unchanged):
            self._count("unchanged")
            return
        if judgement is not None:
            self._count("rejects")
            self._count(f"reason/{judgement.reason}")
            return
        self._count("documents")
        self._count("words", count_words(document.text))
        for field, (_, none) in GROUPS.items():
            self._count(f"{field}/{getattr(document, field) or none}")

    def end(self) -> None:
        """Count a page that is gone for good."""
        self._count("gone")

    def hold(self, held: int) -> None:
        """Set the number of pages that wait for their site."""
        self._stats.set_value(f"{PREFIX}held", held)

    def add_troubles(self, *, unclassified: int, replaced: int) -> None:
        """Add to the counts of the same names in ``Totals``."""
        self._count("unclassified", unclassified)
        self._count("replaced", replaced)

    def _count(self, name: str, number: int = 1) -> None:
        self._stats.inc_value(PREFIX + name, number)


def totals(stats: Mapping[str, Any]) -> Totals:
    """The totals in Scrapy's statistics.

    >>> totals({"corpus/documents": 2, "corpus/rejects": 1, "x": 3}).pages
    3
    """
    return Totals(*(stats.get(PREFIX + name, 0) for name in Totals._fields))


def counted(stats: Mapping[str, Any], group: str) -> dict[str, int]:
    """The counts of a group, the largest first.

    >>> counted({"corpus/genre/article": 1, "corpus/genre/list-view": 2, "x": 3}, "genre")
    {'list-view': 2, 'article': 1}
    """
    begin = f"{PREFIX}{group}/"
    found = {name.removeprefix(begin): n for name, n in stats.items() if name.startswith(begin)}
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def groups_of(stats: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    """The counts of a run by group; empty groups are left out."""
    found = {name: counted(stats, field) for field, (name, _) in GROUPS.items()}
    found["reject_reasons"] = counted(stats, "reason")
    found["rendering"] = counted(stats, "rendering")
    return {name: counts for name, counts in found.items() if counts}
