"""The licence that a page declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from urllib.parse import urldefrag

from corpus_commons.url_reference import joined
from pipelines.metadata.creative_commons import NAME, licence_url, named

_LONGEST = 500
# Letters, and what RFC 3986 allows in a path: no brackets, bars or control characters, which would
# be markup where licences are listed.
_WEB = re.compile(r"https?://[\w.~:/?#@!$&'()*+,;=%-]+", re.I)
_ADDRESS = re.compile(r"(?:https?:/)?/", re.I)


def licence(
    targets: Sequence[str],
    declared: Iterable[str],
    stated: Iterable[str],
    links: Iterable[str],
    url: str,
) -> str | None:
    """URL of the licence; those of Creative Commons in canonical form.

    targets: of links with ``rel=license`` and the like; the first to Creative Commons is used,
        otherwise the first valid one, because some editors mark every link so.
    declared: URLs, names or other texts from metadata; used if there is no such link.
    stated: targets of links after a statement such as "content available under", likewise.
    links: other links to Creative Commons, and notices of copyright; used only if all are the same
        licence, because a page that links to several is about licences or lists works of others.
    url: of the page, to resolve relative targets.

    >>> url = "https://example.com/"
    >>> licence([], [], [], ["//creativecommons.org/licenses/by-SA/4.0/deed.de"], url)
    'https://creativecommons.org/licenses/by-sa/4.0/'
    >>> licence(["/terms"], ["CC-BY-4.0"], [], [], url)
    'https://example.com/terms'
    """
    said = chain(
        map(licence_url, targets),
        (_linked(one, url) for one in targets),
        (_named(one, url) for one in declared),
        (_linked(one, url) for one in stated),
    )
    found = next(filter(None, said), None)
    if found is None:
        distinct = {one for words in links if (one := _creative_commons(words.strip()))}
        found = distinct.pop() if len(distinct) == 1 else None
    return found


def _linked(target: str, url: str) -> str | None:
    """The link's absolute URL; None if it is invalid, this page or the site's home page."""
    if (creative_commons := licence_url(target)) is not None:
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
    return _linked(words, url) if _ADDRESS.match(words) else _creative_commons(words)


def _creative_commons(words: str) -> str | None:
    """The URL of a licence whose name this is, or whose URL is in it."""
    name = NAME.fullmatch(words)
    return licence_url(words) if name is None else named(name)
