"""A look at what was kept of a page, taken if somebody asks for it."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.outcomes import Rejection
from pipelines.reading.content import ContentTask
from pipelines.reading.crawl_reader import CrawlReader
from pipelines.reading.page_blocks import PageBlocks
from pipelines.reading.worker import WorkerError


@dataclass(frozen=True, slots=True)
class SecondLook:
    """Holds the page's HTML: let it go when nobody can ask any more.

    task: as the page was read, by the reader.
    """

    task: ContentTask
    reader: CrawlReader

    async def take(self) -> PageBlocks | str:
        """The page's blocks, by a worker process under its time limit; or why there are none.

        Raises FrontierError if the memory of the page's site cannot be had now.
        """
        try:
            found = await self.reader.with_blocks(self.task)
        except WorkerError as error:
            return f"the page cannot be read again: {error}"
        if isinstance(found, Rejection):
            return f"the page cannot be read again: {found.reason} {found.detail}"
        if found.blocks is None:
            return f"the method {found.extractor} does not tell which parts it keeps"
        return found.blocks
