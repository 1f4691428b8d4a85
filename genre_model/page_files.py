"""Reads screenshots and HTML from folders and files, one page at a time and with size limits."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import orjson
import zstandard

SCREENSHOT_SUFFIXES = (".jpg", ".jpeg", ".png")
HTML_SUFFIXES = (".html", ".html.gz")

_WINDOW = 1 << 27
# JSON may write one character as six bytes.
_MAX_LINE = 80_000_000


class PageError(ValueError):
    """The page cannot be read; the message says why."""


def files_by_stem(folder: Path, suffixes: tuple[str, ...]) -> dict[str, Path]:
    """The files of a folder with one of the suffixes, by their name without it.

    Raises ValueError if it is not a folder, and for two files with the same stem.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder")
    found: dict[str, Path] = {}
    for path in folder.iterdir():
        suffix = next((end for end in suffixes if path.name.lower().endswith(end)), None)
        stem = path.name[: -len(suffix)] if suffix else ""
        if not stem:
            continue
        if stem in found:
            raise ValueError(f"{folder} has both {found[stem].name} and {path.name}")
        found[stem] = path
    return found


def read_bounded(path: Path, limit: int) -> bytes:
    """The bytes of a file, decompressed if its name ends in ``.gz``.

    limit: the maximum size in bytes; no more than this is decompressed of a gzip bomb.
    Raises PageError for a file that cannot be read, or is larger.
    """
    try:
        with path.open("rb") as file:
            packed = path.suffix.lower() == ".gz"
            content = (gzip.GzipFile(fileobj=file) if packed else file).read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise PageError(f"{path.name}: {error}") from error
    if len(content) > limit:
        raise PageError(f"{path.name} has more than {limit:,} bytes")
    return content


def html_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Id and HTML of every line of a ``.jsonl`` or ``.jsonl.zst`` file of ``{"id", "html"}``.

    Raises ValueError, naming file and line, for a line that is something else.
    """
    return ((page["id"], page["html"]) for page in page_lines(path))


def page_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Every line of a file as for ``html_lines``, with all its fields.

    Raises ValueError, naming file and line, for a line that is not a page, or a repeated page.
    """
    number = 0
    seen: set[str] = set()
    with _unpacked(path) as stream:
        try:
            while line := stream.readline(_MAX_LINE):
                number += 1
                page = _page(line)
                if page["id"] in seen:
                    raise ValueError(f"a second page {page['id']}")
                seen.add(page["id"])
                yield page
        except (zstandard.ZstdError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from error


@contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        if path.suffix == ".zst":
            reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
            yield io.BufferedReader(reader.stream_reader(file, read_across_frames=True))
        else:
            yield file


def _page(line: bytes) -> dict[str, Any]:
    record = orjson.loads(line)
    fields: dict[str, Any] = record if isinstance(record, dict) else {}
    if not isinstance(fields.get("id"), str) or not isinstance(fields.get("html"), str):
        raise ValueError('not a page: it must be {"id": "...", "html": "..."}')
    return fields
