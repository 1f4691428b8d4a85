"""The title of a page: its own, without that of its site."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import islice
from urllib.parse import unquote

from pipelines.metadata.clean import clean
from pipelines.metadata.declarations import Declarations
from pipelines.metadata.json_ld import LinkedData

LONGEST_TITLE = 300
# That are looked at, of each kind.
_MOST = 20

_SEPARATOR = re.compile(r"\s+[|·•–—:»«›‹/・_-]+\s+|\s*[｜丨]\s*")
# Stand in names and words as well, so that only the name of the site tells.
_TIGHT_SEPARATORS = "_-–—|"
_WORD = re.compile(r"[^\W_]+")
# A link to itself behind a heading, as documentation has it: a sign, or a letter of an icon font.
_PERMALINK = re.compile(r" ?[¶\ue000-\uf8ff]$| #$")
# Of its words a headline has so many in common with a title that the page shows.
_ALIKE = 0.5


def title(found: Declarations, linked: LinkedData, site_name: str | None, url: str) -> str | None:
    """The first title that is not the site's name, without that name at either end."""
    headings = [text for one in _clean(found.headings) if (text := _PERMALINK.sub("", one))]
    in_head = _clean(found.titles)
    in_meta = _clean(found.meta_named("og:title", "twitter:title", "dc.title", "citation_title"))
    shown = [*in_head, *in_meta, *headings]
    page_title = in_head[0] if in_head else ""
    names = site_name, _logo(headings, page_title, site_name, url)
    sites = {name.casefold() for name in names if name}
    titles = [
        *(text for text in _clean(linked.values("headline")) if _is_like_any(text, shown)),
        *_main(headings, page_title, sites),
        *in_meta,
        *_clean(found.items_named("headline")),
        *in_head,
        *headings,
    ]
    own = next((text for text in titles if text.casefold() not in sites), None)
    return _without(sites, own) if own else next(iter(titles), None)


def _clean(values: Iterable[str]) -> list[str]:
    return [text for value in islice(values, _MOST) if (text := clean(value, LONGEST_TITLE))]


def _logo(headings: list[str], page_title: str, site_name: str | None, url: str) -> str | None:
    """The heading that names the site: the last part of ``<title>``, and less a title than others.

    It may be the title as well ("BBC News - What happened"); a title is longer than the name of
    a site, and has words of the page's address.
    """
    *others, last = _SEPARATOR.split(page_title)
    others = [part for part in others if not _is_in(part, [site_name or ""])]
    if not others or not _is_in(last, headings):
        return None
    path = _words(unquote(url.partition("//")[2].partition("/")[2].partition("?")[0]))

    def likeness(part: str) -> tuple[int, int]:
        return len(path & _words(part)), len(part)

    return last if likeness(last) < likeness(max(others, key=len)) else None


def _main(headings: list[str], page_title: str, sites: Collection[str]) -> list[str]:
    """The heading that is the page's title: the only one, or the only one that ``<title>`` has."""
    if len(headings) == 1:
        return headings
    parts = _SEPARATOR.split(page_title)
    longest = max(map(len, parts))
    own = {
        text.casefold(): text
        for text in headings
        if text.casefold() not in sites
        and (
            _is_in(text, parts[:1])
            or (2 * len(text) >= longest and text.casefold() in page_title.casefold())
        )
    }
    return list(own.values()) if len(own) == 1 else []


def _is_in(text: str, texts: Iterable[str]) -> bool:
    return text.casefold() in (other.casefold() for other in texts)


def _is_like_any(headline: str, shown: list[str]) -> bool:
    """Whether the page shows the headline, or much of it; some declare a description there."""
    words = _words(headline)
    return not shown or any(
        headline.casefold() in text.casefold() or len(words & _words(text)) >= _ALIKE * len(words)
        for text in shown
    )


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _without(sites: Collection[str], text: str) -> str:
    """The title without the name of the site at either end."""
    separators = list(_SEPARATOR.finditer(text))
    if separators:
        before, after = text[: separators[0].start()], text[separators[-1].end() :]
        if after.casefold() in sites:
            return text[: separators[-1].start()]
        if before.casefold() in sites:
            return text[separators[0].end() :]
    own, separator, after = _split_last(text)
    return own.rstrip() if separator and own and after.casefold() in sites else text


def _split_last(text: str) -> tuple[str, str, str]:
    """The text at the last separator without white space."""
    at = max(map(text.rfind, _TIGHT_SEPARATORS))
    return (text[:at], text[at], text[at + 1 :]) if at >= 0 else (text, "", "")
