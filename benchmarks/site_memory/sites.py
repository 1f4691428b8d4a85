"""Sites of several pages on this machine, and a crawl of all of them.

Each site has a host of its own, an address of this machine, and a sitemap that lists its pages.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.fault_crawl import FaultCrawl, Run
from benchmarks.fault_site import Answer, Exchange, FaultSite

_MAP: Final = "/sitemap.xml"
_LATENCY: Final = 0.03


@dataclass(frozen=True, slots=True)
class SitesCrawl(FaultCrawl):
    """A crawl of several sites, whose sitemaps are its seeds. site_memory: of the job."""

    sitemaps: tuple[str, ...] = ()
    site_memory: bool = True

    def _job(self) -> str:
        return f"""
name = "sites"
[seeds]
sitemaps = {list(self.sitemaps)}
[scope]
include = ['/page/']
[limits]
{self._processes}
[politeness]
delay = 0
concurrency_per_host = {self.visits_per_host}
[rendering]
mode = "never"
[extraction]
site_memory = {str(self.site_memory).lower()}
[filters]
duplicates = "keep"
[outputs]
folder = "{self.output}"
shard_size = "100 kB"
"""


@contextlib.contextmanager
def serving(sites: Sequence[Sequence[str]], latency: float = _LATENCY) -> Iterator[list[FaultSite]]:
    """Serve the HTML of the pages of each site."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(_site(pages, f"127.0.1.{number}", latency))
            for number, pages in enumerate(sites, start=1)
        ]


def _site(pages: Sequence[str], address: str, latency: float) -> FaultSite:
    site = FaultSite(latency=latency, address=address)
    paths = [f"/page/{number}" for number in range(len(pages))]
    urls = "".join(f"<url><loc>{site.base}{path}</loc></url>" for path in paths)
    listed = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    site.answers = {path: _html(page) for path, page in zip(paths, pages, strict=True)}
    site.answers[_MAP] = lambda exchange: exchange.send(
        "200 OK", listed.encode(), {"Content-Type": "application/xml"}
    )
    return site


def _html(page: str) -> Answer:
    body = page.encode("utf-8", "replace")

    def answer(exchange: Exchange) -> None:
        exchange.send("200 OK", body)

    return answer


def urls_of(sites: Sequence[FaultSite], html: Sequence[Sequence[str]]) -> dict[str, str]:
    """The HTML of all pages by URL."""
    return {
        f"{site.base}/page/{number}": page
        for site, pages in zip(sites, html, strict=True)
        for number, page in enumerate(pages)
    }


def crawl_of(folder: Path, sites: Sequence[FaultSite], **options: Any) -> SitesCrawl:
    """The crawl of all the sites."""
    sitemaps = tuple(site.base + _MAP for site in sites)
    return SitesCrawl(folder, sites[0].base, sitemaps=sitemaps, **options)


def strike(crawl: SitesCrawl, sites: Sequence[FaultSite], chance: random.Random, kills: int) -> int:
    """SIGKILL the crawl so many times, by turns while pages are fetched and while the last ones are
    read again; returns how many times it was still running, which the first time it is.
    """
    pages = sum(len(site.answers) for site in sites)
    for number in range(kills):
        run = crawl.start()
        before = _asked(sites)
        share, rest = (1.0, chance.uniform(0, 2)) if number % 2 else (chance.uniform(0, 0.8), 0)
        while _asked(sites) - before < share * (pages - before) and run.sleep(0.02):
            pass
        if not run.sleep(rest):
            return number
        run.kill()
    return kills


def _asked(sites: Sequence[FaultSite]) -> int:
    return sum(len(site.asked) for site in sites)


def ended(run: Run) -> str:
    """What is wrong with the end of a run; empty if it finished."""
    run.wait()
    code = run.process.returncode
    return f"exit code {code}: {run.errors[-2000:]}" if code else ""
