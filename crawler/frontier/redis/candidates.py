"""Candidates as arguments of ``lua/add.lua``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from crawler.discovery.urls import UrlError, address, digest
from crawler.frontier.base import Candidate
from crawler.frontier.rank import rank_of
from crawler.frontier.redis.entries import Entry


def arguments_of(candidates: Sequence[Candidate], key: bytes) -> list[Any]:
    """The number of refused candidates, then the others by host.

    key: the key of the job's digests.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    refused = 0
    for candidate in candidates:
        try:
            where = address(candidate.url)
        except UrlError:
            refused += 1
            continue
        hashed = digest(where.canonical, key, candidate.kind)
        entry = Entry(where.url, note=candidate.note).text(where.host)
        found[where.host].append(f"{rank_of(candidate)} {hashed} {entry}")
    arguments: list[Any] = [refused]
    for host, urls in found.items():
        arguments += (host, len(urls), *urls)
    return arguments
