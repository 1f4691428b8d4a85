"""The links of a page, its canonical URL and its refresh.

They are read from an HTML5 tree (lexbor, through selectolax), not by regular expressions, which
would also find links in comments and scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote_from_bytes, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from corpus_commons.markup.dom import tamed
from corpus_commons.markup.encoding import UTF_8
from crawler.urls import Address, UrlError, address, with_slashes
from settings.addresses import LONGEST_URL

# A page with more links is a crawler trap, or should be a sitemap.
MOST_LINKS: Final = 10_000
_REFRESH: Final = re.compile(
    r"""\s*(?P<delay>\d{1,9})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?(?P<quote>['"]?)(?P<url>.*)""",
    re.IGNORECASE | re.DOTALL,
)
_ABSOLUTE: Final = re.compile(r"https?://[^/?#]")
_WHITE: Final = re.compile(r"[\t\n\r]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_NO_FOLLOWING: Final = frozenset({"nofollow", "none"})
_AGENT: Final = re.compile(r"\s*[a-z][\w.-]*\s*")
_RULES_WITH_VALUES: Final = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"}
)


@dataclass(frozen=True, slots=True)
class Refresh:
    """A refresh to another page after ``delay`` seconds."""

    delay: int
    target: Address


@dataclass(frozen=True, slots=True)
class Links:
    """The references of a page to other pages.

    links: the targets of ``<a>``, ``<area>`` and ``<frame>``, in document order, without repeats.
    refused: how many links are not followed because of ``nofollow``, of the link or the page.
    canonical: the page's ``<link rel=canonical>``.
    refresh: where the page redirects its visitors.
    """

    links: tuple[Address, ...] = ()
    refused: int = 0
    canonical: Address | None = None
    refresh: Refresh | None = None


def tree_of(html: str | bytes) -> LexborHTMLParser:
    """The parsed page. Raises markup.MarkupError if it exceeds the parser's limits."""
    return LexborHTMLParser(tamed(html))


def links_of(
    tree: LexborHTMLParser,
    url: str,
    *,
    encoding: str = UTF_8,
    nofollow: bool = True,
    robots_header: Iterable[str] = (),
    agent: str = "",
    refresh_header: str = "",
) -> Links:
    """The links of the page at ``url``.

    encoding: of the page as served, in which browsers encode the queries of its links
        (https://url.spec.whatwg.org/#query-state).
    nofollow: whether to obey ``rel=nofollow``, ``<meta name=robots>`` and ``robots_header``, the
        values of ``X-Robots-Tag``, for all agents or for ``agent``.
    refresh_header: the value of ``Refresh``; takes precedence over ``<meta http-equiv=refresh>``.
    """
    base = _Base(_base_url(tree, url), encoding)
    targets: dict[str | None, Address | None] = {}
    found: dict[str, Address] = {}
    refused = 0
    silent = nofollow and (
        _meta_says_nofollow(tree, agent)
        or any(_header_says_nofollow(value, agent) for value in robots_header)
    )
    for node in tree.css("a[href], area[href], frame[src]")[:MOST_LINKS]:
        attributes = node.attributes
        href = attributes.get("src" if node.tag == "frame" else "href")
        if href not in targets:
            targets[href] = base.target(href)
        target = targets[href]
        if target is None:
            continue
        if silent or (nofollow and "nofollow" in _words(attributes.get("rel"))):
            refused += 1
        else:
            found.setdefault(target.canonical, target)
    refresh = _refresh(refresh_header, _Base(url, encoding)) or _meta_refresh(tree, base)
    return Links(tuple(found.values()), refused, _canonical(tree, base), refresh)


@dataclass(frozen=True, slots=True)
class _Base:
    """The base URL of a page's links, and the encoding of their queries."""

    url: str
    encoding: str

    def target(self, href: str | None) -> Address | None:
        """The address of a link; None for fragments of the page, other schemes and invalid URLs."""
        text = (href or "").strip()
        if not text or text.startswith("#"):
            return None
        joined = _joined(self.url, text)
        try:
            return address(self._with_query(joined)) if joined else None
        except UrlError:
            return None

    def _with_query(self, url: str) -> str:
        if url.isascii() or self.encoding.startswith("utf"):
            return url
        place, mark, query = url.partition("?")
        return place + mark + _BEYOND_ASCII.sub(self._percent_encoded, query)

    def _percent_encoded(self, text: re.Match[str]) -> str:
        return quote_from_bytes(text[0].encode(self.encoding, "xmlcharrefreplace"), safe="")


def _base_url(tree: LexborHTMLParser, url: str) -> str:
    """The first ``<base href>``, resolved against the page's URL; that URL if there is none."""
    node = tree.css_first("base[href]")
    href = (node.attributes.get("href") or "") if node else ""
    target = _joined(url, href)
    return target if href and target and target.startswith(("http://", "https://")) else url


def _joined(base: str, href: str) -> str | None:
    if len(href) > LONGEST_URL:
        return None
    href = with_slashes(_WHITE.sub("", href).strip())
    if _ABSOLUTE.match(href):
        return href
    try:
        return urljoin(base, href)
    except ValueError:  # brackets without a valid IPv6 address
        return None


def _words(text: str | None) -> set[str]:
    return set((text or "").lower().replace(",", " ").split())


def _meta_says_nofollow(tree: LexborHTMLParser, agent: str) -> bool:
    names = {"robots", agent.lower()}
    return any(
        (node.attributes.get("name") or "").strip().lower() in names
        and _words(node.attributes.get("content")) & _NO_FOLLOWING
        for node in tree.css("meta[name][content]")[:MOST_LINKS]
    )


def _header_says_nofollow(value: str, agent: str) -> bool:
    """Whether an ``X-Robots-Tag`` has a ``nofollow`` for us.

    An agent name with a colon applies to the rules after it, up to the next such name.

    >>> _header_says_nofollow("nofollow, max-snippet: -1", "crawler")
    True
    >>> _header_says_nofollow("other-bot: nofollow", "crawler")
    False
    """
    is_for_us = True
    for part in value.lower().split(","):
        name, colon, rule = part.partition(":")
        if colon and _AGENT.fullmatch(name) and name.strip() not in _RULES_WITH_VALUES:
            is_for_us = name.strip() == agent.lower()
        else:
            rule = part
        if is_for_us and _words(rule) & _NO_FOLLOWING:
            return True
    return False


def _canonical(tree: LexborHTMLParser, base: _Base) -> Address | None:
    for node in tree.css("link[rel][href]")[:MOST_LINKS]:
        if "canonical" in _words(node.attributes.get("rel")):
            return base.target(node.attributes.get("href"))
    return None


def _meta_refresh(tree: LexborHTMLParser, base: _Base) -> Refresh | None:
    """The refresh of a ``<meta>`` outside ``<noscript>``, which is for browsers without scripts."""
    for node in tree.css("meta[http-equiv][content]")[:MOST_LINKS]:
        if (node.attributes.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        found = _refresh(node.attributes.get("content") or "", base)
        if found and not _inside_noscript(node):
            return found
    return None


def _refresh(value: str, base: _Base) -> Refresh | None:
    match = _REFRESH.match(value)
    if match is None:
        return None
    url = match["url"].partition(match["quote"])[0] if match["quote"] else match["url"]
    target = base.target(url)
    return Refresh(int(match["delay"]), target) if target else None


def _inside_noscript(node: LexborNode) -> bool:
    above = node.parent
    while above is not None and above.tag != "noscript":
        above = above.parent
    return above is not None
