"""RSL: Really Simple Licensing, a licence in XML that robots.txt, a header or a page names.

https://rslstandard.org/rsl, RSL 1.0 (Recommendation of 6 November 2025, errata to 27 May 2026).
Read is whether a licence lets anybody train on a page for nothing: ``ai-train`` is among what it
permits, or it limits no use; nothing prohibits it; and neither payment nor a licence server nor a
limit to certain users stands before it. Whatever stands there is a no, and so is a licence that
cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from corpus_commons.url_reference import joined
from crawler.consent.path_patterns import matches, path_of
from crawler.consent.statement import Statement

SIGNAL: Final = "rsl"
MEDIA_TYPE: Final = "application/rsl+xml"
# A page that names more is not worth the fetches.
MOST_LICENCES: Final = 3
_MOST_CONTENTS: Final = 1_000
_TRAINING: Final = frozenset({"all", "ai-all", "ai-train"})
_FREE: Final = frozenset({"free", "attribution", "contribution"})
_LINK: Final = re.compile(r"<([^<>]{1,2000})>([^,<]*)")


@dataclass(frozen=True, slots=True)
class Content:
    """A ``<content>``: what its licences say about training. url: a pattern of URLs or paths.

    refusal: why training is not free; empty if it is.
    """

    url: str
    refusal: str


def contents_of(text: str) -> tuple[Content, ...]:
    """The contents of an RSL file. Raises ValueError if it is none."""
    # Only crawls read licences; pages are also read without the library.
    from defusedxml import ElementTree as Xml  # type: ignore[import-untyped]  # noqa: PLC0415

    try:
        root = Xml.fromstring(text)
    except (Xml.ParseError, ValueError) as error:
        raise ValueError(f"no RSL: {error}") from error
    if _name(root) != "rsl":
        raise ValueError(f"no RSL: the root is <{_name(root)[:50]}>")
    found = [one for one in root.iter() if _name(one) == "content"][:_MOST_CONTENTS]
    return tuple(Content(one.get("url") or "/", _refusal(one)) for one in found)


def statements(contents: Iterable[Content], url: str, where: str, licence: str) -> list[Statement]:
    """What the most specific content that a URL belongs to says. licence: where it was read."""
    fitting = [one for one in contents if _is_of(one.url, url)]
    longest = max((len(one.url) for one in fitting), default=0)
    specific = [one for one in fitting if len(one.url) == longest]
    if not specific:
        return []
    refusal = next((one.refusal for one in specific if one.refusal), "")
    text = f"{licence} {refusal or 'permits ai-train'}"
    return [Statement.of(SIGNAL, "no" if refusal else "yes", where, text)]


def unread(where: str, licence: str, why: str) -> Statement:
    """The statement of a licence that is named, but cannot be read."""
    return Statement.of(SIGNAL, "no", where, f"{licence} could not be read: {why}")


def linked(headers: Iterable[str], url: str) -> Iterator[str]:
    """The licences that ``Link`` headers name, as absolute URLs.

    >>> list(linked(['</a.xml>; rel="license"; type="application/rsl+xml"'], "http://example.com/b"))
    ['http://example.com/a.xml']
    """
    for value in headers:
        for target, parameters in _LINK.findall(value):
            said = parameters.lower()
            if MEDIA_TYPE in said and "license" in _relations(said):
                yield joined(url, target)


def _relations(parameters: str) -> Iterator[str]:
    """The relation types among the parameters of a link, in lower case."""
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "rel":
            yield from value.replace('"', " ").split()


def _is_of(pattern: str, url: str) -> bool:
    scheme, _, rest = pattern.partition("://")
    if not rest:
        return matches(pattern, path_of(url))
    host, _, path = rest.partition("/")
    return url.startswith(f"{scheme}://{host}/") and matches(f"/{path}", path_of(url))


def _refusal(content: Element) -> str:
    """Why nobody may train for nothing; empty if some licence lets everybody."""
    if content.get("server"):
        return "asks for a licence from a server"
    licences = [one for one in content if _name(one) == "license"]
    # A prohibition in one licence is not undone by another.
    for licence in licences:
        if _TRAINING & _usages(licence, "prohibits"):
            return "prohibits ai-train"
    whys = [_refusal_of(licence) for licence in licences]
    return min(whys, key=len, default="")


def _refusal_of(licence: Element) -> str:
    permitted = [one for one in licence if _name(one) == "permits"]
    usages = [one for one in permitted if one.get("type") == "usage"]
    if usages and not _TRAINING & _usages(licence, "permits"):
        return "permits other uses only"
    limits = [one for one in licence if one.get("type") in {"user", "geo"}]
    if any(_name(one) in {"permits", "prohibits"} for one in limits):
        return "permits ai-train to some only"
    payments = {one.get("type", "") for one in licence if _name(one) == "payment"}
    if payments - _FREE:
        return f"asks for payment: {', '.join(sorted(payments - _FREE))}"
    return ""


def _usages(licence: Element, tag: str) -> set[str]:
    texts = (one.text or "" for one in licence if _name(one) == tag and one.get("type") == "usage")
    return {word for text in texts for word in text.lower().replace(",", " ").split()}


def _name(element: Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
