"""``extract-warc``: archives to a corpus, one part of it for each archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from corpus_commons.durable_files import make_folder, replace_file
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import STATE, Layout
from pipelines.corpus.manifest import load_manifest
from refinery.blocks import JobFilter, PageExtractor, ShardWriter, WarcReader
from refinery.executors import Outcome, Place, run
from refinery.warc.addresses import part_name
from settings.tables.extraction import Extraction
from settings.tables.filters import Filters
from settings.tables.genres import Genres
from settings.values import Table

_STATE: Final = "extract-warc"


class Choices(Table):
    """What becomes of a page: the tables of a job file."""

    genres: Genres = Genres()
    extraction: Extraction = Extraction()
    filters: Filters = Filters()


@dataclass(frozen=True, slots=True)
class Extracted:
    """The outcome of a run, and how many lines the corpus has now of all the archives."""

    outcome: Outcome
    documents: int = 0
    rejects: int = 0


def extract(addresses: Sequence[str], out: Path, choices: Choices, place: Place) -> Extracted:
    """Extract the archives that are not in the corpus ``out`` yet.

    Raises CorpusError if the corpus cannot be written, or was begun with other choices.
    """
    state = out / STATE / _STATE
    _agree(state, choices)
    parts = {address: part_name(address) for address in addresses}
    left = [one for one in addresses if not Layout(out, parts[one]).manifest.exists()]
    outcome = Outcome(0, 0)
    if left:
        steps = [
            WarcReader(left, keep_rejects=True),
            PageExtractor(choices.genres, choices.extraction, keep_rejects=True),
            JobFilter(choices.filters, keep_rejects=True),
            ShardWriter(out, [parts[one] for one in left]),
        ]
        logs = state / blake2b("\n".join(left).encode(), digest_size=8).hexdigest()
        outcome = run(steps, len(left), logs, place, what="archives", resume=False)
    counts = Counter[str]()
    for part in parts.values():
        manifest = Layout(out, part).manifest
        if manifest.exists():
            for entry in load_manifest(manifest).shards:
                counts[entry.kind] += entry.documents
    return Extracted(outcome, counts["documents"], counts["rejects"])


def _agree(state: Path, choices: Choices) -> None:
    """Remember the choices with which a corpus is begun, and refuse others."""
    path = state / "choices.json"
    try:
        content = choices.model_dump_json().encode()
        if path.exists() and path.read_bytes() != content:
            raise CorpusError(
                f"{state.parents[1]} was begun with other genres, extraction or filters "
                f"({path}); give the same job file, or a new folder"
            )
        make_folder(state)
        replace_file(path, content)
    except OSError as error:
        raise CorpusError(f"cannot write {state}: {error}") from error
