"""What the pages of a folder have in common is learned from a sample of them."""

from __future__ import annotations

import asyncio

from crawler.html import Html
from extraction import SiteMemory, extract
from extraction.site_memory import CAPACITY
from pipelines.reading.content import ContentTask
from pipelines.reading.folder_sites import FolderPage, folder_sites


def page(number: int) -> str:
    """One whose texts are those of no other page."""
    name = chr(ord("a") + number % 20) + chr(ord("a") + number // 20)
    days = (f"<p>The storm {name}{chr(ord('a') + day)} came back twice." for day in range(12))
    return f"<article><h1>Storm {name}</h1>{''.join(days)}</article>"


def url(folder: str, number: int) -> str:
    return f"file:///{folder}/{number}.html"


PAGES = {number: page(number) for number in range(CAPACITY + 10)}


def known_pages(folder: str) -> list[int | None]:
    """Of each page, how many others are in the sample."""
    tasks = (
        FolderPage(folder, ContentTask(Html(html), url(folder, number), ""))
        for number, html in PAGES.items()
    )
    memory = asyncio.run(folder_sites(tasks, 1))[folder]
    assert memory is not None
    site = SiteMemory.from_bytes(memory)
    return [
        extract(html, url=url(folder, number), site=site).site_pages
        for number, html in PAGES.items()
    ]


def test_the_sample_is_the_same_wherever_the_folder_is() -> None:
    one, other = known_pages("one"), known_pages("another/place")
    assert one == other
    assert sorted(map(str, one)) == ["19"] * CAPACITY + ["20"] * 10


def test_copies_of_a_page_are_no_site() -> None:
    copies = (
        FolderPage("one", ContentTask(Html(PAGES[0]), url("one", number), ""))
        for number in range(3)
    )
    assert asyncio.run(folder_sites(copies, 1)) == {"one": None}
