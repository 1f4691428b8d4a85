"""Reads screenshots and HTML from folders and files, one page at a time and with size limits."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from corpus_commons.file_names import as_text
from corpus_commons.page_lines import read_page_lines

SCREENSHOT_SUFFIXES = (".jpg", ".jpeg", ".png")
HTML_SUFFIXES = (".html", ".html.gz")
MAX_SCREENSHOT: Final = 30_000_000  # bytes


class PageError(ValueError):
    """The page cannot be read; the message says why."""


def files_by_stem(folder: Path, suffixes: tuple[str, ...]) -> dict[str, Path]:
    """The files of a folder with one of the suffixes, by their name without it; or a single file.

    As in a corpus, they may be in folders named by the first two characters of theirs. Raises
    ValueError if it is neither, and for two files with the same stem.
    """
    if folder.is_file() and (stem := _stem(folder, suffixes)):
        return {stem: folder}
    if not folder.is_dir():
        raise ValueError(
            f"{folder} is not a folder, nor a file that ends in {' or '.join(suffixes)}"
        )
    found: dict[str, Path] = {}
    for path in (*folder.iterdir(), *folder.glob("??/*")):
        stem = _stem(path, suffixes)
        if not stem or path.parent not in (folder, folder / path.name[:2]):
            continue
        if stem in found:
            raise ValueError(
                f"{folder} has both {found[stem].relative_to(folder)} and "
                f"{path.relative_to(folder)}"
            )
        found[stem] = path
    return found


def _stem(path: Path, suffixes: tuple[str, ...]) -> str:
    """The name without the suffix, as text; empty if it has none of them."""
    suffix = next((end for end in suffixes if path.name.lower().endswith(end)), None)
    return as_text(path.name[: -len(suffix)]) if suffix else ""


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


def html_file(data: Path) -> Path:
    """The file with the HTML of labelled pages: of a folder, or such a file itself."""
    return data if data.is_file() else data / "html.jsonl.zst"


def html_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Id and HTML of every line of a ``.jsonl`` or ``.jsonl.zst`` file of ``{"id", "html"}``.

    Raises ValueError, naming file and line, for a line that is something else, or a repeated page.
    """
    return read_page_lines(path, lambda page: (page["id"], page["html"]))
