"""``corpus build``: corpora and a recipe in, a data set out.

All work is done in a folder beside the data set, ``NAME.partial``, which becomes it at the end. A
run that was killed goes on there; two runs cannot be there at once. The data set depends only on
the corpora and the recipe: not on the machine, the number of processes, or the clock.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from datatrove.data import Document, DocumentsPipeline

from corpus_commons.durable_files import TEMPORARY, make_folder, replace_file, sync_directory
from corpus_commons.file_lock import FileLock, LockedError
from pipelines.corpus.errors import CorpusError
from refinery.blocks import ShardReader
from refinery.dataset.account import Built, collect
from refinery.dataset.arrangement import (
    STATISTICS,
    Arrange,
    Split,
    Spread,
    validation_hosts,
)
from refinery.dataset.description import description
from refinery.dataset.dropped import DROPPED, gather
from refinery.dataset.errors import BuildError, RequestError
from refinery.dataset.layout import SUMMARY
from refinery.dataset.provenance import PROVENANCE, provenance
from refinery.dataset.schema import COUNTED, check
from refinery.dataset.stages import Workshop, stages_of
from refinery.executors import Place
from refinery.recipe import Recipe
from refinery.steps.personal_data import MaskPersonalData

_PARTIAL: Final = ".partial"

_WORK: Final = ".work"
_LOCK: Final = ".lock"
_SPREAD: Final = "spread"
# Compressed bytes of the documents of a file, which are sorted in memory.
_FILE_BYTES: Final = 64 * 1024 * 1024


def build(
    corpora: Sequence[Path],
    recipe: Recipe,
    out: Path,
    place: Place,
    *,
    keep_dropped: bool = False,
    all_versions: bool = False,
) -> Built:
    """Build a data set, or go on with it.

    keep_dropped: keep the whole text of dropped documents, not only its beginning.
    all_versions: of a page that was visited again; otherwise, only its latest state counts.
    Raises RequestError if ``out`` exists or cannot be made, its work was begun with other choices,
    or what is there is no such work, or nothing is left; BuildError if it cannot be written;
    CorpusError if a corpus is none, or is damaged.
    """
    if out.exists() or out.is_symlink():
        raise RequestError(f"{out} already exists; give a new folder")
    source = _Corpora(corpora)
    if not all_versions:
        source.read_current_state()
    shards = source.shards()
    if not shards:
        raise CorpusError(f"{', '.join(map(str, corpora))}: there are no documents")
    every = (*shards, *source.tombstones())
    made = provenance(recipe, every, keep_dropped=keep_dropped, all_versions=all_versions)
    partial = out.with_name(out.name + _PARTIAL)
    try:
        with _opened(partial, made):
            if not (partial / SUMMARY).exists():
                work = partial / _WORK
                masks = [step for step in recipe.steps if isinstance(step, MaskPersonalData)]
                workshop = Workshop(
                    work, source, len(shards), place, whole=keep_dropped, masks=masks
                )
                try:
                    _make(workshop, recipe, partial)
                except RequestError:
                    # What tells whose the rest is has to go last.
                    shutil.rmtree(work)
                    shutil.rmtree(partial)
                    raise
            built = Built.read(partial / SUMMARY)
            shutil.rmtree(partial / _WORK, ignore_errors=True)
            (partial / _LOCK).unlink(missing_ok=True)
            partial.rename(out)
        sync_directory(out.parent)
    except OSError as error:
        raise BuildError(
            f"cannot write {out}: {error}; run the same command again to go on from there"
        ) from error
    return built


class _Corpora(ShardReader):
    """Only what fits into the columns, and without what the steps count: corpora made of other data
    sets have counts of other texts.
    """

    def run(
        self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        for document in super().run(data, rank, world_size):
            for key in COUNTED:
                document.metadata.pop(key, None)
            check(document)
            yield document


def _make(workshop: Workshop, recipe: Recipe, partial: Path) -> None:
    """Make everything that belongs to the data set; its summary comes last."""
    stages = stages_of(recipe.steps)
    workshop.do_all(stages)
    last = len(stages) - 1
    hosts = workshop.accounts(last).hosts
    validation = validation_hosts(hosts, recipe.validation)
    files = _files(workshop.bytes(last), hosts, validation)
    spread = workshop.folder / _SPREAD
    blocks = (workshop.documents(last), Spread(spread, files, validation))
    workshop.run(_SPREAD, workshop.tasks, *blocks, what="parts to be split")
    arrange = Arrange(spread, partial, workshop.folder / STATISTICS, files, recipe.formats)
    workshop.run("arrange", sum(files.values()), arrange, what="files")
    gather(workshop.dropped, partial / DROPPED, recipe)
    built = collect(workshop, recipe, stages, partial / DROPPED)
    for name, content in description(built).items():
        replace_file(partial / name, content.encode())
    _sync(partial)
    built.write(partial / SUMMARY)


def _files(size: int, hosts: Counter[str], validation: Collection[str]) -> dict[Split, int]:
    """How many files each split has. size: bytes of the documents, compressed. hosts: numbers of
    these.
    """
    validated = -(-size * sum(hosts[host] for host in validation) // hosts.total())
    sizes: dict[Split, int] = {"train": size - validated, "validation": validated}
    return {split: -(-own // _FILE_BYTES) for split, own in sizes.items()}


@contextmanager
def _opened(partial: Path, made: bytes) -> Iterator[None]:
    """Hold the folder of the work. Raises RequestError if it cannot be made, is another folder, or
    its provenance is not this one, BuildError if it is in use.
    """
    try:
        make_folder(partial)
    except OSError as error:
        raise RequestError(f"{partial} cannot be made: {error.strerror}") from error
    names = {path.name for path in partial.iterdir()}
    if PROVENANCE not in names and not names <= {_LOCK, PROVENANCE + TEMPORARY}:
        raise RequestError(
            f"{partial} has files that no build has left; remove it, or give another name"
        )
    try:
        lock = FileLock(partial / _LOCK)
    except LockedError:
        raise BuildError(f"another process works in {partial}; wait for it to end") from None
    with lock:
        path = partial / PROVENANCE
        if path.exists() and path.read_bytes() != made:
            raise RequestError(
                f"{partial} was begun with another recipe, file of it, corpus or version; remove "
                "it, or give another name"
            )
        replace_file(path, made)
        yield


def _sync(folder: Path) -> None:
    """Make all files of the data set durable."""
    for path in sorted(folder.rglob("*")):
        if _WORK in path.parts:
            continue
        if path.is_dir():
            sync_directory(path)
        else:
            with path.open("rb") as file:
                os.fsync(file.fileno())
