"""Counts of pages by host: how many there were, were rendered, and were changed by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Further hosts are counted together.
_MOST_HOSTS: Final = 10_000
OTHERS: Final = "other hosts"


@dataclass(slots=True)
class HostRendering:
    """pages: of the host that were read. changed: pages whose text rendering changed."""

    host: str
    pages: int = 0
    rendered: int = 0
    changed: int = 0


class HostTable:
    """Of a run of one worker."""

    def __init__(self) -> None:
        self._hosts: dict[str, HostRendering] = {}

    def add_page(self, host: str) -> None:
        self._row(host).pages += 1

    def add_rendered(self, host: str, *, changed: bool) -> None:
        row = self._row(host)
        row.rendered += 1
        row.changed += changed

    def most_rendered(self, number: int = 30) -> list[HostRendering]:
        """The hosts with the most rendered pages, then those with the most pages."""
        rows = sorted(self._hosts.values(), key=lambda row: (-row.rendered, -row.pages, row.host))
        return rows[:number]

    def _row(self, host: str) -> HostRendering:
        if host not in self._hosts and len(self._hosts) >= _MOST_HOSTS:
            host = OTHERS
        return self._hosts.setdefault(host, HostRendering(host))
