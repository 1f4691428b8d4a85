"""Reading a corpus folder that may come from anywhere: nothing in it is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

import orjson

from pipelines.errors import ShardDamagedError
from pipelines.frames import read_lines
from pipelines.layout import KINDS, Kind
from pipelines.manifest import ShardEntry, load_manifests


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard of a corpus.

    path: where its file should be.
    entry: what the manifest says of it, or what it was found to hold.
    is_listed: whether it is in a manifest.
    """

    path: Path
    entry: ShardEntry
    kind: Kind
    is_listed: bool = True

    def lines(self) -> Iterator[bytes]:
        """Its lines without newlines. Raises ShardDamagedError where it cannot be read."""
        try:
            yield from read_lines(self.path, self.entry.bytes)
        except OSError as error:
            raise ShardDamagedError(
                f"{self.path} cannot be read: {error.strerror or error}"
            ) from error

    def documents(self) -> Iterator[dict[str, Any]]:
        """Its lines as documents. Raises ShardDamagedError at the first that is none."""
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
    """All shards of all writers, documents before rejects, each writer's in their order.

    Raises CorpusError where the folder has no manifest, or one that cannot be read.
    """
    manifests = load_manifests(folder)
    return [
        Shard(folder / entry.file, entry, kind)
        for kind in KINDS
        for manifest in manifests
        for entry in manifest.entries(kind)
    ]


def parsed(line: bytes) -> dict[str, Any]:
    """The line as JSON; ValueError that says what it lacks to be a document.

    >>> parsed(b'{"id": "a", "text": ""}')
    Traceback (most recent call last):
    ValueError: has no object as metadata
    """
    found = orjson.loads(line)
    if not isinstance(found, dict):
        raise ValueError("is no JSON object")
    if not isinstance(found.get("id"), str) or not found["id"]:
        raise ValueError("has no string as id")
    if not isinstance(found.get("text"), str):
        raise ValueError("has no string as text")
    if not isinstance(found.get("metadata"), dict):
        raise ValueError("has no object as metadata")
    return found
