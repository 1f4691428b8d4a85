"""When to visit a page again: as soon as the visit is worth its price.

A visit costs, because there may only be so many. Its price is in seconds of freshness: a page that
changes at a rate and is visited at an interval is fresh for S = (1 - exp(-rate * interval)) / rate
seconds of it on average, so the best interval for a price p maximises (S - p) / interval. There,

    p = S - interval * S' = (1 - (1 + rate * interval) * exp(-rate * interval)) / rate,

which is the value of the visit. It grows with the interval, so a price is a threshold, as in the
optimal policies of Cho and Garcia-Molina (*Effective page refresh policies*, ACM TODS 2003) and of
Azar, Horvitz, Lubetzky, Peres and Shahaf (*Tractable near-optimal policies for crawling*, PNAS
2018). A page that changes too often is never worth the price: it gets the greatest interval,
because its visits keep other pages fresh for longer.

For a page that lists others, each new entry waits for the visit, so the visit is worth the time
that they have waited by then: rate * interval² / 2, also in seconds of a page that is out of date.

All functions take numbers or arrays of them; rates are per second.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammainc, gammaincinv

from crawler.recrawl.change_rate import Numbers


def value(rate: Numbers, interval: Numbers) -> Numbers:
    """What a visit of a page is worth after an interval.

    >>> round(float(value(0.01, 10_000.0)))  # it was fresh for 100 s on average
    100
    """
    return np.asarray(gammainc(2, rate * interval) / rate)


def interval(rate: Numbers, price: Numbers, least: float, greatest: float) -> Numbers:
    """Seconds until a visit of a page is worth its price, within the bounds.

    >>> round(float(interval(0.01, value(0.01, 50.0), least=1.0, greatest=1e6)))
    50
    >>> float(interval(0.01, 100.0, least=1.0, greatest=1e6))
    1000000.0
    """
    share = np.minimum(rate * price, 1.0)  # gammaincinv(2, 1) is infinite
    return np.asarray(np.clip(gammaincinv(2, share) / rate, least, greatest))


def list_interval(rate: Numbers, price: Numbers, least: float, greatest: float) -> Numbers:
    """The same for a page that lists others; the rate is that of new entries.

    >>> float(list_interval(0.02, 1.0, least=1.0, greatest=1e6))
    10.0
    """
    return np.clip(np.sqrt(2 * price / rate), least, greatest)
