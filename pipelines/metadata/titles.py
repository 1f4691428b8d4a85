"""The title of a page, without the name of its site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from urllib.parse import unquote, urldefrag, urlsplit

from corpus_commons.url_reference import joined
from pipelines.metadata.channel_names import without_channel
from pipelines.metadata.clean import clean
from pipelines.metadata.declarations import Declarations
from pipelines.metadata.json_ld import LinkedData
from settings.addresses import own_domain

LONGEST_TITLE = 300
# Candidates to consider from each source.
_MOST = 20

_SEPARATOR = re.compile(r"\s+[|·•–—:»«›‹/・_-]+\s+|\s*[｜丨]\s*")
# These signs also occur within titles, so they only count next to the site's name.
_AFTER_SITE = re.compile(rf"{_SEPARATOR.pattern}|\s*[|:»›]+\s+")
_BEFORE_SITE = re.compile(rf"{_SEPARATOR.pattern}|\s*[_–—|:-]\s*")
_AFTER_HEADING = re.compile(rf"{_SEPARATOR.pattern}|\s+::\s+|：")
# Before the title: of a thread in vBulletin and phpBB, of a paper in arXiv.
_LABEL = re.compile(r"^(?:(?:Thread:|View topic -)\s+|Title:\s*)")
_SIGNS = " |·•–—:»«›‹"
# A word, or a character of a script without spaces between words.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
# The permalink after a heading, as in documentation: a sign, or a character of an icon font.
_PERMALINK = re.compile(r" ?[¶\ue000-\uf8ff]$| #$")
# The share of a headline's words that a title on the page must contain to confirm it.
_ALIKE = 0.5
_HOME = re.compile(r"home ?(?:page)?|startseite|accueil|inicio|首页|首頁", re.I)

_NO_LETTERS = re.compile(r"[\W_]+")
_INDEX = re.compile(r"(?:index|default|home)\.\w+$")
_SCRIPT = re.compile(r"\.(?:php\d?|aspx?|cgi|jsp|pl)/$")
# The end of the path of a part of an article or thread: of its AMP variant, a page or, after the
# thread's number, a post. What comes after a year is no part of it.
_PART = re.compile(r"/(?:amp|p(?:age)?[-/]?\d+)/$|(?<=\d{3})(?<!/19\d\d)(?<!/20\d\d)/\d+/$")


def title(found: Declarations, linked: LinkedData, site_name: str | None, url: str) -> str | None:
    """The first title that is not the site's name, without that name at either end."""
    headings = _headings(found.headings)
    in_head = _clean(found.titles)
    in_meta = _clean(found.meta_named("og:title", "twitter:title", "dc.title", "citation_title"))
    shown = [*in_head, *in_meta, *headings]
    page_title = in_head[0] if in_head else ""
    banners = _headings(text for text, target in found.banners if leads_above(target, url))
    logo = _logo(headings, page_title, site_name, url)
    sites = SiteNames((site_name, logo, *banners), url)
    titles = [
        *(text for text in _clean(linked.values("headline")) if _is_like_any(text, shown)),
        *_main(headings, page_title, sites, url),
        *in_meta,
        *_clean(found.items_named("headline")),
        *in_head,
        *headings,
    ]
    own = (text for text in titles if text not in sites and not _HOME.fullmatch(text))
    found_title = next(own, None)
    if found_title is None:
        return next(iter(titles), None)
    own_title = _LABEL.sub("", _without(sites, found_title))
    own_title = _before_slogan(own_title, [*headings, *_headings(found.subheadings)], url)
    return without_channel(_in_lower_case(own_title, [*in_meta, *in_head]))


def _before_slogan(text: str, headings: list[str], url: str) -> str:
    """The beginning of a title, if it is a heading of the page, and no longer part is one, too.

    Nor may a longer part share more words with the URL.
    """
    for found in _AFTER_HEADING.finditer(text):
        begin = text[: found.start()]
        if _is_in(begin, headings):
            parts = _AFTER_HEADING.split(text[found.end() :])
            rivals = (part for part in parts if len(part) > len(begin))
            shared, _ = _likeness(begin, url)
            is_less = any(
                _is_in(one, headings) or _likeness(one, url)[0] > shared for one in rivals
            )
            return text if is_less else begin
    return text


def _in_lower_case(shown: str, declared: list[str]) -> str:
    """A title in capitals as the page's head writes it."""
    if not shown.isupper():
        return shown
    for text in declared:
        at = text.lower().find(shown.lower())
        same = text[at : at + len(shown)] if at >= 0 else ""
        if same.casefold() == shown.casefold() and not same.isupper():
            return same
    return shown


def _clean(values: Iterable[str]) -> list[str]:
    return [text for value in islice(values, _MOST) if (text := clean(value, LONGEST_TITLE))]


def _headings(values: Iterable[str]) -> list[str]:
    return [text for value in _clean(values) if (text := _PERMALINK.sub("", value))]


def _logo(headings: list[str], page_title: str, site_name: str | None, url: str) -> str | None:
    """The heading that names the site, because it is the last part of ``<title>``.

    Unless it looks more like a title than the other parts ("BBC News - What happened").
    """
    *others, last = _SEPARATOR.split(page_title)
    others = [part for part in others if not _is_in(part, [site_name or ""])]
    if not others or not _is_in(last, headings):
        return None
    return last if _likeness(last, url) < _likeness(max(others, key=len), url) else None


