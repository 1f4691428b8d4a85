"""A linear-chain conditional random field over classes: decoding and marginals in numpy.

crfsuite trains the model (see training.py). Its weights are kept in a table, so that all blocks of
a page are scored at once by table look-ups, rather than one by one with string features.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from extraction.methods.victor.binning import Binning

Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.int32]

LABELS = ("header", "paragraph", "list", "continuation", "other")
OTHER = LABELS.index("other")
CONTINUATION = LABELS.index("continuation")


@dataclass(frozen=True, eq=False)
class Crf:
    """The weights of a trained model, and the settings of its features.

    names: the features, in the order of the columns of ``classes``.
    sizes: the number of classes of every feature.
    weights: (sum of sizes, 2 * window + 1, labels): the weight of every class of every feature, at
        every offset from ``window`` blocks before the labelled block to ``window`` after it.
    transitions: (labels, labels), from the label of a block to that of the next.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    weights: Floats
    transitions: Floats
    binning: Binning

    @property
    def window(self) -> int:
        places: int = self.weights.shape[1]
        return places // 2

    def emissions(self, classes: Classes) -> Floats:
        """(blocks, labels): for every label, the sum of the weights of the window's features."""
        n, window = len(classes), self.window
        firsts = np.cumsum((0, *self.sizes[:-1]))
        local = np.zeros((n + 2 * window, *self.weights.shape[1:]))
        for column, (first, size) in enumerate(zip(firsts, self.sizes, strict=True)):
            local[window : window + n] += self.weights[
                first + np.minimum(classes[:, column], size - 1)
            ]
        # The block at offset d is at position window + d of the window.
        total: Floats = np.sum(
            [local[place : place + n, place] for place in range(2 * window + 1)], axis=0
        )
        return total

    def best_labels(self, emissions: Floats) -> npt.NDArray[np.int64]:
        """The most probable sequence of labels (Viterbi)."""
        n = len(emissions)
        labels = np.zeros(n, dtype=np.int64)
        if not n:
            return labels
        back = np.zeros(emissions.shape, dtype=np.int64)
        columns = np.arange(emissions.shape[1])
        score = emissions[0]
        for t in range(1, n):
            through = score[:, None] + self.transitions
            back[t] = through.argmax(axis=0)
            score = through[back[t], columns] + emissions[t]
        labels[-1] = score.argmax()
        for t in range(n - 1, 0, -1):
            labels[t - 1] = back[t, labels[t]]
        return labels

    def marginals(self, emissions: Floats) -> Floats:
        """(blocks, labels): the probability of every label of every block (forward-backward)."""
        n = len(emissions)
        if not n:
            return np.zeros_like(emissions)
        weights = np.exp(emissions - emissions.max(axis=1, keepdims=True))
        steps = np.exp(self.transitions - self.transitions.max())
        forward = np.empty_like(weights)
        backward = np.ones_like(weights)
        forward[0] = weights[0] / weights[0].sum()
        for t in range(1, n):
            reached = (forward[t - 1] @ steps) * weights[t]
            forward[t] = reached / reached.sum()
        for t in range(n - 1, 0, -1):
            reached = steps @ (backward[t] * weights[t])
            backward[t - 1] = reached / reached.sum()
        joint = forward * backward
        probabilities: Floats = joint / joint.sum(axis=1, keepdims=True)
        return probabilities

    def save(self, path: Path) -> None:
        """Write the model: arrays in half precision, settings as JSON, nothing pickled."""
        settings = {"names": self.names, "sizes": self.sizes, "binning": asdict(self.binning)}
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                weights=self.weights.astype(np.float16),
                transitions=self.transitions,
                settings=np.frombuffer(json.dumps(settings).encode(), np.uint8),
            )


def load(path: Path) -> Crf:
    """The model that ``Crf.save`` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        settings = json.loads(arrays["settings"].tobytes())
        return Crf(
            names=tuple(settings["names"]),
            sizes=tuple(settings["sizes"]),
            weights=arrays["weights"].astype(np.float64),
            transitions=arrays["transitions"],
            binning=Binning(**settings["binning"]),
        )
