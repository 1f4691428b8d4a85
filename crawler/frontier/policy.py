"""The policy of a frontier: politeness, retries and limits."""

from __future__ import annotations

import math
import random
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count = Annotated[int, Field(gt=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Times are in seconds; ``None`` means no limit. Raises ValueError that names the wrong field.

    delay: between two visits of a host; ``Frontier.pace_host`` can make it longer.
    visits_per_host: how many visits of a host may be in progress at a time.
    lease_seconds: lifetime of a lease, unless it is renewed.
    tries: after this many failures a URL is dead.
    losses: after this many lost leases a URL is dead. Much more than ``tries``, because a dying
        worker loses all its leases, not only that of the page which killed it.
    first_backoff, longest_backoff: the backoff after the first failure, which then doubles, and
        its maximum.
    longest_delay: maximum of what servers may ask for by Retry-After or Crawl-delay.
    longest_pace: maximum of Crawl-delay alone, which also holds for values from earlier runs; 0 if
        robots.txt is not obeyed.
    pages: how many pages may be done in total; see ``Frontier.ack_all``.
    pages_per_host: how many pages of each host may be done.
    total_size: how many bytes may be received in total, not counting what is leased by then.
    daily_size_per_host: how many bytes a host may send in a day; see ``Frontier.count_sent``.
    revisit_share: the share of a host's visits that go to known URLs that are due, while new URLs
        wait as well; None if URLs are visited once.
    """

    delay: Seconds = 1.0
    visits_per_host: Count = 1
    lease_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 300.0
    tries: Count = 4
    losses: Count = 25
    first_backoff: Seconds = 5.0
    longest_backoff: Seconds = 600.0
    longest_delay: Seconds = 3600.0
    longest_pace: Seconds = 3600.0
    pages: Count | None = None
    pages_per_host: Count | None = None
    total_size: Count | None = None
    daily_size_per_host: Count | None = None
    revisit_share: Annotated[float, Field(ge=0, le=1)] | None = None

    def backoff(self, failures: int, rng: random.Random) -> float:
        """Seconds until a URL that failed ``failures`` times is tried again.

        Half of it is jitter, so that URLs which failed together are not retried together.

        >>> round(Policy(first_backoff=8).backoff(3, random.Random(0)), 1)
        29.5
        """
        # Larger exponents could overflow, and 2**60 exceeds any limit anyway.
        full = min(self.longest_backoff, self.first_backoff * 2.0 ** min(failures - 1, 60))
        return full * rng.uniform(0.5, 1.0)

    def allowed(self, seconds: float) -> float:
        """``seconds`` that a server asked for, but at most ``longest_delay``.

        >>> Policy(longest_delay=60).allowed(1e9)
        60.0
        """
        if math.isnan(seconds) or seconds < 0:
            raise ValueError(f"a delay must be 0 or more seconds, not {seconds!r}")
        return min(seconds, self.longest_delay)
