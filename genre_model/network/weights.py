"""A model's weights and its configuration in one compressed .npz file, kernels in half precision.

The file contains a plain array for each variable, named by its layer's path, and `config.json`, the
configuration as JSON. Nothing in it is pickled, so an untrusted file cannot run code.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from corpus_commons.durable_files import replacing

if TYPE_CHECKING:
    import keras

Arrays = dict[str, npt.NDArray[np.float32]]

_CONFIG = "config.json"
_AUTOMATIC_NAME = re.compile(r"(conv2d|depthwise_conv2d|batch_normalization|dense)(?:_\d+)?")
_NAMES_SHOWN = 5


class WeightsError(ValueError):
    """Weights that cannot be read or do not fit the model."""


def variables_by_name(model: keras.Model) -> dict[str, Any]:
    """The model's variables under names that are the same in every process.

    A name is the variable's path, such as `block1__unit_1__bottleneck_v2__conv1/kernel`. Layers
    that Keras numbered itself (Inception's are `conv2d_57`, counted from the start of the process)
    are renumbered from the first one of the model.
    """
    renamed: dict[str, str] = {}
    counts: dict[str, int] = {}
    variables = {}
    for variable in model.weights:
        layer, _, rest = variable.path.partition("/")
        automatic = _AUTOMATIC_NAME.fullmatch(layer)
        if automatic and layer not in renamed:
            kind = automatic[1]
            renamed[layer] = f"{kind}_{counts.setdefault(kind, 0)}"
            counts[kind] += 1
        variables[f"{renamed.get(layer, layer)}/{rest}"] = variable
    if len(variables) != len(model.weights):
        raise WeightsError("two variables of the model have the same path")
    return variables


def save_weights(path: str | Path, model: keras.Model, config: Mapping[str, Any]) -> None:
    """Write the model's weights and the configuration, which must be plain JSON.

    Kernels are rounded to float16; vectors (biases, batch-norm parameters and statistics, whose
    variances may exceed float16's range) remain float32. An existing file is replaced atomically.
    Raises WeightsError for values outside float16's range and for NaN.
    """
    arrays: dict[str, npt.NDArray[Any]] = {
        name: _reduced(name, np.asarray(variable.numpy(), np.float32))
        for name, variable in variables_by_name(model).items()
    }
    header = json.dumps(config, allow_nan=False, ensure_ascii=False).encode()
    arrays[_CONFIG] = np.frombuffer(header, np.uint8)
    with replacing(Path(path)) as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # its stub takes ** for a flag


def load_weights(path: str | Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays, as float32, and the configuration in a file that `save_weights` wrote.

    Raises FileNotFoundError if it does not exist, WeightsError if it is another kind of file.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            config = json.loads(file[_CONFIG].tobytes())
            arrays = {name: file[name].astype(np.float32) for name in file.files if name != _CONFIG}
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        # NumPy would have the user unpickle anything that it does not know.
        why = error if zipfile.is_zipfile(path) else "it is no .npz, or not a whole one"
        raise WeightsError(f"{path} is not a file of weights: {why}") from error
    if not isinstance(config, dict):
        raise WeightsError(f"{path} is not a file of weights: its configuration is no JSON object")
    return arrays, config


def assign_weights(
    model: keras.Model, arrays: Mapping[str, npt.NDArray[Any]], *, ignore_extra: bool = False
) -> None:
    """Set every variable of the model from the array of its name; see ``assign``.

    With `ignore_extra`, arrays without a variable in the model are ignored, to load a backbone from
    the file of a whole network.
    """
    variables = variables_by_name(model)
    extra = () if ignore_extra else [name for name in arrays if name not in variables]
    assign(variables, arrays, extra)


def assign(
    variables: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    unexpected: Sequence[str] = (),
) -> None:
    """Set every variable from the array of its name.

    The WeightsError names what is missing, unexpected or has another shape, the first few of each
    kind; then no variable is changed.
    """
    problems = {
        "missing": [name for name in variables if name not in arrays],
        "unexpected": unexpected,
        "misshapen": [
            f"{name} {tuple(arrays[name].shape)} instead of {tuple(variable.shape)}"
            for name, variable in variables.items()
            if name in arrays and tuple(arrays[name].shape) != tuple(variable.shape)
        ],
    }
    parts = []
    for kind, names in problems.items():
        if names:
            more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
            parts.append(f"{len(names)} {kind}: {', '.join(names[:_NAMES_SHOWN])}{more}")
    if parts:
        raise WeightsError("the weights do not fit the model: " + "; ".join(parts))
    for name, variable in variables.items():
        variable.assign(arrays[name])


def _reduced(name: str, array: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
    kind = np.float16 if array.ndim > 1 else np.float32
    if not np.abs(array).max(initial=0) <= np.finfo(kind).max:
        raise WeightsError(f"{name} contains NaN or a value outside the range of {np.dtype(kind)}")
    return array.astype(kind)
