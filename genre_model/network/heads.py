"""The heads on top of a backbone: global average pooling, then one dense layer per head."""

from __future__ import annotations

from typing import Any

from keras import layers

from genre_model.labels import HEADS


def two_heads(
    features: Any, genres: int = len(HEADS["genre"]), page_types: int = len(HEADS["page_type"])
) -> dict[str, Any]:
    """Logits of both heads from a feature map: {"genre": (batch, 2), "page_type": (batch, 9)}.

    The features are averaged over all positions. Logits are float32 under mixed precision, too.
    """
    pooled = layers.GlobalAveragePooling2D(name="global_pool")(features)
    sizes = {"genre": genres, "page_type": page_types}
    return {
        head: layers.Dense(size, dtype="float32", name=head)(pooled) for head, size in sizes.items()
    }
