"""Visits to come: when a URL that is done is visited again, and what is remembered until then."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

LONGEST_HISTORY: Final = 1024
# Ten years; more is a mistake.
LONGEST_INTERVAL: Final = 10 * 365 * 86_400
# A default that nobody can change.
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Visit:
    """The next visit of a URL. Raises ValueError if a field is out of range.

    after: seconds from now until it is due; at most ten years. It is late by less than a second, or
        by less than a 32nd of ``after``, whichever is more.
    history: opaque data that is handed out with its lease; of 1 to 1,024 characters.
    """

    after: float
    history: str

    def __post_init__(self) -> None:
        if math.isnan(self.after) or not 0 <= self.after <= LONGEST_INTERVAL:
            raise ValueError(
                f"the next visit must be after 0 to {LONGEST_INTERVAL} seconds, not {self.after!r}"
            )
        if not 0 < len(self.history) <= LONGEST_HISTORY:
            raise ValueError(
                f"a history must have 1 to {LONGEST_HISTORY} characters, not {len(self.history)}"
            )