def _likeness(part: str, url: str) -> tuple[int, int]:
    """How much a part looks like the page's title: by words shared with the URL, then by length."""
    path = _words(unquote(url.partition("//")[2].partition("/")[2].partition("?")[0]))
    return len(path & _words(part)), len(part)


def _main(headings: list[str], page_title: str, sites: SiteNames, url: str) -> Iterator[str]:
    """The heading that is the page's title: the only one, or the only one in ``<title>``."""
    parts = _SEPARATOR.split(page_title)
    longest = max(map(len, parts))
    different = {text.casefold(): text for text in headings}
    own = [
        text
        for key, text in different.items()
        if text not in sites
        and not _is_section(text, parts, sites)
        and (
            len(different) == 1
            or _is_in(text, parts[:1])
            or (2 * len(text) >= longest and key in page_title.casefold())
        )
    ]
    if len(own) == 1 and not _is_of_other(own[0], parts, sites, url):
        yield own[0]


def _is_section(heading: str, parts: list[str], sites: SiteNames) -> bool:
    """Whether a heading is a middle part of ``<title>`` that is far shorter than the first."""
    is_middle = _is_in(heading, parts[1:-1]) and parts[0] not in sites
    return is_middle and 2 * len(heading) <= len(parts[0])


def _is_of_other(heading: str, parts: list[str], sites: SiteNames, url: str) -> bool:
    """Whether a heading shares no word with ``<title>`` and looks less like a title.

    Such a heading belongs to a section of the site or a sidebar, or is a call to action.
    """
    rivals = [part for part in parts if part not in sites]
    if not rivals or any(_words(heading) & _words(part) for part in parts):
        return False
    return _likeness(heading, url) < _likeness(max(rivals, key=len), url)


def _is_in(text: str, texts: Iterable[str]) -> bool:
    return text.casefold() in (other.casefold() for other in texts)


def _is_like_any(headline: str, shown: list[str]) -> bool:
    """Whether the page shows most of the headline: some sites put a description there."""
    words = _words(headline)
    return not shown or any(
        headline.casefold() in text.casefold() or len(words & _words(text)) >= _ALIKE * len(words)
        for text in shown
    )


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _without(sites: SiteNames, text: str) -> str:
    """The title without the site's name at either end, even if it is repeated."""
    while (own := _cut(sites, text)) and own != text:
        if _HOME.fullmatch(own):
            break
        text = own
    return text


def _cut(sites: SiteNames, text: str) -> str:
    for found in _BEFORE_SITE.finditer(text):
        rest = text[found.end() :]
        # "A title | example.org - a slogan": only a domain is sure to be no part of a title.
        if rest in sites or ("." in (name := _SEPARATOR.split(rest)[0]) and name in sites):
            return text[: found.start()].strip(_SIGNS)
    ends = [found.end() for found in _AFTER_SITE.finditer(text) if text[: found.start()] in sites]
    return text[ends[-1] :].strip(_SIGNS) if ends else text


class SiteNames:
    """The names of a site, compared without case and punctuation.

    They include variants of its domain: "The Example", "example.org" and "Ex Ample" for
    example.org.
    """

    def __init__(self, names: Iterable[str | None], url: str) -> None:
        self._keys = {key for name in names if name and (key := _key(name))}
        self._keys.update(_of_address(url))

    def __contains__(self, text: str) -> bool:
        return _key(text) in self._keys


def leads_above(target: str, url: str) -> bool:
    """Whether a link leads to the home page of the site, or of the section that the page is in.

    A link to the page itself does not, whatever the query of its URL, nor does one from a part of
    an article or thread to the whole.

    >>> leads_above("/", "https://example.org/2024/a"), leads_above("b", "https://example.org/a")
    (True, False)
    >>> leads_above("/blog", "https://example.org/blog/a"), leads_above("/?a", "https://example.org/")
    (True, False)
    >>> leads_above("/a", "https://example.org/a?b=1"), leads_above("/a", "https://example.org/a/amp")
    (False, False)
    """
    try:
        there, here = urlsplit(urldefrag(joined(url, target)).url), urlsplit(url)
    except ValueError:
        return False
    is_site = there.netloc.removeprefix("www.") == here.netloc.removeprefix("www.")
    folder = _INDEX.sub("", there.path).rstrip("/") + "/"
    page = here.path.rstrip("/") + "/"
    is_whole = folder in {page, _PART.sub("/", page)}
    # Of a script and the root, the query may be what selects the page.
    is_script = folder == "/" or _SCRIPT.search(folder) is not None
    is_home = is_script and (page != folder or bool(here.query))
    return is_site and not there.query and page.startswith(folder) and (is_home or not is_whole)


def _key(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())


def _of_address(url: str) -> Iterator[str]:
    try:
        domain = own_domain(urlsplit(url).hostname or "")
    except ValueError:
        return
    if domain:
        label = _key(domain.partition(".")[0])
        yield from (_key(domain), label, f"the{label}")
