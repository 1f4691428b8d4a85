"""The size groups of images for which Yunis reports scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from extraction.page.images import Size

SizeGroup = Literal["small or medium", "large", "unknown"]

# Yunis reports images up to this many pixels separately from larger ones.
MEDIUM_PIXELS: Final = 40_000


def size_group(size: Size) -> SizeGroup:
    """Yunis's size group of an image, by its declared area.

    >>> size_group((200, 200)), size_group((640, 480)), size_group((640, None))
    ('small or medium', 'large', 'unknown')
    """
    width, height = size
    if width is None or height is None:
        return "unknown"
    return "small or medium" if width * height <= MEDIUM_PIXELS else "large"
