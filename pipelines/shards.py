"""A series of shards: lines go in by frames, complete shards come out and into the manifest.

Nothing here knows of tasks or threads; ``pipelines.writer`` calls it from one thread at a time.
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

from pipelines.durable import complete, make_folder, sync_directory
from pipelines.errors import CorpusError
from pipelines.frames import LEVEL, frame
from pipelines.layout import Kind, Layout
from pipelines.manifest import Manifest, ShardEntry


class Line(NamedTuple):
    """json: one line, newline included. time: its ``fetched_at``, ISO 8601 in UTC."""

    json: bytes
    time: str


@dataclass(frozen=True, slots=True)
class Rotation:
    """When a shard is complete: before a compressed size in bytes, or after an age in seconds.

    A frame is never parted: a shard of one frame may be larger than ``bytes``.
    """

    bytes: int = 256_000_000
    seconds: float = 3600.0

    def __post_init__(self) -> None:
        if self.bytes <= 0 or self.seconds <= 0:
            raise ValueError(
                f"a shard needs room and time: not {self.bytes} bytes, {self.seconds} s"
            )


class ShardSeries:
    """The shards of one kind and one writer, numbered from 0.

    What went wrong once is not tried again: after a CorpusError the open shard is as long as what
    was safe before, or is cut back to it by ``pipelines.recovery`` at the next start.
    """

    def __init__(
        self,
        layout: Layout,
        kind: Kind,
        manifest: Manifest,
        rotation: Rotation | None = None,
        *,
        level: int = LEVEL,
    ) -> None:
        self._layout = layout
        self._kind: Kind = kind
        self._manifest = manifest
        self._rotation = rotation or Rotation()
        self._level = level
        self._next = _next_number(layout, kind, manifest)
        self._shard: _OpenShard | None = None

    def append(self, lines: Sequence[Line]) -> None:
        """Write the lines as one frame; they are on the disk when this returns.

        Raises CorpusError if they are not, as on a full disk; then none of them is.
        """
        if not lines:
            return
        content = frame((line.json for line in lines), self._level)
        if self._shard is not None and self._shard.bytes + len(content) > self._rotation.bytes:
            self.complete()
        if self._shard is None:
            self._shard = self._begin()
        self._shard.append(content, lines)

    def rotate_if_old(self) -> None:
        """Complete the open shard if its time is over."""
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
            self._manifest.save(self._layout.manifest)
        except FileNotFoundError as error:
            raise _removed(shard.path) from error
        except OSError as error:
            raise CorpusError(f"{shard.path} is whole but could not be listed: {error}") from error

    def abandon(self) -> None:
        """Let go of the open shard as it is; recovery completes it at the next start."""
        shard, self._shard = self._shard, None
        if shard is not None:
            shard.close()

    def _begin(self) -> _OpenShard:
        path = self._layout.open_shard(self._kind, self._next)
        try:
            make_folder(path.parent)
            shard = _OpenShard(path)
        except OSError as error:
            raise CorpusError(f"{path} cannot be created: {error}") from error
        self._next += 1
        return shard


class _OpenShard:
    """The file that is being written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes = 0
        self._documents = 0
        self._digest = sha256()
        self._first = self._last = ""
        self._began = time.monotonic()
        # Unbuffered: what was not written must not be written later, by a flush at the end.
        self._file = FileIO(path, "xb")
        sync_directory(path.parent)

    @property
    def age(self) -> float:
        """Seconds since it was begun."""
        return time.monotonic() - self._began

    def append(self, content: bytes, lines: Sequence[Line]) -> None:
        """Write ``content``, the frame of the lines."""
        try:
            self._write(content)
        except FileNotFoundError as error:
            raise _removed(self.path) from error
        except OSError as error:
            raise self._failure(error, len(lines)) from error
        self.bytes += len(content)
        self._digest.update(content)
        self._documents += len(lines)
        times = [line.time for line in lines]
        self._first = min(self._first, *times) if self._first else min(times)
        self._last = max(self._last, *times)

    def finish(self) -> ShardEntry:
        self._file.close()
        path = complete(self.path)
        return ShardEntry(
            f"{path.parent.name}/{path.name}",
            self._documents,
            self.bytes,
            self._digest.hexdigest(),
            self._first,
            self._last,
        )

    def close(self) -> None:
        self._file.close()

    def _write(self, content: bytes) -> None:
        rest = memoryview(content)
        while rest:
            rest = rest[self._file.write(rest) :]
        os.fsync(self._file.fileno())
        # A file without its name takes all that is written to it, and is gone when it is closed.
        self.path.stat()

    def _failure(self, error: OSError, lines: int) -> CorpusError:
        torn = ""
        try:
            self._file.truncate(self.bytes)
            os.fsync(self._file.fileno())
        except OSError:
            torn = " The torn end of the file is cut off at the next start."
        return CorpusError(
            f"{self.path}: {lines} lines could not be written after byte {self.bytes:,}: "
            f"{error.strerror or error}. What was acknowledged is safe; make room and start again, "
            f"and the rest is fetched again.{torn}"
        )


def _removed(path: Path) -> CorpusError:
    return CorpusError(
        f"{path} was removed or renamed by somebody while it was written. What was removed and had "
        "been acknowledged is not fetched again: to have it, begin the job anew"
    )


def _next_number(layout: Layout, kind: Kind, manifest: Manifest) -> int:
    """One above all that were ever used; shards may have been moved away since."""
    names = [entry.file.rpartition("/")[2] for entry in manifest.entries(kind)]
    names += [path.name for path in layout.shards(kind)]
    return layout.next_number(names)
