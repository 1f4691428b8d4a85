"""The page as a flat tree: nodes in document order, their relations as arrays.

A subtree is the interval ``[i, end[i])``, so a sum over every subtree of the page is one
cumulative sum, and no method needs recursion. The tree is built by lexbor, an HTML5 tree builder
(through selectolax); docs/extraction.md has the measurement that chose it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser

from extraction.encoding import decode
from extraction.protocol import ExtractionError
from extraction.tags import TEXT, UNSEEN
from extraction.tame import tame

MAX_CHARACTERS = 10_000_000
MAX_NODES = 1_000_000

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.int32, np.int64, np.float32, np.float64)

_NO_ATTRIBUTES: Final[Mapping[str, str | None]] = {}
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
        self.depths, self.ends = _depths_and_ends(parents)

    def __len__(self) -> int:
        return len(self.tags)

    @cached_property
    def is_text(self) -> BoolArray:
        """Text nodes, blank ones included."""
        return np.fromiter((tag is TEXT for tag in self.tags), np.bool_, len(self))

    @cached_property
    def visible(self) -> BoolArray:
        """Nodes that a reader sees, as far as markup and inline style tell.

        ``<noscript>`` is for readers without scripts: it counts only on a page that has most of
        its text there, made by its author to be read that way.
        """
        visible = ~self._covered(self._hidden_elements())
        noscript = self._covered([i for i, tag in enumerate(self.tags) if tag == "noscript"])
        characters = np.fromiter((len(text.strip()) for text in self.texts), np.int64, len(self))
        if characters[visible & noscript].sum() <= characters[visible & ~noscript].sum():
            visible &= ~noscript
        return visible

    def subtree_sums(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """For every node, the sum of ``values`` over it and its descendants."""
        total = np.zeros(len(values) + 1, dtype=values.dtype)
        np.cumsum(values, out=total[1:])
        return total[self.ends] - total[:-1]

    def nearest(self, chosen: BoolArray) -> IntArray:
        """For every node, the nearest chosen node on the way up, itself included; -1 if none."""
        nearest = np.where(chosen, np.arange(len(self), dtype=np.int32), np.int32(-1)).tolist()
        for node, parent in enumerate(self.parents.tolist()):
            if nearest[node] < 0 and parent >= 0:
                nearest[node] = nearest[parent]
        return np.array(nearest, dtype=np.int32)

    def _hidden_elements(self) -> list[int]:
        hidden = []
        for i, (tag, attributes) in enumerate(zip(self.tags, self.attributes, strict=True)):
            if tag in UNSEEN or (attributes and tag not in ("html", "body") and _hides(attributes)):
                hidden.append(i)
        return hidden

    def _covered(self, roots: list[int]) -> BoolArray:
        """Nodes inside any of the subtrees."""
        steps = np.zeros(len(self) + 1, dtype=np.int32)
        np.add.at(steps, roots, 1)
        np.add.at(steps, self.ends[roots], -1)
        return np.cumsum(steps[:-1]) > 0


def parse(html: str | bytes | Dom, charset: str | None = None) -> Dom:
    """The page as a Dom; a Dom passes through.

    Raises ExtractionError for a page beyond MAX_CHARACTERS or MAX_NODES.
    """
    if isinstance(html, Dom):
        return html
    if len(html) > MAX_CHARACTERS:
        raise ExtractionError(
            f"the page has {len(html):,} {'bytes' if isinstance(html, bytes) else 'characters'}, "
            f"more than the {MAX_CHARACTERS:,} that are read"
        )
    if isinstance(html, bytes):
        html = decode(html, charset)
    page = html.replace("\0", "").encode("utf-8", "replace")
    return _flat(LexborHTMLParser(tame(page)))


def _flat(tree: LexborHTMLParser) -> Dom:
    tags: list[str] = []
    texts: list[str] = []
    attributes: list[Mapping[str, str | None]] = []
    parents: list[int] = []
    index_of: dict[int, int] = {}
    if tree.root is None:
        return Dom(["html"], [""], [_NO_ATTRIBUTES], [-1])
    for node in tree.root.traverse(include_text=True):
        parent = node.parent
        parents.append(index_of[parent.mem_id] if parents and parent is not None else -1)
        tag = node.tag
        if tag == "-text":
            tags.append(TEXT)
            texts.append(node.text_content or "")
            attributes.append(_NO_ATTRIBUTES)
        else:
            index_of[node.mem_id] = len(tags)
            tags.append(tag or "")
            texts.append("")
            attributes.append(node.attributes or _NO_ATTRIBUTES)
        if len(tags) > MAX_NODES:
            raise ExtractionError(f"the page has more than {MAX_NODES:,} nodes")
    return Dom(tags, texts, attributes, parents)


def _depths_and_ends(parents: list[int]) -> tuple[IntArray, IntArray]:
    depths = [0] * len(parents)
    ends = list(range(1, len(parents) + 1))
    for node in range(1, len(parents)):
        depths[node] = depths[parents[node]] + 1
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        ends[parent] = max(ends[parent], ends[node])
    return np.array(depths, dtype=np.int32), np.array(ends, dtype=np.int32)


def _hides(attributes: Mapping[str, str | None]) -> bool:
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    return _HIDING_STYLE.search(attributes.get("style") or "") is not None
