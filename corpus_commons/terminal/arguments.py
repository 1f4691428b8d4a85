"""Types for argparse options; argparse shows their error messages."""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from corpus_commons.terminal.commands import UsageError

Number = TypeVar("Number", int, float)
Value = TypeVar("Value")


def names_of(value: str) -> tuple[str, ...]:
    """Comma-separated names, without repeats.

    >>> names_of("bte, goce,bte")
    ('bte', 'goce')
    """
    found = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not found:
        raise ArgumentTypeError("must have at least one name")
    return found


def check_names(what: str, asked: Iterable[str], known: Collection[str]) -> None:
    """Raises UsageError for a name that is not among those known. what: is named."""
    for name in asked:
        if name not in known:
            raise UsageError(f"unknown {what} {name!r}; it must be one of {', '.join(known)}")


def whole(value: str) -> int:
    """A whole number, 0 or more."""
    return _at_least(0, value)


def positive(value: str) -> int:
    """A whole number, 1 or more."""
    return _at_least(1, value)


def folds(value: str) -> int:
    """The number of folds of a cross-validation, at least 2."""
    return _at_least(2, value)


class Distinct(Action):
    """The action of paths with ``nargs``: one that is given twice, however it is spelt, is refused,
    because what is in it would count twice.
    """

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        given: list[Path] = [*(getattr(namespace, self.dest) or ()), *(values or ())]
        seen: set[Path] = set()
        for path in given:
            if path.resolve() in seen:
                raise ArgumentError(self, f"{path} is given twice, and would count twice")
            seen.add(path.resolve())
        setattr(namespace, self.dest, given)


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
        action=Distinct,
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


def argument(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """The type of an argument that is what ``read`` makes of it, or refused as its ValueError says.

    argparse would name the function instead.
    """

    def checked(value: str) -> Value:
        try:
            return read(value)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from error

    return checked


def seconds(value: str) -> float:
    """A positive number of seconds."""
    return _number(value, float, lambda number: 0 < number < inf, "a positive number of seconds")


def share(value: str) -> float:
    """A share, more than 0 and at most 1."""
    return _number(value, float, lambda number: 0 < number <= 1, "more than 0 and at most 1")


def probability(value: str) -> float:
    """A number from 0 to 1."""
    return _number(value, float, lambda number: 0 <= number <= 1, "from 0 to 1")


def _at_least(least: int, value: str) -> int:
    wanted = f"at least {least}" if least else "a whole number, 0 or more"
    return _number(value, int, lambda number: number >= least, wanted)


def _number(
    value: str, kind: Callable[[str], Number], fits: Callable[[Number], bool], wanted: str
) -> Number:
    """Raises ArgumentTypeError also for what is no number, or argparse would name our function."""
    with suppress(ValueError):
        if fits(number := kind(value)):
            return number
    raise ArgumentTypeError(f"must be {wanted}, not {value!r}")
