"""Loads a job from a TOML file, or reports everything that is wrong with it."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from settings import lines
from settings.consistency import contradictions
from settings.job import Job
from settings.problems import JobError, Problem, message_of
from settings.shape import key_text, table_type
from settings.values import Finding, Table

LARGEST: Final = 1_000_000
# How WARC files begin, plain or compressed by gzip or zstd.
_ARCHIVES: Final = (b"WARC/", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
_NO_NUMBER: Final = "does not fit the 64 bits of TOML's whole numbers"
_AT: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def load_job(path: str | Path) -> Job:
    """The job in a file. Raises JobError with all problems, also for an unreadable file."""
    return parse_job(file_text(path), source=str(path), folder=Path(path).parent)


def file_text(path: str | Path, what: str = "job file") -> str:
    """The text of a TOML file. Raises JobError if it cannot be read.

    what: what the file should be, for messages.
    """
    source = str(path)
    if Path(path).is_dir():
        raise _whole_file(source, f"is a folder; give the {what} itself{_example(Path(path))}")
    try:
        with Path(path).open("rb") as opened:
            data = opened.read(LARGEST + 1)
        if data.startswith(_ARCHIVES):
            raise _whole_file(
                source,
                f"is no {what}, but looks like an archive of pages, which "
                "`genre-crawler corpus extract-warc` reads",
            )
        if len(data) > LARGEST:
            raise _whole_file(source, f"is larger than {LARGEST:,} bytes; move lists into files")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise _whole_file(source, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JobError([Problem(source, line, "", "must be UTF-8, as required by TOML")]) from error


def _example(folder: Path) -> str:
    """Which file may have been meant by its folder."""
    found = min(folder.glob("*.toml"), default=None)
    return f", such as {found}" if found else ", in TOML"


def parse_job(text: str, *, source: str = "job", folder: Path | None = None) -> Job:
    """The job in a TOML text. Raises JobError with all problems, but what is no TOML comes alone.

    source: the file name for messages. folder: the base of relative paths of seed files.
    """
    return make_job(read_toml(text, source), source=source, folder=folder, text=text)


def make_job(
    data: Mapping[str, Any], *, source: str, folder: Path | None = None, text: str = ""
) -> Job:
    """The job in a mapping with the structure of the file. Raises JobError, as ``parse_job``.

    text: the TOML from which it was read, for line numbers.
    """
    context = {"folder": folder or Path()}
    try:
        return Job.model_validate(data, context=context)
    except ValidationError as error:
        where = lines.key_lines(text)
        raise JobError(
            Problem(source, lines.line_of(where, path), key_text(path), message)
            for path, message in _findings(error, data, context)
        ) from None


def read_toml(text: str, source: str) -> dict[str, Any]:
    """What is in a TOML text. Raises JobError with the lines of the mistakes."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at = _AT.search(message)
        line = int(at[1]) if at and at[1] else text.count("\n") + 1
        why = message[: at.start()] if at else message
        column = f", column {at[2]}" if at and at[2] else ""
        raise JobError([Problem(source, line, "", f"is not valid TOML{column}: {why}")]) from None
    except RecursionError:
        raise _whole_file(source, "has too deeply nested lists or tables") from None
    except ValueError as error:  # a number with too many digits
        raise _whole_file(source, f"cannot be read: {error}") from None
    # TOML has no others, but tomllib takes them.
    found = [path for path, number in _numbers(data) if not -(2**63) <= number < 2**63]
    if found:
        where = lines.key_lines(text)
        raise JobError(
            Problem(source, lines.line_of(where, path), key_text(path), _NO_NUMBER)
            for path in sorted(found, key=lambda path: lines.line_of(where, path) or 0)
        )
    return data


def _numbers(data: dict[str, Any]) -> Iterator[tuple[lines.Path, int]]:
    """The whole numbers in lists and tables, however deep, with their paths."""
    left: list[tuple[lines.Path, Any]] = [((), data)]
    while left:
        path, value = left.pop()
        if isinstance(value, int):
            yield path, value
        elif isinstance(value, dict | list):
            inside = value.items() if isinstance(value, dict) else enumerate(value)
            left += [((*path, key), one) for key, one in inside]


def _whole_file(source: str, message: str) -> JobError:
    return JobError([Problem(source, None, "", message)])


def _findings(
    error: ValidationError, data: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[Finding]:
    for details in error.errors(include_url=False):
        if details["type"] == "contradiction":
            for path, message in details["ctx"]["found"]:
                yield (*details["loc"], *path), message
        else:
            yield details["loc"], message_of(details)
    yield from contradictions(_valid_tables(data, context))


def _valid_tables(data: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Table]:
    """The tables that are valid by themselves, including those with only defaults."""
    valid: dict[str, Table] = {}
    for name, field in Job.model_fields.items():
        table = table_type(field)
        if table and (name in data or not field.is_required()):
            with contextlib.suppress(ValidationError):
                valid[name] = table.model_validate(data.get(name, {}), context=context)
    return valid
