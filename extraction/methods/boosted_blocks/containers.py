"""The ancestors of every block: how much text, links and prose each level contains.

The main container is the deepest element that contains a given share of the page's prose; the
position of a block relative to it is the strongest single feature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom, IntArray
    from extraction.methods.boosted_blocks.view import Columns, PageView

_LEVELS = 7
_MAIN_PARTS = {"main-40": 0.4, "main-75": 0.75}


def columns(view: PageView) -> Columns:
    """The statistics of every block."""
    result: Columns = {"depth": view.dom.depths[view.containers]}
    # (levels, blocks), as is everything indexed with it.
    ancestors = _ancestors(view.dom, view.containers)
    words = view.node_words[ancestors]
    prose = view.node_prose[ancestors]
    some_words = np.maximum(words, 1)
    values = {
        "words": words,
        "share": words / view.total_words,
        "share-of-prose": prose / view.total_prose,
        "link-density": view.node_linked_words[ancestors] / some_words,
        "prose": prose / some_words,
        "words-an-element": words / np.maximum(view.node_elements[ancestors], 1),
        "words-a-block": words / np.maximum(view.node_blocks[ancestors], 1),
    }
    for level in range(_LEVELS):
        result |= {f"up-{level}.{name}": value[level] for name, value in values.items()}
    for name, part in _MAIN_PARTS.items():
        result |= _relative_to_main(view, name, part)
    return result


def _ancestors(dom: Dom, containers: IntArray) -> IntArray:
    """(levels, blocks): the ancestors of every block; the root for levels above it."""
    ancestors = np.empty((_LEVELS, len(containers)), dtype=np.int32)
    ancestors[0] = containers
    for level in range(1, _LEVELS):
        ancestors[level] = np.maximum(dom.parents[ancestors[level - 1]], 0)
    return ancestors


def _relative_to_main(view: PageView, name: str, part: float) -> Columns:
    dom, firsts = view.dom, view.segmentation.firsts
    main = _main_container(view, part)
    inside = (firsts >= main) & (firsts < dom.ends[main])
    position = np.full(len(view), -1.0)
    position[inside] = np.linspace(0, 1, int(inside.sum()))
    # The ancestors of the main container are nested: both those that begin before a block and those
    # that end after it are the outermost ones.
    path = _path(dom, main)
    begun = np.searchsorted(path[::-1], firsts, side="right")
    ended = np.searchsorted(dom.ends[path], firsts, side="right")
    shared = np.minimum(begun, len(path) - ended)
    return {
        f"{name}.inside": inside,
        f"{name}.position": position,
        f"{name}.steps-up-to-meet": dom.depths[main] + 1 - shared,
        f"{name}.share": np.array(view.node_words[main] / view.total_words),
        f"{name}.depth": np.array(dom.depths[main]),
    }


def _main_container(view: PageView, part: float) -> int:
    """The deepest element with at least this share of the page's prose."""
    nodes = np.flatnonzero((view.node_prose >= part * view.total_prose) & ~view.dom.is_text)
    return int(nodes[np.argmax(view.dom.depths[nodes])]) if len(nodes) else 0


def _path(dom: Dom, node: int) -> list[int]:
    """The node and its ancestors."""
    path = []
    while node >= 0:
        path.append(node)
        node = int(dom.parents[node])
    return path
