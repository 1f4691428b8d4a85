"""Runs, summaries and periods of sequences of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy import fft, ndimage

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

Measures = dict[str, float]

QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)

_TINY = 1e-6


def runs(mask: Mask) -> tuple[Places, Places]:
    """Where runs of true values begin and end.

    >>> begins, ends = runs(np.array([True, True, False, True]))
    >>> begins.tolist(), ends.tolist()
    ([0, 3], [2, 4])
    """
    edges = np.flatnonzero(np.diff(mask, prepend=False, append=False))
    return edges[::2], edges[1::2]


def summary(name: str, values: npt.ArrayLike, quantiles: Sequence[float] = QUANTILES) -> Measures:
    """The count, the mean, the spread relative to the mean, and quantiles; all 0 without values.

    >>> summary("gap", [2.0, 4.0], quantiles=(0.5,))
    {'gap.count': 2.0, 'gap.mean': 3.0, 'gap.spread': 0.333..., 'gap.0.5': 2.0}
    """
    ordered = np.sort(np.asarray(values, np.float64))
    count = len(ordered)
    if not count:
        return dict.fromkeys(_summary_names(name, quantiles), 0.0)
    chosen = ordered[[int(share * (count - 1)) for share in quantiles]]
    numbers = (float(count), mean(ordered), spread(ordered), *chosen.tolist())
    return dict(zip(_summary_names(name, quantiles), numbers, strict=True))


# There are hundreds of short arrays per page, for which NumPy's own mean, std and median take
# several times as long.


def mean(values: npt.NDArray[np.generic]) -> float:
    """The mean; 0 without values."""
    if not values.size:
        return 0.0
    if values.dtype == np.bool_:
        return np.count_nonzero(values) / values.size
    return float(np.add.reduce(values, axis=None)) / values.size


def spread(values: npt.NDArray[Any]) -> float:
    """The standard deviation relative to the mean; 0 without values."""
    if not values.size:
        return 0.0
    middle = mean(values)
    apart = values - middle
    return math.sqrt(float(apart @ apart) / values.size) / (abs(middle) + _TINY)


def median(values: npt.NDArray[Any]) -> float:
    """The median; 0 without values."""
    count = len(values)
    if not count:
        return 0.0
    ordered = np.sort(values)
    return (float(ordered[(count - 1) // 2]) + float(ordered[count // 2])) / 2


def named(prefix: str, measures: Mapping[str, float]) -> Measures:
    """The same measures with ``prefix.`` before their names."""
    return {f"{prefix}.{name}": value for name, value in measures.items()}


def periods(profiles: Floats, shortest: int, longest: int) -> list[Measures]:
    """The strongest repetition in each profile, by its autocorrelation.

    profiles: (profiles, n). shortest, longest: the range of lags that are considered.
    Returned are strength: the correlation at the highest peak, 0 without one; length: its lag; mean
    and spread: of the correlations at all lags.
    """
    distances = slice(shortest, max(shortest, min(longest, profiles.shape[1] - 5)))
    return [_period(row[distances], shortest) for row in autocorrelations(profiles)]


def _period(correlations: Floats, shortest: int) -> Measures:
    nothing = {"strength": 0.0, "length": 0.0, "mean": 0.0, "spread": 0.0}
    if len(correlations) < 3:
        return nothing
    middle = mean(correlations)
    apart = correlations - middle
    found = nothing | {
        "mean": middle,
        "spread": math.sqrt(float(apart @ apart) / len(apart)),
    }
    tops = peaks(correlations)
    if not len(tops):
        return found
    top = tops[correlations[tops].argmax()]
    return found | {"strength": float(correlations[top]), "length": float(top + shortest)}


def autocorrelations(profiles: Floats) -> Floats:
    """The autocorrelation of each profile at lags 0..n - 1: (profiles, n) to (profiles, n).

    The normalisation is limited at long lags, where little of a profile overlaps. A constant
    profile gives zeros.
    """
    return _correlations(_power(profiles), profiles.shape[1])


def joint_autocorrelation(profiles: Floats) -> Floats:
    """The joint autocorrelation, (n,), of profiles that are shifted together, (profiles, n)."""
    return _correlations(_power(profiles).sum(axis=0), profiles.shape[1])


def _power(profiles: Floats) -> Floats:
    """The power spectra, zero-padded so that the correlation is not circular."""
    centred = profiles - profiles.mean(axis=1, keepdims=True)
    spectra = fft.rfft(centred, fft.next_fast_len(2 * profiles.shape[1], real=True))
    power: Floats = spectra.real**2 + spectra.imag**2
    return power


def _correlations(power: Floats, count: int) -> Floats:
    size = fft.next_fast_len(2 * count, real=True)
    products = fft.irfft(power, size)[..., :count]
    variance = products[..., :1]
    overlap = np.maximum(count - np.arange(count), 0.3 * count).astype(np.float32)
    varies = variance >= _TINY * count
    shares = np.divide(products, variance, out=np.zeros_like(products), where=varies)
    correlations: Floats = shares * (count / overlap)
    return correlations


def peaks(values: Floats) -> Places:
    """Where a value is greater than the previous one and not less than the next one."""
    return np.flatnonzero((values[1:-1] > values[:-2]) & (values[1:-1] >= values[2:])) + 1


def smooth(profiles: Floats, sigma: float) -> Floats:
    """A Gaussian blur along the last axis."""
    blurred: Floats = ndimage.gaussian_filter1d(profiles, sigma, mode="nearest")
    return blurred


def box(profiles: Floats, size: int) -> Floats:
    """A moving mean along the last axis."""
    blurred: Floats = ndimage.uniform_filter1d(profiles, size, mode="nearest")
    return blurred


def _summary_names(name: str, quantiles: Sequence[float]) -> list[str]:
    return [f"{name}.{part}" for part in ("count", "mean", "spread", *quantiles)]
