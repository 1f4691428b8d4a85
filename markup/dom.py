"""The page as a flat tree: nodes in document order, their relations as arrays.

A subtree is the interval ``[i, end[i])``, so a sum over every subtree of the page is one
cumulative sum, and no method needs recursion. The tree is built by lexbor, an HTML5 tree builder
(through selectolax); docs/extraction.md has the measurement that chose it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser

from markup.encoding import decode
from markup.error import MarkupError
from markup.tags import INVISIBLE, TEXT, UNSEEN
from markup.tame import count_start_tags, tame

MAX_CHARACTERS = 10_000_000
MAX_NODES = 1_000_000

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.int32, np.int64, np.float32, np.float64)

_NO_ATTRIBUTES: Final[Mapping[str, str | None]] = {}
_TOO_MANY_NODES = f"the page has more than {MAX_NODES:,} nodes"
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)


class Dom:
    """A parsed page. Node 0 is the root element; every array has one entry a node.

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
        self.depths = _depths(self.parents)
        self.ends = _ends(self.parents)

    def __len__(self) -> int:
        return len(self.tags)

    def has_tag(self, names: Set[str]) -> BoolArray:
        """Nodes with one of these tags."""
        distinct, codes = self._tag_codes
        return np.fromiter((tag in names for tag in distinct), np.bool_, len(distinct))[codes]

    @cached_property
    def is_text(self) -> BoolArray:
        """Text nodes, blank ones included."""
        return self.has_tag({TEXT})

    @cached_property
    def has_text(self) -> BoolArray:
        """Text nodes with more than white space and invisible characters."""
        has_text = np.zeros(len(self), dtype=np.bool_)
        nodes = np.flatnonzero(self.is_text)
        texts = self.texts
        has_text[nodes] = np.fromiter(
            (bool(texts[node].strip(INVISIBLE)) for node in nodes.tolist()), np.bool_, len(nodes)
        )
        return has_text

    @cached_property
    def visible(self) -> BoolArray:
        """Nodes that a reader sees, as far as markup and inline style tell.

        ``<noscript>`` is for readers without scripts: it counts only on a page that has most of
        its text there, made by its author to be read that way.
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
        """For every node, the nearest chosen node on the way up, itself included; -1 if none."""
        # One entry more, for -1: the way up ends there.
        up = np.append(np.where(chosen, np.arange(len(self), dtype=np.int32), self.parents), -1)
        return _followed(up.astype(np.int32))[:-1]

    @cached_property
    def _tag_codes(self) -> tuple[list[str], IntArray]:
        """The distinct tags, and for every node the index of its tag among them."""
        code_of = {tag: code for code, tag in enumerate(dict.fromkeys(self.tags))}
        codes = np.fromiter(map(code_of.__getitem__, self.tags), np.int32, len(self))
        return list(code_of), codes

    def _characters(self, shown: BoolArray) -> int:
        nodes = np.flatnonzero(shown & self.has_text)
        return sum(len(self.texts[node].strip()) for node in nodes.tolist())

    def _hidden_elements(self) -> IntArray:
        hidden = self.has_tag(UNSEEN)
        by_attribute = [
            node
            for node, attributes in enumerate(self.attributes)
            if attributes
            and ("style" in attributes or "hidden" in attributes)
            and _hides(attributes)
        ]
        hidden[by_attribute] = True
        return np.flatnonzero(hidden & ~self.has_tag({"html", "body"})).astype(np.int32)

    def covered(self, roots: npt.NDArray[np.integer]) -> BoolArray:
        """Nodes inside any of the subtrees."""
        steps = np.zeros(len(self) + 1, dtype=np.int32)
        steps[roots] += 1
        np.subtract.at(steps, self.ends[roots], 1)
        return np.cumsum(steps[:-1]) > 0


def parse(html: str | bytes | Dom, charset: str | None = None) -> Dom:
    """The page as a Dom; a Dom passes through.

    Raises MarkupError for a page beyond MAX_CHARACTERS or MAX_NODES.
    """
    if isinstance(html, Dom):
        return html
    return _flat(LexborHTMLParser(tamed(html, charset)))


def tamed(html: str | bytes, charset: str | None = None) -> bytes:
    """The page as UTF-8 that any tree builder can bear: no NULs, no endless nesting.

    Raises MarkupError for a page beyond MAX_CHARACTERS, or one whose tags alone are more than
    MAX_NODES (twice that, where many of them can be taken out).
    """
    if len(html) > MAX_CHARACTERS:
        raise MarkupError(
            f"the page has {len(html):,} {'bytes' if isinstance(html, bytes) else 'characters'}, "
            f"more than the {MAX_CHARACTERS:,} that are read"
        )
    if isinstance(html, bytes):
        html = decode(html, charset)
    page = html.replace("\0", "").encode("utf-8", "replace")
    if _has_tags(page, 2 * MAX_NODES):
        raise MarkupError(_TOO_MANY_NODES)
    page = tame(page)
    if _has_tags(page, MAX_NODES):
        raise MarkupError(_TOO_MANY_NODES)
    return page


def _has_tags(page: bytes, count: int) -> bool:
    """Whether the page has more start tags than ``count``."""
    return len(page) > 2 * count and count_start_tags(page) > count


def _flat(tree: LexborHTMLParser) -> Dom:
    """The elements and text nodes of the tree; comments are left out."""
    if tree.root is None:
        return Dom(["html"], [""], [_NO_ATTRIBUTES], [-1])
    tags: list[str] = []
    texts: list[str] = []
    attributes: list[Mapping[str, str | None]] = []
    parents: list[int] = []
    index_of: dict[int, int] = {}
    for node in tree.root.traverse(include_text=True):
        tag = node.tag
        if tag == "-text":
            tags.append(TEXT)
            texts.append(node.text_content or "")
            attributes.append(_NO_ATTRIBUTES)
        elif tag and tag[0] != "-":
            index_of[node.mem_id] = len(tags)
            # SVG has names in camel case.
            tags.append(tag if tag.islower() else tag.lower())
            texts.append("")
            attributes.append(node.attributes or _NO_ATTRIBUTES)
        else:
            continue
        parent = node.parent
        parents.append(index_of.get(parent.mem_id, -1) if parent is not None else -1)
        if len(tags) > MAX_NODES:
            raise MarkupError(_TOO_MANY_NODES)
    return Dom(tags, texts, attributes, parents)


def _followed(pointers: IntArray) -> IntArray:
    """Where every chain of pointers ends: at an entry that points to itself."""
    while True:
        further = pointers[pointers]
        if np.array_equal(further, pointers):
            return pointers
        pointers = further


def _depths(parents: IntArray) -> IntArray:
    depths = (parents >= 0).astype(np.int32)
    above = parents.clip(min=0)
    while above.any():
        depths += depths[above]
        above = above[above]
    return depths


def _ends(parents: IntArray) -> IntArray:
    """A node ends where its next sibling begins; a last child ends where its parent does."""
    by_parent = np.argsort(parents, kind="stable").astype(np.int32)
    has_next = parents[by_parent[1:]] == parents[by_parent[:-1]]
    before, after = by_parent[:-1][has_next], by_parent[1:][has_next]
    ends = np.full(len(parents), len(parents), dtype=np.int32)
    ends[before] = after
    last_up = parents.clip(min=0)
    last_up[before] = before
    return ends[_followed(last_up)]


def _hides(attributes: Mapping[str, str | None]) -> bool:
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    return _HIDING_STYLE.search(attributes.get("style") or "") is not None
