"""How many bytes hosts have sent to this worker, collected until they are worth a report."""

from __future__ import annotations

from collections import Counter
from typing import Final

# Of a host's bytes of a day; so many may be counted late.
_STEP: Final = 0.01
_MOST_HOSTS: Final = 1_000
# A signal: a browser has received so many bytes. Arguments: host, size.
BROWSER_RECEIVED: Final = object()


class SentSizes:
    """The bytes by host since the last report.

    daily: how many bytes a host may send in a day.
    """

    def __init__(self, daily: int) -> None:
        self._step = _STEP * daily
        self._sizes: Counter[str] = Counter()
        self._is_due = False

    @property
    def is_due(self) -> bool:
        """Whether they should be reported now: a host has sent many, or many hosts have sent."""
        return self._is_due or len(self._sizes) >= _MOST_HOSTS

    def add(self, host: str, size: int) -> None:
        self._sizes[host] += size
        self._is_due = self._is_due or self._sizes[host] >= self._step

    def take(self) -> dict[str, int]:
        """What is to be reported; counting begins anew."""
        taken, self._sizes, self._is_due = dict(self._sizes), Counter(), False
        return taken
