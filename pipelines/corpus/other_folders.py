"""What a path is that was given for a corpus and is none, and what to do with it instead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from crawler.frontier.sqlite.file import FILE_NAME as FRONTIER
from pipelines.corpus.layout import CORPUS, writers

DATA_SET: Final = "dataset.json"
"""What a data set tells of itself; it comes last, so a folder with it is a data set."""

ARCHIVES: Final = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")
"""How the names of archives end, in small letters or capitals."""

_NO_MANIFEST: Final = "it has no manifest-WRITER.json"
_MOST_MEANT: Final = 3


def why_no_corpus(path: Path) -> str:
    """Said of a path at which no corpus is.

    >>> why_no_corpus(Path("no/such"))
    'there is no such folder'
    """
    if not path.exists():
        return "there is no such folder"
    if meant := [str(folder) for folder in islice(_meant(path), _MOST_MEANT)]:
        return f"{_what(path)}; did you mean {' or '.join(meant)}?"
    if (path / DATA_SET).exists():
        return (
            "it is a data set that `corpus build` has made; report.html and README.md have its "
            "figures, and commands for corpora take the corpora that it was made of"
        )
    if is_archive(path.name) or _has_archives(path):
        return f"it is of WARC archives; make one with `corpus extract-warc {path} --out CORPUS`"
    if (path / FRONTIER).exists():
        return "it is a job's folder, and its crawl has written no corpus yet"
    return _what(path)


def is_archive(name: str) -> bool:
    """Whether a file of this name is one of WARC or WET records.

    >>> is_archive("A.WARC.GZ"), is_archive("a.gz")
    (True, False)
    """
    return name.lower().endswith(ARCHIVES)


def _what(path: Path) -> str:
    return _NO_MANIFEST if path.is_dir() else "it is a file"


def _meant(path: Path) -> Iterator[Path]:
    """The corpora in it, if it is the folder of a job or of jobs; or that to which it belongs."""
    for pattern in (CORPUS, f"*/{CORPUS}", "*"):
        inner = [folder for folder in sorted(path.glob(pattern)) if writers(folder)]
        if inner:
            return iter(inner)
    return (folder for folder in islice(path.absolute().parents, 2) if writers(folder))


def _has_archives(path: Path) -> bool:
    return path.is_dir() and any(is_archive(file.name) for file in path.glob("*"))
