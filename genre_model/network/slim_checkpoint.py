"""Loads TF-Slim's checkpoints of ResNet V2, by name.

A variable `resnet_v2_101/block1/unit_1/bottleneck_v2/conv1/weights` belongs to the layer of that
scope. The state of the optimiser, moving averages over training steps and the step counter are
ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import keras
import numpy as np
import numpy.typing as npt

from genre_model.network.resnet_v2 import backbone, slim_scope, variant_named
from genre_model.network.weights import WeightsError, assign, save_weights

LOGITS: Final = "logits"
_VARIABLES = {
    keras.layers.Conv2D: {"kernel": "weights", "bias": "biases"},
    keras.layers.Dense: {"kernel": "weights", "bias": "biases"},
    keras.layers.BatchNormalization: {
        "gamma": "gamma",
        "beta": "beta",
        "moving_mean": "moving_mean",
        "moving_variance": "moving_variance",
    },
}
_OF_TRAINING = re.compile(
    r"(?:^|/)(?:global_step|beta[12]_power(?:_\d+)?)$"
    r"|/(?:Momentum|RMSProp|Adam|Adagrad|Adadelta|Ftrl|ExponentialMovingAverage)(?:_\d+)?$"
)


@dataclass(frozen=True)
class SlimCheckpoint:
    """The arrays of one network, by their names below its scope, and unexpected names."""

    arrays: dict[str, npt.NDArray[Any]]
    foreign: tuple[str, ...]

    @property
    def classes(self) -> int | None:
        """The number of classes of the logits; None without logits."""
        weights = self.arrays.get(f"{LOGITS}/weights")
        return None if weights is None else int(weights.shape[-1])


@dataclass(frozen=True)
class Import:
    """The result of an import: variables set, logits skipped, names without a variable."""

    loaded: int
    skipped_classes: int | None
    unexpected: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        yield f"{self.loaded} variables loaded"
        if self.skipped_classes is not None:
            yield f"logits of {self.skipped_classes} classes skipped: not the requested classes"
        for name in self.unexpected:
            yield f"unexpected: {name}"


def import_slim(
    checkpoint: str | Path,
    variant: str,
    out: str | Path,
    *,
    genres: Sequence[str] = (),
    scaling: str = "inception",
) -> Import:
    """Write a checkpoint's weights to `out`, for `backbones.build`.

    With `genres`, the names of its classes in order, its logits become the genre head; without, or
    with another number of them, the logits are skipped and reported. Raises ValueError for an
    unknown variant, WeightsError (a ValueError) for a checkpoint that does not fit it; then nothing
    is written.
    """
    network = backbone(variant)
    source = read_checkpoint(checkpoint, variant)
    config: dict[str, Any] = {
        "variant": variant,
        "width": variant_named(variant).width,
        "conventions": "slim",
        "scaling": scaling,
    }
    if genres and source.classes == len(genres):
        pooled = keras.layers.GlobalAveragePooling2D()(network.output)
        logits = keras.layers.Dense(len(genres), name="genre")(pooled)
        network = keras.Model(network.input, logits, name=variant)
        config["genres"] = list(genres)
    report = load_checkpoint(network, source, logits_layer="genre")
    save_weights(out, network, config)
    return report


def read_checkpoint(path: str | Path, variant: str) -> SlimCheckpoint:
    """Read a checkpoint of TensorFlow's first (one file) or second format (.index and .data).

    `path` is the prefix without `.index`, or a folder with a `checkpoint` file. Raises WeightsError
    if it cannot be read or has no variables of the variant.
    """
    import tensorflow as tf  # noqa: PLC0415  # only this reader needs it

    try:
        reader = tf.train.load_checkpoint(str(path))
    except (tf.errors.OpError, ValueError) as error:
        raise WeightsError(f"{path} is not a readable TensorFlow checkpoint: {error}") from error
    names = [name for name in reader.get_variable_to_shape_map() if not _OF_TRAINING.search(name)]
    scope = f"{variant}/"
    arrays = {
        name.removeprefix(scope): reader.get_tensor(name)
        for name in names
        if name.startswith(scope)
    }
    if not arrays:
        held = ", ".join(sorted({name.partition("/")[0] for name in names})) or "nothing"
        raise WeightsError(f"{path} has no variables of {variant}; it has {held}")
    foreign = tuple(sorted(name for name in names if not name.startswith(scope)))
    return SlimCheckpoint(arrays, foreign)


def load_checkpoint(
    model: keras.Model, checkpoint: SlimCheckpoint, logits_layer: str | None = None
) -> Import:
    """Set the variables of a backbone, and of the dense layer `logits_layer` if it is given.

    The logits are skipped without such a layer or with another number of classes. The WeightsError
    names every variable that is missing or has another shape; then the model is unchanged.
    """
    wanted = dict(_wanted(model, logits_layer, checkpoint.classes))
    arrays = {
        name: _as_dense(array) if name.startswith(f"{LOGITS}/") else array
        for name, array in checkpoint.arrays.items()
    }
    assign(wanted, arrays)
    skipped = f"{LOGITS}/weights" in arrays and f"{LOGITS}/weights" not in wanted
    left_over = sorted(
        name for name in arrays if name not in wanted and not name.startswith(f"{LOGITS}/")
    )
    return Import(
        loaded=len(wanted),
        skipped_classes=checkpoint.classes if skipped else None,
        unexpected=(*left_over, *checkpoint.foreign),
    )


def _wanted(
    model: keras.Model, logits_layer: str | None, classes: int | None
) -> Iterator[tuple[str, Any]]:
    """The slim name and the variable of everything that the checkpoint must contain."""
    for layer in model.layers:
        scope = slim_scope(layer.name)
        if isinstance(layer, keras.layers.Dense):
            if layer.name != logits_layer or layer.units != classes:
                continue
            scope = LOGITS
        for variable in layer.weights:
            yield f"{scope}/{_VARIABLES[type(layer)][variable.name]}", variable


def _as_dense(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Slim's logits are a 1x1 convolution: (1, 1, features, classes)."""
    if array.ndim == 4 and array.shape[:2] == (1, 1):
        return np.squeeze(array, (0, 1))
    return array
