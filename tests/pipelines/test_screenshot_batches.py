"""Screenshots of pages that are read at the same time go through the network together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from picture_classifier import Classifier

from genre_model.prediction import Prediction
from pipelines.reading.screenshots import MOST_WAITING, ScreenshotBatches


@pytest.fixture
def classifier() -> Iterator[Classifier]:
    made = Classifier()
    yield made
    assert made.closed


def predictions(classifier: Classifier, *images: bytes, size: int = 16) -> list[Prediction | None]:
    async def work() -> list[Prediction | None]:
        async with ScreenshotBatches(lambda: classifier, size=size, wait=0.2) as batches:
            return await asyncio.gather(*map(batches.predict, images))

    return asyncio.run(work())


def test_screenshots_that_arrive_together_are_read_together(classifier: Classifier) -> None:
    found = predictions(classifier, *[b"article", b"list-view"] * 5, size=4)
    assert [one and one.genre for one in found] == ["article", "list-view"] * 5
    assert classifier.batches == [4, 4, 2]


def test_a_screenshot_that_cannot_be_read_leaves_the_genre_to_the_html(
    classifier: Classifier,
) -> None:
    first, second = predictions(classifier, b"broken", b"article")
    assert first is None
    assert second is not None


def test_a_network_that_fails_costs_no_page(classifier: Classifier) -> None:
    assert predictions(classifier, b"fail", b"article") == [None, None]


def test_what_the_network_did_not_answer_is_counted(classifier: Classifier) -> None:
    async def work() -> int:
        async with ScreenshotBatches(lambda: classifier, size=2, wait=0.2) as batches:
            pictures = (b"fail", b"article", b"broken", b"article", b"list-view")
            await asyncio.gather(*map(batches.predict, pictures))
            return batches.failed

    assert asyncio.run(work()) == 3


def test_nobody_waits_for_a_network_that_is_closed(classifier: Classifier) -> None:
    async def work() -> list[Prediction | None]:
        batches = ScreenshotBatches(lambda: classifier, size=1, wait=0)
        async with batches:
            pictures = [b"article"] * (3 * MOST_WAITING)
            waiting = asyncio.gather(*map(batches.predict, pictures))
            await asyncio.sleep(0)
        async with asyncio.timeout(30):
            return await waiting

    assert None in asyncio.run(work())
