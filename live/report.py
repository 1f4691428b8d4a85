"""What one worker tells of its run: to its own page, and by way of Redis to that of the fleet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError

from corpus_commons import json_text
from live.histogram import Histogram

Count = Annotated[int, Field(ge=0)]
Label = Annotated[str, Field(max_length=200)]
Counts = Annotated[dict[Label, Count], Field(max_length=2_000)]


@dataclass(frozen=True, slots=True)
class ProcessUse:
    """A process of a worker.

    role: what it does. memory: resident bytes, with those that it shares with others.
    cpu_seconds: since it started. cpu: cores that it uses now, averaged since the last look.
    """

    role: Label
    pid: int
    memory: Count
    cpu_seconds: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Newest:
    """A document that was just written, without its text.

    at: seconds since 1970. words: of the text. confidence: see ``Document.extractor_confidence``.
    """

    id: Label
    url: Annotated[str, Field(max_length=1_000)]
    title: Annotated[str, Field(max_length=1_000)]
    at: float
    genre: Label | None
    page_type: Label | None
    language: Label | None
    words: Count
    confidence: float | None
    rendered: bool = False


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """The numbers of one run of one worker.

    started, at: when the run began, and of what moment this is; seconds since 1970.
    static, rendered: pages per second that were read without and with a browser.
    totals: the fields of ``pipelines.reporting.counts.Totals``.
    groups: counts by group and value, see ``counts.groups_of``.
    responses: by status. errors: fetches that failed with an exception, by its name.
    received: bytes. leases: that are held. lost: leases that were lost.
    waited: seconds for which there was room for fetches, but no host might be visited.
    histograms: of seconds and shares by their names.
    processes: of the worker. disk_free, disk_size: bytes of the file system of the job's folder.
    documents: the newest, which come first.
    """

    worker: Label
    started: float
    at: float
    static: float
    rendered: float
    is_paused: bool
    totals: Counts
    groups: Annotated[dict[Label, Counts], Field(max_length=20)]
    responses: Counts
    errors: Counts
    received: Count
    leases: Count
    lost: Count
    waited: float
    histograms: Annotated[dict[Label, Histogram], Field(max_length=20)]
    disk_free: Count
    disk_size: Count
    processes: Annotated[list[ProcessUse], Field(max_length=1_000)] = field(default_factory=list)
    documents: Annotated[list[Newest], Field(max_length=100)] = field(default_factory=list)

    def to_json(self) -> bytes:
        return json_text.dumps(self)

    @staticmethod
    def from_json(content: bytes) -> WorkerReport | None:
        """None if it is of another version of this program, or of none."""
        try:
            return _REPORT.validate_json(content)
        except ValidationError:
            return None


_REPORT: Final = TypeAdapter(WorkerReport)
