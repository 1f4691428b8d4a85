"""The page as a flat tree: nodes in document order, their relations as arrays.

The tree is built by lexbor, an HTML5 tree builder (through selectolax), which was chosen by the
measurements in docs/reference/extraction.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from corpus_commons.markup.attribute import Attribute
from corpus_commons.markup.emoji import drawn_character
from corpus_commons.markup.encoding import decode, reread
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.formulas import MATH, drawn_formula, pictured, repeats, sources
from corpus_commons.markup.noscript import close_noscript
from corpus_commons.markup.preformatted import preformatted
from corpus_commons.markup.relations import depths_of, ends_of
from corpus_commons.markup.screen_readers import only_said
from corpus_commons.markup.shadow_roots import place_shadow_roots
from corpus_commons.markup.tags import INVISIBLE, TEXT, UNSEEN
from corpus_commons.markup.tame import count_start_tags, tame
from corpus_commons.markup.title import close_title
from corpus_commons.markup.tree import BoolArray, IntArray, Tree

MAX_CHARACTERS = 10_000_000
MAX_NODES = 1_000_000

_NO_ATTRIBUTES: Final[Mapping[str, str | None]] = {}
_TOO_MANY_NODES = f"the page has more than {MAX_NODES:,} nodes"


class Dom(Tree):
    """A parsed page. Node 0 is the root element; every list has one entry per node.

    tags: lower-case element names; ``#text`` for text nodes.
    texts: the text of text nodes; empty for elements.
    attributes: attribute names and values of elements; empty for text nodes.
    """

    def __init__(
        self,
        tags: list[str],
        texts: list[str],
        attributes: list[Mapping[str, str | None]],
        parents: list[int],
    ) -> None:
        self.tags = tags
        self.texts = texts
        self.attributes = attributes
        self.parents = np.array(parents, dtype=np.int32)
        self._attributes: dict[str, Attribute] = {}
        self.depths = depths_of(self.parents)
        self.ends = ends_of(self.parents)

    def attribute(self, name: str) -> Attribute:
        found = self._attributes.get(name)
        if found is None:
            found = self._attributes[name] = self._named_values.attribute(name)
        return found

    def attributes_of(self, tag: str) -> Iterator[Mapping[str, str | None]]:
        """Those of the elements of that name, in document order."""
        return map(self.attributes.__getitem__, self.elements(tag).tolist())

    @cached_property
    def lengths(self) -> IntArray:
        # Most texts are blank, for which this is faster.
        lengths = [
            len(text.strip(INVISIBLE)) if text and not text.isspace() else 0 for text in self.texts
        ]
        return np.array(lengths, dtype=np.int32)

    @cached_property
    def unseen(self) -> BoolArray:
        """Elements that are never shown as text, and repeated forms of a formula."""
        unseen = self.has_tag(UNSEEN)
        unseen[repeats(self)] = True
        unseen[sources(self)] = False
        return unseen

    @cached_property
    def preformatted(self) -> BoolArray:
        """Elements that preserve white space, according to markup and inline style."""
        return preformatted(self)

    @cached_property
    def only_said(self) -> BoolArray:
        """Nodes in elements for screen readers alone, according to their classes."""
        return only_said(self)

    @cached_property
    def visible(self) -> BoolArray:
        """Visible nodes, according to markup and inline style.

        ``<noscript>`` is for readers without scripts, so it counts as visible only on a page that
        has most of its text there.
        """
        visible = ~self.covered(self._hidden_elements())
        noscript = self.covered(np.flatnonzero(self.has_tag({"noscript"})))
        inside = self._characters(visible & noscript)
        if inside <= (self._characters(visible & ~noscript) if inside else 0):
            visible &= ~noscript
        return visible

    @cached_property
    def tag_codes(self) -> tuple[list[str], IntArray]:
        code_of = {tag: code for code, tag in enumerate(dict.fromkeys(self.tags))}
        codes = np.fromiter(map(code_of.__getitem__, self.tags), np.int32, len(self))
        return list(code_of), codes

    @cached_property
    def _named_values(self) -> _NamedValues:
        return _NamedValues(self.attributes)

    def _characters(self, shown: BoolArray) -> int:
        return int(self.lengths[shown].sum())

    def _hidden_elements(self) -> IntArray:
        hidden = self.unseen.copy()
        hidden[self.attribute("hidden").where(lambda value: value != "until-found")] = True
        hidden[np.setdiff1d(self.hidden_by_style, list(pictured(self)))] = True
        return np.flatnonzero(hidden & ~self.has_tag({"html", "body"})).astype(np.int32)


class _NamedValues:
    """All attributes of a page, element by element, as columns: node, name, value."""

    def __init__(self, attributes: Sequence[Mapping[str, str | None]]) -> None:
        names: list[str] = []
        self._values: list[str | None] = []
        nodes = [node for node, own in enumerate(attributes) if own]
        for node in nodes:
            names += attributes[node]
            self._values += attributes[node].values()
        counts = [len(attributes[node]) for node in nodes]
        self._nodes = np.repeat(np.array(nodes, dtype=np.int32), counts)
        self._number_of = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self._numbers = np.fromiter(map(self._number_of.__getitem__, names), np.int32, len(names))

    def attribute(self, name: str) -> Attribute:
        number = self._number_of.get(name)
        if number is None:
            return Attribute.of((), ())
        places = np.flatnonzero(self._numbers == number)
        return Attribute.of(self._nodes[places], map(self._values.__getitem__, places.tolist()))


def parse(html: str | bytes | Dom, charset: str | None = None) -> Dom:
    """The page as a Dom; a Dom is returned as it is.

    Raises MarkupError for a page with more than MAX_CHARACTERS or MAX_NODES, TypeError for another
    type.
    """
    return html if isinstance(html, Dom) else flat(LexborHTMLParser(tamed(html, charset)))


def tamed(html: str | bytes, charset: str | None = None) -> bytes:
    """The page as UTF-8 that is safe for any tree builder: without NULs, with limited nesting, with
    nothing left open inside ``<noscript>`` or ``<title>``, and with the content of shadow roots.

    Raises MarkupError for a page with more than MAX_CHARACTERS, or more tags than MAX_NODES (twice
    as many if many of them can be removed); TypeError for another type.
    """
    if not isinstance(html, (str, bytes)):
        html = _bytes(html)
    if len(html) > MAX_CHARACTERS:
        unit = "bytes" if isinstance(html, bytes) else "characters"
        # Not how many: the caller may have read no more than shows that there are too many.
        raise MarkupError(f"the page has more than {MAX_CHARACTERS:,} {unit}")
    html = reread(decode(html, charset) if isinstance(html, bytes) else html)
    page = html.encode("utf-8", "replace").replace(b"\0", b"")
    if _has_tags(page, 2 * MAX_NODES):
        raise MarkupError(_TOO_MANY_NODES)
    page = tame(place_shadow_roots(close_title(close_noscript(page))))
    if _has_tags(page, MAX_NODES):
        raise MarkupError(_TOO_MANY_NODES)
    return page


def _bytes(html: object) -> bytes:
    """Any bytes-like object as bytes."""
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    raise TypeError(f"html is {type(html).__name__}; it must be str, bytes or a Dom")


def _has_tags(page: bytes, count: int) -> bool:
    """Whether the page has more start tags than ``count``."""
    return len(page) > 2 * count and count_start_tags(page) > count


def flat(tree: LexborHTMLParser) -> Dom:
    """The elements and text nodes of the tree, without comments.

    A picture of an emoji is text, and one of a formula is a ``<math>`` with its TeX.
    """
    if tree.root is None:
        return Dom(["html"], [""], [_NO_ATTRIBUTES], [-1])
    tags: list[str] = []
    texts: list[str] = []
    attributes: list[Mapping[str, str | None]] = []
    parents: list[int] = []
    number_of: dict[int, int] = {}
    names: dict[int, str] = {}
    for node in tree.root.traverse(include_text=True):
        number = len(tags)
        formula = ""
        if node.is_text_node:
            tags.append(TEXT)
            texts.append(node.text_content or "")
            attributes.append(_NO_ATTRIBUTES)
        elif node.is_element_node:
            number_of[node.mem_id] = number
            tag = names.get(node.tag_id) or _named(node, names)
            own = node.attributes or _NO_ATTRIBUTES
            drawn = drawn_character(own) if tag == "img" else ""
            formula = drawn_formula(own) if tag == "img" else ""
            tags.append(TEXT if drawn else MATH if formula else tag)
            texts.append(drawn)
            attributes.append(_NO_ATTRIBUTES if drawn else own)
        else:
            continue
        parent = node.parent
        parents.append(number_of.get(parent.mem_id, -1) if parent is not None else -1)
        if formula:
            tags.append(TEXT)
            texts.append(formula)
            attributes.append(_NO_ATTRIBUTES)
            parents.append(number)
        if number >= MAX_NODES:
            raise MarkupError(_TOO_MANY_NODES)
    return Dom(tags, texts, attributes, parents)


def _named(node: LexborNode, names: dict[int, str]) -> str:
    """The element's name; SVG has names in camel case."""
    return names.setdefault(node.tag_id, (node.tag or "").lower())
