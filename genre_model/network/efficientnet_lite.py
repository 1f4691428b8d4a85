"""EfficientNet-Lite0 in Keras 3: a small backbone, whose ImageNet weights a package bundles.

Tan and Le, "EfficientNet", 2019 (arXiv:1905.11946), in the form for phones of
`tpu/models/official/efficientnet/lite`: no squeeze-and-excitation, ReLU6 for swish. Only Keras
layers are used, so the network runs on every Keras backend; tensors are channels-last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import keras
from keras import layers

from genre_model.network.resnet_v2 import layer_name

NAME: Final = "efficientnet_lite0"
ROOT_CHANNELS: Final = 32
FEATURES: Final = 1280
_EPSILON = 1e-3
_DECAY = 0.99


@dataclass(frozen=True)
class Stage:
    """Inverted residual units of the same depth; the first one has the stage's stride.

    expansion: the channels within a unit, as a multiple of those that enter it.
    """

    units: int
    size: int
    stride: int
    expansion: int
    channels: int


STAGES: Final = (
    Stage(units=1, size=3, stride=1, expansion=1, channels=16),
    Stage(units=2, size=3, stride=2, expansion=6, channels=24),
    Stage(units=2, size=5, stride=2, expansion=6, channels=40),
    Stage(units=3, size=3, stride=2, expansion=6, channels=80),
    Stage(units=3, size=5, stride=1, expansion=6, channels=112),
    Stage(units=4, size=5, stride=2, expansion=6, channels=192),
    Stage(units=1, size=3, stride=1, expansion=6, channels=320),
)


def backbone(
    input_shape: tuple[int | None, int | None, int] = (None, None, 3),
    scale: Callable[[Any], Any] | None = None,
) -> keras.Model:
    """(batch, height, width, 3) -> (batch, height/32, width/32, 1280).

    `scale` maps the input to -1..1, with which the published weights were trained.
    """
    inputs = keras.Input(input_shape, name="image")
    x = inputs if scale is None else scale(inputs)
    x = _normed(_conv(x, ROOT_CHANNELS, 3, "conv1", stride=2), "conv1")
    for number, stage in enumerate(STAGES, start=1):
        for unit in range(1, stage.units + 1):
            stride = stage.stride if unit == 1 else 1
            x = _unit(x, stage, stride, f"block{number}/unit_{unit}")
    x = _normed(_conv(x, FEATURES, 1, "postnorm/conv"), "postnorm")
    return keras.Model(inputs, x, name=NAME)


def _unit(x: Any, stage: Stage, stride: int, scope: str) -> Any:
    """An inverted residual unit: widened, filtered channel by channel, narrowed."""
    entering = x.shape[-1]
    inner = x
    if stage.expansion > 1:
        widened = _conv(x, stage.expansion * entering, 1, f"{scope}/expand")
        inner = _normed(widened, f"{scope}/expand")
    inner = layers.DepthwiseConv2D(
        stage.size,
        strides=stride,
        padding="same",
        use_bias=False,
        name=layer_name(scope, "depthwise"),
    )(inner)
    inner = _normed(inner, f"{scope}/depthwise")
    inner = _conv(inner, stage.channels, 1, f"{scope}/project")
    inner = _norm(inner, f"{scope}/project")
    if stride > 1 or entering != stage.channels:
        return inner
    return layers.Add(name=layer_name(scope, "add"))([x, inner])


def _normed(x: Any, scope: str) -> Any:
    return layers.ReLU(6.0, name=layer_name(scope, "relu"))(_norm(x, scope))


def _norm(x: Any, scope: str) -> Any:
    name = layer_name(scope, "BatchNorm")
    return layers.BatchNormalization(momentum=_DECAY, epsilon=_EPSILON, name=name)(x)


def _conv(x: Any, channels: int, size: int, scope: str, stride: int = 1) -> Any:
    return layers.Conv2D(
        channels,
        size,
        strides=stride,
        padding="same",
        use_bias=False,
        kernel_initializer="he_normal",
        name=layer_name(scope),
    )(x)
