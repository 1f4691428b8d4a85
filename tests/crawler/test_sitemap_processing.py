"""What a list names is judged beside the crawl, which goes on meanwhile."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from scrapy.http import Response

from crawler.crawl.crawl import Crawl
from crawler.discovery.scope import Scope
from crawler.fetching.leased_requests import LeasedRequest
from crawler.frontier import Candidate, Policy, SqliteFrontier, Stats
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.url_meta import Kind, UrlMeta
from crawler.recrawl.observation import Observation
from crawler.recrawl.revisits import Revisits
from crawler.spider.sitemap_processing import SitemapProcessor
from crawler.urls import Address
from settings import Job
from settings.networks import AddressPolicy

SITEMAP = "http://127.0.0.1/sitemap.xml"
PAGES = "<url><loc>/1</loc></url><url><loc>/2</loc></url><url><loc>http://127.0.0.2/</loc></url>"
FURTHER = "<sitemap><loc>/more.xml</loc></sitemap>"


class WatchedScope(Scope):
    """Knows in which threads it was asked."""

    threads: frozenset[int] = frozenset()

    def refusal(
        self, found: Address, depth: int, *, wanted: bool = False, anywhere: bool = False
    ) -> str | None:
        self.threads |= {threading.get_ident()}
        return super().refusal(found, depth, wanted=wanted, anywhere=anywhere)


def test_entries_are_judged_while_other_hosts_are_visited(tmp_path: Path) -> None:
    job = Job.model_validate({"name": "x", "seeds": {"sitemaps": [SITEMAP]}})
    scope = WatchedScope(job.scope, ["127.0.0.1"], AddressPolicy(loopback=True))
    body = f"<urlset>{PAGES}{FURTHER}</urlset>".encode()

    async def read() -> Stats:
        async with LeaseHolder(await SqliteFrontier.open(tmp_path)) as frontier:
            crawl = Crawl(job, leases=frontier)
            crawl.scope = scope
            await frontier.add([UrlMeta(Kind.SITEMAP).candidate(SITEMAP)])
            (lease,) = await frontier.lease(1)
            await SitemapProcessor(crawl).read(
                LeasedRequest.of(lease), Response(SITEMAP, body=body)
            )
            return await frontier.frontier.stats()

    stats = asyncio.run(read())
    assert (stats.outcomes, stats.queued) == ({"sitemap": 1}, 3)
    assert scope.threads
    assert threading.get_ident() not in scope.threads


def test_a_known_page_that_is_said_to_have_changed_is_visited_early(tmp_path: Path) -> None:
    job = Job.model_validate(
        {"name": "x", "seeds": {"sitemaps": [SITEMAP]}, "recrawl": {"policy": "fixed"}}
    )
    now = 1_764_000_000.0
    dates = {"/new": "2025-11-24T18:00:00Z", "/old": "2001-01-01", "/odd": "soon", "/none": ""}
    entries = (f"<url><loc>{path}</loc><lastmod>{at}</lastmod></url>" for path, at in dates.items())
    body = f"<urlset>{''.join(entries)}</urlset>".encode()

    async def read() -> list[tuple[str, bool]]:
        nonlocal now
        store = await SqliteFrontier.open(
            tmp_path, Policy(delay=0, visits_per_host=9, revisit_share=0.5), clock=lambda: now
        )
        async with LeaseHolder(store) as frontier:
            crawl = Crawl(job, leases=frontier)
            crawl.scope = Scope(job.scope, ["127.0.0.1"], crawl.policy)
            crawl.revisits = Revisits(job, store.counts, clock=lambda: now)
            await store.begin_run()
            await frontier.add([Candidate(f"http://127.0.0.1{path}") for path in dates])
            for lease in await frontier.lease(9):
                await crawl.visited(lease, "kept", Observation(seen="changed"))
            now += 86_400
            await frontier.add([UrlMeta(Kind.SITEMAP).candidate(SITEMAP)])
            (lease,) = await frontier.lease(9)
            listed = Response(SITEMAP, body=body)
            await SitemapProcessor(crawl).read(LeasedRequest.of(lease), listed)
            return [(lease.url, lease.hinted) for lease in await frontier.lease(9)]

    assert asyncio.run(read()) == [("http://127.0.0.1/new", True)]
