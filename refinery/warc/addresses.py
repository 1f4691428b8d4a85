"""The addresses of archives: files, folders and patterns, local or of any store of fsspec."""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path
from typing import Final

from fsspec import AbstractFileSystem
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from corpus_commons.file_names import as_text
from pipelines.corpus.other_folders import ARCHIVES, is_archive

DAMAGED_FILES: Final = (zipfile.BadZipFile, tarfile.TarError)
"""What fsspec raises, beside OSError, for a file that has others in it."""

_MAGIC: Final = re.compile(r"[*?\[]")
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME: Final = 48


def archives(inputs: Iterable[str]) -> dict[str, int | None]:
    """The sizes of all archives by their addresses, each once, in alphabetical order.

    A size is in bytes, or None if the store does not tell it.

    inputs: files, folders with files of the usual suffixes, or patterns with ``*``.
    Raises ValueError for an input in which there are none, and for one that is not there.
    """
    found = dict(pair for given in inputs for pair in _archives_in(given))
    return dict(sorted(found.items(), key=itemgetter(0)))


def part_name(address: str) -> str:
    """The name of the part of a corpus that an archive becomes.

    >>> part_name("s3://bucket/CC-MAIN-2026-00001.warc.gz")
    'CC-MAIN-2026-00001-5b959fb2'
    >>> part_name("zip://a.warc.gz::/data/crawl.zip").rpartition("-")[0]
    'a'
    """
    stem = address.partition("::")[0].rpartition("/")[2].partition(".")[0]
    name = _NOT_IN_A_NAME.sub("-", stem).strip("-_")[:_LONGEST_NAME] or "archive"
    return f"{name}-{blake2b(os.fsencode(address), digest_size=4).hexdigest()}"


def archive_name(address: str) -> str:
    """What a document says of where it is from: of a local file the name, whose folder tells of a
    machine.

    >>> archive_name("/data/a.warc.gz"), archive_name("s3://bucket/a.warc.gz")
    ('a.warc.gz', 's3://bucket/a.warc.gz')
    >>> archive_name("zip://a.warc.gz::/data/crawl.zip")
    'zip://a.warc.gz::crawl.zip'
    """
    links = address.split("::")
    return as_text("::".join(one if "://" in one else one.rpartition("/")[2] for one in links))


def _archives_in(given: str) -> Iterator[tuple[str, int | None]]:
    try:
        system, path = url_to_fs(given)
        if _MAGIC.search(path) and not system.exists(path):
            found = system.glob(path, detail=True)
        elif system.isdir(path):
            every = system.find(path, detail=True)
            found = {one: about for one, about in every.items() if is_archive(one)}
        else:
            found = {path: system.info(path)} if system.exists(path) else {}
    except (OSError, ImportError, ValueError, *DAMAGED_FILES) as error:
        raise ValueError(f"{given}: {error}") from error
    if not found:
        raise ValueError(
            f"{given}: there is no such file, or no archive in it ({', '.join(ARCHIVES)})"
        )
    for one, about in found.items():
        yield _address(system, one, given), about.get("size")


def _address(system: AbstractFileSystem, path: str, given: str) -> str:
    """The address of a file that was found by the given one."""
    if isinstance(system, LocalFileSystem):
        # A file has many spellings, which would make it as many parts of a corpus.
        return str(Path(path).resolve())
    first, _, around = given.partition("::")
    if around and "://" not in first:  # a cache, which is no part of where a file is
        return _address(getattr(system, "fs", system), path, around)
    address = str(system.unstrip_protocol(path))
    if not around:
        return address
    system, path = url_to_fs(around)
    return f"{address}::{_address(system, path, around)}"
