"""``extract-warc``: archives to a corpus, one part of it for each archive."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
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
from refinery.warc.archive_report import ArchiveReport
from refinery.warc.site_marks import files_for
from settings.tables.consent import Consent
from settings.tables.extraction import Extraction
from settings.tables.filters import Filters
from settings.tables.genres import Genres
from settings.values import Table

_STATE: Final = "extract-warc"
_SITES, _REPORTS = "sites", "reports"


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
    """The outcome of a run, and what the corpus has now of all the archives.

    documents, rejects: numbers of lines. passed_over: responses that are no pages, by why.
    problems: what is wrong with archives, by their addresses.
    """

    outcome: Outcome
    documents: int
    rejects: int
    passed_over: Counter[str]
    problems: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a corpus that an archive becomes, by its name."""

    out: Path
    name: str

    @property
    def manifest(self) -> Path:
        """It is there when all of the part is."""
        return Layout(self.out, self.name).manifest

    @property
    def report(self) -> Path:
        """What was found in the archive."""
        return self.out / STATE / _STATE / _REPORTS / f"{self.name}.json"

    @property
    def marks(self) -> Path:
        """What its pages have in common with others of their sites."""
        return self.out / STATE / _STATE / _SITES / f"{self.name}.marks"

    def forget_other_than(self, size: int | None) -> None:
        """Forget that the archive was read if it had another size then. Raises CorpusError."""
        try:
            report = ArchiveReport.read(self.report)
            if report is not None and size not in (None, report.size):
                for path in (self.manifest, self.marks, self.report):
                    path.unlink(missing_ok=True)
        except OSError as error:
            raise CorpusError(f"cannot begin {self.manifest} anew: {error}") from error


def extract(
    sizes: Mapping[str, int | None], out: Path, choices: Choices, place: Place
) -> Extracted:
    """Extract the archives that are not in the corpus ``out`` yet, or had another size then.

    sizes: in bytes, by the archives' addresses; None if it is not known.
    Raises CorpusError if the corpus cannot be written, or was begun with other choices.
    """
    state = out / STATE / _STATE
    _agree(out, choices)
    parts = {address: _Part(out, part_name(address)) for address in sizes}
    for address, size in sizes.items():
        parts[address].forget_other_than(size)
    left = [one for one in sizes if not parts[one].manifest.exists()]
    outcome = Outcome(0, 0)
    if left:
        named = "\n".join(f"{one} {sizes[one]}" for one in left)
        logs = state / blake2b(os.fsencode(named), digest_size=8).hexdigest()
        sites: list[Path] = []
        if choices.extraction.site_memory:
            outcome, sites = _learn(parts, logs, choices, place)
        if not outcome.is_submitted:
            steps = [
                WarcReader(left, keep_rejects=True, reports=[parts[one].report for one in left]),
                PageExtractor(
                    choices.genres,
                    choices.extraction,
                    choices.consent,
                    sites=sites,
                    keep_rejects=True,
                ),
                JobFilter(choices.filters, keep_rejects=True),
                ShardWriter(out, [parts[one].name for one in left]),
            ]
            outcome = run(steps, len(left), logs, place, what="archives", resume=False)
            if outcome.done == outcome.tasks:
                for file in sites:
                    file.unlink()
    return _extracted(outcome, parts)


def _extracted(outcome: Outcome, parts: Mapping[str, _Part]) -> Extracted:
    counts, passed_over, problems = Counter[str](), Counter[str](), {}
    for address, part in parts.items():
        if not part.manifest.exists():
            continue
        for entry in load_manifest(part.manifest).shards:
            counts[entry.kind] += entry.documents
        if report := ArchiveReport.read(part.report):
            passed_over += report.passed_over
            if report.problem:
                problems[address] = report.problem
    return Extracted(outcome, counts["documents"], counts["rejects"], passed_over, problems)


def _learn(
    parts: Mapping[str, _Part], logs: Path, choices: Choices, place: Place
) -> tuple[Outcome, list[Path]]:
    """Learn what the pages of each site have in common, in all archives that are given.

    Returns the files for ``PageExtractor``. Archives that cannot be read are left out. With Slurm,
    each step is submitted by itself.
    """
    unknown = [address for address, part in parts.items() if not part.marks.exists()]
    if unknown:
        files = [parts[one].marks for one in unknown]
        # By a report, marks are forgotten if the archive changes before it is extracted.
        reports = [parts[one].report for one in unknown]
        steps = [WarcReader(unknown, reports=reports), SiteLearner(files, choices.genres)]
        what = "sites of archives"
        outcome = run(steps, len(unknown), logs / "learn", place, what=what, resume=False)
        if outcome.is_submitted:
            return outcome, []
    joined = [logs / f"{number:05d}.joined" for number in range(files_for(len(parts)))]
    if not all(map(Path.exists, joined)):
        join = [SiteJoiner([part.marks for part in parts.values()], joined)]
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
