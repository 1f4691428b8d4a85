"""Quiet hours: the hours of a day in which a host is not visited."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import Final, Self

from settings import times
from settings.addresses import host_name, is_under

_FORM: Final = re.compile(r"(\S+) +(\d\d:\d\d)-(\d\d:\d\d)(?: +(\S+))?")
ANY_HOST: Final = "*"


@dataclass(frozen=True, slots=True)
class Hours:
    """host: with its subdomains; ``*`` for any. begin, end: in ``zone``; they may pass midnight."""

    host: str
    begin: time
    end: time
    zone: tzinfo

    @classmethod
    def of(cls, text: str) -> Self:
        """Raises ValueError that says what is wrong."""
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise ValueError("not of the form HOST HH:MM-HH:MM ZONE")
        begin, end = (time.fromisoformat(one) for one in found.group(2, 3))
        if begin == end:
            raise ValueError("the hours must not begin when they end")
        host = found[1] if found[1] == ANY_HOST else host_name(found[1])
        return cls(host, begin, end, times.zone(found[4] or "UTC"))

    def left(self, host: str, moment: datetime) -> float:
        """Seconds until ``host`` may be visited; 0 if it may. moment: timezone-aware.

        >>> night = Hours.of("example.com 22:00-06:00")
        >>> night.left("www.example.com", datetime.fromisoformat("2026-05-01T05:30:00+00:00"))
        1800.0
        >>> night.left("example.com", datetime.fromisoformat("2026-05-01T06:00:00+00:00"))
        0.0
        """
        if self.host != ANY_HOST and not is_under(host, self.host):
            return 0.0
        local = moment.astimezone(self.zone)
        clock = local.time()
        if self.begin < self.end:
            is_quiet = self.begin <= clock < self.end
        else:
            is_quiet = clock >= self.begin or clock < self.end
        if not is_quiet:
            return 0.0
        end = local.replace(hour=self.end.hour, minute=self.end.minute, second=0, microsecond=0)
        if end <= local:
            end += timedelta(days=1)
        return (end.astimezone(moment.tzinfo) - moment).total_seconds()


def checked(text: str) -> str:
    """The text, if it is of quiet hours; raises ValueError."""
    Hours.of(text)
    return text
