"""ResNet V2 as TF-Slim defines it, in Keras 3.

The full pre-activation residual network of He et al. (2016), "Identity Mappings in Deep Residual
Networks", in the form of `nets/resnet_v2.py` of TF-Slim, which the GOCE paper fine-tunes: a root
convolution with a bias and no batch norm, bottleneck units with the stride in the *last* unit of a
block, and one batch norm (`postnorm`) after the last block. Only Keras layers are used, so the
network runs on every Keras backend; tensors are channels-last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import keras
from keras import layers

#: Replaces the slash in slim's scopes, which Keras layer names must not contain.
SCOPE_SEPARATOR = "__"
BATCH_NORM_DECAY = 0.997
#: The output of a bottleneck unit has this many times the channels of its 3x3 convolution.
EXPANSION = 4
ROOT_CHANNELS = 64
CHANNEL_MULTIPLE = 8


@dataclass(frozen=True)
class Block:
    """Bottleneck units of the same depth; the last one has the block's stride."""

    base_depth: int
    units: int
    stride: int


@dataclass(frozen=True)
class Variant:
    """A network of the family. `width` is the default multiplier of all channels."""

    blocks: tuple[Block, ...]
    width: float = 1.0


@dataclass(frozen=True)
class Conventions:
    """The differences between two implementations whose weights are interchangeable.

    `root_pool` is "same" (padding is first at the bottom and right, and is never the maximum:
    TF-Slim) or "zeros" (one row and column of zeros on each side: `keras.applications`).
    """

    epsilon: float
    root_pool: str


SLIM = Conventions(epsilon=1e-5, root_pool="same")
KERAS_APPLICATIONS = Conventions(epsilon=1.001e-5, root_pool="zeros")


def _four_blocks(*units: int) -> tuple[Block, ...]:
    depths, strides = (64, 128, 256, 512), (2, 2, 2, 1)
    return tuple(map(Block, depths, units, strides))


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "resnet_v2_26": Variant(_four_blocks(2, 2, 2, 2), width=0.25),
        "resnet_v2_50": Variant(_four_blocks(3, 4, 6, 3)),
        "resnet_v2_101": Variant(_four_blocks(3, 4, 23, 3)),
        "resnet_v2_152": Variant(_four_blocks(3, 8, 36, 3)),
        "resnet_v2_200": Variant(_four_blocks(3, 24, 36, 3)),
    }
)


def layer_name(*scopes: str) -> str:
    """The Keras layer name of a TF-Slim scope.

    >>> layer_name("block1/unit_1/bottleneck_v2", "conv1/BatchNorm")
    'block1__unit_1__bottleneck_v2__conv1__BatchNorm'
    """
    return "/".join(scopes).replace("/", SCOPE_SEPARATOR)


def slim_scope(name: str) -> str:
    """The TF-Slim scope, below the network's own, of a Keras layer name.

    >>> slim_scope("block1__unit_1__bottleneck_v2__shortcut")
    'block1/unit_1/bottleneck_v2/shortcut'
    """
    return name.replace(SCOPE_SEPARATOR, "/")


def variant_named(name: str) -> Variant:
    """The variant of that name; the ValueError for an unknown name lists the known ones."""
    try:
        return VARIANTS[name]
    except KeyError:
        known = ", ".join(VARIANTS)
        raise ValueError(f"unknown ResNet V2 variant {name!r}; known: {known}") from None


def scaled(channels: int, width: float) -> int:
    """The channels at a width: a multiple of 8, for speed; the exact number at 1.

    >>> scaled(64, 1.0), scaled(64, 0.2), scaled(64, 0.01)
    (64, 16, 8)
    """
    multiple = round(channels * width / CHANNEL_MULTIPLE)
    return CHANNEL_MULTIPLE * max(1, multiple)


