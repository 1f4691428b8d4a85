"""Where a page leads: its links, and what its head says about itself.

Read from an HTML5 tree of the page (lexbor, through selectolax), never by regular expressions: a
link inside a comment or a script is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote_from_bytes, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawler.urls import Address, UrlError, address, with_slashes
from markup.dom import tamed
from markup.encoding import UTF_8
from settings.addresses import LONGEST_URL

# A page with more links is a trap, or a sitemap that should be one.
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
    """The page that follows after ``delay`` seconds."""

    delay: int
    target: Address


@dataclass(frozen=True, slots=True)
class Links:
    """What a page says of others.

    links: the targets of ``<a>``, ``<area>`` and ``<frame>``, in the page's order, each canonical
        URL once.
    refused: links that are not followed because they, or the page, say ``nofollow``.
    canonical: the page's own idea of its address, if it has one.
    refresh: where it sends its visitors.
    """

    links: tuple[Address, ...] = ()
    refused: int = 0
    canonical: Address | None = None
    refresh: Refresh | None = None


def tree_of(html: str | bytes) -> LexborHTMLParser:
    """The page as a tree. Raises markup.MarkupError for a page beyond reading."""
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

    encoding: of the page as it was served, in which browsers write the queries of its links
        (https://url.spec.whatwg.org/#query-state).
    nofollow: obey ``rel=nofollow``, ``<meta name=robots>`` and ``robots_header``, the values of
        ``X-Robots-Tag``, as they are meant for all or for ``agent``.
    refresh_header: the value of ``Refresh``, which is stronger than ``<meta http-equiv=refresh>``.
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
    """What the links of a page are relative to, and the encoding of their queries."""

    url: str
    encoding: str

    def target(self, href: str | None) -> Address | None:
        """The address of a link; None for what is no page: other schemes, the page's own parts."""
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
    """The first ``<base href>``, which is relative to the page itself."""
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
    except ValueError:  # a host in brackets that is no address
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
    """Whether an ``X-Robots-Tag`` forbids to follow links.

    A name before a colon says whom the rules after it are for, up to the next such name.

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
    """Outside ``<noscript>``: there it is meant for browsers without scripts."""
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
