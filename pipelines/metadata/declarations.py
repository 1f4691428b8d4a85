"""Collects the raw metadata of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, TypeVar

from corpus_commons.markup.classes import classed, nearest
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.json_ld import json_ld_scripts
from corpus_commons.markup.tags import TYPEFACE, UNSEEN
from pipelines.metadata.json_ld import OF_OTHER_THINGS
from pipelines.metadata.licence_links import marked, placed, stated
from pipelines.metadata.people import is_person

# Pages have some tens of each; this bounds the work on hostile pages.
MAX_VALUES = 500
_LONGEST_VALUE = 20_000
_LONGEST_SCRIPT = 1_000_000
_LONGEST_LABEL = 300
_LONGEST_NAME = 100
_TEXT_NODES = 200
_SUBHEADINGS = 10
_ITEM_NODES = 200
LINE_SEPARATOR: Final = "\u2028"

_VALUES = ("content", "datetime", "href", "src")
# The property of a reply, which names what it replies to.
_REPLY = "parentitem"
# The last three are of Drupal and Discuz.
_OF_BYLINES = re.compile(
    r"byline|author(?!i[sz])|(?<![a-z])(?:autor(?:en?|es|in?|zy)?|auteurs?|yazar|penulis)(?![a-z])|"
    r"(?<!\S)(?:submitted|node__submitted|authi)(?!\S)"
)
_OF_POSTERS = re.compile(
    r"(?<!\S)(?:(?:big)?username(?:-coloured)?|postauthor|kpost-username)(?!\S)"
)
_OF_POSTS = re.compile(r"(?<!\S)(?:k?post|message|titlebar|p-description|bigusername)")
_OF_COMMENTS = re.compile(r"comment|kommentar|komentar|comentario|yorum")
# What customers say, and others quote; but no preview, "hReview" of a whole page, or icon.
_OF_REVIEWS = re.compile(
    r"(?<![ph])review(?!ed)|testimonial|rating|quote(?!-(?:left|right))|customer|client"
)
_NO_POSTS = frozenset(("nav", "footer", "form", "aside"))
# How many ancestors of a byline to check for a reader's comment, and of a property for its item.
_ANCESTORS = 4
# The same for the review of a customer, and for a post.
_MOST_ANCESTORS = 6

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Declarations:
    """Raw strings, in document order; neither cleaned nor trusted.

    meta: ``property`` or ``name``, in lower case, and content of ``<meta>``.
    items: ``itemprop``, in lower case, and value of microdata about the page itself.
    json_ld: contents of JSON-LD scripts.
    titles, headings: texts of ``<title>`` and ``<h1>``.
    subheadings: texts of ``<h2>`` and ``<h3>``.
    banners: texts and targets of headings that are links.
    licences: targets of links with ``rel=license`` and the like, except of pictures.
    stated_licences: targets of links after the statement of a licence, and names in statements.
    creative_commons: targets of links to Creative Commons in footers and the like, and of those
        with ``rel=copyright``.
    authors: texts of the first link with ``rel=author``, and names in others on its line.
    bylines: short texts of elements with a class for authors or bylines, lines separated by
        U+2028.
    posters: who wrote the posts of a thread, by the software of forums.
    language: ``lang`` of the root element; empty if it has none.
    """

    meta: list[tuple[str, str]]
    items: list[tuple[str, str]]
    json_ld: list[str]
    titles: list[str]
    headings: list[str]
    subheadings: list[str]
    banners: list[tuple[str, str]]
    licences: list[str]
    stated_licences: list[str]
    creative_commons: list[str]
    authors: list[str]
    bylines: list[str]
    posters: list[str]
    language: str

    def meta_named(self, *names: str) -> list[str]:
        """The contents of ``<meta>`` with these names, in the order of the names."""
        return [value for wanted in names for name, value in self.meta if name == wanted]

    def items_named(self, *names: str) -> list[str]:
        """The microdata values with any of these names."""
        return [value for name, value in self.items if name in names]


def declarations(dom: Dom) -> Declarations:
    """The declarations of a page."""
    headings = [(node, _text(dom, node)) for node in dom.elements("h1").tolist()]
    return Declarations(
        meta=_some(_meta(dom)),
        items=_some(_items(dom)),
        json_ld=_some(_text(dom, node, _LONGEST_SCRIPT) for node in json_ld_scripts(dom)),
        titles=_some(_titles(dom)),
        headings=_some(text for _, text in headings),
        subheadings=_some(_text(dom, node) for node in _subheadings(dom)),
        banners=_some(_banners(dom, headings)),
        licences=_some(marked(dom)),
        stated_licences=_some(stated(dom)),
        creative_commons=_some(chain(_copyrights(dom), placed(dom))),
        authors=_some(_authors(dom)),
        bylines=_some(_bylines(dom)),
        posters=_some(_posters(dom)),
        language=_attribute(dom, 0, "lang"),
    )


def _some(values: Iterable[Value]) -> list[Value]:
    """The first MAX_VALUES values that are not empty."""
    return list(islice(filter(None, values), MAX_VALUES))


def _meta(dom: Dom) -> Iterator[tuple[str, str]]:
    for node in dom.elements("meta").tolist():
        content = _attribute(dom, node, "content")
        for key in ("property", "name"):
            name = _attribute(dom, node, key).strip().lower()
            if name and content:
                yield name, content


def _items(dom: Dom) -> Iterator[tuple[str, str]]:
    own = 0  # The end of an item about something else, such as a comment.
    beside = -1  # The parent of the first author, and of the others of the page.
    for node, properties in dom.attribute("itemprop"):
        if node < own:
            continue
        names = properties.lower().split()
        if _REPLY in names:
            own = _end_of_item(dom, node)
            continue
        if not OF_OTHER_THINGS.isdisjoint(names):
            own = int(dom.ends[node])
            continue
        value = _item_value(dom, node)
        # A long author item without a name also holds a biography.
        is_long = "itemscope" in dom.attributes[node] and len(value) > _LONGEST_NAME
        for name in names:
            if value and name == "author":
                beside = int(dom.parents[node]) if beside < 0 else beside
                if is_long or dom.parents[node] != beside:
                    continue
            if value:
                yield name, value


def _item_value(dom: Dom, node: int) -> str:
    """The value of a property; of one that is an item itself, the item's name if it has one."""
    if "itemscope" in dom.attributes[node]:
        within = range(node + 1, min(int(dom.ends[node]), node + _ITEM_NODES))
        node = next((inner for inner in within if _is_name(dom, inner)), node)
    value = next((found for key in _VALUES if (found := _attribute(dom, node, key))), "")
    # The value of a linked author is the name, not the link's target.
    if not value or "href" in dom.attributes[node]:
        return _text(dom, node, _LONGEST_LABEL) or value
    return value


