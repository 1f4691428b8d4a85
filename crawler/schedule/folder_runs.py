"""The runs of a job whose frontier is embedded: files and a lock in the job's folder.

``runs.json`` is written by who may run the job; ``paused`` and ``asked``, which are empty, come and
go by commands.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from corpus_commons.durable_files import make_folder, replace_file, sync_directory
from corpus_commons.file_lock import FileLock, LockedError, is_held
from crawler.frontier.errors import FrontierError
from crawler.frontier.sqlite.file import LOCK_NAME
from crawler.schedule.runs import Record, Runs, State

FOLDER: Final = "schedule"
_RECORD: Final = "runs.json"
_PAUSED: Final = "paused"
_ASKED: Final = "asked"
_LOCK: Final = "run.lock"


class FolderRuns(Runs):
    """job_folder: where the frontier is."""

    def __init__(self, job_folder: Path) -> None:
        self._job_folder = job_folder
        self._folder = job_folder / FOLDER
        self._lock: FileLock | None = None

    async def look(self) -> State:
        paused, asked = ((self._folder / name).exists() for name in (_PAUSED, _ASKED))
        return State(self._record(), paused, asked, time.time())

    async def pause(self, *, paused: bool) -> None:
        if paused:
            self._put(_PAUSED)
        else:
            self._remove(_PAUSED)

    async def ask(self) -> None:
        self._put(_ASKED)

    async def take_request(self) -> bool:
        return self._remove(_ASKED)

    async def claim(self) -> bool:
        """Also False while a crawl that no scheduler has started works in the folder."""
        if self._lock is not None:
            return True
        make_folder(self._folder)
        try:
            self._lock = FileLock(self._folder / _LOCK)
        except LockedError:
            return False
        if is_held(self._job_folder / LOCK_NAME):
            await self.release()
        return self._lock is not None

    async def is_claimed(self) -> bool:
        return is_held(self._folder / _LOCK) or is_held(self._job_folder / LOCK_NAME)

    async def write(self, record: Record) -> None:
        if self._lock is not None:
            replace_file(self._folder / _RECORD, record.text())

    async def release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def hurry(self) -> None:
        """Nothing here takes time."""

    def _record(self) -> Record:
        path = self._folder / _RECORD
        try:
            return Record.read(path.read_bytes())
        except FileNotFoundError:
            return Record()
        except ValueError as error:
            raise FrontierError(
                f"{path} is damaged ({error}); remove it, and the schedule begins anew"
            ) from error

    def _put(self, name: str) -> None:
        make_folder(self._folder)
        (self._folder / name).touch()
        sync_directory(self._folder)

    def _remove(self, name: str) -> bool:
        try:
            (self._folder / name).unlink()
        except FileNotFoundError:
            return False
        sync_directory(self._folder)
        return True
