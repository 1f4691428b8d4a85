"""The metadata of a page, from the most reliable source for each field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from corpus_commons.markup.dom import Dom
from crawler.discovery.links import canonical_link
from crawler.urls import UrlError, address
from pipelines.metadata.authors import authors, byline, is_before_name
from pipelines.metadata.clean import clean
from pipelines.metadata.dates.dateline import above_first_post, by_heading, of_first_post
from pipelines.metadata.dates.publication import FIRST_ON_THE_WEB, date_in_url, is_later, published
from pipelines.metadata.declarations import Declarations, declarations
from pipelines.metadata.json_ld import LinkedData, linked_data
from pipelines.metadata.licences import licence
from pipelines.metadata.titles import title
from pipelines.metadata.unmarked_bylines import unmarked_bylines

LONGEST_SITE_NAME = 150
LONGEST_DESCRIPTION = 1000
_BYLINES = 5
# Titles and headings that may confirm what JSON-LD says.
_SHOWN = 5

_PUBLISHED = (
    "article:published_time datepublished article:published published_time date pubdate "
    "publishdate publish_date publish-date published_date published-date publication_date "
    "publication-date parsely-pub-date sailthru.date cxenseparse:publishtime "
    "cxenseparse:recs:publishtime dc.date.issued dcterms.issued dcterms.created dc.date.created "
    "dc.date dcterms.date citation_publication_date citation_online_date citation_date "
    "og:article:published_time og:published_time og:publication_time published_at published "
    "ms.date created article.created originalpublicationdate publicationdate displaydate pdate "
    "pub_date date_published publisheddate dateofpublication pubtime "
    "publishtime publish_time firstpublished article:first_published_time article:post_date "
    "shareaholic:article_published_time og:publish_date og:published_at vr:published_time "
    "mediator_published_time apub:time weibo:article:create_at rnews:datepublished bt:pubdate "
    "prism.publicationdate prism:publicationdate eprints.date bepress_citation_date "
    "dc.date.publication dcterms.datesubmitted"
).split()
_AUTHOR = (
    "author article:author parsely-author sailthru.author dc.creator dc.creator.personalname "
    "dcterms.creator "
    "citation_author citation_authors byl authors og:article:author"
).split()

_LICENCE = "dcterms.license dc.rights.license license dcterms.rights dc.rights rights".split()


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """Metadata of a page; the fields are those of ``crawler.items.Document``."""

    title: str | None = None
    author: str | None = None
    published: str | None = None
    licence: str | None = None
    site_name: str | None = None
    description: str | None = None
    canonical: str | None = None


def page_metadata(dom: Dom, *, url: str, fetched_at: datetime) -> PageMetadata:
    """Read JSON-LD, OpenGraph, other ``<meta>``, microdata, and finally the visible text.

    fetched_at: timezone-aware; later publication dates are ignored.
    Never raises, whatever the page holds; all values are cleaned and bounded in length.
    """
    found = declarations(dom)
    linked = linked_data(found.json_ld, url, [*found.titles[:_SHOWN], *found.headings[:_SHOWN]])
    site_name = _first(_site_names(found, linked), LONGEST_SITE_NAME)
    return PageMetadata(
        title=title(found, linked, site_name, url),
        author=_author(dom, found, linked),
        published=_published(dom, found, linked, url, fetched_at),
        licence=licence(
            found.licences,
            chain(linked.values("license"), found.meta_named(*_LICENCE)),
            found.stated_licences,
            (*found.meta_named("copyright"), *found.creative_commons),
            url,
        ),
        site_name=site_name,
        description=_first(_descriptions(found, linked), LONGEST_DESCRIPTION),
        canonical=_canonical(dom, url),
    )


def _canonical(dom: Dom, url: str) -> str | None:
    """The canonical link; None if it leads to the page itself."""
    target = canonical_link(dom, url)
    if target is None:
        return None
    try:
        is_own = target.canonical == address(url).canonical
    except UrlError:  # The page is a file.
        is_own = False
    return None if is_own else target.url


def _first(values: Iterable[str], longest: int) -> str | None:
    """The first value that is not empty after cleaning."""
    return next((text for value in values if (text := clean(value, longest))), None)


def _author(dom: Dom, found: Declarations, linked: LinkedData) -> str | None:
    groups: tuple[Iterable[str], ...] = (
        linked.authors(),
        found.meta_named(*_AUTHOR),
        _labelled(found),
        found.authors,
        found.items_named("author"),
    )
    for values in groups:
        names = authors(values)
        if names is not None:
            return names
    names_shown = (*found.bylines[:_BYLINES], *found.posters[:1])
    shown = chain(filter(None, map(byline, names_shown)), unmarked_bylines(dom))
    return next(shown, None)


def _labelled(found: Declarations) -> list[str]:
    """What WordPress and Ghost show in previews below "Written by"."""
    labels = found.meta_named("twitter:label1")
    return found.meta_named("twitter:data1") if any(map(is_before_name, labels)) else []


def _published(
    dom: Dom, found: Declarations, linked: LinkedData, url: str, fetched_at: datetime
) -> str | None:
    """The declared date, otherwise the date in the URL or the dateline.

    If the declared date is later than that in the URL or beside the heading, it is an update, a
    template's current date or that of a later publication of the whole site, and the earlier wins.
    """

    def on_the_web(dates: Iterable[str]) -> str | None:
        return published(dates, fetched_at, first_year=FIRST_ON_THE_WEB, language=found.language)

    declared = published(_declared_dates(found, linked), fetched_at)
    in_url = on_the_web(filter(None, [date_in_url(url)]))
    if in_url is not None and (declared is None or is_later(declared, in_url)):
        return in_url
    if declared is None:
        # What the page of an event shows is the day on which that takes place.
        shown = () if linked.is_about_event else _shown_dates(dom, found.language)
        return on_the_web(shown)
    beside = on_the_web(by_heading(dom, found.language))
    return beside if beside is not None and is_later(declared, beside) else declared


def _declared_dates(found: Declarations, linked: LinkedData) -> Iterator[str]:
    yield from linked.values("datePublished", "dateCreated", "uploadDate", "datePosted")
    yield from found.meta_named(*_PUBLISHED)
    yield from found.items_named("datepublished", "datecreated")


def _shown_dates(dom: Dom, language: str) -> Iterator[str]:
    yield from above_first_post(dom, language)
    yield from by_heading(dom, language)
    yield from of_first_post(dom, language)
    yield from by_heading(dom, language, updates=True)


def _site_names(found: Declarations, linked: LinkedData) -> Iterator[str]:
    yield from found.meta_named("og:site_name")
    yield from linked.site_names()
    yield from found.meta_named("application-name", "apple-mobile-web-app-title")


def _descriptions(found: Declarations, linked: LinkedData) -> Iterator[str]:
    yield from found.meta_named("og:description", "description", "twitter:description")
    yield from linked.values("description")
    yield from found.meta_named("dc.description", "dcterms.description")
