"""The licence that a page declares; that of an image in it is another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from urllib.parse import urldefrag

from corpus_commons.markup.classes import nearest
from corpus_commons.markup.dom import Dom
from corpus_commons.url_reference import joined

_LONGEST = 500
_CREATIVE_COMMONS = re.compile(
    r"(?:https?:)?//(?:www\.)?creativecommons\.org/"
    r"(licenses/[a-z-]{2,20}/\d\.\d|publicdomain/(?:zero|mark)/1\.0)(?:/([a-z]{2})(?=/|$))?",
    re.I,
)
_CREATIVE_COMMONS_URL = "https://creativecommons.org/{}/"
# SPDX identifiers and common names: CC-BY-SA-4.0, CC BY 3.0, CC0.
_CC_NAME = re.compile(r"CC[ -](BY(?:-NC)?(?:-ND|-SA)?)[ -](\d\.\d)", re.I)
_CC_ZERO = re.compile(r"CC[ -]?0(?:[ -]1\.0)?", re.I)
# Letters, and what RFC 3986 allows in a path: no brackets, bars or control characters, which would
# be markup where licences are listed.
_WEB = re.compile(r"https?://[\w.~:/?#@!$&'()*+,;=%-]+", re.I)
_ADDRESS = re.compile(r"(?:https?:/)?/", re.I)


# How far before a licence link, on the same line, to look: in characters, and in nodes.
_FAR = 100
_MOST_NODES = 40
_MOST_ANCESTORS = 5
_LONGEST_CLASS = 200

_CREDIT = re.compile(
    r"\b(?:photo(?:graph)?s?|images?|pictures?|illustrations?|credits?:|credit to|via|courtesy)\b",
    re.I,
)
# What a page says of its own texts, before the link to their licence.
_STATEMENT = re.compile(
    r"\b(?:contents?|contributions|page|site|website|wiki|texts?|articles?|posts?|documentation|"
    r"materials?)\s+(?:(?:is|are)\s+)?(?:licen[cs]ed|available|released|published)\s+under\s+"
    r"(?:the\s+|an?\s+)?$",
    re.I,
)
_CAPTION = re.compile(r"caption|credit\b", re.I)


def licence(
    targets: Iterable[str],
    declared: Iterable[str],
    stated: Iterable[str],
    links: Sequence[str],
    url: str,
) -> str | None:
    """URL of the licence; those of Creative Commons in canonical form.

    targets: of links with ``rel=license``; the first valid one is used.
    declared: URLs, names or other texts from metadata; used if there is no such link.
    stated: targets of links after a statement such as "content available under", likewise.
    links: other links to Creative Commons; used only if all are the same licence, because a page
        that links to several is about licences or lists works of others.
    url: of the page, to resolve relative targets.

    >>> url = "https://example.com/"
    >>> licence([], [], [], ["//creativecommons.org/licenses/by-SA/4.0/deed.de"], url)
    'https://creativecommons.org/licenses/by-sa/4.0/'
    >>> licence([], ["Copyright", "CC-BY-4.0"], [], [], url)
    'https://creativecommons.org/licenses/by/4.0/'
    """
    said = chain(
        (_linked(one, url) for one in targets),
        (_named(one, url) for one in declared),
        (_linked(one, url) for one in stated),
    )
    found = next(filter(None, said), None)
    if found is None:
        distinct = {one for target in links if (one := _creative_commons(target)) is not None}
        found = distinct.pop() if len(distinct) == 1 else None
    return found


def _linked(target: str, url: str) -> str | None:
    """The link's absolute URL; None if it is invalid, this page or the site's home page."""
    creative_commons = _creative_commons(target)
    if creative_commons is not None:
        return creative_commons
    try:
        absolute = joined(url, target)
        is_home = absolute.rstrip("/") == joined(url, "/").rstrip("/")
        is_this_page = urldefrag(absolute).url == urldefrag(url).url
    except ValueError:
        return None
    if is_home or is_this_page or len(absolute) > _LONGEST:
        return None
    return absolute if _WEB.fullmatch(absolute) else None


def _named(words: str, url: str) -> str | None:
    """The URL of a licence given by URL or by its Creative Commons name."""
    words = words.strip()
    if _CC_ZERO.fullmatch(words):
        return _CREATIVE_COMMONS_URL.format("publicdomain/zero/1.0")
    if name := _CC_NAME.fullmatch(words):
        return _CREATIVE_COMMONS_URL.format(f"licenses/{name[1].lower()}/{name[2]}")
    return _linked(words, url) if _ADDRESS.match(words) else _creative_commons(words)


def _creative_commons(text: str) -> str | None:
    """The first Creative Commons licence URL in the text, in canonical form."""
    found = _CREATIVE_COMMONS.search(text)
    if found is None:
        return None
    country = f"/{found[2].lower()}" if found[2] else ""
    return _CREATIVE_COMMONS_URL.format(found[1].lower() + country)


def is_credit(dom: Dom, link: int) -> bool:
    """Whether a licence link is in an image caption, or follows the words of a credit.

    A link without text in a figure is not a caption but the licence's badge.
    """
    line = int(dom.containers[link])
    before = "".join(text[-_FAR:] for text in dom.texts[max(line, link - _MOST_NODES) : link])
    if _CREDIT.search(before[-_FAR:]):
        return True
    has_text = bool(dom.has_text[link : dom.ends[link]].any())
    return has_text and _is_in_caption(dom, link)


def is_stated(dom: Dom, link: int) -> bool:
    """Whether a link follows a statement such as "content available under"."""
    return _STATEMENT.search(dom.texts[link - 1][-_FAR:]) is not None


def _is_in_caption(dom: Dom, link: int) -> bool:
    return any(
        dom.tags[node] in {"figure", "figcaption"}
        or _CAPTION.search((dom.attributes[node].get("class") or "")[:_LONGEST_CLASS])
        for node in nearest(dom, link, _MOST_ANCESTORS)
    )
