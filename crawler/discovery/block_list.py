"""Pages that were taken down and must not come back: a file in the job's folder.

It has no URLs, only digests of them: ids of documents, and digests of hosts. Of what was unblocked
it has the time: documents from before it were removed, though the frontier remembers their visits.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

import orjson

from corpus_commons.durable_files import make_folder, replace_file
from corpus_commons.file_lock import FileLock
from corpus_commons.line_files import read_records
from crawler.exit_codes import StorageError
from crawler.items import document_id
from crawler.urls import host_if_any

BLOCK_LIST: Final = "blocked.jsonl"


def host_digest(host: str) -> str:
    """128 bits, in hexadecimal."""
    return blake2b(host.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class BlockList:
    """ids: of documents. hosts: their digests. freed: when digests were taken off, since 1970."""

    ids: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    freed: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The list of a job's folder; empty if it has none. Raises StorageError."""
        path = folder / BLOCK_LIST
        if not path.exists():
            return cls()
        try:
            entries = list(read_records(path, _entry))
        except (OSError, ValueError) as error:
            raise StorageError(
                f"the block list cannot be read, so nothing is fetched: {error}"
            ) from error
        return cls(
            frozenset(value for kind, value, _ in entries if kind == "id"),
            frozenset(value for kind, value, _ in entries if kind == "host"),
            {value: at for kind, value, at in entries if kind == "freed"},
        )

    def blocks(self, *urls: str) -> bool:
        """Whether one of these URLs is on the list, or its host."""
        if not self.ids and not self.hosts:
            return False
        return any(
            document_id(url) in self.ids or self.blocks_host(host_if_any(url)) for url in urls
        )

    def blocks_host(self, host: str) -> bool:
        return host_digest(host) in self.hosts

    def freed_at(self, url: str) -> int:
        """When it or its host was last taken off the list, in seconds since 1970; 0 if never."""
        if not self.freed:
            return 0
        digests = document_id(url), host_digest(host_if_any(url))
        return max(self.freed.get(digest, 0) for digest in digests)

    @classmethod
    def add(cls, folder: Path, ids: Iterable[str], hosts: Iterable[str]) -> None:
        """Put ids and digests of hosts on the list, atomically. Raises OSError, StorageError."""
        make_folder(folder)
        with _changing(folder):
            old = cls.read(folder)
            _write(folder, cls(old.ids.union(ids), old.hosts.union(hosts), old.freed))

    @classmethod
    def remove(cls, folder: Path, digests: Iterable[str]) -> int:
        """Take ids and digests of hosts off the list, as ``add``; returns how many were on it."""
        with _changing(folder):
            old = cls.read(folder)
            gone = old.digests.intersection(digests)
            freed = {**old.freed, **dict.fromkeys(gone, int(time.time()))}
            _write(folder, cls(old.ids - gone, old.hosts - gone, freed))
        return len(gone)

    @property
    def digests(self) -> frozenset[str]:
        """Of the hosts, and the ids, which are digests, too."""
        return self.ids | self.hosts


def _changing(folder: Path) -> FileLock:
    """One process at a time reads the list and replaces it, or an entry could get lost."""
    return FileLock(folder / BLOCK_LIST, wait=True)


def _write(folder: Path, new: BlockList) -> None:
    freed = [{"freed": one, "at": at} for one, at in sorted(new.freed.items())]
    blocked = [
        *({"id": one} for one in sorted(new.ids)),
        *({"host": one} for one in sorted(new.hosts)),
    ]
    entries = (*blocked, *freed)
    lines = b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in entries)
    replace_file(folder / BLOCK_LIST, lines)


def _entry(line: bytes) -> tuple[str, str, int]:
    match orjson.loads(line):
        case {"id": str(value)}:
            return "id", value, 0
        case {"host": str(value)}:
            return "host", value, 0
        case {"freed": str(value), "at": int(at)}:
            return "freed", value, at
    raise ValueError('must be {"id": …}, {"host": …} or {"freed": …, "at": …}')
