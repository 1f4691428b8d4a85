"""Types of command-line options; argparse shows their messages."""

from __future__ import annotations

from argparse import ArgumentTypeError


def names_of(value: str) -> tuple[str, ...]:
    """Names between commas, each once.

    >>> names_of("bte, goce,bte")
    ('bte', 'goce')
    """
    found = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not found:
        raise ArgumentTypeError("at least one name is needed")
    return found


def whole(value: str) -> int:
    """A whole number from zero."""
    number = int(value)
    if number < 0:
        raise ArgumentTypeError("must not be negative")
    return number


def positive(value: str) -> int:
    """A whole number from one."""
    number = whole(value)
    if not number:
        raise ArgumentTypeError("must be at least 1")
    return number


def seconds(value: str) -> float:
    """A time longer than nothing."""
    number = float(value)
    if not 0 < number < float("inf"):
        raise ArgumentTypeError("must be a positive number of seconds")
    return number


def share(value: str) -> float:
    """A part of a whole, more than nothing."""
    number = float(value)
    if not 0 < number <= 1:
        raise ArgumentTypeError("must be more than 0 and at most 1")
    return number
