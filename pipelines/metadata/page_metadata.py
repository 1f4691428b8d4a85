"""The metadata of a page, from the best of the places where pages put it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from markup.dom import Dom
from pipelines.metadata.authors import authors, byline
from pipelines.metadata.clean import clean
from pipelines.metadata.dates import date_in_url, published
from pipelines.metadata.declarations import Declarations, declarations
from pipelines.metadata.json_ld import LinkedData, linked_data
from pipelines.metadata.licences import licence

LONGEST_TITLE = 300
LONGEST_SITE_NAME = 150
LONGEST_DESCRIPTION = 1000
_BYLINES = 5

_PUBLISHED = (
    "article:published_time datepublished article:published published_time date pubdate "
    "publishdate publish_date publication_date parsely-pub-date sailthru.date dc.date.issued "
    "dcterms.issued dcterms.created dc.date.created dc.date dcterms.date citation_publication_date "
    "citation_date og:article:published_time og:published_time published_at published ms.date "
    "created article.created"
).split()
_AUTHOR = (
    "author article:author parsely-author sailthru.author dc.creator dcterms.creator "
    "citation_author byl authors og:article:author"
).split()
_SEPARATOR = re.compile(r"\s+[|·•–—:»«/-]+\s+")


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """What a page says of itself; the fields are those of ``crawler.items.Document``."""

    title: str | None = None
    author: str | None = None
    published: str | None = None
    licence: str | None = None
    site_name: str | None = None
    description: str | None = None


def page_metadata(dom: Dom, *, url: str, fetched_at: datetime) -> PageMetadata:
    """Read JSON-LD, OpenGraph, other ``<meta>``, microdata, and at last the page's own words.

    fetched_at: aware; a date of publication later than it is not believed.
    Whatever the page holds, the answer is short, clean and total.
    """
    found = declarations(dom)
    linked = linked_data(found.json_ld)
    site_name = _first(_site_names(found, linked), LONGEST_SITE_NAME)
    return PageMetadata(
        title=_title(found, linked, site_name),
        author=_author(found, linked),
        published=published(_dates(found, linked, url), fetched_at),
        licence=licence(
            chain(found.licences, linked.values("license"), found.first("dc.rights")),
            found.creative_commons,
            url,
        ),
        site_name=site_name,
        description=_first(_descriptions(found, linked), LONGEST_DESCRIPTION),
    )


def _first(values: Iterable[str], longest: int) -> str | None:
    """The first value that has anything left when cleaned."""
    return next((text for value in values if (text := clean(value, longest))), None)


def _title(found: Declarations, linked: LinkedData, site_name: str | None) -> str | None:
    headings = found.headings if len(found.headings) == 1 else []
    values = chain(
        linked.values("headline"),
        headings,
        found.first("og:title", "twitter:title", "dc.title", "citation_title"),
        found.item("headline"),
        found.headings,
        found.titles,
    )
    title = _first(values, LONGEST_TITLE)
    return title and _without_site(title, site_name)


def _without_site(title: str, site_name: str | None) -> str:
    """The title without the name of the site at either end."""
    parts = _SEPARATOR.split(title)
    if site_name and len(parts) > 1:
        for kept, end in ((title[: title.rfind(parts[-1])], -1), (title[len(parts[0]) :], 0)):
            if parts[end].casefold() == site_name.casefold():
                return kept.strip(" |·•–—:»«/-")
    return title


def _author(found: Declarations, linked: LinkedData) -> str | None:
    groups: tuple[Iterable[str], ...] = (
        linked.authors(),
        found.first(*_AUTHOR),
        found.authors[:1],
        found.item("author")[:1],
    )
    for values in groups:
        names = authors(values)
        if names is not None:
            return names
    return next((name for text in found.bylines[:_BYLINES] if (name := byline(text))), None)


def _dates(found: Declarations, linked: LinkedData, url: str) -> Iterator[str]:
    yield from linked.values("datePublished", "dateCreated", "uploadDate")
    yield from found.first(*_PUBLISHED)
    yield from found.item("datepublished", "datecreated")
    in_url = date_in_url(url)
    if in_url is not None:
        yield in_url
    yield from found.times[:1]


def _site_names(found: Declarations, linked: LinkedData) -> Iterator[str]:
    yield from found.first("og:site_name")
    yield from linked.site_names()
    yield from found.first("application-name", "apple-mobile-web-app-title")


def _descriptions(found: Declarations, linked: LinkedData) -> Iterator[str]:
    yield from found.first("og:description", "description", "twitter:description")
    yield from linked.values("description")
    yield from found.first("dc.description", "dcterms.description")
