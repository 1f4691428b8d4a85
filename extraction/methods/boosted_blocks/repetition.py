"""What repeats on a page: elements with the same tag and class, list items, equal texts.

Elements with the same tag and class (the same *build*) come from the same line of a template.
Statistics over all of them, and over the siblings among them, distinguish the items of a list from
the paragraphs of a text. GOCE's second algorithm (section 3.3.3) uses the same idea.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import Integers

if TYPE_CHECKING:
    from corpus_commons.markup.forest import Forest
    from corpus_commons.markup.tree import BoolArray, IntArray, Tree
    from extraction.methods.boosted_blocks.batch import Batch, Columns

_ITEMS_OF_A_LIST = 3
# Texts that are short and repeated are labels, as those of buttons.
_LABEL_WORDS = 3
_LABELS = 3
# numpy's stubs type the result of bincount as integers, whatever the weights are.
Sums = npt.NDArray[np.number]


def columns(batch: Batch) -> Columns:
    """The statistics of every block."""
    tree, holders, up = batch.tree, batch.holders, batch.up
    builds = _builds(tree)
    own = np.zeros(len(tree), dtype=np.int64)
    own[holders] = np.unique(builds[holders], return_inverse=True)[1]
    with_parent = own * (len(holders) + 1) + own[up]
    containers = batch.containers
    times, times_before = _of_texts(batch)
    is_label = (batch.words <= _LABEL_WORDS) & (times >= _LABELS)
    around = {
        "build": containers,
        "parent-build": up[containers],
        "grandparent-build": up[up[containers]],
    }
    return {
        **_of_builds(batch, own, around),
        **_of_builds(batch, with_parent, {"build-in-parent": containers}),
        **_of_items(batch, own, is_label),
        "text.times": times,
        "text.times-before": times_before,
    }


def _builds(tree: Forest) -> Integers:
    """For every node, a number that nodes of a page with the same tag and class share."""
    classes = tree.attribute("class")
    numbers = np.zeros(len(tree), dtype=np.int64)
    numbers[classes.nodes] = classes.codes + 1
    # An empty class counts as none.
    numbers[classes.where(lambda names: not names)] = 0
    tags, codes = tree.tag_codes
    return (numbers * len(tags) + codes) * len(tree.pages) + tree.page_of


def _of_builds(batch: Batch, builds: Integers, around: dict[str, IntArray]) -> Columns:
    """Statistics over all elements of the same build as those ``around`` each block."""
    holders = batch.holders
    _, build_of, members = np.unique(builds[holders], return_inverse=True, return_counts=True)
    words = np.bincount(build_of, batch.node_words[holders])
    some_words = np.maximum(words, 1)
    place = np.zeros(len(batch.tree), dtype=np.int64)
    place[holders] = build_of
    values = {
        "members": members,
        "mean-words": words / members,
        "link-density": np.bincount(build_of, batch.node_linked_words[holders]) / some_words,
        "prose": np.bincount(build_of, batch.node_prose[holders]) / some_words,
    }
    result: Columns = {}
    for name, at in around.items():
        build = place[at]
        result |= {f"{name}.{key}": value[build] for key, value in values.items()}
        result[f"{name}.share"] = words[build] / batch.total_words
    return result


def _of_items(batch: Batch, builds: Integers, is_label: BoolArray) -> Columns:
    """Features of the innermost and the outermost repeated sibling around every block.

    is_label: for every block.
    """
    tree = batch.tree
    nodes = batch.holders[tree.parents[batch.holders] >= 0]
    key = tree.parents[nodes] * (builds.max() + 1) + builds[nodes]
    _, group_of, sizes = np.unique(key, return_inverse=True, return_counts=True)
    rank, place = np.zeros((2, len(tree)), dtype=np.int64)
    rank[nodes] = ranks(group_of)
    place[nodes] = group_of
    words = batch.node_words[nodes].astype(np.float64)
    labels = batch.over_subtrees(is_label.astype(np.float32))
    groups = _Groups(
        place=place,
        rank=rank,
        sizes=sizes,
        words=np.bincount(group_of, words),
        squares=np.bincount(group_of, words**2),
        linked=np.bincount(group_of, batch.node_linked_words[nodes]),
        dated=np.bincount(group_of, batch.node_dates[nodes] > 0),
        labelled=np.bincount(group_of, labels[nodes] > 0),
        prose=np.bincount(group_of, batch.node_prose[nodes]),
    )
    repeated = np.zeros(len(tree), dtype=np.bool_)
    repeated[nodes] = sizes[group_of] >= _ITEMS_OF_A_LIST
    return {
        **groups.columns(batch, "item", tree.nearest(repeated)[batch.containers]),
        **groups.columns(batch, "outer-item", _outermost(tree, repeated, batch.containers)),
    }


def ranks(group_of: Integers) -> Integers:
    """For every member, how many of the same group come before it; groups are numbered from 0.

    >>> ranks(np.array([0, 1, 0, 0, 1])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(group_of, kind="stable")
    sizes = np.bincount(group_of)
    rank = np.empty(len(group_of), dtype=np.int64)
    rank[order] = np.arange(len(group_of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups of siblings with the same build.

    place: for every node, the index of its group. rank: its position in the group.
    sizes, words, squares, linked, prose: for every group, the number of its members, and the sums
        of their words, squared word counts, words in links and words of prose.
    dated, labelled: the number of its members with a date, and with a label.
    """

    place: Integers
    rank: Integers
    sizes: Integers
    words: Sums
    squares: Sums
    linked: Sums
    dated: Sums
    labelled: Sums
    prose: Sums

    def columns(self, batch: Batch, name: str, items: IntArray) -> Columns:
        """Features of the groups that ``items`` belong to; an item is -1 if a block is in none."""
        group, depths = self.place[items], batch.tree.depths
        size, total = self.sizes[group], np.maximum(self.words[group], 1)
        mean = self.words[group] / size
        variance = np.maximum(self.squares[group] / size - mean**2, 0)
        values = {
            "siblings": size,
            "mean-words": mean,
            "spread": np.sqrt(variance) / np.maximum(mean, 1),
            "link-density": self.linked[group] / total,
            "prose": self.prose[group] / total,
            "dated": self.dated[group] / size,
            "labelled": self.labelled[group] / size,
            "share": self.words[group] / batch.total_words,
            "rank": self.rank[items] / size,
            "steps-up": depths[batch.containers] - depths[items],
            "words": batch.node_words[items],
            "blocks": batch.node_blocks[items],
        }
        inside = items >= 0
        return {f"{name}.{key}": np.where(inside, column, -1) for key, column in values.items()}


def _outermost(tree: Tree, chosen: BoolArray, nodes: IntArray) -> IntArray:
    """For each of these nodes, its outermost chosen ancestor; -1 if none."""
    every = np.flatnonzero(chosen).astype(np.int32)
    # A chosen node is outermost if all chosen nodes before it have ended.
    ended = np.maximum.accumulate(np.append(np.int32(0), tree.ends[every]))[:-1]
    outer = np.append(every[every >= ended], np.int32(-1))
    last = outer[np.searchsorted(outer[:-1], nodes, side="right") - 1]
    return np.where((last >= 0) & (tree.ends[last] > nodes), last, np.int32(-1))


def _of_texts(batch: Batch) -> tuple[Integers, Integers]:
    """How often every block's text occurs on the page, and how often before the block."""
    number_of: dict[str, int] = {}
    numbers = [number_of.setdefault(text.lower(), len(number_of)) for text in batch.texts]
    on_page = np.array(numbers) * len(batch.starts) + batch.page_of
    _, group_of, times = np.unique(on_page, return_inverse=True, return_counts=True)
    return times[group_of], ranks(group_of)
