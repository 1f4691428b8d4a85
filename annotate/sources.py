"""The pages to be labelled: a folder of HTML, a data set, or a corpus with its WARC files."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from corpus_commons.markup.encoding import decode
from corpus_commons.page_lines import LINES_SUFFIXES, read_page_lines
from genre_model.page_files import (
    HTML_SUFFIXES,
    SCREENSHOT_SUFFIXES,
    PageError,
    files_by_stem,
    read_bounded,
)
from pipelines.corpus.folder import shards
from pipelines.corpus.frames import time_of
from pipelines.corpus.layout import CORPUS, WARC, WARC_SUFFIX, writers
from pipelines.corpus.other_folders import why_no_corpus
from refinery.dataset.layout import is_dataset
from refinery.warc.http import Response
from refinery.warc.records import records

_log = logging.getLogger(__name__)

_SHOTS: Final = "shots"
_MAX_BYTES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page as it was saved. id: unique among the pages. screenshot: a JPEG or PNG file.

    genre: its page type by the data set, if that gives one.
    """

    id: str
    html: str
    url: str | None = None
    lang: str | None = None
    genre: str | None = None
    screenshot: Path | None = None


class _Known(NamedTuple):
    """What a document of a corpus tells of its page. fetched_at: as in its line."""

    fetched_at: str
    id: str
    language: str | None
    screenshot: str | None

    @classmethod
    def of(cls, document: dict[str, Any]) -> Self:
        metadata = document["metadata"]
        language, screenshot = (_text(metadata.get(name)) for name in ("language", "screenshot"))
        return cls(time_of(document), document["id"], language, screenshot)


def open_pages(path: Path) -> Iterator[SourcePage]:
    """The pages at ``path``.

    A folder has ``ID.html`` (or ``.html.gz``), and may have ``shots/ID.jpg``; a file is ``.jsonl``
    or ``.jsonl.zst`` with ``id`` and ``html``, and may have a folder ``shots`` beside it.
    Files of a folder that cannot be read, or are too large, are left out with a warning. Raises
    ValueError for anything else; the iterator does, too, for a line that is no page, and
    CorpusError for a corpus.
    """
    if path.is_file() and path.name.endswith(LINES_SUFFIXES):
        return _of_lines(path)
    if path.is_dir() and writers(path):
        return _of_corpus(path)
    # Both have a report.html, which is no page to label.
    if writers(path / CORPUS) or is_dataset(path):
        raise ValueError(f"{path} has no pages to label: {why_no_corpus(path)}")
    if path.is_dir() and (files := files_by_stem(path, HTML_SUFFIXES)):
        return _of_files(path, files)
    raise ValueError(
        f"{path} must be a folder of .html files, a .jsonl or .jsonl.zst file of pages, or a corpus"
    )


def _of_files(folder: Path, files: dict[str, Path]) -> Iterator[SourcePage]:
    shots = _screenshots(folder)
    for name, file in sorted(files.items()):
        try:
            html = decode(read_bounded(file, _MAX_BYTES))
        except PageError as error:
            _log.warning("page %.80r left out: %s", name, error)
            continue
        yield SourcePage(name, html, screenshot=shots.get(name))


def _of_lines(path: Path) -> Iterator[SourcePage]:
    shots = _screenshots(path.parent)

    def page(fields: dict[str, Any]) -> SourcePage:
        url, lang, genre = (_text(fields.get(name)) for name in ("url", "lang", "genre"))
        return SourcePage(fields["id"], fields["html"], url, lang, genre, shots.get(fields["id"]))

    return read_page_lines(path, page)


def _of_corpus(corpus: Path) -> Iterator[SourcePage]:
    """The documents of a corpus whose HTML is in its WARC files, each page once.

    Of a page that was visited again, it is the version that was fetched last.
    Raises ValueError if the corpus has no WARC files.
    """
    latest = _latest(corpus)
    archives = sorted((corpus / WARC).glob(f"*{WARC_SUFFIX}*"))
    if not archives:
        raise ValueError(f"{corpus} has no {WARC}/: crawl with outputs.warc, which keeps the HTML")
    for archive in archives:
        with archive.open("rb") as file:
            for record in records(file):
                response = record.content
                known = latest.get(record.url)
                if known is None or not isinstance(response, Response):
                    continue
                if record.date == known.fetched_at:
                    del latest[record.url]
                    yield SourcePage(
                        known.id,
                        record.rendered or response.html,
                        record.url,
                        known.language,
                        screenshot=_inside(corpus, known.screenshot),
                    )


def _latest(corpus: Path) -> dict[str, _Known]:
    """What is known of the latest version of each page, by its URL."""
    found: dict[str, _Known] = {}
    kept = (shard for shard in shards(corpus) if shard.kind == "documents")
    for document in chain.from_iterable(shard.documents() for shard in kept):
        url, known = _text(document["metadata"].get("url")), _Known.of(document)
        if url and (url not in found or found[url].fetched_at <= known.fetched_at):
            found[url] = known
    return found


def _screenshots(folder: Path) -> dict[str, Path]:
    shots = folder / _SHOTS
    return files_by_stem(shots, SCREENSHOT_SUFFIXES) if shots.is_dir() else {}


def _inside(corpus: Path, name: str | None) -> Path | None:
    """The file of that name in the corpus; None if there is none, or if it leads elsewhere."""
    path = (corpus / name).resolve() if name else None
    if path is None or not path.is_relative_to(corpus.resolve()) or not path.is_file():
        return None
    return path


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
