"""The paths in a corpus folder; docs/reference/corpus.md shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from crawler.frontier.worker_name import checked_name

Kind = Literal["documents", "rejects", "tombstones"]

KINDS: Final[tuple[Kind, ...]] = ("documents", "rejects", "tombstones")
SUFFIX: Final = ".jsonl.zst"
WARC: Final = "warc"
WARC_SUFFIX: Final = ".warc.gz"
# The folder with what each writer remembers between runs, and its file of held pages.
STATE: Final = ".state"
HELD: Final = "held.sqlite"
# Present while documents are being removed for good: what is to be done, and the new files.
JOURNAL: Final = ".forget.json"
FORGETTING: Final = ".forget"
# What was removed, by its digests.
FORGOTTEN: Final = "forgotten.jsonl"
SCREENSHOTS: Final = "screenshots"
# The corpus folder in a job's folder.
CORPUS: Final = "corpus"
# Hides shards that are still being written from readers that look for SUFFIX.
OPEN: Final = ".open"

_MANIFEST = re.compile(r"manifest-(.+)\.json")


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one writer in a corpus folder. Raises ValueError for an invalid writer name.

    >>> Layout(Path("corpus"), "worker-1").shard("documents", 7).as_posix()
    'corpus/documents/worker-1-000007.jsonl.zst'
    """

    folder: Path
    writer: str

    def __post_init__(self) -> None:
        try:
            checked_name(self.writer)
        except ValueError as error:
            raise ValueError(
                f"the writer's name {self.writer!r} becomes part of file names; it {error}"
            ) from None

    @property
    def manifest(self) -> Path:
        return self.folder / f"manifest-{self.writer}.json"

    @property
    def lock(self) -> Path:
        return self.folder / f".{self.writer}.lock"

    @property
    def state(self) -> Path:
        """The folder for what the writer must remember between runs."""
        return self.folder / STATE / self.writer

    @property
    def held(self) -> Path:
        """The file of the pages that wait for their site."""
        return self.state / HELD

    @property
    def last_warc(self) -> Path:
        """A file that holds the name of the latest WARC file."""
        return self.state / "last-warc"

    def shard(self, kind: Kind, number: int) -> Path:
        """The path of a complete shard."""
        return self.folder / kind / f"{self.writer}-{number:06d}{SUFFIX}"

    def open_shard(self, kind: Kind, number: int) -> Path:
        """The path of a shard that is being written."""
        path = self.shard(kind, number)
        return path.with_name(path.name + OPEN)

    def number(self, name: str, suffix: str = SUFFIX) -> int | None:
        """The number in the name of one of the writer's files; None for any other file."""
        name = name.removesuffix(OPEN)
        if not (name.startswith(f"{self.writer}-") and name.endswith(suffix)):
            return None
        digits = name[len(self.writer) + 1 : -len(suffix)]
        return int(digits) if re.fullmatch(r"[0-9]{6,}", digits) else None

    def next_number(self, names: Iterable[str], suffix: str = SUFFIX) -> int:
        """One more than the highest number in these file names."""
        numbers = (self.number(name, suffix) for name in names)
        return max((number for number in numbers if number is not None), default=-1) + 1

    def shards(self, kind: Kind) -> list[Path]:
        """The writer's shards on disk, open or complete, by number."""
        return self._numbered(kind, SUFFIX)

    def warc_files(self) -> list[Path]:
        """The writer's WARC files on disk, open or complete, by number."""
        return self._numbered(WARC, WARC_SUFFIX)

    def _numbered(self, folder: str, suffix: str) -> list[Path]:
        numbered = [
            (number, path)
            for path in (self.folder / folder).glob(f"*{suffix}*")
            if (number := self.number(path.name, suffix)) is not None
        ]
        return [path for _, path in sorted(numbered)]


def writers(folder: Path) -> list[str]:
    """The names of all writers that have a manifest in the folder."""
    found = (_MANIFEST.fullmatch(path.name) for path in folder.glob("manifest-*.json"))
    return sorted(match[1] for match in found if match)


def under_its_name(folder: Path) -> Path:
    """The folder; one that a job writes into, given as ``.`` or by a link, with its own name.

    By that name its job is found, with the block list and the reports.
    """
    named = folder.resolve()
    return named if named.name == CORPUS else folder
