"""The manifest: the completed shards of a writer, with their sizes and checksums."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from pipelines.corpus.durable_files import replace_file
from pipelines.corpus.errors import ManifestDamagedError, NoCorpusError
from pipelines.corpus.layout import CORPUS, KINDS, Layout, writers

VERSION: Final = 1
_SHA256_DIGITS: Final = 64


@dataclass(frozen=True, slots=True)
class ShardEntry:
    """A completed shard.

    file: path relative to the corpus folder, with slashes.
    documents: lines in it; of a reject file, rejected pages.
    bytes: size of the compressed file.
    sha256: of the compressed file, 64 hexadecimal digits.
    first_time, last_time: the earliest and latest ``fetched_at`` in it; ISO 8601, UTC.
    """

    file: str
    documents: int
    bytes: int
    sha256: str
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


def load_manifest(path: Path) -> Manifest:
    """The manifest at ``path``. Raises ManifestDamagedError if it is invalid."""
    try:
        content = orjson.loads(path.read_bytes())
        version, writer, shards = content["version"], content["writer"], content["shards"]
    except (OSError, orjson.JSONDecodeError, TypeError, KeyError) as error:
        raise ManifestDamagedError(f"{path} is not a manifest: {error}") from error
    if version != VERSION:
        raise ManifestDamagedError(
            f"{path} has format version {version}; this program reads only version {VERSION}"
        )
    if not isinstance(writer, str) or not isinstance(shards, list):
        raise ManifestDamagedError(f'{path}: "writer" must be a string and "shards" a list')
    return Manifest(writer, [_entry(path, shard) for shard in shards])


def manifest_of(layout: Layout) -> Manifest:
    """The writer's manifest, a new one if there is none yet."""
    return load_manifest(layout.manifest) if layout.manifest.exists() else Manifest(layout.writer)


def load_manifests(folder: Path) -> list[Manifest]:
    """The manifests of all writers. Raises NoCorpusError if there is none."""
    names = writers(folder)
    if not names:
        inner = folder / CORPUS
        meant = f"; did you mean {inner}?" if writers(inner) else ""
        raise NoCorpusError(f"{folder} is not a corpus: it has no manifest-WRITER.json{meant}")
    return [load_manifest(folder / f"manifest-{name}.json") for name in names]


def _entry(path: Path, shard: Any) -> ShardEntry:
    try:
        entry = ShardEntry(**shard)
    except TypeError as error:
        raise ManifestDamagedError(f"{path}: invalid shard entry: {error}") from error
    texts = (entry.file, entry.sha256, entry.first_time, entry.last_time)
    sound = all(isinstance(text, str) for text in texts) and all(
        isinstance(number, int) and number >= 0 for number in (entry.documents, entry.bytes)
    )
    if not sound or len(entry.sha256) != _SHA256_DIGITS:
        raise ManifestDamagedError(f"{path}: invalid value in the entry of shard {entry.file!r}")
    # The manifest is not trusted: it must not name files outside its folder.
    if entry.kind not in KINDS or entry.file.count("/") != 1 or ".." in entry.file:
        raise ManifestDamagedError(
            f"{path}: {entry.file!r} is not a file in documents/ or rejects/"
        )
    return entry
