"""The page as a flat tree: nodes in document order, their relations as arrays.

A subtree is the interval ``[i, end[i])``, so the sums over all subtrees of a page are one
cumulative
sum, without recursion. The tree is built by lexbor, an HTML5 tree builder (through selectolax),
which
was chosen by the measurements in docs/reference/extraction.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from corpus_commons.markup.attribute import Attribute
from corpus_commons.markup.encoding import decode
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.formulas import repeats
from corpus_commons.markup.noscript import close_noscript
from corpus_commons.markup.preformatted import preformatted
from corpus_commons.markup.relations import depths_of, ends_of, followed
from corpus_commons.markup.tags import BLOCK_LEVEL, INVISIBLE, TEXT, UNSEEN
from corpus_commons.markup.tame import count_start_tags, tame
from corpus_commons.markup.title import close_title

MAX_CHARACTERS = 10_000_000
MAX_NODES = 1_000_000

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.int32, np.int64, np.float32, np.float64)

_NO_ATTRIBUTES: Final[Mapping[str, str | None]] = {}
_NO_NODES: Final[IntArray] = np.empty(0, dtype=np.int32)
_TOO_MANY_NODES = f"the page has more than {MAX_NODES:,} nodes"
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)


class Dom:
    """A parsed page. Node 0 is the root element; every array has one entry per node.

    tags: lower-case element names; ``#text`` for text nodes.
    texts: the text of text nodes; empty for elements.
    attributes: attribute names and values of elements; empty for text nodes.
    parents: index of the parent; -1 for the root.
    ends: one past the last descendant, so ``ends[i] == i + 1`` for a leaf.
    depths: 0 for the root.
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
        self.parents: IntArray = np.array(parents, dtype=np.int32)
        self._attributes_by_name: dict[str, Attribute] = {}
        self.depths = depths_of(self.parents)
        self.ends = ends_of(self.parents)

    def __len__(self) -> int:
        return len(self.tags)

    def has_tag(self, names: Set[str]) -> BoolArray:
        """For every node, whether it has one of these tags."""
        distinct, codes = self.tag_codes
        return np.array([tag in names for tag in distinct], dtype=np.bool_)[codes]

    def elements(self, tag: str) -> IntArray:
        """The elements of that name, ascending."""
        return self._by_tag.get(tag, _NO_NODES)

    def attribute(self, name: str) -> Attribute:
        """The attribute of that name, for all elements that have it."""
        found = self._attributes_by_name.get(name)
        if found is None:
            found = Attribute.of(name, self.attributes, self._attributed)
            self._attributes_by_name[name] = found
        return found

    @cached_property
    def is_text(self) -> BoolArray:
        """Text nodes, including blank ones."""
        return self.has_tag({TEXT})

    @cached_property
    def lengths(self) -> IntArray:
        """For every node the length of its text, without invisible characters at both ends."""
        # Most texts are blank, for which this is faster.
        lengths = [
            len(text.strip(INVISIBLE)) if text and not text.isspace() else 0 for text in self.texts
        ]
        return np.array(lengths, dtype=np.int32)

    @cached_property
    def has_text(self) -> BoolArray:
        """Text nodes with more than white space and invisible characters."""
        return self.lengths > 0

    @cached_property
    def unseen(self) -> BoolArray:
        """Elements that are never shown as text, and repeated forms of a formula."""
        unseen = self.has_tag(UNSEEN)
        unseen[repeats(self)] = True
        return unseen

    @cached_property
    def preformatted(self) -> BoolArray:
        """Elements that preserve white space, according to markup and inline style."""
        return preformatted(self)

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

    def subtree_sums(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """For every node, the sum of ``values`` over it and its descendants."""
        total = np.zeros(len(values) + 1, dtype=values.dtype)
        np.cumsum(values, out=total[1:])
        return total[self.ends] - total[:-1]

    def nearest(self, chosen: BoolArray) -> IntArray:
        """For every node, the nearest chosen node among itself and its ancestors; -1 if none."""
        # The last entry, with the index -1, stands for the parent of the root.
        up = np.append(np.where(chosen, np.arange(len(self), dtype=np.int32), self.parents), -1)
        return followed(up.astype(np.int32))[:-1]

    @cached_property
    def tag_codes(self) -> tuple[list[str], IntArray]:
        """The distinct tags, and for every node the index of its tag among them."""
        code_of = {tag: code for code, tag in enumerate(dict.fromkeys(self.tags))}
        codes = np.fromiter(map(code_of.__getitem__, self.tags), np.int32, len(self))
        return list(code_of), codes

    @cached_property
    def links(self) -> IntArray:
        """For every node, the link that it is in, or that it is; -1 if none."""
        return self.nearest(self.has_tag({"a"}))

    @cached_property
    def containers(self) -> IntArray:
        """For every node, the nearest block-level element (itself or an ancestor); -1 if none."""
        return self.nearest(self.has_tag(BLOCK_LEVEL))

    @cached_property
    def _by_tag(self) -> dict[str, IntArray]:
        distinct, codes = self.tag_codes
        order = np.argsort(codes, kind="stable").astype(np.int32)
        cuts = np.searchsorted(codes[order], np.arange(1, len(distinct)))
        return dict(zip(distinct, np.split(order, cuts), strict=True))

    @cached_property
    def _attributed(self) -> list[int]:
        return [node for node, attributes in enumerate(self.attributes) if attributes]

    def _characters(self, shown: BoolArray) -> int:
        return int(self.lengths[shown].sum())

    @cached_property
    def hidden_by_style(self) -> IntArray:
        """The elements whose inline style hides them."""
        return self.attribute("style").where(_HIDING_STYLE.search)

    def _hidden_elements(self) -> IntArray:
        hidden = self.unseen.copy()
        hidden[self.attribute("hidden").where(lambda value: value != "until-found")] = True
        hidden[self.hidden_by_style] = True
        return np.flatnonzero(hidden & ~self.has_tag({"html", "body"})).astype(np.int32)

    def covered(self, roots: npt.NDArray[np.integer]) -> BoolArray:
        """For every node, whether it is in the subtree of any of ``roots``."""
        steps = np.zeros(len(self) + 1, dtype=np.int32)
        steps[roots] += 1
        np.subtract.at(steps, self.ends[roots], 1)
        return np.cumsum(steps[:-1]) > 0


def parse(html: str | bytes | LexborHTMLParser | Dom, charset: str | None = None) -> Dom:
    """The page as a Dom. A Dom is returned as it is; a lexbor tree must be made from ``tamed``.

    Raises MarkupError for a page with more than MAX_CHARACTERS or MAX_NODES, TypeError for another
    type.
    """
    if isinstance(html, Dom):
        return html
    if not isinstance(html, LexborHTMLParser):
        html = LexborHTMLParser(tamed(html, charset))
    return _flat(html)


def tamed(html: str | bytes, charset: str | None = None) -> bytes:
    """The page as UTF-8 that is safe for any tree builder: without NULs, with limited nesting, and
    with nothing left open inside ``<noscript>`` or ``<title>``.

    Raises MarkupError for a page with more than MAX_CHARACTERS, or more tags than MAX_NODES (twice
    as many if many of them can be removed); TypeError for another type.
    """
    if not isinstance(html, (str, bytes)):
        html = _bytes(html)
    if len(html) > MAX_CHARACTERS:
        raise MarkupError(
            f"the page has {len(html):,} {'bytes' if isinstance(html, bytes) else 'characters'}, "
            f"more than the {MAX_CHARACTERS:,} that are read"
        )
    if isinstance(html, bytes):
        html = decode(html, charset)
    page = html.encode("utf-8", "replace").replace(b"\0", b"")
    if _has_tags(page, 2 * MAX_NODES):
        raise MarkupError(_TOO_MANY_NODES)
    page = tame(close_title(close_noscript(page)))
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


def _flat(tree: LexborHTMLParser) -> Dom:
    """The elements and text nodes of the tree, without comments."""
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
        if node.is_text_node:
            tags.append(TEXT)
            texts.append(node.text_content or "")
            attributes.append(_NO_ATTRIBUTES)
        elif node.is_element_node:
            number_of[node.mem_id] = number
            tags.append(names.get(node.tag_id) or _named(node, names))
            texts.append("")
            attributes.append(node.attributes or _NO_ATTRIBUTES)
        else:
            continue
        parent = node.parent
        parents.append(number_of.get(parent.mem_id, -1) if parent is not None else -1)
        if number >= MAX_NODES:
            raise MarkupError(_TOO_MANY_NODES)
    return Dom(tags, texts, attributes, parents)


def _named(node: LexborNode, names: dict[int, str]) -> str:
    """The element's name; SVG has names in camel case."""
    return names.setdefault(node.tag_id, (node.tag or "").lower())
