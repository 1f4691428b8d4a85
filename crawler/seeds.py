"""Where a crawl starts."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import chain
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from crawler.frontier import Candidate
from crawler.lists import LIST_PRIORITY
from crawler.notes import Kind, Note
from crawler.urls import UrlError, address
from settings.addresses import host_of
from settings.seed_files import seed_lines, url_lines
from settings.tables.seeds import Seeds

# Lines of files that are no URL: so many are told one by one.
_MOST_TOLD: Final = 5

_log = logging.getLogger(__name__)


def seeds(table: Seeds) -> Iterator[Candidate]:
    """The candidates that a job starts with."""
    for url in chain(table.urls, _in_files(table)):
        yield Candidate(url)
    for kind, urls in ((Kind.SITEMAP, table.sitemaps), (Kind.FEED, table.feeds)):
        for url in urls:
            yield Note(kind).candidate(url, priority=LIST_PRIORITY)
    if table.robots_sitemaps:
        written = (url for _, _, url in table.all_urls())
        for origin in sorted({_origin(url) for url in chain(written, _in_files(table))}):
            yield Note(Kind.ROBOTS).candidate(f"{origin}/robots.txt", priority=LIST_PRIORITY)


def seed_pages(table: Seeds) -> frozenset[str]:
    """The pages that the job file itself names, in canonical form."""
    return frozenset(filter(None, map(_canonical, table.urls)))


def seed_lists(table: Seeds) -> frozenset[str]:
    """The sitemaps and feeds that the job file names, in canonical form."""
    return frozenset(filter(None, map(_canonical, chain(table.sitemaps, table.feeds))))


def seed_hosts(table: Seeds) -> set[str]:
    """The hosts of all seeds. The log is told of the lines in files that are no URL."""
    hosts = {host_of(url) for _, _, url in table.all_urls()}
    wrong = 0
    for line in seed_lines(table.files):
        problem = line.problem()
        if problem is None:
            hosts.add(host_of(line.text))
            continue
        wrong += 1
        if wrong <= _MOST_TOLD:
            _log.warning("%s", problem)
    if wrong > _MOST_TOLD:
        _log.warning("%d more lines of seeds.files are no URL to begin with", wrong - _MOST_TOLD)
    return hosts


def _in_files(table: Seeds) -> Iterator[str]:
    return (line.text for line in url_lines(table.files))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, "", "", ""))


def _canonical(url: str) -> str | None:
    try:
        return address(url).canonical
    except UrlError:
        return None
