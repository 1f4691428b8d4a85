"""The memories of folders of pages: each is taken for a site, and learned before it is read."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from extraction.site_memory import SiteMemory
from pipelines.reading.content import Content, ContentTask
from pipelines.reading.marks_reader import MarksReader
from pipelines.reading.site_memories import marks_of
from pipelines.reading.worker_pool import WorkerPool
from pipelines.reading.worker_process import serve

# Pages that are in memory at a time.
_AT_ONCE: Final = 64


class FolderPage(NamedTuple):
    folder: str
    task: ContentTask


async def folder_sites(pages: Iterable[FolderPage], size: int | None = None) -> Mapping[str, bytes]:
    """The memory of each folder that has several different pages.

    size: how many processes read them; by default one for each usable core. A page that cannot be
    read leaves nothing. Raises WorkerError.
    """
    sites: defaultdict[str, SiteMemory] = defaultdict(SiteMemory)
    known: defaultdict[str, set[bytes]] = defaultdict(set)
    rest = iter(pages)
    async with WorkerPool(size=size, serve=partial(serve, make=MarksReader)) as pool:
        while batch := [*islice(rest, _AT_ONCE)]:
            found = await asyncio.gather(*(pool.read_again(page.task) for page in batch))
            for page, content in zip(batch, found, strict=True):
                if not isinstance(content, Content) or content.marks is None:
                    continue
                # A copy of a page says nothing more of its site.
                (digest,) = marks_of(content.marks)
                if digest not in known[page.folder]:
                    known[page.folder].add(digest)
                    sites[page.folder].add(content.marks)
    return {folder: site.to_bytes() for folder, site in sites.items() if len(site) > 1}
