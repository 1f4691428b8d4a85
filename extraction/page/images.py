"""The images of a page: their URLs and declared sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.controls import without_controls
from extraction.page.addresses import resolved
from extraction.page.blocks import drawn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray

Size = tuple[int | None, int | None]

_IMAGES: Final = frozenset(("img", "amp-img"))
_LARGEST_SIDE: Final = 20_000
_LONGEST_URL: Final = 4_000
_LEADING_NUMBER = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*(?:px)?\s*$")
_STYLE_SIDE = {
    side: re.compile(rf"(?:^|[;\s]){side}\s*:\s*(\d{{1,6}})(?:\.\d*)?px", re.I)
    for side in ("width", "height")
}
# Attributes in which lazy-loading scripts keep the URL, while ``src`` holds a placeholder.
_LATE_ADDRESSES: Final = (
    "data-src data-lazy-src data-original data-lazy data-orig-file data-hi-res-src "
    "data-delayed-url data-image data-url nitro-lazy-src datasrc".split()
)
_LATE_SETS: Final = ("data-srcset", "data-lazy-srcset", "nitro-lazy-srcset")
_SETS: Final = (*_LATE_SETS, "srcset")
# These attributes may also hold other values: "true", "hero-123", a description, JSON.
_ADDRESS = re.compile(
    r"(?!\[)(?:[^\s/]*+/\S*+"
    r"|.+?\.(?:apng|avif|bmp|gif|heic|jfif|jpe?g|png|svg|tiff?|webp)(?:[?#].*)?)",
    re.I | re.S,
)
# File names of placeholders that are shown until a script has loaded the image.
_STAND_IN = re.compile(
    r"(?:^|[._-])(?:1x1|blank|dummy|empty|lazy|lazyload|loader|loading|pixel|placeholder|"
    r"spacer|transparent)(?:[._-]|$)",
    re.I,
)
_FILE_NAME = re.compile(r"(?:[^?#/]*+/)*+([^?#]*+)")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});", re.I)
# XenForo's text for images that have none.
_FORUM_IMAGE: Final = "[IMG]"
# The sources of a picture come first; in one with thousands of images, each would look for them.
_MOST_BEFORE: Final = 64
_SET_ENTRY = re.compile(r"([^\s,]\S*[^\s,])(?:\s+([\d.]{1,9})[wx])?\s*(?:,|$)")


@dataclass(frozen=True, slots=True)
class Image:
    """An image that was kept.

    url: as written in ``src`` (or ``data-src``), resolved against the page's URL where known.
    alt: the alternative text, may be empty.
    width, height: as declared on the element, in CSS pixels; None if not declared.
    probability: that the image belongs to the main content, in [0, 1].
    """

    url: str
    alt: str = ""
    width: int | None = None
    height: int | None = None
    probability: float | None = None


def image_nodes(dom: Dom) -> IntArray:
    """The visible images."""
    return np.flatnonzero(dom.has_tag(_IMAGES) & dom.visible).astype(np.int32)


def declared_size(attributes: Mapping[str, str | None]) -> Size:
    """Width and height in CSS pixels, from style or attributes; None if not declared.

    >>> declared_size({"width": "300", "style": "height: 20px"}), declared_size({"width": "100%"})
    ((300, 20), (None, None))
    """
    return _side(attributes, "width"), _side(attributes, "height")


def address(dom: Dom, node: int) -> str:
    """The image's URL as written, including lazily loaded images; may be empty."""
    attributes = dom.attributes[node]
    for name in _LATE_ADDRESSES:
        value = (attributes.get(name) or "").strip()
        if _usable(value) and _ADDRESS.fullmatch(value):
            return value
    if late := _from_sets(attributes, _LATE_SETS):
        return late
    source = (attributes.get("src") or "").strip()
    if not _usable(source):
        source = ""
    if source and not _is_stand_in(source):
        return source
    return _largest(attributes.get("srcset") or "") or _picture_source(dom, node) or source


def image_at(dom: Dom, node: int, base: str, probability: float | None = None) -> Image | None:
    """The image for an Extraction; None if it has no URL to fetch (``data:``, ``blob:`` …)."""
    url = resolved(base, address(dom, node))
    if not url:
        return None
    attributes = dom.attributes[node]
    width, height = declared_size(attributes)
    return Image(url, _alternative(attributes.get("alt") or ""), width, height, probability)


def _alternative(alt: str) -> str:
    """The text of an image as it would be drawn; character references are often escaped twice.

    >>> _alternative("Rock &amp; sea &Co"), _alternative("[\u200bIMG]")
    ('Rock & sea &Co', '')
    """
    plain = _REFERENCE.sub(lambda found: unescape(found[0]), alt)
    (text,) = drawn(without_controls([plain]), ["paragraph"])
    return "" if text == _FORUM_IMAGE else text


def _side(attributes: Mapping[str, str | None], side: str) -> int | None:
    styled = _STYLE_SIDE[side].search((attributes.get("style") or "")[:1_000])
    declared = styled or _LEADING_NUMBER.match((attributes.get(side) or "")[:20])
    return min(int(declared[1]), _LARGEST_SIDE) if declared else None


def _usable(url: str) -> bool:
    return 0 < len(url) <= _LONGEST_URL and not url.startswith(("data:", "about:", "blob:", "{"))


def _is_stand_in(url: str) -> bool:
    """Whether the file name is that of a placeholder.

    >>> _is_stand_in("/img/lazy-placeholder.gif?v=2"), _is_stand_in("/blank/verse.jpg")
    (True, False)
    """
    name = _FILE_NAME.match(url)
    return name is not None and _STAND_IN.search(name[1]) is not None


def _largest(source_set: str) -> str:
    """The candidate of a ``srcset`` with the greatest width or density.

    >>> _largest("a.jpg 320w, b.jpg 1280w, c.jpg 640w"), _largest("d.jpg"), _largest("")
    ('b.jpg', 'd.jpg', '')
    """
    best, best_size = "", -1.0
    for entry in _SET_ENTRY.finditer(source_set[: 4 * _LONGEST_URL]):
        try:
            size = float(entry[2] or 0)
        except ValueError:
            continue
        if size > best_size and _usable(entry[1]):
            best, best_size = entry[1], size
    return best


def _from_sets(attributes: Mapping[str, str | None], names: Sequence[str]) -> str:
    """The largest image of the first ``srcset`` that names any."""
    return next(filter(None, (_largest(attributes.get(name) or "") for name in names)), "")


def _picture_source(dom: Dom, node: int) -> str:
    parent = int(dom.parents[node])
    if parent < 0 or dom.tags[parent] != "picture":
        return ""
    for sibling in range(parent + 1, min(node, parent + 1 + _MOST_BEFORE)):
        if dom.tags[sibling] == "source" and (found := _from_sets(dom.attributes[sibling], _SETS)):
            return found
    return ""
