"""What was kept of the pages of shown documents: read again when somebody asks, once for all."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from crawler.frontier import FrontierError
from live.documents import Kept, without_commands

if TYPE_CHECKING:
    from pipelines.reading.page_blocks import PageBlocks

Answer = dict[str, Any]


class SecondLooks:
    """One page is read at a time, so that viewers cannot keep the crawl's page workers busy.

    What was read is forgotten with its document.
    """

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[Kept, asyncio.Task[Answer]] = WeakKeyDictionary()
        self._turn = asyncio.Semaphore(1)

    async def of(self, kept: Kept) -> Answer:
        """For JSON: ``blocks``, each with text, elements and whether it was kept, and ``is_whole``;
        or ``why`` there are none.
        """
        if kept not in self._found:
            self._found[kept] = asyncio.create_task(self._take(kept), name="second look")
        # It goes on for the others if one who asks goes away.
        return await asyncio.shield(self._found[kept])

    async def _take(self, kept: Kept) -> Answer:
        if kept.look is None:
            return {"why": "its HTML is not at hand"}
        try:
            async with self._turn:
                found = await kept.look.take()
        except FrontierError as error:
            # It may answer the next who asks.
            del self._found[kept]
            return {"why": f"the frontier does not answer: {error}"}
        return {"why": without_commands(found)} if isinstance(found, str) else _shown(found)


def _shown(found: PageBlocks) -> Answer:
    blocks = [(without_commands(block.text), block.elements, block.kept) for block in found.blocks]
    return {"blocks": blocks, "is_whole": found.is_whole}
