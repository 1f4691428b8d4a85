"""The whole network: pixels in, logits of both heads out.

Test-time augmentation: logits averaged over several views of a page are more accurate. Prediction
is cheap compared with rendering, and each view costs only the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import keras
import numpy as np
import numpy.typing as npt
from keras import layers, ops

from genre_model.network.backbones import BROUGHT, brought_by, build
from genre_model.network.config import NetworkConfig
from genre_model.network.weights import (
    assign,
    assign_weights,
    load_weights,
    save_weights,
    variables_by_name,
)

# Functions from pixels of 0..255, (batch, height, width, 3), to a view of them.
VIEWS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "mirrored": lambda pixels: ops.flip(pixels, axis=2),
    "negative": lambda pixels: 255.0 - pixels,
}


def network(
    config: NetworkConfig,
    weights: Mapping[str, npt.NDArray[Any]] | None = None,
    *,
    backbone_weights: str | Path | None = None,
) -> Any:
    """A Keras model from (batch, height, width, 3) of 0..255 to {"genre", "page_type"} logits.

    weights: by name, as returned by ``load_weights``; None for random ones.
    backbone_weights: initial weights of only the backbone, see ``backbones.build``.
    Raises ValueError for an unknown backbone, WeightsError for weights of another network.
    """
    backbone = build(
        config.variant,
        (*config.window, 3),
        backbone_weights,
        width=config.width,
        root_channels=config.root_channels,
        conventions=config.conventions,
        scaling=config.scaling,
    )
    heads = two_heads(backbone.output, len(config.genres), len(config.page_types))
    model = keras.Model(backbone.input, heads, name=config.variant)
    if weights is not None:
        assign_weights(model, {name: np.asarray(array) for name, array in weights.items()})
    return model


def two_heads(features: Any, genres: int, page_types: int) -> dict[str, Any]:
    """Logits of both heads from a feature map, whose mean over all positions is taken.

    They are float32 under mixed precision, too.
    """
    pooled = layers.GlobalAveragePooling2D(name="global_pool")(features)
    sizes = {"genre": genres, "page_type": page_types}
    return {
        head: layers.Dense(size, dtype="float32", name=head)(pooled) for head, size in sizes.items()
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
    outputs = [model(pixels), *(model(VIEWS[view](pixels)) for view in views)]
    means = {
        head: layers.Average(name=f"mean_{head}")([output[head] for output in outputs])
        for head in outputs[0]
    }
    return keras.Model(pixels, means, name=f"{model.name}_views")


def check_views(views: Sequence[str]) -> None:
    """Raises ValueError for a name that is not in VIEWS."""
    if unknown := [view for view in views if view not in VIEWS]:
        raise ValueError(f"unknown view {unknown[0]!r}; known: {', '.join(VIEWS)}")


def new_network(config: NetworkConfig, source: str | Path | None) -> tuple[Any, NetworkConfig]:
    """A network to train, and the configuration to save it with.

    source: None for random weights, or what ``backbones.build`` takes. A head of an .npz is also
        loaded if it has the same labels in the same order. Options that the configuration leaves
        open (width, scaling, ...) are taken from these weights, and are set in the returned
        configuration.
    Raises ValueError for weights that do not fit.
    """
    arrays, brought = brought_by(source, config.variant)
    open_ones: dict[str, Any] = {
        name: brought.get(name) for name in BROUGHT if getattr(config, name) is None
    }
    config = replace(config, **open_ones)
    model = network(config, backbone_weights=source)
    if arrays is not None:
        labels = {"genre": config.genres, "page_type": config.page_types}
        same = {head for head, names in labels.items() if brought.get(f"{head}s") == [*names]}
        variables = variables_by_name(model).items()
        assign({name: its for name, its in variables if name.partition("/")[0] in same}, arrays)
    return model, config


def load_network(path: Path) -> tuple[Any, NetworkConfig]:
    """Load a network with its views, and its configuration.

    Raises ValueError, FileNotFoundError.
    """
    arrays, fields = load_weights(path)
    config = NetworkConfig.from_json(fields)
    return with_views(network(config, arrays), config.views), config


def save_network(path: Path, model: Any, config: NetworkConfig) -> None:
    """Write a network that ``network`` built, for GenreClassifier."""
    save_weights(path, model, config.to_json())
