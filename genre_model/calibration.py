"""Temperature scaling, and measures of calibration.

Source: Guo, Pleiss, Sun and Weinberger, On Calibration of Modern Neural Networks, ICML 2017.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# Beyond these temperatures, the scores are practically one-hot or uniform.
_COLDEST, _HOTTEST = 0.01, 100.0
_NEAR = 1.001
_HALVINGS = 60
_BINS = 15


def softmax(logits: npt.ArrayLike, temperature: float = 1.0) -> FloatArray:
    """The probabilities for logits (..., classes), divided by a temperature.

    >>> softmax([[0.0, 0.0]]).tolist()
    [[0.5, 0.5]]
    """
    scaled = np.asarray(logits, dtype=np.float64) / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    probabilities: FloatArray = powers / powers.sum(axis=-1, keepdims=True)
    return probabilities


def clipped_log(probabilities: npt.ArrayLike, least: float) -> FloatArray:
    """The logarithms of probabilities, each taken for at least ``least``.

    >>> clipped_log([1.0, 0.0], 1.0).tolist()
    [0.0, 0.0]
    """
    logs: FloatArray = np.log(np.maximum(np.asarray(probabilities, np.float64), least))
    return logs


def log_loss(probabilities: FloatArray, labels: IntArray) -> float:
    """The mean negative log-likelihood of the true classes."""
    chosen = probabilities[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(chosen, np.finfo(np.float64).tiny)).mean())


def fit_temperature(logits: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """The temperature that minimises the log loss on held-out logits (section 4.2).

    logits: (samples, classes). labels: (samples,), indices of classes.
    The loss is convex in the inverse temperature, so its derivative has one root, which is found by
    bisection. The result is between 0.01 and 100, even for perfectly separated samples.
    Raises ValueError if there are no samples.
    """
    values = np.asarray(logits, dtype=np.float64)
    truth = np.asarray(labels, dtype=np.int64)
    if values.ndim != 2 or not len(values) or truth.shape != values.shape[:1]:
        raise ValueError(f"logits of shape {values.shape} do not fit labels of shape {truth.shape}")
    true_logits = values[np.arange(len(values)), truth]
    low, high = np.log(_COLDEST), np.log(_HOTTEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        expected = (softmax(values, np.exp(middle)) * values).sum(axis=1)
        too_hot = (expected - true_logits).mean() <= 0
        low, high = (low, middle) if too_hot else (middle, high)
    return float(np.exp((low + high) / 2))


def is_at_bound(temperature: float) -> bool:
    """Whether ``fit_temperature`` found no best value: for scores that are all right, or useless.

    >>> is_at_bound(1.5), is_at_bound(99.999999)
    (False, True)
    """
    return not _COLDEST * _NEAR < temperature < _HOTTEST / _NEAR


def expected_calibration_error(probabilities: FloatArray, labels: IntArray) -> float:
    """The mean gap between confidence and accuracy, weighted by the bins' sizes (equation 3).

    probabilities: (samples, classes). The confidence of a sample is its highest probability; the
    bins are of equal width. 0 for perfectly calibrated scores; NaN if there are no samples.
    """
    if not len(labels):
        return float("nan")
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == labels
    edges = np.linspace(0, 1, _BINS + 1)
    bins = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, _BINS - 1)
    gaps = np.bincount(bins, right) - np.bincount(bins, confidence)
    return float(np.abs(gaps).sum()) / len(labels)
