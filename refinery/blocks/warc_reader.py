"""``WarcReader``: the HTML pages and extracted texts in WARC and WET files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from io import SEEK_END
from pathlib import Path
from typing import Final

import fsspec
from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from corpus_commons.markup.encoding import is_binary
from corpus_commons.markup.foreign_text import foreign_text
from crawler.consent.page_signals import HEADERS
from crawler.items import document_id, timestamp
from crawler.outcomes import Rejection
from pipelines.metadata import identify_language
from refinery.blocks.documents import ARCHIVE, ARCHIVE_OFFSET, RECORD_ID, SAID, SERVED, rejected
from refinery.warc.addresses import DAMAGED_FILES, archive_name, part_name
from refinery.warc.archive_report import ArchiveReport
from refinery.warc.http import XHTML, Response
from refinery.warc.records import Record, records

_KEPT: Final = frozenset({200, 203})
_HTML: Final = frozenset({"", "text/html", XHTML})
_WET: Final = "wet"
# WARC 1.1 allows a year or a month alone, by whose lengths these are.
_FIRST_DAY: Final = {4: "-01-01", 7: "-01"}
_UNKNOWN: Final = datetime(1970, 1, 1, tzinfo=UTC)


class WarcReader(PipelineStep):
    """Reads responses of HTML as documents whose text is the HTML, and texts of WET as they are.

    Of a page that its crawler has rendered, it is the HTML after scripts ran.

    The HTML is decoded as browsers do, by the charset of the HTTP header first. Other responses are
    counted and passed over, as are statuses other than 200 and 203.

    sources: addresses of files, local or any that fsspec knows; each task reads its share.
    keep_rejects: pass what is damaged, truncated or too large on, as rejected documents, for
        ``ShardWriter``; otherwise it is only counted.
    reports: files, one for each source, that get its ``ArchiveReport`` when all of it was read.
    """

    type = "📖 - READER"
    name = "🕷 Warc, decoded"

    def __init__(
        self,
        sources: str | Sequence[str],
        *,
        keep_rejects: bool = False,
        reports: Sequence[Path] = (),
    ) -> None:
        super().__init__()
        self.sources = [sources] if isinstance(sources, str) else list(sources)
        self.keep_rejects = keep_rejects
        self.reports = reports

    def run(
        self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Raises OSError for a file that cannot be read."""
        if data:
            yield from data
        for number in range(rank, len(self.sources), world_size):
            source, report = self.sources[number], ArchiveReport()
            self.stat_update("input_files")
            for record in _records(source, report):
                document = self._document(record, source, report)
                if document is not None:
                    self.stat_update("documents")
                    yield document
            if self.reports:
                report.write(self.reports[number])

    def _document(self, record: Record, source: str, report: ArchiveReport) -> Document | None:
        content = record.content
        if isinstance(content, Response) and (why := _passed_over(content)):
            self.stat_update(f"passed_over_{why}")
            report.passed_over[why] += 1
            return None
        report.found += 1
        if content is None:
            return self._rejected(record, source, report)
        if isinstance(content, str):
            found = _document(record, source, content)
            language, probability = identify_language(content) or (None, None)
            found.metadata |= {
                "extractor": _WET,
                "language": language,
                "language_probability": probability,
            }
            return found
        served = content.html
        found = _document(record, source, record.rendered or served)
        if record.rendered:
            found.metadata["rendered"] = True
            if record.rendered != served:
                found.metadata[SERVED] = served
        said = [pair for pair in content.headers if pair[0] in HEADERS]
        if said:
            found.metadata[SAID] = said
        return found

    def _rejected(self, record: Record, source: str, report: ArchiveReport) -> Document | None:
        self.stat_update(f"rejected_{record.problem}")
        detail = f"{record.detail}, at or after byte {record.offset:,}"
        if record.breaks_file:
            report.damage = report.damage or detail
        rejection = Rejection(record.problem, detail)
        return rejected(_document(record, source, ""), rejection) if self.keep_rejects else None


def _records(source: str, report: ArchiveReport) -> Iterator[Record]:
    """Raises OSError, with the file's address."""
    try:
        with fsspec.open(source, "rb") as file:
            report.size = file.seek(0, SEEK_END)
            yield from records(file)
    except (OSError, *DAMAGED_FILES) as error:
        raise OSError(f"{source} cannot be read: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _document(record: Record, source: str, text: str) -> Document:
    # A damaged place has no URL but its own, which tells of no machine's folders.
    url = record.url or f"{part_name(source)}#{record.offset}"
    metadata = {
        "url": url,
        "fetched_at": timestamp(_moment(record.date)),
        ARCHIVE: archive_name(source),
        ARCHIVE_OFFSET: record.offset,
        RECORD_ID: record.id or None,
    }
    return Document(text, document_id(url), metadata=metadata)


def _moment(date: str) -> datetime:
    try:
        moment = datetime.fromisoformat(date + _FIRST_DAY.get(len(date), ""))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return _UNKNOWN


def _passed_over(response: Response) -> str:
    """Why a response is no page; empty if it is one."""
    if response.status and response.status not in _KEPT:
        return f"http-{response.status}"
    if response.media_type not in _HTML or is_binary(response.body) or foreign_text(response.body):
        return "not-html"
    return "" if response.body.strip() else "no-body"
