"""The learning rate by step: linear warm-up over a twentieth of the steps, then cosine decay."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from keras.optimizers.schedules import CosineDecay

_WARM_PART: Final = 20


def schedule(peak: float, steps: int) -> Any:
    """For Keras' optimizers."""
    warm = _warm(steps)
    return CosineDecay(peak / 100, max(1, steps - warm), warmup_target=peak, warmup_steps=warm)


def rates(peak: float, steps: int) -> Iterator[float]:
    """The same by step, for PyTorch: to ask Keras would take longer than a step on a fast GPU."""
    warm = _warm(steps)
    for step in range(steps):
        if step < warm:
            yield peak * (0.01 + 0.99 * step / warm)
        else:
            done = (step - warm) / max(1, steps - warm)
            yield peak * 0.5 * (1 + math.cos(math.pi * done))


def _warm(steps: int) -> int:
    return max(1, steps // _WARM_PART)