def _end_of_item(dom: Dom, node: int) -> int:
    """The end of the item to which a property belongs."""
    around = nearest(dom, int(dom.parents[node]), _ANCESTORS)
    item = next((outer for outer in around if "itemscope" in dom.attributes[outer]), node)
    return int(dom.ends[item])


def _is_name(dom: Dom, node: int) -> bool:
    return "name" in _attribute(dom, node, "itemprop").lower().split()


def _titles(dom: Dom) -> Iterator[str]:
    for node in dom.elements("title").tolist():
        if dom.tags[dom.parents[node]] != "svg":
            yield _text(dom, node)


def _subheadings(dom: Dom) -> Iterator[int]:
    for tag in ("h2", "h3"):
        yield from dom.elements(tag)[:_SUBHEADINGS].tolist()


def _banners(dom: Dom, headings: list[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    for heading, text in headings:
        around = int(dom.parents[heading])
        within = range(heading + 1, int(dom.ends[heading]))
        link = next((node for node in (around, *within) if dom.tags[node] == "a"), None)
        if text and link is not None and (link == around or _text(dom, link) == text):
            yield text, _attribute(dom, link, "href")


def _related(dom: Dom, relation: str) -> Iterator[int]:
    """The elements with that ``rel``."""
    for node, relations in dom.attribute("rel"):
        if relation in relations.lower().split():
            yield node


def _authors(dom: Dom) -> Iterator[str]:
    links = islice(_related(dom, "author"), MAX_VALUES)
    named = [(link, text) for link in links if (text := _text(dom, link, _LONGEST_LABEL))]
    for link, text in named:
        is_first = link == named[0][0]
        if is_first or (dom.containers[link] == dom.containers[named[0][0]] and is_person(text)):
            yield text


def _copyrights(dom: Dom) -> Iterator[str]:
    for node in _related(dom, "copyright"):
        yield _attribute(dom, node, "href")


def _bylines(dom: Dom) -> Iterator[str]:
    short = [node for node in classed(dom, _OF_BYLINES) if dom.ends[node] - node < _TEXT_NODES]
    if not short:
        return
    of_readers = _parts(dom, _OF_COMMENTS) | {
        *dom.elements("form").tolist(),
        *dom.elements("label").tolist(),
    }
    of_customers = _parts(dom, _OF_REVIEWS)
    for node in short:
        around = list(nearest(dom, node, _MOST_ANCESTORS))
        if of_readers.isdisjoint(around[:_ANCESTORS]) and of_customers.isdisjoint(around):
            text = _text(dom, node, _LONGEST_LABEL)
            if len(text) < _LONGEST_LABEL:
                yield text


def _posters(dom: Dom) -> Iterator[str]:
    for node, name in dom.attribute("data-author"):
        if dom.tags[node] == "article":
            yield name
    named = classed(dom, _OF_POSTERS)
    of_posts = set(classed(dom, _OF_POSTS)) if named else set()
    for node in named:
        around = list(nearest(dom, node, _MOST_ANCESTORS))
        is_elsewhere = any(dom.tags[outer] in _NO_POSTS for outer in around)
        if not is_elsewhere and not of_posts.isdisjoint(around):
            yield _text(dom, node, _LONGEST_LABEL)


def _parts(dom: Dom, words: re.Pattern[str]) -> set[int]:
    """The classed parts of a page; a class of the whole says, say, that comments are enabled."""
    return {node for node in classed(dom, words) if dom.tags[node] not in {"html", "body"}}


def _text(dom: Dom, node: int, longest: int = _LONGEST_VALUE) -> str:
    """The visible text of a node, truncated."""
    text, before, shown = "", node, node
    for piece in range(node, min(int(dom.ends[node]), node + _TEXT_NODES)):
        if piece >= shown and piece > node and _is_control(dom, piece):
            shown = int(dom.ends[piece])
        if piece >= shown and dom.texts[piece] and _is_seen(dom, piece, node):
            text += _gap(dom, before, piece) + dom.texts[piece][:longest]
            before = piece
    return text[:longest].strip()


def _is_control(dom: Dom, node: int) -> bool:
    """Whether an element is a control or excluded from snippets, and so is not page metadata."""
    return dom.tags[node] == "button" or "data-nosnippet" in dom.attributes[node]


def _is_seen(dom: Dom, piece: int, node: int) -> bool:
    """Whether a text is not in an invisible element, other than the node itself."""
    parent = int(dom.parents[piece])
    return parent == node or dom.tags[parent] not in UNSEEN


def _gap(dom: Dom, before: int, piece: int) -> str:
    """The separator of two text nodes: empty if they are parts of one word.

    Adjacent elements are assumed to be separated by CSS, except those that only change the
    typeface.
    """
    is_one_line = dom.containers[before] == dom.containers[piece]
    if not is_one_line or "br" in dom.tags[before:piece]:
        return LINE_SEPARATOR if dom.texts[before] else ""
    if not dom.texts[before][-1:].strip() or not dom.texts[piece][:1].strip():
        return " "
    parents = int(dom.parents[before]), int(dom.parents[piece])
    are_elements = dom.ends[parents[0]] <= piece and parents[1] > before
    if are_elements and not {dom.tags[parent] for parent in parents} <= TYPEFACE:
        return " "
    return ""


def _attribute(dom: Dom, node: int, name: str) -> str:
    """The attribute's value, truncated; empty if there is none."""
    return (dom.attributes[node].get(name) or "")[:_LONGEST_VALUE]
