"""Backbones by name; each maps pixels of 0..255 to a feature map.

The scaling of pixels with which the weights were trained is part of the model, so that it cannot
differ between training and prediction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import keras
import numpy as np
from keras import layers, ops

from genre_model.network import efficientnet_lite, resnet_v2
from genre_model.network.imagenet import (
    application_with_weights,
    check_application,
    load_imagenet,
)
from genre_model.network.resnet_v2 import KERAS_APPLICATIONS, SLIM, VARIANTS
from genre_model.network.weights import Arrays, WeightsError, assign_weights, load_weights

#: Scalings of pixels. "inception": -1..1. "vgg-rgb": ImageNet's mean colour subtracted (TF-Slim's
#: VGG preprocessing). "vgg-bgr": the same with channels reversed (Keras' VGG weights).
SCALINGS: Final = ("inception", "vgg-rgb", "vgg-bgr")
CONVENTIONS: Final = MappingProxyType({"slim": SLIM, "keras": KERAS_APPLICATIONS})
#: Options that are stored with the weights; ``build`` uses them unless others are given.
BROUGHT: Final = ("width", "root_channels", "conventions", "scaling")
Shape = tuple[int | None, int | None, int]

_MEAN_COLOUR = (123.68, 116.779, 103.939)


@dataclass(frozen=True)
class Backbone:
    """A known backbone.

    `application` is the name in `keras.applications`, None for our own networks.
    """

    application: str | None
    scaling: str


BACKBONES: Final[Mapping[str, Backbone]] = MappingProxyType(
    {
        **{name: Backbone(None, "inception") for name in (*VARIANTS, efficientnet_lite.NAME)},
        "vgg_16": Backbone("VGG16", "vgg-bgr"),
        "vgg_19": Backbone("VGG19", "vgg-bgr"),
        "inception_v3": Backbone("InceptionV3", "inception"),
        "inception_resnet_v2": Backbone("InceptionResNetV2", "inception"),
        "keras_resnet_v2_101": Backbone("ResNet101V2", "inception"),
        "keras_resnet_v2_152": Backbone("ResNet152V2", "inception"),
    }
)


def backbone_named(name: str) -> Backbone:
    """The backbone of that name; the ValueError for an unknown name lists the known ones."""
    try:
        return BACKBONES[name]
    except KeyError:
        raise ValueError(f"unknown backbone {name!r}; known: {', '.join(BACKBONES)}") from None


def build(
    name: str,
    input_shape: Shape = (None, None, 3),
    weights: str | Path | None = None,
    *,
    width: float | None = None,
    root_channels: int | None = None,
    conventions: str | None = None,
    scaling: str | None = None,
) -> keras.Model:
    """A model from (batch, height, width, 3) of 0..255 to (batch, h, w, features).

    `weights` is None (random), "imagenet" (Keras downloads them), a file of Keras' ImageNet
    weights, or an .npz from `save_weights`. The configuration in an .npz also sets the width, the
    conventions and the scaling unless they are given here; its heads are ignored.
    `width`, `root_channels` and `conventions` ("slim" or "keras") apply only to our ResNet V2.
    Raises ValueError for an unknown name or an option that does not apply to it, WeightsError (a
    ValueError) for weights that do not fit.
    """
    line = backbone_named(name)
    arrays, brought = brought_by(weights, name)
    if arrays is not None:
        weights = None
    options = {"width": width, "root_channels": root_channels, "conventions": conventions}
    options = {key: brought.get(key) if value is None else value for key, value in options.items()}
    pixels_scaling = scaling or brought.get("scaling") or line.scaling
    if name == efficientnet_lite.NAME:
        _refuse(name, options)
        network = efficientnet_lite.backbone(
            input_shape, partial(scale_pixels, scaling=pixels_scaling)
        )
    elif line.application is None:
        network = _resnet_v2(name, input_shape, weights, options, pixels_scaling)
    else:
        _refuse(name, options)
        inputs = keras.Input(input_shape, name="image")
        features = application_with_weights(
            line.application, weights, scale_pixels(inputs, pixels_scaling)
        ).output
        network = keras.Model(inputs, features, name=name)
    if arrays is not None:
        assign_weights(network, arrays, ignore_extra=True)
    return network


def brought_by(weights: str | Path | None, name: str) -> tuple[Arrays | None, dict[str, Any]]:
    """The arrays of an .npz (None for other weights), and its configuration.

    Other weights have of that at most their conventions.

    Raises ValueError for an unknown name, WeightsError for weights of another backbone.
    """
    line = backbone_named(name)
    if weights is None:
        return None, {}
    if Path(weights).suffix != ".npz":
        if line.application:
            return None, {}
        check_application(name, weights)
        return None, {"conventions": "keras"}
    arrays, config = load_weights(weights)
    if config.get("variant", name) != name:
        raise WeightsError(f"the weights are for {config['variant']}, not for {name}")
    return arrays, config


def scale_pixels(pixels: Any, scaling: str) -> Any:
    """Scale pixels of 0..255 for the network; ValueError for a scaling not in SCALINGS."""
    mean = np.array(_MEAN_COLOUR, np.float32)
    if scaling == "inception":
        return layers.Rescaling(1 / 127.5, -1.0, name="scale")(pixels)
    if scaling == "vgg-rgb":
        return layers.Rescaling(1.0, -mean, name="scale")(pixels)
    if scaling == "vgg-bgr":
        return layers.Rescaling(1.0, -mean[::-1], name="scale")(ops.flip(pixels, axis=-1))
    raise ValueError(f"unknown scaling {scaling!r}; known: {', '.join(SCALINGS)}")


def _resnet_v2(
    name: str, shape: Shape, weights: str | Path | None, options: dict[str, Any], scaling: str
) -> keras.Model:
    conventions = options["conventions"] or "slim"
    if conventions not in CONVENTIONS:
        known = ", ".join(CONVENTIONS)
        raise ValueError(f"unknown conventions {conventions!r}; known: {known}")
    network = resnet_v2.backbone(
        name,
        shape,
        width=options["width"],
        root_channels=options["root_channels"],
        conventions=CONVENTIONS[conventions],
        scale=partial(scale_pixels, scaling=scaling),
    )
    if weights is not None:
        load_imagenet(network, name, weights)
    return network


def _refuse(name: str, options: dict[str, Any]) -> None:
    for option, value in options.items():
        if value is not None:
            raise ValueError(f"{name} has no option {option}; only our own ResNet V2 has it")
