"""Pages that were taken down and must not come back: a file in the job's folder.

It has no URLs, only digests of them: ids of documents, and digests of hosts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

import orjson

from corpus_commons.durable_files import make_folder, replace_file
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
    """ids: of documents. hosts: their digests."""

    ids: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()

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
            frozenset(value for kind, value in entries if kind == "id"),
            frozenset(value for kind, value in entries if kind == "host"),
        )

    def blocks(self, *urls: str) -> bool:
        """Whether one of these URLs is on the list, or its host."""
        if not self.ids and not self.hosts:
            return False
        return any(
            document_id(url) in self.ids or host_digest(host_if_any(url)) in self.hosts
            for url in urls
        )

    def add(self, folder: Path, ids: Iterable[str], hosts: Iterable[str]) -> None:
        """Write the list with more ids and digests of hosts, atomically. Raises OSError."""
        entries = [
            *({"id": one} for one in sorted(self.ids.union(ids))),
            *({"host": one} for one in sorted(self.hosts.union(hosts))),
        ]
        make_folder(folder)
        lines = b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in entries)
        replace_file(folder / BLOCK_LIST, lines)


def _entry(line: bytes) -> tuple[str, str]:
    match orjson.loads(line):
        case {"id": str(value)}:
            return "id", value
        case {"host": str(value)}:
            return "host", value
    raise ValueError('must be {"id": …} or {"host": …}')
