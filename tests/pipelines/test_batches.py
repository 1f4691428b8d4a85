"""Batches of pages: as many as wait, within limits, and each taker its share."""

from __future__ import annotations

import threading

import pytest

from pipelines.reading.batches import LARGEST, MOST_PAGES, Batches


def queue(*sizes: int, takers: int = 1) -> Batches[int]:
    made: Batches[int] = Batches(takers)
    for number, size in enumerate(sizes):
        made.put(number, size)
    return made


def test_a_single_page_does_not_wait_for_others() -> None:
    assert queue(1).take() == [0]


def test_a_batch_has_the_pages_that_have_waited_longest() -> None:
    waiting = queue(*[1] * (MOST_PAGES + 1))
    assert waiting.take() == [*range(MOST_PAGES)]
    assert waiting.take() == [MOST_PAGES]


def test_a_batch_is_limited_by_its_size() -> None:
    waiting = queue(LARGEST // 2, LARGEST // 2, 1)
    assert waiting.take() == [0, 1]
    assert waiting.take() == [2]


def test_a_page_larger_than_a_batch_comes_alone() -> None:
    waiting = queue(1, 2 * LARGEST, 1)
    assert [waiting.take() for _ in range(3)] == [[0], [1], [2]]


def test_every_taker_gets_its_share() -> None:
    waiting = queue(1, 1, 1, takers=2)
    assert waiting.take() == [0, 1]
    assert waiting.take() == [2]


def test_what_waits_is_taken_after_the_end_and_then_nothing() -> None:
    waiting = queue(1)
    waiting.close()
    assert waiting.take() == [0]
    assert waiting.take() == []
    with pytest.raises(ValueError, match="closed"):
        waiting.put(1, 1)


def test_takers_wait_for_a_page() -> None:
    waiting = queue(takers=2)
    taken: list[list[int]] = []
    takers = [threading.Thread(target=lambda: taken.append(waiting.take())) for _ in range(2)]
    for taker in takers:
        taker.start()
    waiting.put(7, 1)
    waiting.close()
    for taker in takers:
        taker.join()
    assert sorted(taken) == [[], [7]]
