"""What repeats on a page: elements of one build, the items of lists, equal texts.

Elements with the same tag and class were made by the same line of a template. Statistics over
all of them, and over the siblings among them, tell the items of a list from the paragraphs of a
text; GOCE's second algorithm (section 3.3.3) rests on the same idea.
"""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.ancestry import levels

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.view import Columns, PageView
    from markup.dom import BoolArray, Dom

_ITEMS_OF_A_LIST = 3
Signatures = npt.NDArray[np.int64]
# numpy types the sums of bincount as whole numbers, whatever its weights are.
Sums = npt.NDArray[np.number]


def columns(view: PageView) -> Columns:
    """The statistics of every block."""
    dom = view.dom
    own = _signatures(dom)
    with_parent = own * 1_000_003 + own[np.maximum(dom.parents, 0)]
    elements = ~dom.is_text & (view.node_blocks > 0)
    containers = view.containers
    parents = np.maximum(dom.parents[containers], 0)
    grandparents = np.maximum(dom.parents[parents], 0)
    return {
        **_of_build(view, "build", own, elements, containers),
        **_of_build(view, "parent-build", own, elements, parents),
        **_of_build(view, "grandparent-build", own, elements, grandparents),
        **_of_build(view, "build-in-parent", with_parent, elements, containers),
        **_of_items(view, own, elements),
        **_of_texts(view),
    }


def _signatures(dom: Dom) -> Signatures:
    return np.fromiter(
        (
            _signature(tag, attributes.get("class") or "" if attributes else "")
            for tag, attributes in zip(dom.tags, dom.attributes, strict=True)
        ),
        np.int64,
        len(dom),
    )


@lru_cache(maxsize=16_384)
def _signature(tag: str, class_name: str) -> int:
    return zlib.crc32(f"{tag}.{class_name}".encode("utf-8", "replace"))


def _of_build(
    view: PageView,
    name: str,
    signatures: Signatures,
    elements: BoolArray,
    at: npt.NDArray[np.int32],
) -> Columns:
    """Over all elements that share the signature of the element ``at`` each block."""
    nodes = np.flatnonzero(elements)
    _, build_of, members = np.unique(signatures[nodes], return_inverse=True, return_counts=True)
    words = np.bincount(build_of, view.node_words[nodes])
    linked = np.bincount(build_of, view.node_linked_words[nodes])
    prose = np.bincount(build_of, view.node_prose[nodes])
    place = np.full(len(view.dom), -1)
    place[nodes] = build_of
    build = place[at]
    known = build >= 0
    total = np.maximum(words[build], 1)
    return {
        f"{name}.members": np.where(known, members[build], 0),
        f"{name}.mean-words": np.where(known, words[build] / members[build], 0),
        f"{name}.link-density": np.where(known, linked[build] / total, 0),
        f"{name}.share": np.where(known, words[build] / view.total_words, 0),
        f"{name}.prose": np.where(known, prose[build] / total, 0),
    }


def _of_items(view: PageView, signatures: Signatures, elements: BoolArray) -> Columns:
    """Of the innermost and the outermost repeated sibling round every block."""
    dom = view.dom
    nodes = np.flatnonzero(elements & (dom.parents >= 0))
    key = dom.parents[nodes].astype(np.int64) << 32 | signatures[nodes] & 0xFFFFFFFF
    _, group_of, sizes = np.unique(key, return_inverse=True, return_counts=True)
    order = np.argsort(group_of, kind="stable")
    first_of_group = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    rank = np.zeros(len(dom), dtype=np.int64)
    rank[nodes[order]] = np.arange(len(nodes)) - first_of_group[group_of[order]]
    words = view.node_words[nodes].astype(np.float64)
    place = np.zeros(len(dom), dtype=np.int64)
    place[nodes] = group_of
    groups = _Groups(
        place=place,
        rank=rank,
        sizes=sizes,
        words=np.bincount(group_of, words),
        squares=np.bincount(group_of, words**2),
        linked=np.bincount(group_of, view.node_linked_words[nodes]),
        prose=np.bincount(group_of, view.node_prose[nodes]),
    )
    repeated = np.zeros(len(dom), dtype=np.bool_)
    repeated[nodes] = sizes[group_of] >= _ITEMS_OF_A_LIST
    return {
        **groups.columns(view, "item", dom.nearest(repeated)[view.containers]),
        **groups.columns(view, "outer-item", _outermost(dom, repeated)[view.containers]),
    }


@dataclass(frozen=True, eq=False)
class _Groups:
    """Siblings of one build.

    place: for every node, the index of its group. rank: its number among its siblings.
    sizes, words, squares, linked, prose: for every group, its members, their words, the sum of
    their words squared, their linked words and their words of prose.
    """

    place: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    words: Sums
    squares: Sums
    linked: Sums
    prose: Sums

    def columns(self, view: PageView, name: str, items: npt.NDArray[np.int32]) -> Columns:
        """Of the groups that ``items`` are members of; -1 where a block is in none."""
        group = self.place[items]
        size, total = self.sizes[group], np.maximum(self.words[group], 1)
        mean = self.words[group] / size
        variance = np.maximum(self.squares[group] / size - mean**2, 0)
        values = {
            "siblings": size,
            "mean-words": mean,
            "spread": np.sqrt(variance) / np.maximum(mean, 1),
            "link-density": self.linked[group] / total,
            "prose": self.prose[group] / total,
            "share": self.words[group] / view.total_words,
            "rank": self.rank[items] / size,
            "steps-up": view.dom.depths[view.containers] - view.dom.depths[items],
            "words": view.node_words[items],
            "blocks": view.node_blocks[items],
        }
        inside = items >= 0
        return {f"{name}.{key}": np.where(inside, column, -1) for key, column in values.items()}


def _outermost(dom: Dom, chosen: BoolArray) -> npt.NDArray[np.int32]:
    """For every node, the chosen node nearest to the root on the way up; -1 if none."""
    outermost = np.where(chosen, np.arange(len(dom), dtype=np.int32), np.int32(-1))
    for level in levels(dom):
        above = outermost[dom.parents[level]]
        outermost[level] = np.where(above >= 0, above, outermost[level])
    return outermost


def _of_texts(view: PageView) -> Columns:
    """How often every block's text stands on the page, and how often before."""
    texts = [text.lower() for text in view.texts]
    times = Counter(texts)
    seen: Counter[str] = Counter()
    before = []
    for text in texts:
        before.append(seen[text])
        seen[text] += 1
    return {
        "text.times": np.array([times[text] for text in texts]),
        "text.times-before": np.array(before),
    }
