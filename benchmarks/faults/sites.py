"""Sites of many pages, crawled with kills, and compared with what their memories give offline.

Each site has a host of its own, an address of this machine, and a sitemap that lists its pages.
Its memory is read from the frontier of the finished crawl; then every page is extracted again, by
the library alone, with the memory of its site.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.faults.crawl import FaultCrawl, Run
from benchmarks.faults.site import Answer, Exchange, FaultSite
from crawler.frontier import SqliteFrontier
from crawler.urls import host_key
from extraction import extract
from extraction.site_memory import CAPACITY, PageMarks, SiteMemory
from pipelines.corpus.folder import shards
from pipelines.corpus.merge import merge

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


@dataclass(slots=True)
class Comparison:
    """The merged corpus of a crawl beside the offline result.

    equal, different: pages by their text. lost: pages without any line. repeats: lines that merging
    removed. held: pages that were still waiting. changed: texts that are not those of the page
    alone. known: by host, how many pages its memory has.
    """

    equal: int
    different: list[str]
    lost: list[str]
    repeats: int
    held: int
    changed: int
    known: dict[str, int]


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


def crawl_of(folder: Path, sites: Sequence[FaultSite], **options: Any) -> SitesCrawl:
    """The crawl of all the sites."""
    sitemaps = tuple(site.base + _MAP for site in sites)
    return SitesCrawl(folder, sites[0].base, sitemaps=sitemaps, **options)


def strike(crawl: SitesCrawl, sites: Sequence[FaultSite], chance: random.Random, kills: int) -> int:
    """SIGKILL the crawl so many times, each a while after its first request; returns how many
    times it was still running.
    """
    pages = sum(len(site.answers) for site in sites)
    struck = 0
    for _ in range(kills):
        run = crawl.start()
        before = _asked(sites)
        # Half of them while the last pages are read again.
        share = chance.choice((chance.random(), 1))
        while _asked(sites) - before < share * (pages - before) and run.sleep(0.02):
            pass
        if not run.sleep(chance.uniform(0, 2)):
            break
        run.kill()
        struck += 1
    return struck


def _asked(sites: Sequence[FaultSite]) -> int:
    return sum(len(site.asked) for site in sites)


def compared(
    crawl: SitesCrawl, pages: Mapping[str, str], marks: Mapping[str, Sequence[bytes]] | None = None
) -> Comparison:
    """Compare a crawl's corpus.

    pages: the HTML of all pages by URL. marks: of each host; by default those of its own frontier.
    """
    merged = crawl.folder / "merged"
    shutil.rmtree(merged, ignore_errors=True)
    found = merge([crawl.corpus], merged)
    hosts = {host_key(url) for url in pages}
    if marks is None:
        marks = asyncio.run(_marks(crawl.output, hosts))
    memories = {host: SiteMemory(map(PageMarks.from_bytes, marks[host])) for host in hosts}
    lines = {
        line["metadata"]["requested_url"]: line
        for shard in shards(merged)
        for line in shard.documents()
    }
    texts = {url: _texts(pages[url], line, memories[host_key(url)]) for url, line in lines.items()}
    different = [url for url, line in lines.items() if line["text"] != texts[url][0]]
    return Comparison(
        equal=len(lines) - len(different),
        different=different,
        lost=sorted(pages.keys() - lines.keys()),
        repeats=found.repeats,
        held=found.held,
        changed=sum(with_site != alone for with_site, alone in texts.values()),
        known={host: len(memory) for host, memory in memories.items()},
    )


async def _marks(folder: Path, hosts: set[str]) -> dict[str, list[bytes]]:
    async with await SqliteFrontier.attach(folder) as frontier:
        sites = frontier.sites(CAPACITY)
        return {host: await sites.all(host) for host in hosts}


def _texts(html: str, line: dict[str, Any], memory: SiteMemory) -> tuple[str, str]:
    """The text of a page with the memory of its site, and alone."""
    told = line["metadata"]
    body = html.encode("utf-8", "replace")
    kind = told["page_type"] or told["genre"]
    first, second = (
        extract(
            body,
            url=told["url"],
            genre=kind,
            charset="utf-8",
            method=told["extractor"] or "default",
            site=site,
        ).text
        for site in (memory, None)
    )
    return first, second


def ended(run: Run) -> str:
    """What is wrong with the end of a run; empty if it finished."""
    run.wait()
    code = run.process.returncode
    return f"exit code {code}: {run.errors[-2000:]}" if code else ""
