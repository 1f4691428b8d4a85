"""Reads a corpus folder of any origin: none of its content is trusted."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

import orjson

from corpus_commons.counts import number_of
from crawler.items import REJECT_REASON, moment
from pipelines.corpus.duplicate_ids import HIGHEST_RANK
from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.frames import read_lines, survey, time_of
from pipelines.corpus.layout import KINDS, OPEN, SUFFIX, Kind
from pipelines.corpus.locks import is_in_use
from pipelines.corpus.manifest import ShardEntry, load_manifests
from pipelines.corpus.recovery import check_whole

# Each has two ranks.
_HIGHEST_VERSION: Final = HIGHEST_RANK // 2 - 1


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard of a corpus.

    path: where its file should be.
    entry: its entry in the manifest, or one made from its content if it is not listed.
    is_listed: whether it is in a manifest.
    """

    path: Path
    entry: ShardEntry
    kind: Kind
    is_listed: bool = True

    def lines(self) -> Iterator[bytes]:
        """Its lines without newlines. Raises ShardDamagedError if it cannot be read."""
        try:
            yield from read_lines(self.path, self.entry.bytes)
        except OSError as error:
            raise self._unreadable(error) from error

    def documents(self) -> Iterator[dict[str, Any]]:
        """Its lines, decoded. Raises ShardDamagedError at the first that is not a document, and if
        they are not as many as were listed.
        """
        number = 0
        for number, line in enumerate(self.lines(), start=1):
            try:
                yield parsed(line)
            except ValueError as error:
                raise ShardDamagedError(f"{self.path}, line {number}: {error}") from error
        if number != self.entry.documents:
            raise ShardDamagedError(
                f"{self.path} has {number_of(number, 'line')}, not {self.entry.documents:,}"
            )

    def name(self, document: dict[str, Any]) -> str:
        """What names one of its documents, together with its rank; of a reject, its reason, too."""
        name: str = document["id"]
        if self.kind == "rejects":
            return f"{name} {document['metadata'].get(REJECT_REASON)}"
        return name

    def rank(self, document: dict[str, Any]) -> int:
        """Of one of its documents among all lines of the same id and crawl: the later, the higher.

        A tombstone comes after the version that ended with it, and before the next.
        """
        return 2 * version_of(document) + (self.kind == "tombstones")

    def check_file(self) -> None:
        """Raises ShardDamagedError if the file is not the one that the manifest lists."""
        try:
            size = self.path.stat().st_size
            with self.path.open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise self._unreadable(error) from error
        if size != self.entry.bytes:
            raise ShardDamagedError(f"{self.path} has {size:,} bytes, not {self.entry.bytes:,}")
        if digest != self.entry.sha256:
            raise ShardDamagedError(
                f"{self.path} has the SHA-256 {digest}, not {self.entry.sha256}"
            )

    def _unreadable(self, error: OSError) -> ShardDamagedError:
        return ShardDamagedError(f"{self.path} cannot be read: {error.strerror or error}")


def shards(folder: Path) -> list[Shard]:
    """All shards of all writers by kind, documents first, each writer's in manifest order.

    Raises CorpusError if the folder has no manifest, or one that cannot be read.
    """
    manifests = load_manifests(folder)
    return [
        Shard(folder / entry.file, entry, kind)
        for kind in KINDS
        for manifest in manifests
        for entry in manifest.entries(kind)
    ]


@dataclass(slots=True)
class Orphans:
    """The shards of a corpus folder that no manifest lists.

    shards: of writers that are gone, up to their last intact frame.
    being_written: files that a running writer has open.
    """

    shards: list[Shard] = field(default_factory=list)
    being_written: list[Path] = field(default_factory=list)


def orphans(folder: Path, listed: Collection[Path]) -> Orphans:
    """Find shards in ``folder`` that are not in ``listed``. They are only read, never changed.

    Raises ShardDamagedError for a shard with damage that a crash cannot cause.
    """
    found = Orphans()
    for kind, path in unlisted_files(folder, listed):
        if _is_written(folder, path):
            found.being_written.append(path)
        else:
            shard = _surveyed(path, kind)
            if shard.entry.documents:
                found.shards.append(shard)
    return found


def unlisted_files(folder: Path, listed: Collection[Path]) -> Iterator[tuple[Kind, Path]]:
    """Files with the name of a shard, open or complete, documents first."""
    for kind in KINDS:
        for path in sorted((folder / kind).glob("*")):
            if path.name.removesuffix(OPEN).endswith(SUFFIX) and path not in listed:
                yield kind, path


def _surveyed(path: Path, kind: Kind) -> Shard:
    whole = survey(path)
    if not path.name.endswith(OPEN):
        check_whole(path, whole)
    return Shard(path, whole.entry(f"{kind}/{path.name}"), kind, is_listed=False)


def _is_written(folder: Path, path: Path) -> bool:
    """Whether the writer of the shard is running."""
    writer = path.name.removesuffix(OPEN).removesuffix(SUFFIX).rpartition("-")[0]
    return is_in_use(folder, writer)


def parsed(line: bytes) -> dict[str, Any]:
    """The document in a line of JSON. Raises ValueError if it is not one.

    >>> parsed(b'{"id": "a", "text": ""}')
    Traceback (most recent call last):
    ValueError: "metadata" must be an object
    """
    found = orjson.loads(line)
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")
    if not isinstance(found.get("id"), str) or not found["id"]:
        raise ValueError('"id" must be a non-empty string')
    if not isinstance(found.get("text"), str):
        raise ValueError('"text" must be a string')
    if not isinstance(found.get("metadata"), dict):
        raise ValueError('"metadata" must be an object')
    version_of(found)
    return found


def version_of(document: dict[str, Any]) -> int:
    """The version of a decoded line; 1 if it has none, as those of earlier releases.

    Raises ValueError.

    >>> version_of({"metadata": {"version": 0}})
    Traceback (most recent call last):
    ValueError: "version" must be a number from 1 to 8388606, not 0
    """
    version = document["metadata"].get("version", 1)
    if type(version) is not int or not 1 <= version <= _HIGHEST_VERSION:
        raise ValueError(
            f'"version" must be a number from 1 to {_HIGHEST_VERSION}, not {version!r:.20}'
        )
    return version


def moment_of(document: dict[str, Any]) -> int:
    """When a decoded line was fetched, in milliseconds since 1970; 0 if it does not say.

    >>> moment_of({"metadata": {"fetched_at": "1970-01-01T00:00:01.500Z"}}), moment_of({})
    (1500, 0)
    """
    try:
        return max(0, round(moment(time_of(document)).timestamp() * 1000))
    except (ValueError, OverflowError):
        return 0
