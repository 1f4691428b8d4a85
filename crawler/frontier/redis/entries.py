"""The entry of a URL in Redis: without scheme and host, because the queue's key has the host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

_HTTP = "!"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a queue stores of a URL.

    url: ASCII without spaces, as ``crawler.discovery.urls.address`` makes it.
    failures, losses: its failed tries and lost leases so far.
    """

    url: str
    failures: int = 0
    losses: int = 0
    note: str = ""

    def text(self, host: str) -> str:
        """The entry in a queue of ``host``; usually just the URL's path.

        >>> Entry("https://a.test/x?y=1").text("a.test"), Entry("http://a.test:81/").text("a.test")
        ('/x?y=1', '!:81/')
        >>> Entry("https://a.test/", note="a seed").text("a.test")
        '/ 0 0 a seed'
        """
        scheme, _, rest = self.url.partition("://")
        short = (_HTTP if scheme == "http" else "") + rest[len(_name(host)) :]
        if not (self.failures or self.losses or self.note):
            return short
        return f"{short} {self.failures} {self.losses} {self.note}"

    @classmethod
    def read(cls, text: str, host: str) -> Self:
        """The inverse of ``text``; the counts may have been changed by the scripts.

        >>> Entry.read("!:81/x 2 1 ", "a.test")
        Entry(url='http://a.test:81/x', failures=2, losses=1, note='')
        """
        short, *counted = text.split(" ", 3)
        scheme = "http" if short.startswith(_HTTP) else "https"
        url = f"{scheme}://{_name(host)}{short.removeprefix(_HTTP)}"
        if not counted:
            return cls(url)
        failures, losses, note = counted
        return cls(url, int(failures), int(losses), note)

    @property
    def attempts(self) -> int:
        return self.failures + self.losses


def _name(host: str) -> str:
    """The host as in URLs: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host
