"""A disk as a power cut leaves it: it has what it was told to sync, and nothing else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left at one moment: contents of files, and what is in folders, by inode.

    acknowledged: what was promised to be safe by then.
    """

    root: int
    files: dict[int, bytes]
    folders: dict[int, dict[str, int]]
    acknowledged: tuple[str, ...]

    def restore(self, target: Path) -> Path:
        """Write to ``target`` what is left of the root."""
        self._restore(self.root, target)
        return target

    def _restore(self, inode: int, target: Path) -> None:
        if inode not in self.folders:
            # Its name is there; of its content nothing need be.
            target.write_bytes(self.files.get(inode, b""))
            return
        target.mkdir()
        for name, inner in self.folders[inode].items():
            self._restore(inner, target / name)


@dataclass
class Disk:
    """Watches ``os.fsync``; ``cuts`` are the moments at which the power could have failed."""

    root: Path
    acknowledged: list[str] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    _files: dict[int, bytes] = field(default_factory=dict)
    _folders: dict[int, dict[str, int]] = field(default_factory=dict)

    @contextmanager
    def watched(self) -> Iterator[None]:
        fsync = os.fsync

        def watching(descriptor: int) -> None:
            fsync(descriptor)
            self._sync(descriptor)

        self._sync_folder(self.root)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", watching)
            yield

    def sync_all(self) -> None:
        """Take all that is there for synced."""
        for path in (self.root, *self.root.rglob("*")):
            descriptor = os.open(path, os.O_RDONLY)
            self._sync(descriptor)
            os.close(descriptor)
        self.cuts.clear()

    def acknowledge(self, names: list[str]) -> None:
        self.acknowledged += names
        self._cut()

    def _sync(self, descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").resolve()
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            self._sync_folder(path)
        else:
            self._files[status.st_ino] = path.read_bytes()
        self._cut()

    def _sync_folder(self, path: Path) -> None:
        inside = list(os.scandir(path))
        self._folders[path.stat().st_ino] = {entry.name: entry.inode() for entry in inside}
        for entry in inside:
            if entry.is_dir():
                self._folders.setdefault(entry.inode(), {})

    def _cut(self) -> None:
        root, promised = self.root.stat().st_ino, tuple(self.acknowledged)
        self.cuts.append(Cut(root, dict(self._files), dict(self._folders), promised))
