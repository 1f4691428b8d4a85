"""A Keras network as a PyTorch module with the same weights, for training on a GPU.

Keras' layers call PyTorch from Python many times each, which on a fast GPU takes several times as
long as what they compute; here each layer is one call. Tensors are (batch, channels, rows, columns)
in channels-last memory, those of maps channels last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import torch
from keras import layers
from torch import Tensor, nn
from torch.nn import functional


class TorchTwin(nn.Module):  # type: ignore[misc]  # PyTorch need not be installed
    """A functional Keras model of the layers of our backbones, heads and maps.

    Its outputs have the names of the model's, or None for the only one. ``inner`` are layers whose
    outputs are added under their names.
    """

    def __init__(self, model: Any, inner: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._model = model
        self._variables = nn.ParameterDict()
        self._steps: list[tuple[Any, list[str]]] = []
        for layer in _in_order(model):
            self._steps.append((layer, _sources(layer)))
            for variable in layer.weights:
                key = f"{layer.name}/{variable.name}"
                value = torch.from_numpy(_to_torch(layer, variable))
                its = nn.Parameter(value, requires_grad=bool(variable.trainable))
                self._variables[key] = its
            if isinstance(layer, layers.Rescaling):
                # On the device, as a CUDA graph cannot copy it from the host.
                offset = torch.as_tensor(layer.offset, dtype=torch.float32).reshape(1, -1, 1, 1)
                self._variables[f"{layer.name}/offset"] = nn.Parameter(offset, requires_grad=False)
        outputs = model.output if isinstance(model.output, dict) else {None: model.output}
        self._outputs = {name: its._keras_history.operation.name for name, its in outputs.items()}
        self._outputs |= {name: name for name in inner}

    def forward(self, pixels: Tensor) -> dict[str | None, Tensor]:
        """pixels: (batch, rows, columns, 3) of 0..255."""
        done: dict[str, Tensor] = {}
        for layer, sources in self._steps:
            inputs = [done[name] for name in sources] or [pixels.permute(0, 3, 1, 2)]
            done[layer.name] = _CALLS[type(layer).__name__](self, layer, *inputs)
        return {name: done[layer] for name, layer in self._outputs.items()}

    def variable(self, layer: Any, name: str) -> Tensor:
        return self._variables[f"{layer.name}/{name}"]

    def trained(self) -> dict[str, nn.Parameter]:
        """The variables that are trained, by layer and name."""
        return {name: its for name, its in self._variables.items() if its.requires_grad}

    def give_back(self, values: Mapping[str, Tensor]) -> None:
        """Set the Keras model's variables: those in ``values``, and as they are here the others."""
        for layer in self._model.layers:
            for variable in layer.weights:
                key = f"{layer.name}/{variable.name}"
                array = values.get(key, self._variables[key]).detach().float().cpu().numpy()
                variable.assign(_to_keras(layer, variable, array))


def _in_order(model: Any) -> list[Any]:
    """The layers, each after those that it reads."""
    done: dict[str, Any] = {}
    waiting = list(model.layers)
    while waiting:
        done |= {layer.name: layer for layer in waiting if done.keys() >= {*_sources(layer)}}
        waiting = [layer for layer in waiting if layer.name not in done]
    return list(done.values())


def _sources(layer: Any) -> list[str]:
    """The names of the layers that it reads."""
    if isinstance(layer, layers.InputLayer):
        return []
    return [its._keras_history.operation.name for its in layer._inbound_nodes[0].input_tensors]


def _to_torch(layer: Any, variable: Any) -> Any:
    array = np.asarray(variable.numpy(), np.float32)
    if variable.name == "kernel":
        array = array.transpose(_order(layer))
    return np.ascontiguousarray(array)


def _to_keras(layer: Any, variable: Any, array: Any) -> Any:
    return array.transpose(np.argsort(_order(layer))) if variable.name == "kernel" else array


