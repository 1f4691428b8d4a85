"""How often a question is asked that costs the frontier something."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from live.paced import Paced

FRONTIER: Any = None


def asked_at(monkeypatch: pytest.MonkeyPatch, took: float, moments: Sequence[float]) -> list[float]:
    """Of the moments at which the answer is wanted, those at which the question is asked.

    took: seconds that the first answer takes; the others take none.
    """
    now, found = 0.0, list[float]()

    async def ask(_: object) -> None:
        nonlocal now
        found.append(now)
        now += 0.0 if found[1:] else took

    monkeypatch.setattr("live.paced.time", SimpleNamespace(monotonic=lambda: now))
    paced: Paced[None] = Paced(ask, None)
    for moment in moments:
        now = moment
        asyncio.run(paced.ask(FRONTIER))
    return found


def test_what_is_answered_at_once_is_asked_every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked_at(monkeypatch, 0.001, [0, 0.5, 1, 1.5, 2]) == [0, 1, 2]


def test_asking_takes_a_hundredth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked_at(monkeypatch, 0.2, [0, 1, 19.9, 20, 21]) == [0, 20, 21]


@pytest.mark.parametrize("seconds", [17, 1_200])
def test_after_an_outage_it_is_asked_again_within_a_minute(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    assert asked_at(monkeypatch, seconds, [0, seconds + 60]) == [0, seconds + 60]
