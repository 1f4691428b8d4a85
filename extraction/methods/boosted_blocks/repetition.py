"""What repeats on a page: elements with the same tag and class, list items, equal texts.

Elements with the same tag and class (the same *build*) come from the same line of a template.
Statistics over all of them, and over the siblings among them, distinguish the items of a list from
the paragraphs of a text. GOCE's second algorithm (section 3.3.3) uses the same idea.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import Integers

if TYPE_CHECKING:
    from corpus_commons.markup.dom import BoolArray, Dom, IntArray
    from extraction.methods.boosted_blocks.view import Columns, PageView

_ITEMS_OF_A_LIST = 3
# numpy's stubs type the result of bincount as integers, whatever the weights are.
Sums = npt.NDArray[np.number]


def columns(view: PageView) -> Columns:
    """The statistics of every block."""
    dom = view.dom
    own = _builds(dom)
    with_parent = own * (own.max() + 1) + own[np.maximum(dom.parents, 0)]
    elements = np.flatnonzero(~dom.is_text & (view.node_blocks > 0))
    containers = view.containers
    parents = np.maximum(dom.parents[containers], 0)
    grandparents = np.maximum(dom.parents[parents], 0)
    around = {"build": containers, "parent-build": parents, "grandparent-build": grandparents}
    return {
        **_of_builds(view, own, elements, around),
        **_of_builds(view, with_parent, elements, {"build-in-parent": containers}),
        **_of_items(view, own, elements),
        **_of_texts(view),
    }


def _builds(dom: Dom) -> Integers:
    """For every node, a number that nodes with the same tag and class share."""
    classes = dom.attribute("class")
    numbers = np.zeros(len(dom), dtype=np.int64)
    numbers[classes.nodes] = classes.codes + 1
    # An empty class counts as none.
    numbers[classes.where(lambda names: not names)] = 0
    return numbers + dom.tag_codes[1] * (len(classes.values) + 1)


def _of_builds(
    view: PageView,
    builds: Integers,
    elements: npt.NDArray[np.intp],
    around: dict[str, IntArray],
) -> Columns:
    """Statistics over all elements of the same build as those ``around`` each block."""
    _, build_of, members = np.unique(builds[elements], return_inverse=True, return_counts=True)
    words = np.bincount(build_of, view.node_words[elements])
    some_words = np.maximum(words, 1)
    values = {
        "members": members,
        "mean-words": words / members,
        "link-density": np.bincount(build_of, view.node_linked_words[elements]) / some_words,
        "share": words / view.total_words,
        "prose": np.bincount(build_of, view.node_prose[elements]) / some_words,
    }
    place = np.full(len(view.dom), -1)
    place[elements] = build_of
    result: Columns = {}
    for name, at in around.items():
        build = place[at]
        known = build >= 0
        for key, value in values.items():
            result[f"{name}.{key}"] = np.where(known, value[build], 0)
    return result


def _of_items(view: PageView, builds: Integers, elements: npt.NDArray[np.intp]) -> Columns:
    """Features of the innermost and the outermost repeated sibling around every block."""
    dom = view.dom
    nodes = elements[dom.parents[elements] >= 0]
    key = dom.parents[nodes] * (builds.max() + 1) + builds[nodes]
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
    """Groups of siblings with the same build.

    place: for every node, the index of its group. rank: its position in the group.
    sizes, words, squares, linked, prose: for every group, the number of its members, and the sums
        of their words, squared word counts, words in links and words of prose.
    """

    place: Integers
    rank: Integers
    sizes: Integers
    words: Sums
    squares: Sums
    linked: Sums
    prose: Sums

    def columns(self, view: PageView, name: str, items: IntArray) -> Columns:
        """Features of the groups that ``items`` belong to; an item is -1 if a block is in none."""
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


def _outermost(dom: Dom, chosen: BoolArray) -> IntArray:
    """For every node, its outermost chosen ancestor; -1 if none."""
    nodes = np.flatnonzero(chosen).astype(np.int32)
    # A chosen node is outermost if all chosen nodes before it have ended.
    ended = np.maximum.accumulate(np.append(np.int32(0), dom.ends[nodes]))[:-1]
    outer = np.append(nodes[nodes >= ended], np.int32(-1))
    last = outer[np.searchsorted(outer[:-1], np.arange(len(dom)), side="right") - 1]
    return np.where((last >= 0) & (dom.ends[last] > np.arange(len(dom))), last, np.int32(-1))


def _of_texts(view: PageView) -> Columns:
    """How often every block's text occurs on the page, and how often before the block."""
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
