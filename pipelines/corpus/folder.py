"""Reads a corpus folder of any origin: none of its content is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

import orjson

from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.frames import read_lines
from pipelines.corpus.layout import KINDS, Kind
from pipelines.corpus.manifest import ShardEntry, load_manifests


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
            raise ShardDamagedError(
                f"{self.path} cannot be read: {error.strerror or error}"
            ) from error

    def documents(self) -> Iterator[dict[str, Any]]:
        """Its lines, decoded. Raises ShardDamagedError at the first that is not a document."""
        for number, line in enumerate(self.lines(), start=1):
            try:
                yield parsed(line)
            except ValueError as error:
                raise ShardDamagedError(f"{self.path}, line {number}: {error}") from error

    def check_file(self) -> None:
        """Raises ShardDamagedError if the file is not the one that the manifest lists."""
        try:
            size = self.path.stat().st_size
            with self.path.open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ShardDamagedError(
                f"{self.path} cannot be read: {error.strerror or error}"
            ) from error
        if size != self.entry.bytes:
            raise ShardDamagedError(f"{self.path} has {size:,} bytes, not {self.entry.bytes:,}")
        if digest != self.entry.sha256:
            raise ShardDamagedError(
                f"{self.path} has the SHA-256 {digest}, not {self.entry.sha256}"
            )


def shards(folder: Path) -> list[Shard]:
    """All shards of all writers, documents before rejects, each writer's in manifest order.

    Raises CorpusError if the folder has no manifest, or one that cannot be read.
    """
    manifests = load_manifests(folder)
    return [
        Shard(folder / entry.file, entry, kind)
        for kind in KINDS
        for manifest in manifests
        for entry in manifest.entries(kind)
    ]


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
    return found
