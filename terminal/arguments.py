"""Types of command-line options; argparse shows their messages."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path


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
    return _at_least(0, value)


def positive(value: str) -> int:
    """A whole number from one."""
    return _at_least(1, value)


def folds(value: str) -> int:
    """How many folds: one is held out, and the others are learned from."""
    return _at_least(2, value)


def output_file(value: str) -> Path:
    """A file to be written, refused before the work whose result it shall hold."""
    path = Path(value)
    if path.is_dir():
        raise ArgumentTypeError(f"{path} is a folder, and a file is needed")
    if not path.parent.is_dir():
        raise ArgumentTypeError(f"{path.parent}: no such folder")
    return path


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


def _at_least(least: int, value: str) -> int:
    number = int(value)
    if number < least:
        raise ArgumentTypeError(f"must be at least {least}" if least else "must not be negative")
    return number
