"""Hints: what sitemaps and feeds say about when pages have changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from crawler.frontier.base import Candidate
from crawler.items import moment
from crawler.recrawl.validators import seconds_of_date
from crawler.urls import host_if_any


def changed_at(text: str, now: float) -> float | None:
    """The seconds since 1970 of a date in a sitemap or feed; None if it is none, or in the future.

    A day without a time is its beginning, in UTC.

    >>> changed_at("1970-01-02", now=1e9), changed_at("Thu, 01 Jan 1970 00:00:08 GMT", now=1e9)
    (86400.0, 8.0)
    """
    try:
        seconds = moment(text.strip()[:40]).timestamp()
    except (ValueError, OverflowError):
        return seconds_of_date(text, now)
    return seconds if 0 < seconds <= now else None


async def followed(
    candidates: Sequence[Candidate], most: Callable[[str], Awaitable[float]]
) -> list[Candidate]:
    """The candidates, with their hints only as far as these are to be followed now.

    most: how many hints of a host, of which the latest are taken.
    """
    hinted: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for at, one in enumerate(candidates):
        if one.changed_at is not None:
            hinted[host_if_any(one.url)].append((one.changed_at, at))
    dropped: set[int] = set()
    for host, of_host in hinted.items():
        limit = await most(host)
        if len(of_host) > limit:
            dropped.update(at for _, at in sorted(of_host, reverse=True)[int(limit) :])
    return [
        replace(one, changed_at=None) if at in dropped else one for at, one in enumerate(candidates)
    ]


def are_put_off(listed: Sequence[Candidate], kept: Sequence[Candidate], since: float) -> bool:
    """Whether ``followed`` has kept a candidate without its hint, though that is new."""
    return any(
        one.changed_at is not None and one.changed_at >= since and other.changed_at is None
        for one, other in zip(listed, kept, strict=True)
    )
