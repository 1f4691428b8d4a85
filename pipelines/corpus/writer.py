"""The corpus writer: writes documents to shards and acknowledges them once they are durable.

    async with CorpusWriter(folder, "worker-1", acknowledge, on_failure=report) as writer:
        await writer.add(document, ack=lease)
        await writer.reject(document, Rejection("too-short"), ack=lease)

Lines are buffered in memory until there are enough of them or a time limit is reached. Then they
are written as one frame of a shard and fsynced, in a thread. After that, all of them are
acknowledged in one call.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Self, TypeVar

from corpus_commons.counts import number_of
from crawler.items import GONE_REASON, Document, timestamp
from crawler.outcomes import Rejection
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.frames import LEVEL
from pipelines.corpus.layout import KINDS, Kind, Layout
from pipelines.corpus.locks import hold_lock
from pipelines.corpus.manifest import check_complete
from pipelines.corpus.recovery import recover
from pipelines.corpus.shards import Line, Rotation, ShardSeries

Ack = TypeVar("Ack")
Acknowledge = Callable[[Sequence[Ack]], Awaitable[None]]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FrameLimits:
    """When buffered lines are written as a frame: by their number, their bytes, or after seconds.

    If a worker is killed, its buffered pages are fetched again, so small frames lose less work;
    large frames compress better and need fewer fsyncs.
    """

    documents: int = 100
    bytes: int = 8 * 1024 * 1024
    seconds: float = 5.0

    def __post_init__(self) -> None:
        if self.documents < 1 or self.bytes < 1 or self.seconds <= 0:
            raise ValueError(f"the limits of a frame must be positive: {self}")


@dataclass(slots=True)
class _Batch(Generic[Ack]):
    """Lines that are waiting to be written, with what to acknowledge for them."""

    lines: dict[Kind, list[Line]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    acks: list[Ack] = field(default_factory=list)
    bytes: int = 0

    def is_full(self, limits: FrameLimits) -> bool:
        return len(self.acks) >= limits.documents or self.bytes >= limits.bytes


class CorpusWriter(Generic[Ack]):
    """Writes one worker's share of a corpus. Use as an async context manager, in one loop.

    folder: the corpus, created if missing; other writers may use it at the same time.
    name: the writer's, part of its file names; only one running writer may use it.
    acknowledge: called with the acks of lines that are safe on disk. If it raises, the error is
        logged: the frontier will lease those URLs again, and their documents are written twice,
        with the same id. If it raises a CorpusError, the writer fails.
    on_failure: called once when the writer fails, because no call may follow that could raise the
        error.
    level: the Zstandard compression level.
    After a CorpusError nothing more is written, and every call raises it again.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        acknowledge: Acknowledge[Ack],
        *,
        on_failure: Callable[[CorpusError], None],
        frames: FrameLimits | None = None,
        rotation: Rotation | None = None,
        level: int = LEVEL,
    ) -> None:
        self._on_failure = on_failure
        self._layout = Layout(folder, name)
        self._acknowledge = acknowledge
        self._frames = frames or FrameLimits()
        self._rotation = rotation or Rotation()
        self._level = level
        self._waiting: _Batch[Ack] = _Batch()
        self._accepted = self._settled = 0
        self._failure: CorpusError | None = None
        self._closing = False
        self._wake = asyncio.Event()
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> Self:
        self._series = await asyncio.to_thread(self._open)
        self._task = asyncio.create_task(self._work(), name=f"corpus writer {self._layout.writer}")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def add(self, document: Document, *, ack: Ack) -> None:
        """Queue a document; waits while the buffer is full."""
        line = Line(document.to_json(), timestamp(document.fetched_at))
        await self._take(("documents", line), ack, len(line.json))

    async def reject(self, document: Document, rejection: Rejection, *, ack: Ack) -> None:
        """Queue a rejected page, with as much of its document as there is."""
        line = Line(document.to_json(rejection), timestamp(document.fetched_at))
        await self._take(("rejects", line), ack, len(line.json))

    async def bury(self, document: Document, reason: str, *, ack: Ack) -> None:
        """Queue a tombstone: the page of the document is gone, for this reason."""
        ended = replace(document, text="", extra={GONE_REASON: reason})
        line = Line(ended.to_json(), timestamp(document.fetched_at))
        await self._take(("tombstones", line), ack, len(line.json))

    async def put_off(self, ack: Ack, size: int) -> None:
        """Queue an acknowledgement without a line, for something of ``size`` bytes."""
        await self._take(None, ack, size)

    @property
    def pending(self) -> int:
        """The number of lines that are not acknowledged yet."""
        return self._accepted - self._settled

    async def flush(self) -> None:
        """Return once everything so far is on disk and acknowledged."""
        goal = self._accepted
        self._wake.set()
        async with self._changed:
            await self._changed.wait_for(lambda: self._failure or self._settled >= goal)
        self._raise_failure()

    async def close(self) -> None:
        """Write and acknowledge what is pending, complete the shards and release the folder."""
        self._closing = True
        self._wake.set()
        try:
            await self._task
            await asyncio.to_thread(self._complete)
        finally:
            self._lock.release()
        self._raise_failure()

    async def _take(self, line: tuple[Kind, Line] | None, ack: Ack, size: int) -> None:
        async with self._changed:
            await self._changed.wait_for(
                lambda: self._failure or not self._waiting.is_full(self._frames)
            )
            self._raise_failure()
            if self._closing:
                raise RuntimeError("the writer is closed")
            if line is not None:
                self._waiting.lines[line[0]].append(line[1])
            self._waiting.acks.append(ack)
            self._waiting.bytes += size
            self._accepted += 1
            if self._waiting.is_full(self._frames):
                self._wake.set()

    async def _work(self) -> None:
        """Write frames until closed. No other task uses the series meanwhile."""
        while self._failure is None and not (self._closing and not self._waiting.acks):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._frames.seconds)
            self._wake.clear()
            await self._settle()

    async def _settle(self) -> None:
        async with self._changed:
            batch, self._waiting = self._waiting, _Batch()
            self._changed.notify_all()
        try:
            await asyncio.to_thread(self._write, batch)
        except CorpusError as error:
            self._fail(error)
        except Exception as error:
            # Any error must reach the callers that wait for room in the buffer.
            _log.exception("the corpus writer failed")
            self._fail(CorpusError(f"cannot write {self._layout.folder}: {error!r}"))
        else:
            await self._confirm(batch.acks)
        async with self._changed:
            self._settled += len(batch.acks)
            self._changed.notify_all()

    async def _confirm(self, acks: list[Ack]) -> None:
        if not acks:
            return
        try:
            await self._acknowledge(acks)
        except Exception as error:
            _log.error(
                "could not acknowledge %s on disk, to be fetched again: %s",
                number_of(len(acks), "line"),
                error,
                exc_info=not isinstance(error, CorpusError),
            )
            if isinstance(error, CorpusError):
                self._fail(error)

    def _fail(self, error: CorpusError) -> None:
        self._failure = error
        self._on_failure(error)

    def _write(self, batch: _Batch[Ack]) -> None:
        """Write the lines. Raises CorpusError, and leaves the open shards to recovery then."""
        try:
            # Documents first: a reject may be a duplicate of one of them.
            for kind, series in self._series.items():
                series.append(batch.lines[kind])
                series.rotate_if_old()
        except Exception:
            for series in self._series.values():
                series.abandon()
            raise

    def _complete(self) -> None:
        for series in self._series.values():
            series.complete()

    def _open(self) -> dict[Kind, ShardSeries]:
        self._lock = hold_lock(self._layout)
        try:
            return self._recovered()
        except BaseException:
            self._lock.release()
            raise

    def _recovered(self) -> dict[Kind, ShardSeries]:
        try:
            check_complete(self._layout.folder)
            manifest, recovered = recover(self._layout)
        except OSError as error:
            raise CorpusError(f"cannot recover {self._layout.folder}: {error}") from error
        for shard in recovered:
            _log.warning("recovered %s: %s", shard.file, number_of(shard.documents, "line"))
        return {
            kind: ShardSeries(self._layout, kind, manifest, self._rotation, level=self._level)
            for kind in KINDS
        }

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure
