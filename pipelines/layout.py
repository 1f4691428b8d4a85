"""Where things are in a corpus folder; docs/corpus.md draws it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from crawler.worker_name import checked_name

Kind = Literal["documents", "rejects"]

KINDS: Final[tuple[Kind, ...]] = ("documents", "rejects")
SUFFIX: Final = ".jsonl.zst"
# The corpus in a job's folder, beside the frontier and the report.
CORPUS: Final = "corpus"
# Readers that take every file with the suffix of a shard must not see one that is being written.
OPEN: Final = ".open"

_MANIFEST = re.compile(r"manifest-(.+)\.json")


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one writer in a corpus folder. Raises ValueError for a name that is no file's.

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

    def shard(self, kind: Kind, number: int) -> Path:
        """A shard that is complete."""
        return self.folder / kind / f"{self.writer}-{number:06d}{SUFFIX}"

    def open_shard(self, kind: Kind, number: int) -> Path:
        """A shard that is being written."""
        path = self.shard(kind, number)
        return path.with_name(path.name + OPEN)

    def number(self, name: str, suffix: str = SUFFIX) -> int | None:
        """The number in the name of a file of the writer's, open or complete; None for others."""
        name = name.removesuffix(OPEN)
        if not (name.startswith(f"{self.writer}-") and name.endswith(suffix)):
            return None
        digits = name[len(self.writer) + 1 : -len(suffix)]
        return int(digits) if re.fullmatch(r"[0-9]{6,}", digits) else None

    def shards(self, kind: Kind) -> list[Path]:
        """The writer's shards on the disk, open or complete, by number."""
        numbered = [
            (number, path)
            for path in (self.folder / kind).glob(f"*{SUFFIX}*")
            if (number := self.number(path.name)) is not None
        ]
        return [path for _, path in sorted(numbered)]


def writers(folder: Path) -> list[str]:
    """The names of those who wrote a manifest in the folder."""
    found = (_MANIFEST.fullmatch(path.name) for path in folder.glob("manifest-*.json"))
    return sorted(match[1] for match in found if match)
