"""The memories of folders of pages: each is taken for a site, and learned before it is read."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple

from crawler.outcomes import Rejection
from extraction.page_marks import PageMarks
from extraction.site_memory import CAPACITY, SiteMemory
from pipelines.reading.content import Content, ContentTask
from pipelines.reading.marks_reader import MarksReader
from pipelines.reading.site_memories import marks_of
from pipelines.reading.worker_pool import WorkerPool
from pipelines.reading.worker_process import serve

# Pages that are in memory at a time.
_AHEAD: Final = 64


class FolderPage(NamedTuple):
    folder: str
    task: ContentTask


class _Sample:
    """The marks of the pages of a folder with the smallest digests: the same wherever the folder
    is, and of copies of a page only one.
    """

    def __init__(self) -> None:
        self._marks: dict[bytes, PageMarks] = {}

    def add(self, marks: PageMarks) -> None:
        (digest,) = marks_of(marks)
        self._marks[digest] = marks
        if len(self._marks) > CAPACITY:
            del self._marks[max(self._marks)]

    def memory(self) -> bytes | None:
        """None if there is a single page, which says nothing about itself."""
        return SiteMemory(self._marks.values()).to_bytes() if len(self._marks) > 1 else None


async def folder_sites(
    pages: Iterable[FolderPage], size: int | None = None
) -> Mapping[str, bytes | None]:
    """The memory of each folder; None if its pages are all the same.

    size: how many processes read them; by default one for each usable core. A page that cannot be
    read leaves nothing. Raises WorkerError.
    """
    samples: defaultdict[str, _Sample] = defaultdict(_Sample)
    waiting: deque[tuple[str, asyncio.Task[Content | Rejection]]] = deque()

    async def learn_first() -> None:
        folder, task = waiting.popleft()
        content = await task
        if isinstance(content, Content) and content.marks is not None:
            samples[folder].add(content.marks)

    async with WorkerPool(size=size, serve=partial(serve, make=MarksReader)) as pool:
        for page in pages:
            waiting.append((page.folder, asyncio.create_task(pool.read_again(page.task))))
            if len(waiting) > _AHEAD:
                await learn_first()
        while waiting:
            await learn_first()
    return {folder: sample.memory() for folder, sample in samples.items()}
