"""Makes hostile markup safe for an HTML5 tree builder.

The tree-building algorithm has no bounds: a tag costs time in proportion to the open elements
around it, and formatting elements left open are built again in every later paragraph, so a page
of a few hundred kilobytes can ask for hours and gigabytes. Browsers cap the depth of the tree
(Chromium: 512) by building deeper elements as siblings; we do the same, before parsing.
Ordinary pages pass a vectorised check and are not touched.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from extraction.tags import FORMATTING, OPTIONAL_END, VOID

MAX_DEPTH = 512
MAX_OPEN_FORMATTING = 64
# Upper bound on the nodes that open formatting elements may add.
MAX_REBUILT_NODES = 3_000_000
# A tag is searched for equal attribute names once per attribute, so attributes are capped, too.
LONG_TAG_BYTES = 20_000
MANY_ATTRIBUTES = 40_000
MAX_ATTRIBUTES = 5_000

_FORMATTING = frozenset(name.encode() for name in FORMATTING)
_UNCOUNTED = frozenset(name.encode() for name in VOID | OPTIONAL_END)
_LESS_THAN, _SLASH = ord("<"), ord("/")
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)(?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+>")
_ATTRIBUTE_BREAK = re.compile(rb"[\s/]+")


def tame(page: bytes) -> bytes:
    """``page`` (UTF-8) with nesting, open formatting and attributes capped.

    A harmless page comes back unchanged.
    """
    openings = _openings(page)
    if _attributes_look_hostile(page, openings):
        page = _TAG.sub(_without_attributes_beyond_reason, page)
        openings = _openings(page)
    if _nesting_looks_hostile(page, openings):
        page = _flattened(page)
    return page


def _openings(page: bytes) -> npt.NDArray[np.int64]:
    return np.flatnonzero(np.frombuffer(page, np.uint8) == _LESS_THAN)


def _attributes_look_hostile(page: bytes, openings: npt.NDArray[np.int64]) -> bool:
    if page.count(b"=") > MANY_ATTRIBUTES:
        return True
    far_apart = np.flatnonzero(np.diff(openings, append=len(page)) > LONG_TAG_BYTES)
    return any(
        not 0 <= page.find(b">", start) - start <= LONG_TAG_BYTES
        for start in openings[far_apart].tolist()
    )


def _without_attributes_beyond_reason(tag: re.Match[bytes]) -> bytes:
    text = tag.group()
    if len(text) > MAX_ATTRIBUTES and len(_ATTRIBUTE_BREAK.findall(text)) > MAX_ATTRIBUTES:
        return b"<%s%s>" % (tag[1], tag[2])
    return text


def _nesting_looks_hostile(page: bytes, openings: npt.NDArray[np.int64]) -> bool:
    """Whether start tags outnumber end tags so far that the exact count must be made."""
    following = np.frombuffer(page + b" ", np.uint8)[openings + 1]
    letters = following | 0x20
    starts = (letters >= ord("a")) & (letters <= ord("z"))
    depths = np.cumsum(starts.astype(np.int64) - (following == _SLASH))
    if not depths.size:
        return False
    return (
        int(depths.max()) > MAX_DEPTH * 8 or int(depths[starts].clip(0).sum()) > MAX_REBUILT_NODES
    )


def _flattened(page: bytes) -> bytes:
    """The page without the tags that open elements beyond the caps."""
    formatting_cap = MAX_OPEN_FORMATTING if _rebuilt_nodes(page) <= MAX_REBUILT_NODES else 0
    pieces: list[bytes] = []
    end = depth = formatting = 0
    for tag in _TAG.finditer(page):
        name = tag[2].lower()
        if name in _UNCOUNTED:
            continue
        is_formatting = name in _FORMATTING
        if tag[1]:
            drop = depth > MAX_DEPTH or (is_formatting and formatting > formatting_cap)
            depth = max(0, depth - 1)
            formatting = max(0, formatting - is_formatting)
        else:
            depth += 1
            formatting += is_formatting
            drop = depth > MAX_DEPTH or (is_formatting and formatting > formatting_cap)
        if drop:
            pieces.append(page[end : tag.start()])
            end = tag.end()
    pieces.append(page[end:])
    return b"".join(pieces)


def _rebuilt_nodes(page: bytes) -> int:
    """How many nodes the tree builder could add by opening formatting elements again."""
    rebuilt = formatting = 0
    for tag in _TAG.finditer(page):
        if tag[2].lower() in _FORMATTING:
            formatting = max(0, formatting + (-1 if tag[1] else 1))
        elif not tag[1]:
            rebuilt += min(formatting, MAX_OPEN_FORMATTING)
    return rebuilt
