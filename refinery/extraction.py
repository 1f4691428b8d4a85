"""``extract-warc``: archives to a corpus, one part of it for each archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from corpus_commons.durable_files import make_folder, replace_file
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import STATE, Layout, writers
from pipelines.corpus.manifest import load_manifest
from refinery.blocks import (
    JobFilter,
    PageExtractor,
    ShardWriter,
    SiteJoiner,
    SiteLearner,
    WarcReader,
)
from refinery.executors import Outcome, Place, run
from refinery.warc.addresses import part_name
from refinery.warc.site_marks import files_for
from settings.tables.consent import Consent
from settings.tables.extraction import Extraction
from settings.tables.filters import Filters
from settings.tables.genres import Genres
from settings.values import Table

_STATE: Final = "extract-warc"
_SITES: Final = "sites"


class Choices(Table):
    """What becomes of a page: the tables of a job file.

    Without a job each page is read alone: what its site shares takes a second reading.
    """

    genres: Genres = Genres()
    extraction: Extraction = Extraction(site_memory=False)
    filters: Filters = Filters()
    consent: Consent = Consent()


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
    _agree(out, choices)
    parts = {address: part_name(address) for address in addresses}
    left = [one for one in addresses if not Layout(out, parts[one]).manifest.exists()]
    outcome = Outcome(0, 0)
    if left:
        logs = state / blake2b("\n".join(left).encode(), digest_size=8).hexdigest()
        sites: list[Path] = []
        if choices.extraction.site_memory:
            outcome, sites = _learn(parts, state / _SITES, logs, choices, place)
        if not outcome.is_submitted:
            steps = [
                WarcReader(left, keep_rejects=True),
                PageExtractor(
                    choices.genres,
                    choices.extraction,
                    choices.consent,
                    sites=sites,
                    keep_rejects=True,
                ),
                JobFilter(choices.filters, keep_rejects=True),
                ShardWriter(out, [parts[one] for one in left]),
            ]
            outcome = run(steps, len(left), logs, place, what="archives", resume=False)
            if outcome.done == outcome.tasks:
                for file in sites:
                    file.unlink()
    counts = Counter[str]()
    for part in parts.values():
        manifest = Layout(out, part).manifest
        if manifest.exists():
            for entry in load_manifest(manifest).shards:
                counts[entry.kind] += entry.documents
    return Extracted(outcome, counts["documents"], counts["rejects"])


def _learn(
    parts: Mapping[str, str], folder: Path, logs: Path, choices: Choices, place: Place
) -> tuple[Outcome, list[Path]]:
    """Learn what the pages of each site have in common, in all archives that are given.

    Returns the files for ``PageExtractor``. Archives that cannot be read are left out. With Slurm,
    each step is submitted by itself.
    """
    learned = {address: folder / f"{part}.marks" for address, part in parts.items()}
    unknown = [address for address, file in learned.items() if not file.exists()]
    if unknown:
        files = [learned[one] for one in unknown]
        steps = [WarcReader(unknown), SiteLearner(files, choices.genres)]
        outcome = run(steps, len(unknown), logs / "learn", place, what="sites of archives")
        if outcome.is_submitted:
            return outcome, []
    joined = [logs / f"{number:05d}.joined" for number in range(files_for(len(parts)))]
    if not all(map(Path.exists, joined)):
        join = [SiteJoiner([*learned.values()], joined)]
        outcome = run(join, len(joined), logs / "join", place, what="files of sites", resume=False)
        if outcome.is_submitted:
            return outcome, []
    return Outcome(0, 0), joined


def _agree(out: Path, choices: Choices) -> None:
    """Remember the choices with which a corpus is begun, and refuse others, and other corpora."""
    state = out / STATE / _STATE
    path = state / "choices.json"
    try:
        content = choices.model_dump_json().encode()
        begun = path.read_bytes() if path.exists() else None
        if begun is None and writers(out):
            raise CorpusError(
                f"{out} is the corpus of something else, such as a crawl; name another"
            )
        if begun not in (None, content):
            raise CorpusError(
                f"{out} was begun with other genres, extraction, filters or consent ({path}); give "
                "the same job file, or a new folder"
            )
        make_folder(state)
        replace_file(path, content)
    except OSError as error:
        raise CorpusError(f"cannot write {state}: {error}") from error
