"""The cost of a network in multiply-accumulates."""

from __future__ import annotations

import math

import keras

_MULTIPLYING_LAYERS = (keras.layers.Conv2D, keras.layers.DepthwiseConv2D, keras.layers.Dense)


def count_macs(model: keras.Model, input_shape: tuple[int, int, int]) -> int:
    """Multiply-accumulates for one image of (height, width, channels).

    As is usual in the literature, convolutions and dense layers are counted, each kernel weight
    once per output position; batch norm, pooling and activations are not.
    """
    sized = keras.models.clone_model(model, input_tensors=keras.Input(input_shape))
    return sum(_layer_macs(layer) for layer in sized.layers)


def _layer_macs(layer: keras.layers.Layer) -> int:
    if isinstance(layer, keras.Model):
        return count_macs(layer, tuple(layer.input.shape[1:]))
    if not isinstance(layer, _MULTIPLYING_LAYERS):
        return 0
    positions: int = math.prod(layer.output.shape[1:-1])
    weights: int = math.prod(layer.kernel.shape)
    return positions * weights
