"""A writer's series of shards: appends frames of lines, rotates shards, and lists complete ones.

Synchronous and not thread-safe; ``pipelines.corpus.writer`` calls it from one thread at a time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from corpus_commons.counts import number_of
from corpus_commons.durable_files import complete, make_folder, sync_directory
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.frames import LEVEL, Survey, frame
from pipelines.corpus.layout import Kind, Layout
from pipelines.corpus.manifest import Manifest, ShardEntry


class Line(NamedTuple):
    """json: one line, newline included. time: its ``fetched_at``, ISO 8601 in UTC."""

    json: bytes
    time: str


@dataclass(frozen=True, slots=True)
class Rotation:
    """When to start a new shard: by compressed size in bytes, and by age in seconds.

    A frame is never split, so a shard of one frame may be larger than ``bytes``.
    """

    bytes: int = 256_000_000
    seconds: float = 3600.0

    def __post_init__(self) -> None:
        if self.bytes <= 0 or self.seconds <= 0:
            raise ValueError(
                f"shard size and time must be positive, not {self.bytes} bytes and {self.seconds} s"
            )


class ShardSeries:
    """The shards of one kind and one writer, numbered from 0.

    Do not use it after a CorpusError. The open shard then ends with the last complete frame, or
    ``pipelines.corpus.recovery`` truncates it there at the next start.

    saves_manifest: with every shard that is complete; otherwise they are listed in it, and whoever
        has it saves it.
    """

    def __init__(
        self,
        layout: Layout,
        kind: Kind,
        manifest: Manifest,
        rotation: Rotation | None = None,
        *,
        level: int = LEVEL,
        saves_manifest: bool = True,
    ) -> None:
        self._layout = layout
        self._kind: Kind = kind
        self._manifest = manifest
        self._rotation = rotation or Rotation()
        self._level = level
        self._saves_manifest = saves_manifest
        self._next = _next_number(layout, kind, manifest)
        self._shard: _OpenShard | None = None

    def append(self, lines: Sequence[Line]) -> None:
        """Write the lines as one frame; they are on disk when this returns.

        Raises CorpusError if that fails, for example on a full disk; then none of them is written.
        """
        if not lines:
            return
        content = frame((line.json for line in lines), self._level)
        if self._shard is not None and self._shard.size + len(content) > self._rotation.bytes:
            self.complete()
        if self._shard is None:
            self._shard = self._begin()
        self._shard.append(content, lines)

    def rotate_if_old(self) -> None:
        """Complete the open shard if it has reached its age limit."""
        if self._shard is not None and self._shard.age >= self._rotation.seconds:
            self.complete()

    def complete(self) -> None:
        """Give the open shard its final name and list it in the manifest."""
        shard, self._shard = self._shard, None
        if shard is None:
            return
        try:
            entry = shard.finish()
            self._manifest.shards.append(entry)
            if self._saves_manifest:
                self._manifest.save(self._layout.manifest)
        except FileNotFoundError as error:
            raise _removed(shard.path) from error
        except OSError as error:
            raise CorpusError(f"cannot complete {shard.path}: {error}") from error

    def abandon(self) -> None:
        """Close the open shard as it is; recovery completes it at the next start."""
        shard, self._shard = self._shard, None
        if shard is not None:
            shard.close()

    def _begin(self) -> _OpenShard:
        path = self._layout.open_shard(self._kind, self._next)
        try:
            make_folder(path.parent)
            shard = _OpenShard(path)
        except OSError as error:
            raise CorpusError(f"cannot create {path}: {error}") from error
        self._next += 1
        return shard


class _OpenShard:
    """The shard that is being written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written = Survey()
        self._digest = sha256()
        self._began = time.monotonic()
        # Unbuffered: after a failed write, closing the file must not write the rest.
        self._file = FileIO(path, "xb")
        sync_directory(path.parent)

    @property
    def size(self) -> int:
        """In bytes."""
        return self._written.whole

    @property
    def age(self) -> float:
        """Seconds since it was created."""
        return time.monotonic() - self._began

    def append(self, content: bytes, lines: Sequence[Line]) -> None:
        """Write ``content``, the frame of the lines."""
        try:
            self._write(content)
        except FileNotFoundError as error:
            raise _removed(self.path) from error
        except OSError as error:
            raise self._failure(error, len(lines)) from error
        times = [line.time for line in lines]
        whole = Survey(self.size + len(content), len(lines), "", min(times), max(times))
        self._written.add(whole)
        self._digest.update(content)

    def finish(self) -> ShardEntry:
        self._file.close()
        path = complete(self.path)
        self._written.sha256 = self._digest.hexdigest()
        return self._written.entry(f"{path.parent.name}/{path.name}")

    def close(self) -> None:
        self._file.close()

    def _write(self, content: bytes) -> None:
        rest = memoryview(content)
        while rest:
            rest = rest[self._file.write(rest) :]
        os.fsync(self._file.fileno())
        # Writing to a file that was removed succeeds, but its content is lost on close.
        self.path.stat()

    def _failure(self, error: OSError, lines: int) -> CorpusError:
        torn = ""
        try:
            self._file.truncate(self.size)
            os.fsync(self._file.fileno())
        except OSError:
            torn = "; the torn end of the file will be cut off at the next start"
        return CorpusError(
            f"cannot write {number_of(lines, 'line')} to {self.path} after byte {self.size:,}: "
            f"{error.strerror or error}; free some disk space and start again: acknowledged "
            f"documents are safe, the others will be fetched again{torn}"
        )


def _removed(path: Path) -> CorpusError:
    return CorpusError(
        f"{path} was removed or renamed while it was being written; pages in it that had been "
        "acknowledged are lost and will not be fetched again: to get them back, start the job anew"
    )


def _next_number(layout: Layout, kind: Kind, manifest: Manifest) -> int:
    """One more than the highest number ever used, even if those shards were moved away."""
    names = [entry.file.rpartition("/")[2] for entry in manifest.entries(kind)]
    names += [path.name for path in layout.shards(kind)]
    return layout.next_number(names)
