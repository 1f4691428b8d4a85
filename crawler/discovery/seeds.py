"""The seeds of a job."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import chain
from typing import Final

from crawler.discovery.sitemaps import SITEMAP_PRIORITY
from crawler.frontier import Candidate
from crawler.frontier.url_meta import Kind, UrlMeta
from crawler.urls import UrlError, address, origin_of
from settings.addresses import host_of
from settings.seed_files import seed_lines, url_lines
from settings.tables.seeds import Seeds

# Log this many invalid lines of seed files one by one.
_MOST_LOGGED: Final = 5

_log = logging.getLogger(__name__)


def seeds(table: Seeds) -> Iterator[Candidate]:
    """The candidates with which a job starts."""
    for url in chain(table.urls, _in_files(table)):
        yield Candidate(url)
    for kind, urls in ((Kind.SITEMAP, table.sitemaps), (Kind.FEED, table.feeds)):
        for url in urls:
            yield UrlMeta(kind).candidate(url, priority=SITEMAP_PRIORITY)
    if table.robots_sitemaps:
        written = (url for _, _, url in table.all_urls())
        for origin in sorted({origin_of(url) for url in chain(written, _in_files(table))}):
            yield UrlMeta(Kind.ROBOTS).candidate(f"{origin}/robots.txt", priority=SITEMAP_PRIORITY)


def seed_pages(table: Seeds) -> frozenset[str]:
    """The canonical URLs of the seeds in the job file itself."""
    return frozenset(filter(None, map(_canonical, table.urls)))


def seed_sitemaps(table: Seeds) -> frozenset[str]:
    """The canonical URLs of the sitemaps and feeds in the job file."""
    return frozenset(filter(None, map(_canonical, chain(table.sitemaps, table.feeds))))


def seed_hosts(table: Seeds) -> set[str]:
    """The hosts of all seeds. Logs the invalid lines of seed files."""
    hosts = {host_of(url) for _, _, url in table.all_urls()}
    wrong = 0
    for line in seed_lines(table.files):
        problem = line.problem()
        if problem is None:
            hosts.add(host_of(line.text))
            continue
        wrong += 1
        if wrong <= _MOST_LOGGED:
            _log.warning("%s; the line is skipped", problem)
    if wrong > _MOST_LOGGED:
        more = wrong - _MOST_LOGGED
        _log.warning("%d more lines of seeds.files are no usable URLs and are skipped", more)
    return hosts


def _in_files(table: Seeds) -> Iterator[str]:
    return (line.text for line in url_lines(table.files))


def _canonical(url: str) -> str | None:
    try:
        return address(url).canonical
    except UrlError:
        return None
