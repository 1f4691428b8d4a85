"""Numbers of things, in words."""

from __future__ import annotations


def number_of(number: int, one: str, several: str = "") -> str:
    """The number, and what it is of.

    several: the word for another number than one; by default ``one`` with an s.

    >>> number_of(1, "page"), number_of(0, "page"), number_of(2000, "page waits", "pages wait")
    ('1 page', '0 pages', '2,000 pages wait')
    """
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"
