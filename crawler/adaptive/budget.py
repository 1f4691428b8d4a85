"""The budget of rendering, and the price that makes it last."""

from __future__ import annotations

import math
from collections import deque
from typing import Final

import numpy as np

PRICE: Final = 0.1
"""The least expected gain for which a page is rendered: a tenth of its text."""

# The expected gains of so many pages show what the coming ones will be like.
_RECENT: Final = 500
# At the beginning, hardly any of the pages are known; so many are expected, if they may be read.
_EXPECTED_PAGES: Final = 200
# Gains that differ by less are the same.
_TOLERANCE: Final = 0.02
# So many pages may be rendered in a row; then as many of a hundred as there is room for.
_BURST: Final = 10.0


class Budget:
    """pages, seconds: how much may be rendered. most: how many pages may be read. None means any
    number.

    While it does not suffice for all pages to come, only those with the greatest expected gains are
    worth its price: as many of a hundred as it has room for.
    """

    def __init__(
        self, pages: int | None = None, seconds: float | None = None, most: int | None = None
    ) -> None:
        self._pages = pages
        self._seconds = seconds
        self._expected = _EXPECTED_PAGES if most is None else min(_EXPECTED_PAGES, most)
        self._rendered = 0
        self._spent = 0.0
        self._seen = 0
        self._recent: deque[float] = deque(maxlen=_RECENT)
        self._allowance = _BURST

    @property
    def is_limited(self) -> bool:
        return self._pages is not None or self._seconds is not None

    def price(self, expected: float, left: int, *, needs_browser: bool = False) -> float | None:
        """What the next page must be worth; None if nothing can be rendered any more.

        expected: its gain. left: how many pages are known to come, with it. needs_browser: whether
        it is lost if it is not rendered; then no others than these are saved for.
        """
        if not self.is_limited:
            return PRICE
        unknown = 0 if needs_browser else self._expected - self._seen
        self._seen += 1
        self._recent.append(expected)
        room = self._room()
        if room < 1:
            return None
        share = room / max(left, unknown, 1)
        if share >= 1:
            return PRICE
        # Many pages may have the same expected gain: not all of them are better than the others.
        self._allowance = min(_BURST, self._allowance + share)
        if self._allowance < 1:
            return math.inf
        return max(PRICE, float(np.quantile(np.array(self._recent), 1 - share)) - _TOLERANCE)

    def begin(self) -> None:
        """A page is being rendered."""
        self._rendered += 1
        self._allowance -= 1

    def spend(self, seconds: float) -> None:
        """Its rendering took so long."""
        self._spent += seconds

    def _room(self) -> float:
        """How many more pages can be rendered."""
        rooms = [math.inf]
        if self._pages is not None:
            rooms.append(self._pages - self._rendered)
        if self._seconds is not None:
            left = self._seconds - self._spent
            each = self._spent / self._rendered if self._spent else 0.0
            rooms.append((left / each if each else math.inf) if left > 0 else 0.0)
        return min(rooms)
