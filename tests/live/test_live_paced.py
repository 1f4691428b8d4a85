"""How often a question is asked that costs the frontier something."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from live.paced import Paced

FRONTIER: Any = None


def asked_at(
    monkeypatch: pytest.MonkeyPatch, took: Sequence[float], moments: Sequence[float]
) -> list[float]:
    """Of the moments at which the answer is wanted, those at which the question is asked.

    took: seconds of each answer; the last one of all that come after it.
    """
    now, found = 0.0, list[float]()

    async def ask(_: object) -> None:
        nonlocal now
        found.append(now)
        now += took[min(len(found), len(took)) - 1]

    monkeypatch.setattr("live.paced.time", SimpleNamespace(monotonic=lambda: now))
    paced: Paced[None] = Paced(ask, None)
    for moment in moments:
        now = moment
        asyncio.run(paced.ask(FRONTIER))
    return found


def test_what_is_answered_at_once_is_asked_every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked_at(monkeypatch, [0.001], [0, 0.5, 1, 1.5, 2]) == [0, 1, 2]


def test_asking_takes_a_hundredth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is known what it costs."""
    moments = [0, 2, 4, 6, 8, 9, 27.9, 28, 29, 48]
    assert asked_at(monkeypatch, [0.2], moments) == [0, 2, 4, 6, 8, 28, 48]


def test_a_busy_process_that_hears_late_asks_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    late = [0.3, 0.2, 0.3, 0.001, 0.3, 0.3, 0.3]
    assert asked_at(monkeypatch, late, range(8)) == list(range(8))


@pytest.mark.parametrize("seconds", [17, 1_200])
def test_after_an_outage_it_is_asked_again_within_a_minute(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    asked = [seconds * 2 * number for number in range(5)]
    again = asked[-1] + seconds + 60
    assert asked_at(monkeypatch, [seconds], [*asked, again]) == [*asked, again]
