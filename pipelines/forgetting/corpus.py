"""Removes documents from a corpus folder, whatever they have left there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from crawler.discovery.block_list import BlockList, host_digest
from crawler.exit_codes import StorageError
from pipelines.corpus.errors import CorpusError, CorpusInUseError, DamagedError
from pipelines.corpus.folder import Shard, parsed, shards, unlisted_files
from pipelines.corpus.frames import frame, survey
from pipelines.corpus.held_page import unpacked
from pipelines.corpus.layout import (
    CORPUS,
    FORGOTTEN,
    HELD,
    SCREENSHOTS,
    STATE,
    WARC,
    WARC_SUFFIX,
    Layout,
    writers,
)
from pipelines.corpus.locks import hold_lock
from pipelines.corpus.manifest import Manifest, ShardEntry, load_manifests
from pipelines.corpus.merge import in_frames
from pipelines.corpus.recovery import recover
from pipelines.corpus.warc import recover as recover_warc
from pipelines.filters.duplicate_text import TEXTS
from pipelines.forgetting.archives import without
from pipelines.forgetting.record import Record
from pipelines.forgetting.reports import report_files, without_pages
from pipelines.forgetting.staging import Staging, finish
from pipelines.forgetting.wanted import Wanted, is_id


def forget(folder: Path, wanted: Wanted, record: Record) -> bool:
    """Remove documents from a corpus, and block them in its job; a kill leaves all or none.

    Returns whether a removal that was killed had to be finished first. Raises CorpusInUseError if
    one of its workers is running, and CorpusError.
    """
    with _locked(folder):
        try:
            was_cut = finish(folder)
            if folder.name == CORPUS:
                BlockList.add(folder.parent, wanted.ids, map(host_digest, wanted.hosts))
            for name in writers(folder):
                recover(Layout(folder, name))
                recover_warc(Layout(folder, name))
            _Removal(folder, wanted, record).run()
        except OSError as error:
            raise CorpusError(
                f"cannot remove documents from {folder}: {error}; run the same command again"
            ) from error
        except StorageError as error:
            raise DamagedError(str(error)) from error
        except sqlite3.Error as error:
            raise DamagedError(f"{folder / STATE} cannot be read: {error}") from error
    return was_cut


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the locks of all workers, so that none starts meanwhile."""
    names = writers(folder)
    if not names:
        # Says what is wrong.
        shards(folder)
    with ExitStack() as held:
        for name in names:
            try:
                held.enter_context(hold_lock(Layout(folder, name)))
            except CorpusInUseError:
                raise CorpusInUseError(
                    f"the worker {name!r} of {folder} is running; stop its crawl first"
                ) from None
        yield


