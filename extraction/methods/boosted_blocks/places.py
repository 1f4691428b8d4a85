"""The places of blocks in the structure of a page: the elements around them, with their names."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.names import PLACING

if TYPE_CHECKING:
    from corpus_commons.markup.tree import IntArray, Tree
    from extraction.page_marks import Hashes

# A place is the block's container and its ancestors, up to this many elements.
_LEVELS: Final = 6
# Names with digits are those of single elements: post-123.
_DIGIT: Final = re.compile(r"\d")
_FACTORS: Final = tuple(np.uint32(factor) for factor in (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D))
# The names of these tell what kind of page it is, which several templates share.
_ROOTS: Final = frozenset(("html", "body"))


def places_of(containers: IntArray, tree: Tree) -> Hashes:
    """For every block, a hash of the elements around it: their tags and names.

    containers: the nearest block-level element around every block.
    """
    builds = _builds(tree)
    parents = tree.parents
    nodes = containers
    found = np.zeros(len(containers), dtype=np.uint32)
    for _ in range(_LEVELS):
        found = found * _FACTORS[0] + np.where(nodes >= 0, builds[nodes], 0)
        nodes = np.where(nodes >= 0, parents[nodes], -1)
    return found.astype(np.uint32)


def _builds(tree: Tree) -> Hashes:
    """For every node, a hash of its tag, its class and its id."""
    names, (tags, codes) = tree.names, tree.tag_codes
    builds: Hashes = np.array([zlib.crc32(tag.encode()) for tag in tags], dtype=np.uint32)[codes]
    of_nodes = np.zeros_like(builds)
    of_names = np.array([*map(_hash, names.names)], dtype=np.uint32)
    named = zip(names.attributes[: len(PLACING)], names.sums(of_names), _FACTORS[1:], strict=False)
    for attribute, own, factor in named:
        of_nodes[attribute.nodes] += own.astype(np.uint32) * factor
    of_nodes[tree.has_tag(_ROOTS)] = 0
    return builds + of_nodes


def _hash(name: str) -> int:
    return 0 if _DIGIT.search(name) else zlib.crc32(name.encode("utf-8", "replace"))
