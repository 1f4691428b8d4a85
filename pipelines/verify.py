"""``scrapy corpus verify DIR``: is everything there that the manifests promise, and as it was?"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pipelines.corpus_folder import Shard, parsed, shards
from pipelines.errors import ShardDamagedError
from pipelines.layout import OPEN, WARC, WARC_SUFFIX
from pipelines.repeats import IdLedger
from pipelines.unlisted import unlisted_files

EXIT_SOUND: Final = 0
EXIT_DAMAGED: Final = 3
EXIT_REPEATS: Final = 4
# A broken disk has much to say; the first of it is enough.
MAX_PROBLEMS: Final = 100


@dataclass(slots=True)
class Verification:
    """What was found in a corpus folder.

    shards, documents, rejects: numbers of those that could be read.
    bytes: compressed size of the shards that could be read.
    repeats: lines whose id had come before; a crawl that was killed may leave some, and merging
        removes them.
    damage: number of things that are not as they were promised.
    problems: the first MAX_PROBLEMS of them, in words.
    notes: what is no damage, but should be known: files that are being written.
    """

    shards: int = 0
    documents: int = 0
    rejects: int = 0
    bytes: int = 0
    repeats: int = 0
    damage: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """EXIT_SOUND, EXIT_DAMAGED, or EXIT_REPEATS for what is sound but has repeats."""
        if self.damage:
            return EXIT_DAMAGED
        return EXIT_REPEATS if self.repeats else EXIT_SOUND

    def add_problem(self, problem: str) -> None:
        """Count a problem and, among the first, keep its words."""
        self.damage += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)


def verify(folder: Path) -> Verification:
    """Check manifests, files, checksums, numbers, every line and the ids of a corpus.

    Raises CorpusError where the folder has no manifest, or one that cannot be read.
    """
    listed = shards(folder)
    found = Verification()
    _check_unlisted(folder, {shard.path for shard in listed}, found)
    with IdLedger() as ledger:
        for shard in listed:
            _check_shard(shard, ledger, found)
        found.repeats = len(ledger.repeats())
    return found


def _check_unlisted(folder: Path, listed: set[Path], found: Verification) -> None:
    warc_files = sorted((folder / WARC).glob(f"*{WARC_SUFFIX}{OPEN}"))
    for path in (*(path for _, path in unlisted_files(folder, listed)), *warc_files):
        if path.name.endswith(OPEN):
            found.notes.append(
                f"{path} is being written, or was when its crawl was killed; "
                "starting that crawl again completes it"
            )
        else:
            found.add_problem(f"{path} is in no manifest")


def _check_shard(shard: Shard, ledger: IdLedger, found: Verification) -> None:
    try:
        shard.check_file()
        lines = 0
        for line in shard.lines():
            lines += 1
            try:
                ledger.add(parsed(line)["id"])
            except ValueError as error:
                found.add_problem(f"{shard.path}, line {lines}: {error}")
    except ShardDamagedError as error:
        found.add_problem(str(error))
        return
    if lines != shard.entry.documents:
        found.add_problem(f"{shard.path} has {lines:,} lines, not {shard.entry.documents:,}")
    found.shards += 1
    found.bytes += shard.entry.bytes
    if shard.kind == "documents":
        found.documents += lines
    else:
        found.rejects += lines
