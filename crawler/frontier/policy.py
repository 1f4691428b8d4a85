"""How a job treats hosts and failures, and when it has enough: the numbers of a frontier."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Times are in seconds; ``None`` means no limit. Raises ValueError naming the wrong field.

    delay: between two visits of a host; ``Frontier.pace_host`` can make it longer.
    visits_per_host: how many visits of one host may be under way.
    lease_seconds: how long a lease lives unless it is renewed.
    tries: a URL that failed this often is dead.
    losses: a URL whose lease was lost this often, because its worker died or fell silent, is
        dead. Far above ``tries``: all that a dying worker had in hand is lost with the culprit.
    first_backoff, longest_backoff: the wait after the first failure, doubled with each more.
    longest_delay: what servers may ask for by Retry-After or Crawl-delay; more is cut to this.
    longest_pace: the same of Crawl-delay alone, also where an earlier policy allowed more; 0 where
        robots.txt is not obeyed.
    pages: how many pages may be done, in all; see ``Frontier.ack_all``.
    pages_per_host: the same, for each host.
    total_size: how many bytes may be received, in all. What is leased by then comes on top.
    """

    delay: float = 1.0
    visits_per_host: int = 1
    lease_seconds: float = 300.0
    tries: int = 4
    losses: int = 25
    first_backoff: float = 5.0
    longest_backoff: float = 600.0
    longest_delay: float = 3600.0
    longest_pace: float = 3600.0
    pages: int | None = None
    pages_per_host: int | None = None
    total_size: int | None = None

    def __post_init__(self) -> None:
        may_be_none = {"pages", "pages_per_host", "total_size"}
        may_be_zero = {"delay", "first_backoff", "longest_backoff", "longest_delay", "longest_pace"}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None and field.name in may_be_none:
                continue
            least = "0 or more" if field.name in may_be_zero else "more than 0"
            if not math.isfinite(value) or value < 0 or (value == 0 and least != "0 or more"):
                raise ValueError(f"{field.name} is {value!r}; it must be {least}")

    def backoff(self, failures: int, rng: random.Random) -> float:
        """Seconds until a URL that failed ``failures`` times is tried again.

        Half of it is jitter, so that URLs that failed together do not come back together.

        >>> round(Policy(first_backoff=8).backoff(3, random.Random(0)), 1)
        29.5
        """
        # Beyond 2**60 any limit is reached, and a float could overflow.
        full = min(self.longest_backoff, self.first_backoff * 2.0 ** min(failures - 1, 60))
        return full * rng.uniform(0.5, 1.0)

    def allowed(self, seconds: float) -> float:
        """``seconds`` that a server asked for, cut to ``longest_delay``.

        >>> Policy(longest_delay=60).allowed(1e9)
        60
        """
        if math.isnan(seconds) or seconds < 0:
            raise ValueError(f"a delay of {seconds!r} seconds; it must be 0 or more")
        return min(seconds, self.longest_delay)
