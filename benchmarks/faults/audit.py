"""Audits the output of a crawl, and compares it with that of an undisturbed one."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from warcio.archiveiterator import ArchiveIterator

from benchmarks.fault_crawl import FaultCrawl
from crawler.frontier import Candidate, DeadLetter, SqliteFrontier, Stats
from crawler.outcomes import HELD, TOO_LARGE, TOO_MANY_ENCODINGS
from pipelines.corpus.folder import shards
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_REPEATS, EXIT_SOUND, Verification, verify

_NOT_TAKEN: Final = frozenset({TOO_LARGE, TOO_MANY_ENCODINGS})


@dataclass(frozen=True, slots=True)
class Left:
    """The output of a finished crawl.

    unseen: the number of URLs of the site that the frontier does not know.
    documents, rejects: of the merged corpus, text or reason by id.
    taken: URLs of its lines whose responses were used. pictures: files that its documents name.
    archived: URLs in the WARC files; None if the job keeps none.
    """

    stats: Stats
    dead: Mapping[str, str]
    unseen: int
    found: Verification
    merged: Verification
    documents: Mapping[str, str]
    rejects: Mapping[str, str]
    taken: frozenset[str]
    pictures: tuple[Path, ...]
    archived: frozenset[str] | None

    @property
    def repeats(self) -> int:
        """The number of duplicate lines."""
        return self.found.repeats


def left_of(crawl: FaultCrawl, urls: Sequence[str]) -> Left:
    """Read the output of a crawl. urls: all that it should have found."""
    stats, dead, unseen = asyncio.run(_frontier(crawl.output, urls))
    merged = crawl.folder / "merged"
    shutil.rmtree(merged, ignore_errors=True)
    merge([crawl.corpus], merged)
    documents: dict[str, str] = {}
    rejects: dict[str, str] = {}
    taken = set()
    pictures = []
    for kind, line in _lines(merged):
        metadata = line["metadata"]
        if kind == "documents":
            documents[line["id"]] = line["text"]
        else:
            rejects[line["id"]] = metadata["reject_reason"]
        if metadata.get("reject_reason") not in _NOT_TAKEN:
            taken.add(metadata["url"])
        if metadata["screenshot"]:
            pictures.append(crawl.corpus / metadata["screenshot"])
    return Left(
        stats=stats,
        dead={letter.url: letter.reason for letter in dead},
        unseen=unseen,
        found=verify(crawl.corpus),
        merged=verify(merged),
        documents=documents,
        rejects=rejects,
        taken=frozenset(taken),
        pictures=tuple(pictures),
        archived=frozenset(_archived(crawl.corpus / "warc")) if crawl.raw else None,
    )


def complaints(left: Left) -> list[str]:
    """A message for every broken guarantee; empty if there are none."""
    return [*_of_frontier(left), *_of_corpus(left)]


def losses(left: Left, whole: Left) -> list[str]:
    """What is missing or different compared with ``whole``, an undisturbed crawl."""
    messages = [
        f"document {name} is missing; among the rejects: {left.rejects.get(name)}"
        for name in sorted(whole.documents.keys() - left.documents.keys())
    ]
    messages += [
        f"document {name} has a different text"
        for name in sorted(whole.documents.keys() & left.documents.keys())
        if left.documents[name] != whole.documents[name]
    ]
    if left.rejects != whole.rejects:
        differing = sorted(left.rejects.items() ^ whole.rejects.items())
        messages.append(f"different rejects: {differing[:5]}")
    if left.stats.added != whole.stats.added:
        messages.append(f"{left.stats.added} URLs, not {whole.stats.added}")
    if left.dead != whole.dead:
        messages.append(f"{left.dead} are dead, not {whole.dead}")
    return messages


def _of_frontier(left: Left) -> Iterator[str]:
    stats = left.stats
    if left.unseen:
        yield f"{left.unseen} URLs of the site were never found"
    if stats.queued or stats.leased:
        yield f"{stats.queued} URLs are still queued and {stats.leased} leased at the end"
    if stats.outcomes.get(HELD):
        yield f"{stats.outcomes[HELD]} pages are still counted as held"
    if stats.added != stats.done + stats.dead:
        yield f"{stats.added} URLs were added, {stats.done} done, {stats.dead} dead"
    for url, reason in left.dead.items():
        if not reason:
            yield f"{url} is dead without a reason"
    written = sum(n for key, n in stats.outcomes.items() if key.startswith(("kept", "rejected: ")))
    if len(left.documents) + len(left.rejects) != written:
        yield (
            f"{written} pages were acknowledged, and {len(left.documents)} documents and "
            f"{len(left.rejects)} rejects are in the corpus"
        )
    if len(left.documents) < stats.outcomes.get("kept", 0):
        yield f"{stats.outcomes['kept']} pages were kept, {len(left.documents)} are in the corpus"


def _of_corpus(left: Left) -> Iterator[str]:
    # Its notes name held pages too: at the end none may wait.
    yield from left.found.problems
    yield from left.found.notes
    if left.found.exit_code not in (EXIT_SOUND, EXIT_REPEATS):
        yield f"verify exits with {left.found.exit_code}"
    if left.merged.exit_code != EXIT_SOUND:
        yield f"verify of the merged corpus exits with {left.merged.exit_code}"
    for picture in left.pictures:
        if not picture.is_file():
            yield f"{picture} is missing"
    if left.archived is not None and left.documents:
        missing = sorted(left.taken - left.archived)
        if missing:
            yield f"{len(missing)} pages are in no WARC file: {missing[:3]}"


async def _frontier(folder: Path, urls: Sequence[str]) -> tuple[Stats, list[DeadLetter], int]:
    async with await SqliteFrontier.attach(folder) as frontier:
        stats = await frontier.stats()
        dead = await frontier.dead_letters(10_000)
        return stats, dead, await frontier.add(map(Candidate, urls))


def _lines(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for shard in shards(folder):
        for document in shard.documents():
            yield shard.kind, document


def _archived(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "response":
                    record.content_stream().read()
                    yield record.rec_headers.get_header("WARC-Target-URI")
