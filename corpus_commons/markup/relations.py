"""Derives depths and subtree ends of a tree in document order from the parents of its nodes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Nodes = npt.NDArray[np.int32]


def depths_of(parents: Nodes) -> Nodes:
    """The distance of every node from the root."""
    depths = (parents >= 0).astype(np.int32)
    above = parents.clip(min=0)
    while above.any():
        depths += depths[above]
        above = above[above]
    return depths


def ends_of(parents: Nodes) -> Nodes:
    """A node ends where its next sibling begins; a last child ends where its parent does."""
    by_parent = np.argsort(parents, kind="stable").astype(np.int32)
    has_next = parents[by_parent[1:]] == parents[by_parent[:-1]]
    before, after = by_parent[:-1][has_next], by_parent[1:][has_next]
    ends = np.full(len(parents), len(parents), dtype=np.int32)
    ends[before] = after
    last_up = parents.clip(min=0)
    last_up[before] = before
    return ends[followed(last_up)]


def followed(pointers: Nodes) -> Nodes:
    """Where the chain of pointers from every entry ends: at an entry that points to itself."""
    while True:
        further = pointers[pointers]
        if np.array_equal(further, pointers):
            return pointers
        pointers = further
