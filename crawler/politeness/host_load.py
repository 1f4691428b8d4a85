"""How long a host is left alone by how it bears the visits: the slower, the longer.

The rule: ``factor`` times the time that the host takes to answer, smoothed over the last ten
answers or so, and twice as long for every failure, of which each answer undoes one.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

# The weight of the last answer, and the failures that count at most.
_WEIGHT: Final = 0.1
_MOST_FAILURES: Final = 10
# A pause is told when it differs from the last by this factor, so that it is not told all the time.
_NOTABLE: Final = 1.5
_MOST_HOSTS: Final = 10_000


@dataclass(slots=True)
class _Load:
    """seconds: that an answer takes; 0 before the first. told: the pause as it was told last."""

    seconds: float = 0.0
    failures: int = 0
    told: float = 0.0


class HostLoad:
    """The load of the latest hosts.

    factor: the pause, in times of an answer. delay: the pause of a host that bears it, in seconds.
    longest: the limit of a pause.
    """

    def __init__(self, factor: float, delay: float, longest: float) -> None:
        self._factor = factor
        self._delay = delay
        self._longest = longest
        self._hosts: OrderedDict[str, _Load] = OrderedDict()

    def answered(self, host: str, seconds: float) -> float | None:
        """Note an answer; returns the host's new pause in seconds, None if it is as before."""
        load = self._load(host)
        load.seconds += (seconds - load.seconds) * (_WEIGHT if load.seconds else 1.0)
        load.failures = max(0, load.failures - 1)
        return self._told(load)

    def failed(self, host: str) -> float | None:
        """The same for an error of the server, or no answer."""
        load = self._load(host)
        load.failures = min(load.failures + 1, _MOST_FAILURES)
        return self._told(load)

    def pause(self, host: str) -> float:
        """The pause of a host as it was told last; 0 if there was none."""
        load = self._hosts.get(host)
        return load.told if load else 0.0

    def _load(self, host: str) -> _Load:
        load = self._hosts.setdefault(host, _Load(told=self._delay))
        self._hosts.move_to_end(host)
        if len(self._hosts) > _MOST_HOSTS:
            self._hosts.popitem(last=False)
        return load

    def _told(self, load: _Load) -> float | None:
        wanted = max(self._factor * load.seconds, self._delay) * 2.0**load.failures
        pause = max(self._delay, min(wanted, self._longest))
        if load.told / _NOTABLE < pause < load.told * _NOTABLE and pause != self._delay:
            return None
        if pause == load.told:
            return None
        load.told = pause
        return pause
