"""The heads on top of a backbone: global average pooling, then one dense layer per head."""

from __future__ import annotations

from typing import Any

import keras
from keras import layers, ops

from genre_model.labels import GENRES, PAGE_TYPES

GENRE_OUTPUT = "genre"
PAGE_TYPE_OUTPUT = "page_type"


@keras.saving.register_keras_serializable(package="genre_model")
class WeightedAveragePooling2D(layers.Layer):  # type: ignore[misc]  # Keras has no type stubs
    """The mean over positions of (batch, h, w, channels), weighted by (batch, h, w).

    Weights are not negative; 0 excludes a position, such as one in the padding below a page. An
    image whose weights are all 0 gives zeros.
    """

    def call(self, inputs: Any) -> Any:
        features, weights = inputs
        weights = ops.cast(weights, features.dtype)[..., None]
        total = ops.sum(features * weights, axis=(1, 2))
        return total / ops.maximum(ops.sum(weights, axis=(1, 2)), keras.config.epsilon())


def two_heads(
    features: Any,
    genres: int = len(GENRES),
    page_types: int = len(PAGE_TYPES),
    dropout: float = 0.0,
    weights: Any = None,
) -> dict[str, Any]:
    """Logits of both heads from a feature map: {"genre": (batch, 2), "page_type": (batch, 9)}.

    The features are averaged over all positions, with `weights` (batch, h, w) if given; `dropout`
    is applied to the mean in training. Logits are float32 under mixed precision, too.
    """
    if weights is None:
        pooled = layers.GlobalAveragePooling2D(name="global_pool")(features)
    else:
        pooled = WeightedAveragePooling2D(name="global_pool")([features, weights])
    if dropout:
        pooled = layers.Dropout(dropout, name="dropout")(pooled)
    return {
        GENRE_OUTPUT: layers.Dense(genres, dtype="float32", name=GENRE_OUTPUT)(pooled),
        PAGE_TYPE_OUTPUT: layers.Dense(page_types, dtype="float32", name=PAGE_TYPE_OUTPUT)(pooled),
    }
