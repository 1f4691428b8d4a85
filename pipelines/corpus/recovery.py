"""Recovery after a crash: truncates open shards to their last intact frame and completes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corpus_commons.durable_files import TEMPORARY, salvage
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
            file = f"{kind}/{path.name.removesuffix(OPEN)}"
            if f"{kind}/{path.name}" not in listed:
                found, torn = _completed(path)
                recovered.append(Recovered(file, found.documents, torn))
                if found.documents:
                    manifest.shards.append(found.entry(file))
    # A corpus needs a manifest even before its first document.
    if recovered or not layout.manifest.exists():
        manifest.save(layout.manifest)
    return manifest, recovered


def _completed(path: Path) -> tuple[Survey, int]:
    """The content of a shard that is not listed, and the number of bytes that were cut off.

    An open shard is completed, or removed if it has no documents. One that already had its final
    name when the crash came is left as it is.
    """
    found = survey(path)
    if not path.name.endswith(OPEN):
        check_whole(path, found)
        return found, 0
    torn = path.stat().st_size - found.whole
    salvage(path, found.whole if found.documents else 0)
    return found, torn


def check_whole(path: Path, whole: Survey) -> None:
    """Raises ShardDamagedError if a shard with its final name is torn: no crash causes that."""
    if whole.whole != path.stat().st_size:
        raise ShardDamagedError(
            f"{path} is damaged at byte {whole.whole:,}, though it was complete; "
            "check the disk, and move the file away to continue without it"
        )
