"""Shards that no manifest lists: they are still being written, or their writer was killed.

They are only read, never changed, because it is not always possible to tell the two apart.
"""

from __future__ import annotations

import fcntl
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.corpus.folder import Shard
from pipelines.corpus.frames import survey
from pipelines.corpus.layout import KINDS, OPEN, SUFFIX, Kind, Layout
from pipelines.corpus.recovery import check_whole


@dataclass(slots=True)
class Unlisted:
    """The shards of a corpus folder that no manifest lists.

    left: shards of writers that are gone, up to their last intact frame.
    in_work: files that a running writer has open.
    """

    left: list[Shard] = field(default_factory=list)
    in_work: list[Path] = field(default_factory=list)


def unlisted(folder: Path, listed: Collection[Path]) -> Unlisted:
    """Find shards in ``folder`` that are not in ``listed``.

    Raises ShardDamagedError for a shard with damage that a crash cannot cause.
    """
    found = Unlisted()
    for kind, path in unlisted_files(folder, listed):
        if _is_written(folder, path):
            found.in_work.append(path)
        else:
            shard = _surveyed(path, kind)
            if shard.entry.documents:
                found.left.append(shard)
    return found


def unlisted_files(folder: Path, listed: Collection[Path]) -> Iterator[tuple[Kind, Path]]:
    """Files with the name of a shard, open or complete, documents first."""
    for kind in KINDS:
        for path in sorted((folder / kind).glob("*")):
            if path.name.removesuffix(OPEN).endswith(SUFFIX) and path not in listed:
                yield kind, path


def _surveyed(path: Path, kind: Kind) -> Shard:
    whole = survey(path)
    if not path.name.endswith(OPEN):
        check_whole(path, whole)
    return Shard(path, whole.entry(f"{kind}/{path.name}"), kind, is_listed=False)


def _is_written(folder: Path, path: Path) -> bool:
    """Whether the writer of the shard holds its lock."""
    writer = path.name.removesuffix(OPEN).removesuffix(SUFFIX).rpartition("-")[0]
    try:
        with Layout(folder, writer).lock.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (OSError, ValueError):
        # There is no lock file, as in a copied folder, or the name is not a valid writer name.
        return False
    return False
