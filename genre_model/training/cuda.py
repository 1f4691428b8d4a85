"""Training on a GPU with PyTorch's own calls, in the same way as by ``trainer``.

All screenshots stay in the GPU's memory, and networks compute in bfloat16.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from genre_model.training.augmentation import Augmented
from genre_model.training.batches import Batches
from genre_model.training.learning_rate import rates
from genre_model.training.objective import LAST
from genre_model.training.torch_objective import distillation_loss, target_loss
from genre_model.training.torch_twin import TorchTwin

_log = logging.getLogger("genre_model")

# Pixels, and by head answers and weights.
_Inputs = tuple[Tensor, dict[str, Tensor], dict[str, Tensor]]

_THREADS: Final = 6
# In the first steps, cuDNN and the optimizer allocate what they keep.
_STEPS_BEFORE_GRAPH: Final = 4
# Vectors and biases do not decay.
_DECAYING: Final = "/kernel"


def fit(
    network: Any,
    batches: Batches,
    teacher: Any,
    epochs: range,
    *,
    rate: float,
    weight_decay: float,
    smoothing: float,
    averaging: float,
    device: str = "cuda",
) -> list[float]:
    """Train in place; returns the losses of every epoch.

    epochs: by number, as ``Batches.begin`` takes them. The last, smaller batch of an epoch is left
        out.
    """
    twin = TorchTwin(network, (LAST,)).to(device).train()
    distillation = _Distillation(network, teacher).to(device) if teacher is not None else None
    step = _Step(
        twin, distillation, weight_decay=weight_decay, smoothing=smoothing, averaging=averaging
    )
    pages = _Pages(batches, device)
    rate_of_step = rates(rate, len(epochs) * len(pages))
    history = []
    for epoch in epochs:
        batches.begin(epoch)
        step.total.zero_()
        for inputs in pages:
            step(inputs, next(rate_of_step))
        history.append(float(step.total) / len(pages))
        _log.info("epoch %d of %d: loss %.3f", len(history), len(epochs), history[-1])
    twin.give_back(step.averages if averaging else {})
    return history


class _Step:
    """A step of training.

    On a GPU, the first ones run as usual; then one is recorded as a CUDA graph, and played with all
    later inputs, because the calls from Python take a quarter of the time and more.

    total: the sum of the losses. averages: the weights to keep, by name.
    """

    def __init__(
        self,
        twin: TorchTwin,
        distillation: _Distillation | None,
        *,
        weight_decay: float,
        smoothing: float,
        averaging: float,
    ) -> None:
        self._twin = twin
        self._distillation = distillation
        self._smoothing = smoothing
        self._averaging = averaging
        trained = twin.trained()
        self.averages = {name: its.detach().clone() for name, its in trained.items()}
        device = next(iter(self.averages.values())).device
        self._device = device.type
        self.total = torch.zeros((), device=device)
        self._rate = torch.zeros((), device=device)
        self._optimizer = _optimizer(trained, distillation, weight_decay, self._rate)
        self._done = 0
        self._stream = torch.cuda.Stream() if self._device == "cuda" else None
        self._graph: Any = None
        self._recorded: list[Tensor] = []

    def __call__(self, inputs: _Inputs, rate: float) -> None:
        """All inputs of one shape."""
        self._rate.fill_(rate)
        if self._stream is None:
            self._run(inputs)
        elif self._done < _STEPS_BEFORE_GRAPH:
            self._stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self._stream):
                self._run(inputs)
            torch.cuda.current_stream().wait_stream(self._stream)
        else:
            self._play(inputs)
        self._done += 1

    def _play(self, inputs: _Inputs) -> None:
        if self._graph is None:
            self._recorded = _tensors(inputs)
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._run(inputs)
        else:
            for its, new in zip(self._recorded, _tensors(inputs), strict=True):
                its.copy_(new)
        self._graph.replay()

    def _run(self, inputs: _Inputs) -> None:
        pixels, answers, weights = inputs
        with torch.autocast(self._device, torch.bfloat16, cache_enabled=False):
            outputs = self._twin(pixels)
            loss = target_loss(outputs, answers, weights, self._smoothing)
            if self._distillation is not None:
                loss = loss + self._distillation(pixels, outputs)
        self._optimizer.zero_grad()
        loss.backward()
        _clip(self._optimizer)
        self._optimizer.step()
        with torch.no_grad():
            weights_now = list(self._twin.trained().values())
            torch._foreach_lerp_(list(self.averages.values()), weights_now, 1 - self._averaging)
            self.total += loss.detach()


def _tensors(inputs: _Inputs) -> list[Tensor]:
    pixels, answers, weights = inputs
    return [pixels, *answers.values(), *weights.values()]


class _Distillation(nn.Module):  # type: ignore[misc]  # PyTorch need not be installed
    """The loss against a teacher, and the regressor of its features; see ``objective``."""

    def __init__(self, network: Any, teacher: Any) -> None:
        super().__init__()
        depths = (model.get_layer(LAST).output.shape[-1] for model in (network, teacher))
        self._regressor = nn.Conv2d(*depths, 1)
        self._teacher = TorchTwin(teacher, (LAST,)).requires_grad_(False).eval()

    def forward(self, pixels: Tensor, outputs: dict[str | None, Tensor]) -> Tensor:
        with torch.no_grad():
            taught = self._teacher(pixels)
        return distillation_loss(taught, outputs, self._regressor(outputs[LAST]))


def _optimizer(
    trained: dict[str, nn.Parameter],
    distillation: _Distillation | None,
    weight_decay: float,
    rate: Tensor,
) -> torch.optim.AdamW:
    kernels = [its for name, its in trained.items() if name.endswith(_DECAYING)]
    others = [its for name, its in trained.items() if not name.endswith(_DECAYING)]
    if distillation is not None:
        others += [its for its in distillation.parameters() if its.requires_grad]
    groups = [
        {"params": kernels, "weight_decay": weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    on_gpu = rate.is_cuda
    return torch.optim.AdamW(groups, lr=rate, fused=True, capturable=on_gpu)


def _clip(optimizer: torch.optim.AdamW) -> None:
    """Each variable's gradient has at most a norm of 1, as by Keras' ``clipnorm``."""
    parameters = [its for group in optimizer.param_groups for its in group["params"]]
    gradients = [its.grad for its in parameters if its.grad is not None]
    torch._foreach_div_(gradients, [norm.clamp(min=1.0) for norm in torch._foreach_norm(gradients)])


class _Pages:
    """Batches on the GPU."""

    def __init__(self, batches: Batches, device: str) -> None:
        self._batches = batches
        self._device = device
        self._augmented = Augmented(batches.size)
        windows = batches.windows
        self._rows = torch.from_numpy(windows.rows).to(device)
        self._starts = torch.from_numpy(windows.starts[:-1]).to(device)
        self._heights = torch.from_numpy(windows.heights).to(device)
        self._tallest = int(windows.heights.max())

    def __len__(self) -> int:
        return max(1, len(self._batches.order) // self._batches.batch)

    def __iter__(self) -> Iterator[_Inputs]:
        with ThreadPoolExecutor(_THREADS) as threads:
            described = threads.map(self._batches.described, range(len(self)))
            for pages, changes, answers, weights in described:
                yield (
                    self._pixels(pages, changes),
                    self._on_device(answers),
                    self._on_device(weights),
                )

    def _pixels(self, pages: Any, changes: dict[str, Any]) -> Tensor:
        chosen = self._moved(pages)
        line = torch.arange(self._tallest, device=self._device)[None]
        line = torch.minimum(line, self._heights[chosen][:, None] - 1)
        pixels = self._rows[self._starts[chosen][:, None] + line]
        with torch.no_grad():
            found: Tensor = self._augmented({"pixels": pixels, **self._on_device(changes)})
        return found

    def _on_device(self, arrays: dict[str, Any]) -> dict[str, Tensor]:
        return {name: self._moved(its) for name, its in arrays.items()}

    def _moved(self, array: Any) -> Tensor:
        """Without waiting for the GPU, for which the array must lie in pinned memory."""
        its = torch.from_numpy(np.ascontiguousarray(array))
        if self._device == "cuda":
            its = its.pin_memory()
        return its.to(self._device, non_blocking=True)
