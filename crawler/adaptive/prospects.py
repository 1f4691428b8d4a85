"""What rendering brings to a page of a kind, before any page of its site was rendered.

They were set by hand, by what ``python -m benchmarks adaptive --part train --kinds`` measures on
training sites; kinds that are seldom or never there have a guess between their neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from crawler.discovery.signs import Sign


class Kind(NamedTuple):
    """The kind of a static page: its sign, and whether little text was found in it.

    >>> str(Kind(Sign.SHELL, is_poor=True)), str(Kind(Sign.SHELL, is_poor=False))
    ('shell', 'shell with text')
    """

    sign: Sign
    is_poor: bool

    def __str__(self) -> str:
        if self.sign in _ALONE:
            return self.sign.value
        if self.sign in (Sign.HYDRATED, Sign.SCRIPTED):
            return f"{self.sign} with little text" if self.is_poor else self.sign.value
        return self.sign.value if self.is_poor else f"{self.sign} with text"

    @property
    def may_gain(self) -> bool:
        """Whether rendering can bring anything at all."""
        return self.sign not in (Sign.WALL, Sign.NO_SCRIPTS)

    @property
    def needs_browser(self) -> bool:
        """Whether it holds nothing without a browser, so that it is lost if not rendered."""
        return self.sign is Sign.EMPTY

    @property
    def expected(self) -> float:
        """The expected gain, in [0, 1]."""
        poor, rich = _GAINS[self.sign]
        return poor if self.is_poor else rich


_ALONE: Final = frozenset({Sign.WALL, Sign.NO_SCRIPTS, Sign.EMPTY})
# With little text, and with more.
_GAINS: Final[Mapping[Sign, tuple[float, float]]] = {
    Sign.WALL: (0.0, 0.0),
    Sign.NO_SCRIPTS: (0.0, 0.0),
    Sign.EMPTY: (0.9, 0.9),
    Sign.TEMPLATE: (0.9, 0.5),
    Sign.SHELL: (0.9, 0.3),
    Sign.NOTICE: (0.9, 0.09),
    Sign.WAITING: (0.9, 0.04),
    Sign.HOLLOW: (0.6, 0.06),
    Sign.DATA: (0.3, 0.05),
    Sign.HYDRATED: (0.1, 0.015),
    Sign.SCRIPTED: (0.3, 0.03),
}
