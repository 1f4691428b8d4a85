"""The links of a page, its canonical URL and its refresh.

They are read from the parsed page, not by regular expressions, which would also find links in
comments and scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote_from_bytes

from corpus_commons.markup.base_address import base_href
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.encoding import UTF_8
from corpus_commons.url_reference import joined
from crawler.urls import Address, UrlError, address
from settings.addresses import LONGEST_URL

# A page that links to more pages is a crawler trap, or should be a sitemap.
MOST_LINKS: Final = 10_000
# As browsers read it: https://html.spec.whatwg.org/#shared-declarative-refresh-steps.
_REFRESH: Final = re.compile(
    r"""\s*(?P<delay>\d{1,9}|(?=\.))[\d.]*+(?:\s*[;,]|\s)\s*"""
    r"""(?:url\s*=\s*)?(?P<quote>['"]?)(?P<url>.*)""",
    re.IGNORECASE | re.DOTALL,
)
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_LINKS: Final = frozenset({"a", "area"})


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


def links_of(
    dom: Dom,
    url: str,
    *,
    encoding: str = UTF_8,
    nofollow: bool = True,
    silent: bool = False,
    refresh_header: str = "",
) -> Links:
    """The links of the page at ``url``.

    encoding: of the page as served, in which browsers encode the queries of its links
        (https://url.spec.whatwg.org/#query-state).
    nofollow: whether to obey ``rel=nofollow``.
    silent: whether no link may be followed, because the page or its response says so.
    refresh_header: the value of ``Refresh``; takes precedence over ``<meta http-equiv=refresh>``.
    """
    base = _Base(_base_url(dom, url), encoding)
    avoided = {*dom.attribute("rel").where(_says_nofollow).tolist()} if nofollow else set()
    targets: dict[str, Address | None] = {}
    found: dict[str, Address] = {}
    refused = 0
    for node, href in _hrefs(dom):
        # The index of a manual has many links to the fragments of few pages.
        page = href.partition("#")[0]
        if page not in targets:
            if len(targets) == MOST_LINKS:
                break
            targets[page] = base.target(page)
        target = targets[page]
        if target is None:
            continue
        if silent or node in avoided:
            refused += 1
        else:
            found.setdefault(target.canonical, target)
    refresh = _refresh(refresh_header, _Base(url, encoding)) or _meta_refresh(dom, base)
    return Links(tuple(found.values()), refused, _canonical(dom, base), refresh)


def canonical_link(dom: Dom, url: str) -> Address | None:
    """The target of the ``<link rel=canonical>`` of the page at ``url``."""
    return _canonical(dom, _Base(_base_url(dom, url), UTF_8))


def _hrefs(dom: Dom) -> list[tuple[int, str]]:
    """The elements that are links, in document order, with what they refer to."""
    links = [(node, href) for node, href in dom.attribute("href") if dom.tags[node] in _LINKS]
    if len(dom.elements("frame")):
        links += [(node, src) for node, src in dom.attribute("src") if dom.tags[node] == "frame"]
        links.sort()
    return links


@dataclass(frozen=True, slots=True)
class _Base:
    """The base URL of a page's links, and the encoding of their queries."""

    url: str
    encoding: str

    def target(self, href: str) -> Address | None:
        """The address of a link; None for fragments of the page, other schemes and invalid URLs."""
        text = href.strip()
        if not text or text.startswith("#") or len(text) > LONGEST_URL:
            return None
        try:
            return address(self._with_query(joined(self.url, text)))
        except UrlError:
            return None

    def _with_query(self, url: str) -> str:
        if url.isascii() or self.encoding.startswith("utf"):
            return url
        place, mark, query = url.partition("?")
        return place + mark + _BEYOND_ASCII.sub(self._percent_encoded, query)

    def _percent_encoded(self, text: re.Match[str]) -> str:
        return quote_from_bytes(text[0].encode(self.encoding, "xmlcharrefreplace"), safe="")


def _base_url(dom: Dom, url: str) -> str:
    """The first ``<base href>``, resolved against the page's URL; that URL if there is none."""
    target = joined(url, base_href(dom))
    is_web = target.startswith(("http://", "https://"))
    return target if is_web and len(target) <= LONGEST_URL else url


def _having(dom: Dom, tag: str, *names: str) -> Iterator[tuple[int, Mapping[str, str | None]]]:
    """The elements that have these attributes, with all their attributes."""
    for node in dom.elements(tag)[:MOST_LINKS].tolist():
        attributes = dom.attributes[node]
        if all(name in attributes for name in names):
            yield node, attributes


def _words(text: str | None) -> set[str]:
    return set((text or "").lower().replace(",", " ").split())


def _says_nofollow(rel: str) -> bool:
    return "nofollow" in _words(rel)


def _canonical(dom: Dom, base: _Base) -> Address | None:
    for _, link in _having(dom, "link", "rel", "href"):
        if "canonical" in _words(link["rel"]):
            return base.target(link["href"] or "")
    return None


def _meta_refresh(dom: Dom, base: _Base) -> Refresh | None:
    """The refresh of a ``<meta>`` outside ``<noscript>``, which is for browsers without scripts."""
    for node, meta in _having(dom, "meta", "http-equiv", "content"):
        if (meta["http-equiv"] or "").strip().lower() != "refresh":
            continue
        found = _refresh(meta["content"] or "", base)
        if found and not _inside_noscript(dom, node):
            return found
    return None


def _refresh(value: str, base: _Base) -> Refresh | None:
    match = _REFRESH.match(value)
    if match is None:
        return None
    url = match["url"].partition(match["quote"])[0] if match["quote"] else match["url"]
    target = base.target(url)
    return Refresh(int(match["delay"] or 0), target) if target else None


def _inside_noscript(dom: Dom, node: int) -> bool:
    scripted = dom.elements("noscript")
    return bool(((scripted < node) & (node < dom.ends[scripted])).any())
