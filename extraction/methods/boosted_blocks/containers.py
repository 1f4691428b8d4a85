"""The ancestors of every block: how much text, links and prose each level contains.

The main container is the deepest element that contains a given share of the page's prose; the
position of a block relative to it is the strongest single feature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.batch import Batch, Columns

_LEVELS = 7
_MAIN_PARTS = {"main-40": 0.4, "main-75": 0.75}


def columns(batch: Batch) -> Columns:
    """The statistics of every block."""
    result: Columns = {"depth": batch.tree.depths[batch.containers]}
    # (levels, blocks), as is everything indexed with it.
    ancestors = _ancestors(batch)
    words = batch.node_words[ancestors]
    prose = batch.node_prose[ancestors]
    some_words = np.maximum(words, 1)
    values = {
        "words": words,
        "share": words / batch.total_words,
        "share-of-prose": prose / batch.total_prose,
        "link-density": batch.node_linked_words[ancestors] / some_words,
        "prose": prose / some_words,
        "words-an-element": words / np.maximum(batch.node_elements[ancestors], 1),
        "words-a-block": words / np.maximum(batch.node_blocks[ancestors], 1),
    }
    for level in range(_LEVELS):
        result |= {f"up-{level}.{name}": value[level] for name, value in values.items()}
    for name, part in _MAIN_PARTS.items():
        result |= _relative_to_main(batch, name, part)
    return result


def _ancestors(batch: Batch) -> IntArray:
    """(levels, blocks): the ancestors of every block; the root for levels above it."""
    ancestors = np.empty((_LEVELS, len(batch)), dtype=np.int32)
    ancestors[0] = batch.containers
    for level in range(1, _LEVELS):
        ancestors[level] = batch.up[ancestors[level - 1]]
    return ancestors


def _relative_to_main(batch: Batch, name: str, part: float) -> Columns:
    tree, firsts = batch.tree, batch.firsts
    mains = _main_containers(batch, part)
    main = mains[batch.page_of]
    inside = (firsts >= main) & (firsts < tree.ends[main])
    meeting = tree.nearest(_with_ancestors(batch, mains))[firsts]
    return {
        f"{name}.inside": inside,
        f"{name}.position": _positions(batch, inside),
        f"{name}.steps-up-to-meet": tree.depths[main] - tree.depths[meeting],
        f"{name}.share": batch.node_words[main] / batch.total_words,
        f"{name}.depth": tree.depths[main],
    }


def _main_containers(batch: Batch, part: float) -> IntArray:
    """For every page, the deepest element with at least this share of its prose."""
    tree, holders = batch.tree, batch.holders
    is_large = batch.node_prose >= part * batch.page_prose[tree.page_of]
    nodes = holders[is_large[holders]]
    # The last of a page's nodes is its first one of the greatest depth.
    order = np.lexsort((-nodes, tree.depths[nodes], tree.page_of[nodes]))
    mains = tree.roots.copy()
    mains[tree.page_of[nodes[order]]] = nodes[order]
    return mains


def _with_ancestors(batch: Batch, nodes: IntArray) -> BoolArray:
    """For every node, whether it is one of these or an ancestor of one."""
    chosen = np.zeros(len(batch.tree), dtype=np.bool_)
    while not chosen[nodes].all():
        chosen[nodes] = True
        nodes = batch.up[nodes]
    return chosen


def _positions(batch: Batch, inside: BoolArray) -> npt.NDArray[np.float64]:
    """The place of every block among those inside on its page, from 0 to 1; -1 outside."""
    rank = batch.running(inside.astype(np.float64)) - 1
    last = batch.of_pages(inside)[batch.page_of] - 1
    return np.where(inside, rank / np.maximum(last, 1), -1.0)