def _order(layer: Any) -> tuple[int, ...]:
    """The axes of a kernel of Keras in PyTorch's order."""
    if isinstance(layer, layers.Dense):
        return (1, 0)
    return (2, 3, 0, 1) if isinstance(layer, layers.DepthwiseConv2D) else (3, 2, 0, 1)


def _same(x: Tensor, size: int, stride: int, value: float = 0.0) -> Tensor:
    """Padding as TensorFlow's "same": what is odd is added at the bottom and on the right."""
    pads = []
    for side in (x.shape[3], x.shape[2]):
        total = max((-(-side // stride) - 1) * stride + size - side, 0)
        pads += [total // 2, total - total // 2]
    return functional.pad(x, pads, value=value) if any(pads) else x


def _convolved(twin: TorchTwin, layer: Any, x: Tensor, groups: int) -> Tensor:
    (size, _), (stride, _) = layer.kernel_size, layer.strides
    padding = 0
    if layer.padding == "same" and stride == 1:
        padding = size // 2
    elif layer.padding == "same":
        x = _same(x, size, stride)
    bias = twin.variable(layer, "bias") if layer.use_bias else None
    kernel = twin.variable(layer, "kernel")
    return functional.conv2d(x, kernel, bias, stride, padding, groups=groups)


def _normed(twin: TorchTwin, layer: Any, x: Tensor) -> Tensor:
    gamma, beta, mean, variance = (
        twin.variable(layer, name) for name in ("gamma", "beta", "moving_mean", "moving_variance")
    )
    training = twin.training and layer.trainable
    momentum = 1 - layer.momentum
    return functional.batch_norm(x, mean, variance, gamma, beta, training, momentum, layer.epsilon)


def _pooled(_: TorchTwin, layer: Any, x: Tensor) -> Tensor:
    (size, _), (stride, _) = layer.pool_size, layer.strides
    if layer.padding == "same":
        x = _same(x, size, stride, value=-torch.inf)
    return functional.max_pool2d(x, size, stride)


def _rescaled(twin: TorchTwin, layer: Any, x: Tensor) -> Tensor:
    return x * layer.scale + twin.variable(layer, "offset")


def _padded(_: TorchTwin, layer: Any, x: Tensor) -> Tensor:
    (top, bottom), (left, right) = layer.padding
    return functional.pad(x, (left, right, top, bottom))


def _linear(twin: TorchTwin, layer: Any, x: Tensor) -> Tensor:
    with torch.autocast(x.device.type, enabled=False):
        kernel, bias = (twin.variable(layer, name) for name in ("kernel", "bias"))
        return functional.linear(x.float(), kernel, bias)


def _finer(_: TorchTwin, layer: Any, x: Tensor) -> Tensor:
    """(batch, n * n * c, h, w) to (batch, n * h, n * w, c), channels last as in Keras."""
    batch, _depth, rows, columns = x.shape
    n = layer.finer
    cells = x.reshape(batch, n, n, -1, rows, columns).permute(0, 4, 1, 5, 2, 3)
    return cells.reshape(batch, rows * n, columns * n, -1)


_CALLS: Final[Mapping[str, Callable[..., Tensor]]] = {
    "InputLayer": lambda twin, layer, x: x,
    "Rescaling": _rescaled,
    "Conv2D": lambda twin, layer, x: _convolved(twin, layer, x, 1),
    "DepthwiseConv2D": lambda twin, layer, x: _convolved(twin, layer, x, x.shape[1]),
    "BatchNormalization": _normed,
    "ReLU": lambda twin, layer, x: (
        functional.relu(x) if layer.max_value is None else functional.relu6(x)
    ),
    "ZeroPadding2D": _padded,
    "MaxPooling2D": _pooled,
    "Add": lambda twin, layer, x, y: x + y,
    "GlobalAveragePooling2D": lambda twin, layer, x: x.float().mean((2, 3)),
    "Dense": _linear,
    "DepthToSpace": _finer,
}
