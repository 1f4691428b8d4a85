"""Looking at a page more than once: averaged logits are right more often than those of one look.

A network in service costs little beside a rendering, and a second look only as much again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import keras
from keras import layers, ops

# From pixels of 0..255, (batch, height, width, 3), to what is looked at.
VIEWS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "mirrored": lambda pixels: ops.flip(pixels, axis=2),
    "negative": lambda pixels: 255.0 - pixels,
}


def with_views(model: Any, views: Sequence[str]) -> Any:
    """A model of the same input and outputs, which gives the mean logits of all looks.

    views: names in VIEWS, besides the page as it is; with none the model is returned as it is.
    Raises ValueError for an unknown name.
    """
    check_views(views)
    if not views:
        return model
    pixels = keras.Input(model.input.shape[1:], name="pixels")
    looks = [model(pixels), *(model(VIEWS[view](pixels)) for view in views)]
    means = {
        head: layers.Average(name=f"mean_{head}")([look[head] for look in looks])
        for head in looks[0]
    }
    return keras.Model(pixels, means, name=f"{model.name}_views")


def check_views(views: Sequence[str]) -> None:
    """Raises ValueError for a name that is not in VIEWS."""
    if unknown := [view for view in views if view not in VIEWS]:
        raise ValueError(f"unknown view {unknown[0]!r}; known: {', '.join(VIEWS)}")
