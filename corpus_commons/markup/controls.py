"""Removes control characters, which are invisible, but are commands for a terminal."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from corpus_commons.markup.characters import code_points
from corpus_commons.markup.tags import CONTROLS

_CONTROLS: Final = re.compile(f"[{CONTROLS}]+")
# The last entry stands for all greater characters.
_IS_CONTROL: Final = np.isin(np.arange(ord(CONTROLS[-1]) + 2), [*map(ord, CONTROLS)])


def without_controls(texts: list[str]) -> list[str]:
    r"""The texts without control characters; fast if there are none, as on most pages.

    >>> without_controls(["a\x1b[1mb", "c\td"])
    ['a[1mb', 'c\td']
    """
    if not _IS_CONTROL.take(code_points("".join(texts)), mode="clip").any():
        return texts
    return [_CONTROLS.sub("", text) for text in texts]
