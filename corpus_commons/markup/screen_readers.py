"""Text that is only for screen readers and not visible, recognised by class names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray

_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:sr-only|clipped|visually-?hidden|screen-reader-(?:only|text)"
    r"|element-invisible|a-offscreen|show-for-sr|assistive-text)(?:[\s_-]|$)"
)
# Parts of these names: a quick test that rules out most class attributes.
_PARTS: Final = (
    *("sr-only", "clipped", "visually", "screen-reader"),
    *("element-invisible", "a-offscreen", "show-for-sr", "assistive-text"),
)


def is_only_said(classes: str) -> bool:
    """Whether an element with these classes is only for screen readers.

    >>> is_only_said("label sr-only"), is_only_said("v6-visually-hidden"), is_only_said("hidden")
    (True, True, False)
    """
    return _may_be_said(classes) and _CLASS.search(classes) is not None


def only_said(dom: Dom) -> BoolArray:
    """For every node, whether it is in such an element."""
    classes = dom.attribute("class")
    if not _may_be_said("\n".join(classes.values)):
        return np.zeros(len(dom), dtype=np.bool_)
    return dom.covered(classes.where(is_only_said))


def _may_be_said(classes: str) -> bool:
    return any(part in classes for part in _PARTS)
