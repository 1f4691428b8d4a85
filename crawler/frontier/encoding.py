"""How frontiers store times, URLs, outcomes and places in queues, and split work into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

from corpus_commons.url_reference import host_in_url
from crawler.frontier.base import DEPTHS, LONGEST_OUTCOME, Candidate

# Microseconds per second.
MICRO: Final = 1_000_000
DAY: Final = 86_400 * MICRO
T = TypeVar("T")
_HTTP: Final = "!"
# A priority step outweighs any depth.
_PRIORITY_STEP = len(DEPTHS)


def micro(seconds: float) -> int:
    """The seconds in microseconds.

    >>> micro(1.5)
    1500000
    """
    return round(seconds * MICRO)


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most ``size`` items, in order, as ``itertools.batched`` of Python 3.12.

    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def checked_outcome(outcome: str) -> str:
    """The outcome; raises ValueError if its length is out of range."""
    if not 0 < len(outcome) <= LONGEST_OUTCOME:
        raise ValueError(
            f"an outcome must have 1 to {LONGEST_OUTCOME} characters, not {len(outcome)}"
        )
    return outcome


def rank_of(candidate: Candidate) -> int:
    """Priority and depth in one number, by which the queues of hosts are sorted, lowest first.

    >>> rank_of(Candidate("http://a.test/", depth=3)), rank_of(Candidate("", priority=1))
    (3, -65536)
    """
    return candidate.depth - candidate.priority * _PRIORITY_STEP


def depth_of(rank: int) -> int:
    """The depth in a rank.

    >>> depth_of(3 - 7 * 65536)
    3
    """
    return rank % _PRIORITY_STEP


def priority_of(rank: int) -> int:
    """The priority in a rank.

    >>> priority_of(3 - 7 * 65536)
    7
    """
    return (depth_of(rank) - rank) // _PRIORITY_STEP


def short_url(url: str, host: str) -> str:
    """The URL without scheme and host, which are known from its place; usually just its path.

    url: ASCII without spaces, as ``crawler.urls.address`` makes it.

    >>> short_url("https://a.test/x?y=1", "a.test"), short_url("http://a.test:81/", "a.test")
    ('/x?y=1', '!:81/')
    """
    scheme, _, rest = url.partition("://")
    return (_HTTP if scheme == "http" else "") + rest[len(host_in_url(host)) :]


def full_url(short: str, host: str) -> str:
    """The inverse of ``short_url``.

    >>> full_url("!:81/x", "a.test"), full_url("/", "::1")
    ('http://a.test:81/x', 'https://[::1]/')
    """
    scheme = "http" if short.startswith(_HTTP) else "https"
    return f"{scheme}://{host_in_url(host)}{short.removeprefix(_HTTP)}"
