"""The budget of rendering, and the price that makes it last."""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np

PRICE: Final = 0.1
"""The least expected gain for which a page is rendered: a tenth of its text."""

# The expected gains of so many pages show what the coming ones will be like.
_RECENT: Final = 500
_FEWEST: Final = 10


class Budget:
    """pages, seconds: how much may be rendered; None means any number.

    While it does not suffice for all pages to come, only those with the greatest expected gains are
    worth its price: as many of a hundred as it has room for.
    """

    def __init__(self, pages: int | None = None, seconds: float | None = None) -> None:
        self._pages = pages
        self._seconds = seconds
        self._rendered = 0
        self._spent = 0.0
        self._seen = 0
        self._recent: deque[float] = deque(maxlen=_RECENT)

    @property
    def is_limited(self) -> bool:
        return self._pages is not None or self._seconds is not None

    @property
    def least(self) -> float:
        """The price while there is enough."""
        return PRICE

    def price(self, expected: float, left: int) -> float | None:
        """What the next page must be worth; None if nothing can be rendered any more.

        expected: its gain. left: how many pages are known to come.
        """
        if not self.is_limited:
            return PRICE
        self._seen += 1
        self._recent.append(expected)
        room = self._room()
        if room < 1:
            return None
        # At the beginning, more will be found than is known: as many as there were so far.
        share = room / max(left, self._seen, 1)
        if share >= 1 or len(self._recent) < _FEWEST:
            return PRICE
        return max(PRICE, float(np.quantile(np.array(self._recent), 1 - share)))

    def begin(self) -> None:
        """A page is being rendered."""
        self._rendered += 1

    def spend(self, seconds: float) -> None:
        """Its rendering took so long."""
        self._spent += seconds

    def _room(self) -> float:
        """How many more pages can be rendered."""
        rooms = [float("inf")]
        if self._pages is not None:
            rooms.append(self._pages - self._rendered)
        if self._seconds is not None:
            left = self._seconds - self._spent
            each = self._spent / self._rendered if self._spent else 0.0
            rooms.append((left / each if each else float("inf")) if left > 0 else 0.0)
        return min(rooms)
