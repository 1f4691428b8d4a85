"""Parses and formats durations and sizes, such as ``"1h30min"`` and ``"30 MB"``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

SECONDS: Final = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "sec": Fraction(1),
    "min": Fraction(60),
    "m": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
}
BYTES: Final = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
_BYTES_IN_ANY_CASE: Final = {unit.lower(): size for unit, size in BYTES.items()}

_PART: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([a-z]+)")
_DURATION: Final = re.compile(rf"(?:{_PART.pattern} ?)+")
_LONGEST: Final = 40


def seconds(text: str) -> float:
    """The seconds of a duration. Raises ValueError if it is invalid.

    >>> seconds("2s"), seconds("5 min"), seconds("1h30min"), seconds("500ms")
    (2.0, 300.0, 5400.0, 0.5)
    """
    parts = _PART.findall(text)
    is_duration = len(text) <= _LONGEST and _DURATION.fullmatch(text)
    if not is_duration or any(unit not in SECONDS for _, unit in parts):
        raise ValueError(f"{text!r} is not a duration")
    return float(sum(Fraction(number) * SECONDS[unit] for number, unit in parts))


def size(text: str) -> int:
    """The bytes of a size: ``MB`` are millions, ``MiB`` 2**20. Raises ValueError.

    >>> size("30 MB"), size("64 KiB"), size("1.5GB")
    (30000000, 65536, 1500000000)
    """
    match = _PART.fullmatch(text.lower()) if len(text) <= _LONGEST else None
    if match is None or match[2] not in _BYTES_IN_ANY_CASE:
        raise ValueError(f"{text!r} is not a size")
    return int(Fraction(match[1]) * _BYTES_IN_ANY_CASE[match[2]])


def duration_text(amount: float) -> str:
    """The inverse of ``seconds``.

    >>> duration_text(5400), duration_text(0.25), duration_text(90), duration_text(86400)
    ('1h30min', '250ms', '1min30s', '1d')
    """
    exact = Fraction(amount).limit_denominator(10**9)
    if exact.denominator != 1:
        millis = exact * 1000
        return f"{millis}ms" if millis.denominator == 1 else f"{float(exact):.9f}".rstrip("0") + "s"
    rest, text = int(exact), ""
    for unit in ("d", "h", "min", "s"):
        count, rest = divmod(rest, int(SECONDS[unit]))
        text += f"{count}{unit}" if count else ""
    return text or "0s"


def size_text(amount: int) -> str:
    """The inverse of ``size``, in the largest unit that divides the amount.

    >>> size_text(30_000_000), size_text(2**20), size_text(1234)
    ('30 MB', '1 MiB', '1234 B')
    """
    units = [(bytes_, unit) for unit, bytes_ in BYTES.items() if amount and amount % bytes_ == 0]
    largest, unit = max(units, default=(1, "B"))
    return f"{amount // largest} {unit}"
