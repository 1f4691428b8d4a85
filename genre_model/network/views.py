"""Test-time augmentation: logits averaged over several views of a page are more accurate.

Prediction is cheap compared with rendering, and each view costs only the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import keras
from keras import layers, ops

# Functions from pixels of 0..255, (batch, height, width, 3), to a view of them.
VIEWS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "mirrored": lambda pixels: ops.flip(pixels, axis=2),
    "negative": lambda pixels: 255.0 - pixels,
}


def with_views(model: Any, views: Sequence[str]) -> Any:
    """A model with the same input and outputs that returns the mean logits over all views.

    views: names in VIEWS, in addition to the page itself; without any, the model is returned.
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
