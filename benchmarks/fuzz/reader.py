"""What is to be read, by what, and what it may answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A way by which strangers' bytes come in.

    made: makes the function that reads an input; it may load models.
    samples: sound inputs. tokens: what the format is made of.
    refusals: the documented errors, by which it refuses an input.
    seconds: of CPU time, which an input of at most ``mutation.LONGEST`` bytes may take.
    weight: how many inputs of all it gets, in proportion; less for those that take long.
    """

    name: str
    made: Callable[[], Callable[[bytes], object]]
    samples: Callable[[], Sequence[bytes]]
    tokens: Sequence[bytes]
    refusals: tuple[type[Exception], ...] = ()
    seconds: float = 1.0
    weight: float = 1.0
