"""The places of blocks in the structure of a page: the elements around them, with their names."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.attribute import Attribute
    from corpus_commons.markup.dom import Dom, IntArray
    from extraction.site_memory import Hashes

# A place is the block's container and its ancestors, up to this many elements.
_LEVELS: Final = 4
# Names with digits are those of single elements: post-123.
_NUMBERED = re.compile(r"\S*\d\S*")
_FACTORS: Final = tuple(np.uint32(factor) for factor in (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D))
# The names of these tell what kind of page it is, which several templates share.
_ROOTS: Final = frozenset(("html", "body"))


def places_of(containers: IntArray, dom: Dom) -> Hashes:
    """For every block, a hash of the elements around it: their tags and names.

    containers: the nearest block-level element around every block.
    """
    builds = _builds(dom)
    parents = dom.parents
    nodes = containers
    found = np.zeros(len(containers), dtype=np.uint32)
    for _ in range(_LEVELS):
        found = found * _FACTORS[0] + np.where(nodes >= 0, builds[nodes], 0)
        nodes = np.where(nodes >= 0, parents[nodes], -1)
    return found.astype(np.uint32)


def _builds(dom: Dom) -> Hashes:
    """For every node, a hash of its tag, its class and its id."""
    tags, codes = dom.tag_codes
    builds: Hashes = np.array([zlib.crc32(tag.encode()) for tag in tags], dtype=np.uint32)[codes]
    names = np.zeros_like(builds)
    for attribute, factor in zip(("class", "id"), _FACTORS[1:], strict=True):
        _add_names(names, dom.attribute(attribute), factor)
    names[dom.has_tag(_ROOTS)] = 0
    return builds + names


def _add_names(names: Hashes, attribute: Attribute, factor: np.uint32) -> None:
    values = [
        zlib.crc32(" ".join(sorted(_NUMBERED.sub("", value).split())).encode("utf-8", "replace"))
        for value in attribute.values
    ]
    names[attribute.nodes] += np.array(values, dtype=np.uint32)[attribute.codes] * factor
