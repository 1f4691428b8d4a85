"""Reads files of data sets, with a size limit."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

import orjson

# Far more than any page of a public data set (WCXB's largest has 8.5 MB); stops gzip bombs.
MAX_BYTES = 64 * 2**20


def read_bytes(path: Path) -> bytes:
    """The content of ``path``, decompressed if its name ends in ``.gz``.

    Raises ValueError, naming the file, if it exceeds MAX_BYTES or cannot be decompressed.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: not a whole gzip file: {error}") from error
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path}: more than {MAX_BYTES} bytes")
    return content


def read_text(path: Path) -> str:
    """The UTF-8 text of ``path`` without its BOM; wrong bytes become U+FFFD."""
    return read_bytes(path).decode("utf-8-sig", errors="replace")


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in ``path``. Raises ValueError, naming the file, if it is not one."""
    try:
        content = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{path}: not JSON: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: not a JSON object")
    return content