def backbone(
    variant: str,
    input_shape: tuple[int | None, int | None, int] = (None, None, 3),
    *,
    width: float | None = None,
    root_channels: int | None = None,
    conventions: Conventions = SLIM,
    scale: Callable[[Any], Any] | None = None,
) -> keras.Model:
    """The network up to `postnorm`: (batch, height, width, 3) -> (batch, height/32, width/32, C).

    `input_shape` is (height, width, channels); a height or width of None may vary between calls.
    Sizes that are not multiples of 32 are rounded up at each stride. `width` multiplies the
    channels (rounded to multiples of 8; default: the variant's own) and `root_channels` sets those
    of the first convolution. `scale` maps the input to the range that the weights were trained
    with, -1..1 for TF-Slim's and Keras' ImageNet weights; without it the input must already have
    that range. Raises ValueError if the variant is unknown or the width is not positive.
    """
    network = variant_named(variant)
    width = network.width if width is None else width
    if width <= 0:
        raise ValueError(f"width must be positive, got {width}")
    build = _Builder(conventions)
    inputs = keras.Input(input_shape, name="image")
    x = inputs if scale is None else scale(inputs)
    x = build.root(x, root_channels or scaled(ROOT_CHANNELS, width))
    for number, block in enumerate(network.blocks, start=1):
        depth = scaled(block.base_depth, width)
        for unit in range(1, block.units + 1):
            stride = block.stride if unit == block.units else 1
            x = build.bottleneck(x, depth, stride, f"block{number}/unit_{unit}/bottleneck_v2")
    x = build.norm_relu(x, "postnorm")
    return keras.Model(inputs, x, name=variant)


class _Builder:
    """Adds the parts of the network under slim's scopes."""

    def __init__(self, conventions: Conventions) -> None:
        self._conventions = conventions

    def root(self, x: Any, channels: int) -> Any:
        """A 7x7 convolution and a 3x3 max-pool, each with stride 2."""
        x = self._conv(x, channels, 7, "conv1", stride=2, bias=True)
        if self._conventions.root_pool == "zeros":
            x = layers.ZeroPadding2D(1, name=layer_name("pool1", "pad"))(x)
            return layers.MaxPooling2D(3, strides=2, name="pool1")(x)
        return layers.MaxPooling2D(3, strides=2, padding="same", name="pool1")(x)

    def bottleneck(self, x: Any, depth: int, stride: int, scope: str) -> Any:
        """A unit with pre-activation: normalisation before each convolution.

        The shortcut is the raw input, subsampled if the unit has a stride. Only if the number of
        channels changes is it a projection of the normalised input, as in the paper's appendix.
        """
        preact = self.norm_relu(x, f"{scope}/preact")
        if x.shape[-1] != depth * EXPANSION:
            shortcut = self._conv(
                preact, depth * EXPANSION, 1, f"{scope}/shortcut", stride=stride, bias=True
            )
        elif stride > 1:
            shortcut = layers.MaxPooling2D(1, stride, name=layer_name(scope, "shortcut"))(x)
        else:
            shortcut = x
        residual = self._conv_norm_relu(preact, depth, 1, f"{scope}/conv1")
        residual = self._conv_norm_relu(residual, depth, 3, f"{scope}/conv2", stride=stride)
        residual = self._conv(residual, depth * EXPANSION, 1, f"{scope}/conv3", bias=True)
        return layers.Add(name=layer_name(scope, "add"))([shortcut, residual])

    def norm_relu(self, x: Any, scope: str) -> Any:
        x = layers.BatchNormalization(
            momentum=BATCH_NORM_DECAY, epsilon=self._conventions.epsilon, name=layer_name(scope)
        )(x)
        return layers.ReLU(name=layer_name(scope, "relu"))(x)

    def _conv_norm_relu(self, x: Any, channels: int, size: int, scope: str, stride: int = 1) -> Any:
        x = self._conv(x, channels, size, scope, stride=stride, bias=False)
        return self.norm_relu(x, f"{scope}/BatchNorm")

    def _conv(
        self, x: Any, channels: int, size: int, scope: str, *, stride: int = 1, bias: bool
    ) -> Any:
        """Slim's `conv2d_same`: the padding is the same for even and odd input sizes."""
        padding = "same"
        if stride > 1 and size > 1:
            x = layers.ZeroPadding2D(size // 2, name=layer_name(scope, "pad"))(x)
            padding = "valid"
        return layers.Conv2D(
            channels,
            size,
            strides=stride,
            padding=padding,
            use_bias=bias,
            kernel_initializer="he_normal",
            name=layer_name(scope),
        )(x)
