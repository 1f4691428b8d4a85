"""Compares the corpus of a crawl with what the memories of its sites give offline.

They are read from the frontier of the finished crawl. Then every page is extracted again, by the
library alone, with the memory of its site.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.site_memory.sites import SitesCrawl
from crawler.frontier import SqliteFrontier
from crawler.urls import host_key
from extraction import extract
from extraction.page_marks import PageMarks
from extraction.site_memory import CAPACITY, SiteMemory
from pipelines.corpus.folder import shards
from pipelines.corpus.merge import merge


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
    first, second = (
        # No genre: methods that use a memory judge by themselves what kind of page it is.
        extract(
            body,
            url=told["url"],
            charset="utf-8",
            method=told["extractor"] or "default",
            site=site,
        ).text
        for site in (memory, None)
    )
    return first, second
