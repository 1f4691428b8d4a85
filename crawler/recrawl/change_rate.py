"""How often a page changes, from visits at irregular times that see only whether it has changed.

The rate of a page is unknown, so it has a distribution: a gamma distribution, which a visit turns
into another one. A visit that finds no change multiplies it by exp(-rate * seconds), which is a
gamma distribution again. One that finds a change multiplies it by 1 - exp(-rate * seconds), since
it does not see how many there were; the gamma distribution with the mean and the variance of that
product takes its place. So the state is two numbers, and no visit is biased by its interval, as the
share of changed visits is (Cho and Garcia-Molina, *Estimating frequency of change*, ACM TOIT 2003).

All functions take numbers or arrays of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = float | NDArray[np.float64]

# Jeffreys' prior of a rate: it says hardly more than the scale, so that few visits outweigh it.
_PRIOR_EVENTS: Final = 0.5
# Of what is known, this share is left after a visit, because pages change their habits.
_KEPT: Final = 0.998


class Rate(NamedTuple):
    """A gamma distribution of changes per second.

    events: its shape; as if so many changes had been seen. exposure: in so many seconds.
    """

    events: Numbers
    exposure: Numbers

    @property
    def mean(self) -> Numbers:
        return self.events / self.exposure


@dataclass(frozen=True, slots=True)
class Found:
    """What visits found. All are arrays of one length, or all numbers.

    events: of a list, the new entries; of a page, whether it has changed, as 0 or 1.
    seconds: since the visit before.
    changed_ago: seconds since the last change, where they are known; NaN elsewhere.
    """

    events: Numbers
    seconds: Numbers
    changed_ago: Numbers


def prior(mean: float) -> Rate:
    """What is known of a page before its second visit. mean: changes per second of its like."""
    return Rate(_PRIOR_EVENTS, _PRIOR_EVENTS / mean)


def visited(rate: Rate, changed: bool | NDArray[np.bool_], seconds: Numbers) -> Rate:
    """The rate after a visit that found a change or none since the one ``seconds`` before it.

    >>> rate = Rate(1.0, 100.0)
    >>> round(float(visited(rate, False, 50.0).mean), 4)
    0.0067
    >>> round(float(visited(rate, True, 50.0).mean), 4)
    0.0167
    """
    events, exposure = rate
    # The moments of the product with 1 - exp(-rate * seconds): differences of two gammas'.
    shrink = np.log1p(np.divide(seconds, exposure))
    least = -np.expm1(-events * shrink)
    first = rate.mean * -np.expm1(-(events + 1) * shrink) / least
    second = rate.mean * (events + 1) / exposure * -np.expm1(-(events + 2) * shrink) / least
    narrow = first / (second - first**2)
    return Rate(
        np.where(changed, first * narrow, events), np.where(changed, narrow, exposure + seconds)
    )


def dated(rate: Rate, seconds: Numbers) -> Rate:
    """The rate of a page whose last change is known to have been ``seconds`` ago.

    >>> dated(Rate(1.0, 100.0), 50.0)
    Rate(events=2.0, exposure=150.0)
    """
    return Rate(rate.events + 1, rate.exposure + seconds)


def counted(rate: Rate, events: Numbers, seconds: Numbers) -> Rate:
    """The rate of a list after a visit that found so many new entries.

    >>> counted(Rate(1.0, 100.0), 3, 50.0)
    Rate(events=4.0, exposure=150.0)
    """
    return Rate(rate.events + events, rate.exposure + seconds)


def faded(rate: Rate) -> Rate:
    """The rate with the same mean, but a little less sure of it; not less than ``prior`` is.

    >>> round(float(faded(Rate(10.0, 1000.0)).mean), 12)
    0.01
    """
    events = np.maximum(_KEPT * rate.events, np.minimum(rate.events, _PRIOR_EVENTS))
    return Rate(events, rate.exposure * (events / rate.events))