class _Removal:
    """One removal from one folder.

    ids, urls: of the wanted documents that were found, for what is stored beside the shards.
    """

    def __init__(self, folder: Path, wanted: Wanted, record: Record) -> None:
        self._folder, self._wanted, self._record = folder, wanted, record
        self._staging = Staging(folder)
        self._ids = set(wanted.ids)
        self._urls: set[str] = set()

    def run(self) -> None:
        listed = shards(self._folder)
        for _, path in unlisted_files(self._folder, {shard.path for shard in listed}):
            raise CorpusError(f"{path} is in no manifest; move it away first")
        entries = {shard.entry.file: self._shard(shard) for shard in listed}
        for manifest in load_manifests(self._folder):
            changed = [entries[entry.file] for entry in manifest.shards]
            if changed != manifest.shards:
                path = Layout(self._folder, manifest.writer).manifest
                Manifest(manifest.writer, changed).save(self._staging.replacement(path))
        for state in sorted((self._folder / STATE).glob("*")):
            self._held(state / HELD)
        for state in sorted((self._folder / STATE).glob("*")):
            self._texts(state / TEXTS)
        for path in sorted((self._folder / WARC).glob(f"*{WARC_SUFFIX}")):
            self._warc(path)
        self._screenshots()
        if self._folder.name == CORPUS:
            self._reports()
        if self._record.counts:
            log = self._folder / FORGOTTEN
            self._record.write(self._folder, self._staging.replacement(log))
        self._staging.commit()

    def _shard(self, shard: Shard) -> ShardEntry:
        """The entry of a shard without the wanted documents."""
        entry = shard.entry
        if not shard.path.exists():
            self._record.notes.append(
                f"{shard.path} was moved away: forget the pages where it is now, too"
            )
            return entry
        shard.check_file()
        found = [self._is_noted(shard.kind, document) for document in shard.documents()]
        if not any(found):
            return entry
        kept = (line for line, is_gone in zip(shard.lines(), found, strict=True) if not is_gone)
        target = self._staging.replacement(shard.path)
        _write(kept, target)
        return survey(target).entry(entry.file)

    def _is_noted(self, kind: str, document: dict[str, Any]) -> bool:
        """Whether a document is wanted; if so, it is recorded."""
        if not self._wanted.has_document(document):
            return False
        if is_id(document["id"]):
            self._ids.add(document["id"])
        urls = (document["metadata"].get(key) for key in ("url", "requested_url"))
        self._urls.update(url for url in urls if isinstance(url, str))
        self._record.add_document(kind, document)
        return True

    def _held(self, path: Path) -> None:
        if not path.exists():
            return
        with closing(sqlite3.connect(path)) as db:
            if not _has_table(db, "pages"):
                return
            rows = db.execute("SELECT document FROM pages")
            gone = [
                document["id"]
                for (content,) in rows
                if self._is_noted("held", document := parsed(unpacked(content)))
            ]
        self._replace(path, "DELETE FROM pages WHERE id = ?", gone)

    def _texts(self, path: Path) -> None:
        """Remove what the filter of duplicates remembers, so that a copy elsewhere is none."""
        if path.exists():
            ids = [bytes.fromhex(name) for name in sorted(self._ids)]
            self._replace(path, "DELETE FROM first_documents WHERE id = ?", ids)

    def _replace(self, path: Path, statement: str, values: Sequence[object]) -> None:
        """Have an SQLite file replaced by a copy from which rows are deleted, if there are any."""
        if not values:
            return
        target = self._staging.replacement(path)
        with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(target)) as copy:
            # What is in the log goes into the file; the log itself is removed with the rows.
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.backup(copy)
            copy.executemany(statement, [(value,) for value in values])
            copy.commit()
            copy.execute("VACUUM")
            copy.execute("PRAGMA journal_mode = DELETE")
        for end in ("-wal", "-shm"):
            self._staging.remove(path.with_name(path.name + end))

    def _warc(self, path: Path) -> None:
        def is_wanted(url: str) -> bool:
            return url in self._urls or self._wanted.has_url(url)

        for url in without(path, is_wanted, lambda: self._staging.replacement(path)):
            self._record.add_url("warc", url)

    def _screenshots(self) -> None:
        for name in sorted(self._ids):
            for path in sorted((self._folder / SCREENSHOTS / name[:2]).glob(f"{name}*.jpg")):
                self._staging.remove(path)
                self._record.add_file("screenshots", name)

    def _reports(self) -> None:
        """Remove the pages from the samples that the job's reports show."""
        for path in report_files(self._folder.parent):
            page, removed = without_pages(path.read_text(encoding="utf-8"), self._ids)
            if removed:
                self._staging.replacement(path).write_text(page, encoding="utf-8")
            for name in removed:
                self._record.add_file("reports", name)


def _has_table(db: sqlite3.Connection, name: str) -> bool:
    found = db.execute("SELECT count(*) FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
    return bool(found[0])


def _write(lines: Iterator[bytes], path: Path) -> None:
    """Write a shard; one without lines is an empty frame, so that its number is not used again."""
    with path.open("wb") as file:
        for some in in_frames(lines):
            file.write(frame(line.json for line in some))
        if not file.tell():
            file.write(frame([]))
