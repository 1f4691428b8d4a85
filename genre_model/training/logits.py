"""The outputs of a network for pages, before their probabilities."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from genre_model.screenshot import PADDING
from genre_model.training.windows import Windows

_BATCH: Final = 32


def logits(model: Any, windows: Windows, size: tuple[int, int]) -> dict[str, NDArray[np.float32]]:
    """The logits of every head for all pages, (pages, labels); windows at the network's scale."""
    parts = []
    for begin in range(0, len(windows), _BATCH):
        pages = range(begin, min(begin + _BATCH, len(windows)))
        batch = np.full((len(pages), *size, 3), PADDING, np.float32)
        for row, page in enumerate(pages):
            window = windows[page][: size[0]]
            batch[row, : len(window)] = window
        parts.append(model.predict_on_batch(batch))
    return {head: np.concatenate([part[head] for part in parts]) for head in parts[0]}
