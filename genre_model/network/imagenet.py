"""ImageNet weights for our ResNet V2, copied from `keras.applications`.

Both follow TF-Slim, including the stride in the last unit, and differ only in the epsilon of batch
norm (1.001e-5 in Keras) and the padding of the root's max-pool (zeros on all sides in Keras).
A model built with `conventions=KERAS_APPLICATIONS` gives the same outputs as theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import keras

from genre_model.network.resnet_v2 import slim_scope, variant_named
from genre_model.network.weights import WeightsError, assign

IMAGENET: Final = "imagenet"
#: The variants that `keras.applications` has, and their names there.
APPLICATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "resnet_v2_50": "ResNet50V2",
        "resnet_v2_101": "ResNet101V2",
        "resnet_v2_152": "ResNet152V2",
    }
)
_IMAGENET_CLASSES = 1000
_UNIT_LAYERS = {
    "preact": "preact_bn",
    "shortcut": "0_conv",
    "conv1": "1_conv",
    "conv1/BatchNorm": "1_bn",
    "conv2": "2_conv",
    "conv2/BatchNorm": "2_bn",
    "conv3": "3_conv",
}


def load_imagenet(model: keras.Model, variant: str, weights: str | Path = IMAGENET) -> None:
    """Load the weights of `keras.applications` into a backbone (or a model that contains one).

    `weights` is "imagenet", which Keras downloads into its cache, or the path of a file in one of
    Keras' formats (.h5, .weights.h5 or .keras), with or without the classifier on top. Raises
    WeightsError if there are none for the variant, if the download fails, or if the file or the
    width does not fit.
    """
    variant_named(variant)
    check_application(variant, weights)
    carry_over(application_with_weights(APPLICATIONS[variant], weights), model)


def check_application(variant: str, weights: str | Path) -> None:
    """Raises WeightsError for weights of `keras.applications` if it lacks the variant."""
    if variant in APPLICATIONS:
        return
    known = ", ".join(APPLICATIONS)
    if weights == IMAGENET:
        raise WeightsError(f"there are no ImageNet weights for {variant}; there are for {known}")
    raise WeightsError(f"{weights} is no .npz; of our networks, only {known} take other files")


def application_with_weights(
    name: str, weights: str | Path | None, input_tensor: Any = None
) -> keras.Model:
    """The network of that name in `keras.applications`, without its top.

    `weights` is None (random), "imagenet" or a path as in `load_imagenet`; `input_tensor` is the
    input of the first layer. Raises WeightsError if the download fails or the file does not fit.
    """
    build = getattr(keras.applications, name)
    if weights is not None and weights != IMAGENET:
        return _from_file(name, Path(weights), input_tensor)
    try:
        return build(weights=weights, include_top=False, input_tensor=input_tensor)
    except Exception as error:  # Keras raises a bare Exception for a failed download
        if weights is None:
            raise
        raise WeightsError(
            f"the ImageNet weights of {name} could not be downloaded ({error}); "
            "without network access, give the path of their .h5 file instead"
        ) from error


def _from_file(name: str, path: Path, input_tensor: Any) -> keras.Model:
    if not path.is_file():
        raise WeightsError(f"{path}: no such file of weights")
    build = getattr(keras.applications, name)
    model = build(weights=None, include_top=False, input_tensor=input_tensor)
    try:
        if path.suffix == ".keras":
            _copy_in_order(keras.saving.load_model(path, compile=False), model)
        else:
            model.load_weights(path)
    except Exception as without_top:
        # Keras rejects a file with a classifier on top, because the model lacks those layers.
        whole = build(weights=None, include_top=True, classes=_IMAGENET_CLASSES)
        try:
            whole.load_weights(path)
        except Exception:
            raise WeightsError(f"{path} does not fit {name}: {without_top}") from without_top
        _copy_in_order(whole, model)
    return model


def _copy_in_order(source: keras.Model, target: keras.Model) -> None:
    """Copy layer by layer: the order is the same, only a classifier may be left over."""
    weighted = [layer for layer in target.layers if layer.weights]
    of_source = [layer for layer in source.layers if layer.weights]
    for layer, other in zip(weighted, of_source, strict=False):
        layer.set_weights(other.get_weights())


def carry_over(source: keras.Model, target: keras.Model) -> None:
    """Copy the weights of a `keras.applications` ResNet V2 into a backbone with the same blocks.

    The WeightsError names what the source lacks and what has another shape.
    """
    arrays = {
        f"{layer.name}/{weight.name}": weight for layer in source.layers for weight in layer.weights
    }
    variables = {
        f"{application_layer(slim_scope(layer.name))}/{weight.name}": weight
        for layer in target.layers
        if not isinstance(layer, keras.layers.Dense)
        for weight in layer.weights
    }
    assign(variables, arrays)


def application_layer(scope: str) -> str:
    """The name in `keras.applications` of the layer of a TF-Slim scope.

    >>> application_layer("block3/unit_23/bottleneck_v2/conv2/BatchNorm")
    'conv4_block23_2_bn'
    >>> application_layer("conv1"), application_layer("postnorm")
    ('conv1_conv', 'post_bn')
    """
    block, slash, unit_scope = scope.partition("/")
    if not slash:
        return {"conv1": "conv1_conv", "postnorm": "post_bn"}.get(scope, scope)
    unit, _, part = unit_scope.split("/", 2)
    number = int(block.removeprefix("block")) + 1
    return f"conv{number}_block{unit.removeprefix('unit_')}_{_UNIT_LAYERS[part]}"
