"""The manifest: the completed shards of a writer, with their sizes and checksums."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError
from pydantic.dataclasses import dataclass as checked

from corpus_commons.durable_files import replace_file
from pipelines.corpus.errors import CorpusError, ManifestDamagedError, NoCorpusError
from pipelines.corpus.layout import JOURNAL, Layout, writers
from pipelines.corpus.other_folders import why_no_corpus

VERSION: Final = 1
# A manifest is not trusted: it must not name files outside its folder.
_FILE: Final = r"^(documents|rejects|tombstones)/\.*[^./][^/]*$"


@checked(frozen=True, slots=True, config=ConfigDict(strict=True, extra="forbid"))
class ShardEntry:
    """A completed shard.

    file: path relative to the corpus folder, with slashes.
    documents: lines in it; of a file of rejects or tombstones, pages.
    bytes: size of the compressed file.
    sha256: of the compressed file, 64 hexadecimal digits.
    first_time, last_time: the earliest and latest ``fetched_at`` in it; ISO 8601, UTC.
    """

    file: Annotated[str, Field(pattern=_FILE)]
    documents: NonNegativeInt
    bytes: NonNegativeInt
    sha256: Annotated[str, Field(min_length=64, max_length=64)]
    first_time: str
    last_time: str

    @property
    def kind(self) -> str:
        return self.file.partition("/")[0]


@dataclass(slots=True)
class Manifest:
    """The completed shards of one writer."""

    writer: str
    shards: list[ShardEntry] = field(default_factory=list)

    def entries(self, kind: str) -> list[ShardEntry]:
        """The shards of one kind."""
        return [entry for entry in self.shards if entry.kind == kind]

    def save(self, path: Path) -> None:
        """Replace the manifest at ``path`` atomically."""
        content = {
            "version": VERSION,
            "writer": self.writer,
            "shards": [asdict(entry) for entry in self.shards],
        }
        replace_file(path, orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")


class _Stored(BaseModel):
    """The content of the file."""

    model_config = ConfigDict(strict=True)

    version: Literal[1]
    writer: str
    shards: list[ShardEntry]


def load_manifest(path: Path) -> Manifest:
    """The manifest at ``path``. Raises ManifestDamagedError if it is invalid."""
    try:
        stored = _Stored.model_validate_json(path.read_bytes())
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        what = f"{where}: {problem['msg']}" if where else problem["msg"]
        raise ManifestDamagedError(
            f"{path} is not a manifest that this program reads: {what}"
        ) from error
    except OSError as error:
        raise ManifestDamagedError(f"{path} cannot be read: {error}") from error
    return Manifest(stored.writer, stored.shards)


def check_complete(folder: Path) -> None:
    """Raises CorpusError if documents have been removed from some of the files only."""
    if (folder / JOURNAL).exists():
        raise CorpusError(
            f"{folder}: documents are being removed from it; if `corpus forget` was killed, run it "
            "again to have it finished"
        )


def manifest_of(layout: Layout) -> Manifest:
    """The writer's manifest, a new one if there is none yet."""
    return load_manifest(layout.manifest) if layout.manifest.exists() else Manifest(layout.writer)


def load_manifests(folder: Path) -> list[Manifest]:
    """The manifests of all writers.

    Raises NoCorpusError if there is none, and another CorpusError while documents are removed.
    """
    check_complete(folder)
    names = writers(folder)
    if not names:
        raise NoCorpusError(f"{folder} is not a corpus: {why_no_corpus(folder)}")
    return [load_manifest(folder / f"manifest-{name}.json") for name in names]
