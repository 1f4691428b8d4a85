"""Runs, summaries and periods of numbers in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

Measures = dict[str, float]

QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)

_TINY = 1e-6


def runs(mask: Mask) -> tuple[Places, Places]:
    """Where stretches of true values begin and end.

    >>> begins, ends = runs(np.array([True, True, False, True]))
    >>> begins.tolist(), ends.tolist()
    ([0, 3], [2, 4])
    """
    edges = np.flatnonzero(np.diff(mask, prepend=False, append=False))
    return edges[::2], edges[1::2]


def summary(name: str, values: npt.ArrayLike, quantiles: Sequence[float] = QUANTILES) -> Measures:
    """How many, their mean, their spread against the mean, and quantiles; of none, noughts.

    >>> summary("gap", [2.0, 4.0], quantiles=(0.5,))
    {'gap.count': 2.0, 'gap.mean': 3.0, 'gap.spread': 0.333..., 'gap.0.5': 2.0}
    """
    ordered = np.sort(np.asarray(values, np.float64))
    count = len(ordered)
    if not count:
        return dict.fromkeys(_summary_names(name, quantiles), 0.0)
    mean = float(ordered.mean())
    spread = float(ordered.std()) / (abs(mean) + _TINY)
    chosen = ordered[[int(share * (count - 1)) for share in quantiles]]
    numbers = (float(count), mean, spread, *chosen.tolist())
    return dict(zip(_summary_names(name, quantiles), numbers, strict=True))


def mean(values: npt.NDArray[np.generic]) -> float:
    """The mean; of nothing, nought."""
    return float(values.mean()) if values.size else 0.0


def spread(values: npt.NDArray[np.generic]) -> float:
    """The standard deviation against the mean; of nothing, nought."""
    return float(values.std()) / (abs(float(values.mean())) + _TINY) if values.size else 0.0


def named(prefix: str, measures: Mapping[str, float]) -> Measures:
    """The same measures under names that begin with ``prefix.``."""
    return {f"{prefix}.{name}": value for name, value in measures.items()}


def period(profile: Floats, shortest: int, longest: int) -> Measures:
    """The strongest repetition in a profile, by its autocorrelation.

    shortest, longest: the distances between repetitions that are looked at.
    strength: the correlation at the highest peak, 0 without one; length: its distance; mean and
    spread: of the correlations at all distances.
    """
    nothing = {"strength": 0.0, "length": 0.0, "mean": 0.0, "spread": 0.0}
    correlations = autocorrelation(profile)[shortest : min(longest, len(profile) - 5)]
    if len(correlations) < 3:
        return nothing
    found = nothing | {
        "mean": float(correlations.mean()),
        "spread": float(correlations.std()),
    }
    tops = peaks(correlations)
    if not len(tops):
        return found
    top = tops[correlations[tops].argmax()]
    return found | {"strength": float(correlations[top]), "length": float(top + shortest)}


def autocorrelation(profile: Floats) -> Floats:
    """The correlation of a profile, (n,) or (n, columns), with itself at distances 0..n - 1.

    Long distances, at which little of the profile overlaps, are not blown up beyond reason. A
    profile that does not vary gives noughts.
    """
    centred = profile - profile.mean(axis=0)
    count = len(centred)
    spectrum = np.fft.rfft(centred, 2 * count, axis=0)
    power = np.abs(spectrum) ** 2
    if power.ndim > 1:
        power = power.sum(axis=1)
    products = np.fft.irfft(power)[:count]
    if products[0] < _TINY * count:
        return np.zeros(count, np.float32)
    overlap = np.maximum(count - np.arange(count), 0.3 * count)
    correlations: Floats = (products / products[0] * count / overlap).astype(np.float32)
    return correlations


def peaks(values: Floats) -> Places:
    """Where a value is above the one before and not under the one after."""
    return np.flatnonzero((values[1:-1] > values[:-2]) & (values[1:-1] >= values[2:])) + 1


def smooth(profile: Floats, sigma: float) -> Floats:
    """A Gaussian blur."""
    blurred: Floats = ndimage.gaussian_filter1d(profile, sigma, mode="nearest")
    return blurred


def box(profile: Floats, size: int) -> Floats:
    """A moving mean."""
    blurred: Floats = ndimage.uniform_filter1d(profile, size, mode="nearest")
    return blurred


def _summary_names(name: str, quantiles: Sequence[float]) -> list[str]:
    return [f"{name}.{part}" for part in ("count", "mean", "spread", *quantiles)]
