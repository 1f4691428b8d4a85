"""What was kept of a page is found out when somebody asks, once, and at a bounded price."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from live_server import Reader, document, look

from crawler.outcomes import Rejection
from live.documents import MOST, Kept, NewestDocuments
from live.second_looks import SecondLooks
from pipelines.reading.content import Content
from pipelines.reading.page_blocks import PageBlock, PageBlocks
from pipelines.reading.worker import WorkerError

FOUND = PageBlocks((PageBlock("a \x1b[31m", ("p",), True),), is_whole=True)


def answers(reader: Reader, times: int = 1) -> list[dict[str, Any]]:
    """What so many are told who ask at once."""
    kept = Kept(document("a"), None, look(reader))

    async def ask() -> list[dict[str, Any]]:
        looks = SecondLooks()
        return await asyncio.gather(*(looks.of(kept) for _ in range(times)))

    return asyncio.run(ask())


def test_many_who_ask_cost_one_reading() -> None:
    reader = Reader(Content(text="", extractor="boosted-blocks", blocks=FOUND))
    told = answers(reader, 50)
    assert told == [{"blocks": [("a \ufffd[31m", ("p",), True)], "is_whole": True}] * 50
    assert reader.asked == 1


def test_why_there_is_none_is_told() -> None:
    reasons = [
        (Rejection("timeout", "not read after 30 s"), "timeout not read after 30 s"),
        (WorkerError("the worker pool is closed"), "the worker pool is closed"),
        (Content(text="", extractor="trafilatura"), "trafilatura does not tell"),
    ]
    for found, why in reasons:
        assert why in answers(Reader(found))[0]["why"]


def test_one_page_is_read_at_a_time_and_who_goes_away_stops_nobody() -> None:
    reader = Reader(Content(text="", extractor="boosted-blocks", blocks=FOUND))

    async def ask() -> None:
        looks = SecondLooks()
        several = [Kept(document(str(n)), None, look(reader)) for n in range(5)]
        gone, *others = [asyncio.create_task(looks.of(kept)) for kept in (several[0], *several)]
        await asyncio.sleep(0)
        gone.cancel()
        assert all("blocks" in told for told in await asyncio.gather(*others))

    asyncio.run(ask())
    assert (reader.asked, reader.most_at_once) == (5, 1)


def test_the_html_at_hand_has_bounds() -> None:
    documents = NewestDocuments()
    reader = cast(Any, None)
    for number in range(2 * MOST):
        documents.add(document(f"n{number}"), look(reader))
    assert [one.id for one in documents.newest()] == [
        f"n{n}" for n in reversed(range(MOST, 2 * MOST))
    ]
    large = "x" * 10_000_000
    for number in range(5):
        documents.add(document("again"), look(reader, large))
        documents.add(document(f"large{number}"), look(reader, large))
    shown = [one.id for one in documents.newest()]
    assert shown == ["large4", "again", "large3"]
    assert documents.find("large2") is None
