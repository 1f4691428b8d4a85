"""The journal: every label as it was saved, in a file that is only ever appended to.

Each line is on disk before the browser hears that it is saved. The latest label of a person counts.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from io import FileIO
from pathlib import Path
from threading import Lock
from typing import Final, Self

import orjson

from annotate.labels import Label
from corpus_commons.durable_files import sync_directory
from corpus_commons.file_lock import FileLock, LockedError
from corpus_commons.line_files import read_records

_SUFFIX: Final = ".journal"


class JournalError(ValueError):
    """The journal cannot be used; the message says why."""


class Journal:
    """The labels of all people, by page and person. Safe to share between threads.

    A torn last line, which was never confirmed, is cut off.
    Raises JournalError if another process writes to it, or if it is not a journal.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        is_new = not path.exists()
        try:
            self._held = FileLock(path)
        except LockedError:
            raise JournalError(f"{path} is in use by another process: label there") from None
        self._lock = Lock()
        self._labels: dict[str, dict[str, Label]] = {}
        try:
            if is_new:
                sync_directory(path.parent)
            self._file = self._opened()
        except BaseException:
            self._held.release()
            raise

    @classmethod
    def beside(cls, out: Path) -> Self:
        """The journal of a data set.

        Raises JournalError if there is a file ``out`` that was not made from one.
        """
        path = out.with_name(out.name + _SUFFIX)
        if out.exists() and not path.exists():
            raise JournalError(
                f"{out} exists and was not made here (there is no {path.name}): choose another file"
            )
        return cls(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._held.release()

    def save(self, label: Label) -> None:
        """Append the label; it is on disk afterwards. Raises OSError if it cannot be written."""
        line = orjson.dumps(asdict(label), default=list, option=orjson.OPT_APPEND_NEWLINE)
        with self._lock:
            end = self._file.seek(0, os.SEEK_END)
            try:
                if self._file.write(line) < len(line):
                    raise OSError(f"{self.path} cannot grow: is the disk full?")
                os.fsync(self._file.fileno())
            except OSError:
                self._file.truncate(end)
                raise
            self._take(label)

    def of_page(self, page: str) -> dict[str, Label]:
        """The labels of a page by person, the latest last."""
        with self._lock:
            return dict(self._labels.get(page, {}))

    def pages(self) -> list[str]:
        """The ids of all pages with a label."""
        with self._lock:
            return list(self._labels)

    def people(self) -> list[str]:
        """Everybody who has labelled anything, by name."""
        with self._lock:
            return sorted({person for labels in self._labels.values() for person in labels})

    def _opened(self) -> FileIO:
        self._cut_torn_line()
        try:
            for label in read_records(self.path, _parsed):
                self._take(label)
        except ValueError as error:
            raise JournalError(str(error)) from error
        return self.path.open("ab", buffering=0)

    def _take(self, label: Label) -> None:
        labels = self._labels.setdefault(label.page, {})
        labels.pop(label.by, None)
        labels[label.by] = label

    def _cut_torn_line(self) -> None:
        with self.path.open("r+b") as file:
            end = size = file.seek(0, os.SEEK_END)
            while end:
                start = max(0, end - 65536)
                file.seek(start)
                newline = file.read(end - start).rfind(b"\n")
                if newline >= 0:
                    end = start + newline + 1
                    break
                end = start
            if end < size:
                file.truncate(end)
                os.fsync(file.fileno())


def _parsed(line: bytes) -> Label:
    record = orjson.loads(line)
    if not isinstance(record, dict):
        raise ValueError("not a label")
    return Label.from_fields(record)
