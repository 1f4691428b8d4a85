"""Recovery after a crash: truncates open shards to their last intact frame and completes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipelines.corpus.durable_files import TEMPORARY, complete, cut, sync_directory
from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.frames import Survey, survey
from pipelines.corpus.layout import KINDS, OPEN, Layout
from pipelines.corpus.manifest import Manifest, manifest_of


@dataclass(frozen=True, slots=True)
class Recovered:
    """A shard that was recovered after a crash.

    file: its path relative to the corpus folder. documents: its number of lines.
    cut: bytes of a torn, never acknowledged frame that were cut off.
    """

    file: str
    documents: int
    cut: int


def recover(layout: Layout) -> tuple[Manifest, list[Recovered]]:
    """Complete this writer's open shards; returns its manifest and what was recovered.

    Only the writer itself may call this, before it writes. Raises ShardDamagedError for a shard
    with damage that a crash cannot cause, and CorpusError for a manifest that cannot be read.
    """
    manifest = manifest_of(layout)
    layout.manifest.with_name(layout.manifest.name + TEMPORARY).unlink(missing_ok=True)
    listed = {entry.file for entry in manifest.shards}
    recovered = []
    for kind in KINDS:
        for path in layout.shards(kind):
            if f"{kind}/{path.name}" not in listed:
                found = _complete(path) if path.name.endswith(OPEN) else _whole(path)
                recovered.append(_listed(manifest, kind, path, found))
    # A corpus needs a manifest even before its first document.
    if recovered or not layout.manifest.exists():
        manifest.save(layout.manifest)
    return manifest, recovered


def _listed(manifest: Manifest, kind: str, path: Path, found: tuple[Survey, int]) -> Recovered:
    whole, torn = found
    file = f"{kind}/{path.name.removesuffix(OPEN)}"
    if whole.documents:
        manifest.shards.append(whole.entry(file))
    return Recovered(file, whole.documents, torn)


def _complete(path: Path) -> tuple[Survey, int]:
    """Truncate an open shard and give it its final name; one without documents is removed."""
    whole = survey(path)
    torn = path.stat().st_size - whole.whole
    if whole.documents:
        cut(path, whole.whole)
        complete(path)
    else:
        path.unlink()
        sync_directory(path.parent)
    return whole, torn


def _whole(path: Path) -> tuple[Survey, int]:
    """A shard that had its final name when the crash came, but was not in the manifest yet."""
    whole = survey(path)
    check_whole(path, whole)
    return whole, 0


def check_whole(path: Path, whole: Survey) -> None:
    """Raises ShardDamagedError if a shard with its final name is torn: no crash causes that."""
    if whole.whole != path.stat().st_size:
        raise ShardDamagedError(
            f"{path} is damaged at byte {whole.whole:,}, though it was complete; "
            "check the disk, and move the file away to continue without it"
        )
