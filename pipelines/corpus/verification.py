"""``corpus verify DIR``: checks a corpus against its manifests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from corpus_commons.counts import number_of
from pipelines.corpus.duplicate_ids import IdLedger
from pipelines.corpus.errors import DamagedError, ShardDamagedError
from pipelines.corpus.folder import Shard, parsed, shards, unlisted_files
from pipelines.corpus.held_files import held_files
from pipelines.corpus.layout import OPEN, WARC, WARC_SUFFIX

EXIT_SOUND: Final = 0
EXIT_DAMAGED: Final = 3
EXIT_REPEATS: Final = 4
# A broken disk may cause any number of problems.
MAX_PROBLEMS: Final = 100


@dataclass(slots=True)
class Verification:
    """The result of checking a corpus.

    shards, documents, rejects, tombstones: how many could be read; versions are documents.
    bytes: compressed size of the shards that could be read.
    held: pages that wait for more of their site, in no shard yet.
    repeats: lines with an id and a version that occurred before, and of rejects the same reason;
        a killed crawl may leave some, and merging removes them.
    damage: number of problems found.
    problems: messages about the first MAX_PROBLEMS of them.
    notes: messages about files that are still being written, and about held pages: no damage.
    """

    shards: int = 0
    documents: int = 0
    rejects: int = 0
    tombstones: int = 0
    bytes: int = 0
    held: int = 0
    repeats: int = 0
    damage: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """EXIT_DAMAGED for any damage, else EXIT_REPEATS for any repeats, else EXIT_SOUND."""
        if self.damage:
            return EXIT_DAMAGED
        return EXIT_REPEATS if self.repeats else EXIT_SOUND

    def add_problem(self, problem: str) -> None:
        """Count a problem, and keep its message unless there are too many."""
        self.damage += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)


def verify(folder: Path) -> Verification:
    """Check manifests, files, checksums, line counts, every line and the ids of a corpus.

    Raises CorpusError if the folder has no manifest, or one that cannot be read.
    """
    listed = shards(folder)
    found = Verification()
    _check_unlisted(folder, {shard.path for shard in listed}, found)
    _check_held(folder, found)
    with IdLedger() as ledger:
        for shard in listed:
            _check_shard(shard, ledger, found)
        found.repeats = len(ledger.duplicates())
    return found


def _check_unlisted(folder: Path, listed: set[Path], found: Verification) -> None:
    warc_files = sorted((folder / WARC).glob(f"*{WARC_SUFFIX}{OPEN}"))
    for path in (*(path for _, path in unlisted_files(folder, listed)), *warc_files):
        if path.name.endswith(OPEN):
            found.notes.append(
                f"{path} is still being written, or its crawl was killed; "
                "start that crawl again to complete it"
            )
        else:
            found.add_problem(f"{path} is in no manifest")


def _check_held(folder: Path, found: Verification) -> None:
    try:
        for file in held_files(folder):
            found.held += file.count
            found.notes.append(file.note())
            for line in file.lines():
                parsed(line)
    except (DamagedError, ValueError) as error:
        found.add_problem(str(error))


def _check_shard(shard: Shard, ledger: IdLedger, found: Verification) -> None:
    try:
        shard.check_file()
        lines = 0
        for line in shard.lines():
            lines += 1
            try:
                document = parsed(line)
                ledger.add(shard.name(document), shard.rank(document))
            except ValueError as error:
                found.add_problem(f"{shard.path}, line {lines}: {error}")
    except ShardDamagedError as error:
        found.add_problem(str(error))
        return
    if lines != shard.entry.documents:
        found.add_problem(
            f"{shard.path} has {number_of(lines, 'line')}, not {shard.entry.documents:,}"
        )
    found.shards += 1
    found.bytes += shard.entry.bytes
    setattr(found, shard.kind, getattr(found, shard.kind) + lines)
