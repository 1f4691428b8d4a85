"""Everything in a page that may be metadata, found in one walk over its nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

from markup.dom import Dom

# Pages have some tens of each; a page made to be slow has no more of them than this.
MAX_VALUES = 500
_LONGEST_VALUE = 20_000
_LONGEST_SCRIPT = 1_000_000
_LONGEST_LABEL = 300
_TEXT_NODES = 200

_VALUE_ATTRIBUTES = ("content", "datetime", "href", "src")
_BYLINE = ("byline", "author")


@dataclass(slots=True)
class Declarations:
    """Raw strings, in document order, neither cleaned nor trusted.

    meta: contents of ``<meta>`` by ``property``, ``name`` or ``itemprop``, in lower case.
    items: values of microdata by ``itemprop``, in lower case.
    json_ld: contents of JSON-LD scripts.
    titles, headings: texts of ``<title>`` and ``<h1>``.
    times: ``datetime`` of ``<time>``.
    licences: targets of links with ``rel=license``.
    creative_commons: targets of other links to a licence of Creative Commons.
    authors: texts of links with ``rel=author``.
    bylines: short texts of elements whose class says that they name the author.
    """

    meta: dict[str, list[str]] = field(default_factory=dict)
    items: dict[str, list[str]] = field(default_factory=dict)
    json_ld: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    licences: list[str] = field(default_factory=list)
    creative_commons: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    bylines: list[str] = field(default_factory=list)

    def first(self, *names: str) -> list[str]:
        """The values of ``<meta>`` under these names, those of the first name first."""
        return [value for name in names for value in self.meta.get(name, ())]

    def item(self, *names: str) -> list[str]:
        """The values of microdata under these names."""
        return [value for name in names for value in self.items.get(name, ())]


def declarations(dom: Dom) -> Declarations:
    """Collect what a page declares."""
    found = Declarations()
    for node, (tag, attributes) in enumerate(zip(dom.tags, dom.attributes, strict=True)):
        if tag == "title":
            if dom.tags[dom.parents[node]] != "svg":
                _append(found.titles, _text(dom, node))
        elif tag == "h1":
            _append(found.headings, _text(dom, node))
        elif attributes:
            _take(found, dom, node, tag, attributes)
    return found


def _take(
    found: Declarations, dom: Dom, node: int, tag: str, attributes: Mapping[str, str | None]
) -> None:
    if "itemprop" in attributes:
        _take_item(found, dom, node, attributes)
    if tag == "meta":
        _take_meta(found, attributes)
    elif tag in {"a", "link"}:
        _take_link(found, dom, node, attributes)
    elif tag == "time":
        _append(found.times, attributes.get("datetime"))
    elif tag == "script" and _is_json_ld(attributes.get("type")):
        _append(found.json_ld, _text(dom, node, _LONGEST_SCRIPT))
    if "class" in attributes:
        _take_byline(found, dom, node, attributes["class"] or "")


def _is_json_ld(media_type: str | None) -> bool:
    return (media_type or "").partition(";")[0].strip().lower() == "application/ld+json"


def _take_meta(found: Declarations, attributes: Mapping[str, str | None]) -> None:
    content = attributes.get("content")
    if content:
        for name in ("property", "name"):
            key = attributes.get(name)
            if key:
                _put(found.meta, key, content)


def _take_item(
    found: Declarations, dom: Dom, node: int, attributes: Mapping[str, str | None]
) -> None:
    value = next((attributes[name] for name in _VALUE_ATTRIBUTES if attributes.get(name)), None)
    # The value of an author is his name, not the address that the element links to.
    if value is None or "href" in attributes:
        value = _text(dom, node, _LONGEST_LABEL) or value
    for name in (attributes["itemprop"] or "").split():
        if value and not (name == "author" and "itemscope" in attributes and len(value) > 100):
            _put(found.items, name, value)


def _take_link(
    found: Declarations, dom: Dom, node: int, attributes: Mapping[str, str | None]
) -> None:
    target = (attributes.get("href") or "")[:_LONGEST_VALUE]
    relations = (attributes.get("rel") or "").lower().split()
    if "license" in relations:
        _append(found.licences, target)
    elif "creativecommons.org/" in target:
        _append(found.creative_commons, target)
    if "author" in relations:
        _append(found.authors, _text(dom, node, _LONGEST_LABEL))


def _take_byline(found: Declarations, dom: Dom, node: int, names: str) -> None:
    if any(word in names for word in _BYLINE) and dom.ends[node] - node < _TEXT_NODES:
        text = _text(dom, node, _LONGEST_LABEL)
        if len(text) < _LONGEST_LABEL:
            _append(found.bylines, text)


def _text(dom: Dom, node: int, longest: int = _LONGEST_VALUE) -> str:
    """The text in a node, cut; scripts have theirs in one text node."""
    pieces = filter(None, dom.texts[node : min(int(dom.ends[node]), node + _TEXT_NODES)])
    return " ".join(piece[:longest] for piece in islice(pieces, _TEXT_NODES))[:longest].strip()


def _put(table: dict[str, list[str]], key: str, value: str) -> None:
    if len(table) < MAX_VALUES:
        _append(table.setdefault(key[:_LONGEST_LABEL].strip().lower(), []), value)


def _append(values: list[str], value: str | None) -> None:
    if value and len(values) < MAX_VALUES:
        values.append(value[:_LONGEST_SCRIPT])
