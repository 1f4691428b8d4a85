"""Control characters, which are drawn nowhere, and are commands to a terminal that shows them."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from markup.characters import code_points
from markup.tags import CONTROLS

_CONTROLS: Final = re.compile(f"[{CONTROLS}]+")
# One entry more, for all characters beyond them.
_IS_CONTROL: Final = np.isin(np.arange(ord(CONTROLS[-1]) + 2), [*map(ord, CONTROLS)])


def without_controls(texts: list[str]) -> list[str]:
    r"""The same texts; where there are no controls, as on most pages, it costs one look at all.

    >>> without_controls(["a\x1b[1mb", "c\td"])
    ['a[1mb', 'c\td']
    """
    if not _IS_CONTROL.take(code_points("".join(texts)), mode="clip").any():
        return texts
    return [_CONTROLS.sub("", text) for text in texts]
