"""Shards that no manifest lists: their writer still works at them, or was killed before it did.

They are read, and left as they are: whether a writer lives is not always to be seen from here.
"""

from __future__ import annotations

import fcntl
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.corpus_folder import Shard
from pipelines.frames import survey
from pipelines.layout import KINDS, OPEN, SUFFIX, Kind, Layout
from pipelines.recovery import check_whole


@dataclass(slots=True)
class Unlisted:
    """What no manifest of a corpus folder lists.

    left: shards of writers that are gone, as far as their frames are whole.
    in_work: files that a writer has its hands on.
    """

    left: list[Shard] = field(default_factory=list)
    in_work: list[Path] = field(default_factory=list)


def unlisted(folder: Path, listed: Collection[Path]) -> Unlisted:
    """Look for shards in ``folder`` beside those listed.

    Raises ShardDamagedError for one that is broken as no crash breaks it.
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
    """Files that are shards by their name, open or complete, documents first."""
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
        # No lock, as in a copy, or no name of a writer.
        return False
    return False
