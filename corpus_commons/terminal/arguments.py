"""Types for argparse options; argparse shows their error messages."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

from corpus_commons.terminal.commands import UsageError


def names_of(value: str) -> tuple[str, ...]:
    """Comma-separated names, without repeats.

    >>> names_of("bte, goce,bte")
    ('bte', 'goce')
    """
    found = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not found:
        raise ArgumentTypeError("must have at least one name")
    return found


def whole(value: str) -> int:
    """A whole number, 0 or more."""
    return _at_least(0, value)


def positive(value: str) -> int:
    """A whole number, 1 or more."""
    return _at_least(1, value)


def folds(value: str) -> int:
    """The number of folds of a cross-validation, at least 2."""
    return _at_least(2, value)


def output_file(value: str) -> Path:
    """A file to be written; checked at once, before the work whose result it is for."""
    path = Path(value)
    if path.is_dir():
        raise ArgumentTypeError(f"must be a file, but {path} is a folder")
    if not path.parent.is_dir():
        raise ArgumentTypeError(f"{path.parent}: no such folder")
    return path


def make_output_folder(folder: Path) -> None:
    """The folder of ``--out``, before the work whose result it is for. Raises UsageError."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out: {folder} is a file, a folder is needed")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--out: {folder} cannot be made: {error.strerror}") from error


def add_labelled_pages(parser: ArgumentParser) -> None:
    """``--data`` of a training command that learns from any labelled pages."""
    parser.add_argument(
        "--data",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="labelled pages, .jsonl or .jsonl.zst",
    )


def add_model_file(parser: ArgumentParser, name: str) -> None:
    """``--out`` of a training command; by default a file in the working folder."""
    parser.add_argument(
        "--out",
        type=output_file,
        default=name,
        metavar="FILE",
        help="the model file to write (default: %(default)s)",
    )


def seconds(value: str) -> float:
    """A positive number of seconds."""
    number = _number(value)
    if not 0 < number < float("inf"):
        raise ArgumentTypeError("must be a positive number of seconds")
    return number


def share(value: str) -> float:
    """A share, more than 0 and at most 1."""
    number = _number(value)
    if not 0 < number <= 1:
        raise ArgumentTypeError("must be more than 0 and at most 1")
    return number


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ArgumentTypeError(f"{value!r} must be a number") from None


def _at_least(least: int, value: str) -> int:
    try:
        number = int(value)
    except ValueError:
        raise ArgumentTypeError(f"{value!r} must be a whole number, at least {least}") from None
    if number < least:
        raise ArgumentTypeError(f"must be at least {least}" if least else "must not be negative")
    return number
