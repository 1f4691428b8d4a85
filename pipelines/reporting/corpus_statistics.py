"""``corpus stats DIR``: counts the documents and rejects of a corpus by their properties."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from rich.console import Group

from corpus_commons.markup.words import count_words
from crawler.items import GONE_REASON, REJECT_REASON
from pipelines.corpus.folder import Shard, shards, unlisted_files, version_of
from pipelines.corpus.held_files import held_files
from pipelines.reporting.counts import GROUPS, UNKNOWN
from pipelines.reporting.tables import apart, count_table

# Further distinct values are counted together, because a corpus of any origin may have many.
MAX_VALUES: Final = 1000
OTHERS: Final = "others"
_GROUPS: Final = {**GROUPS, "extractor": ("extractors", UNKNOWN)}
BYTES_PER_TOKEN: Final = 4
_LONGEST_VALUE: Final = 100


@dataclass(slots=True)
class Statistics:
    """Numbers of a corpus.

    shards, bytes: of documents; bytes are compressed.
    characters: Unicode code points of all texts.
    words: see ``corpus_commons.markup.words``.
    text_bytes: of all texts in UTF-8.
    genres, page_types: documents by value; ``unsure`` if the model was below its threshold.
    languages, extractors: documents by value; ``unknown`` if there is none.
    rejects: rejected pages by reason.
    versions: documents that are later versions of a page.
    tombstones: pages that are gone, by reason.
    held: pages that wait for more of their site, and are not counted.
    uncounted: paths of shards that no manifest lists, such as those that are not complete.
    """

    shards: int = 0
    bytes: int = 0
    documents: int = 0
    characters: int = 0
    words: int = 0
    text_bytes: int = 0
    genres: Counter[str] = field(default_factory=Counter)
    page_types: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    extractors: Counter[str] = field(default_factory=Counter)
    rejects: Counter[str] = field(default_factory=Counter)
    versions: int = 0
    tombstones: Counter[str] = field(default_factory=Counter)
    held: int = 0
    uncounted: list[str] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """An estimate: with common vocabularies, a token has about four bytes."""
        return round(self.text_bytes / BYTES_PER_TOKEN)

    def as_data(self) -> dict[str, Any]:
        """For JSON, the most frequent values first."""
        data = {item.name: getattr(self, item.name) for item in fields(self)}
        shown = {
            name: dict(value.most_common()) if isinstance(value, Counter) else value
            for name, value in data.items()
        }
        return {**shown, "tokens_estimated": self.tokens}


def statistics(folder: Path) -> Statistics:
    """Read a whole corpus.

    Raises CorpusError if there is none; ShardDamagedError if a line is not a document.
    """
    found = Statistics()
    listed = shards(folder)
    files = unlisted_files(folder, {shard.path for shard in listed})
    found.uncounted = [str(path) for _, path in files]
    found.held = sum(file.count for file in held_files(folder))
    for shard in listed:
        if shard.kind == "documents":
            found.shards += 1
            found.bytes += shard.entry.bytes
        _read(shard, found)
    return found


def _read(shard: Shard, found: Statistics) -> None:
    for document in shard.documents():
        metadata = document["metadata"]
        if shard.kind == "rejects":
            _count(found.rejects, metadata.get(REJECT_REASON))
            continue
        if shard.kind == "tombstones":
            _count(found.tombstones, metadata.get(GONE_REASON))
            continue
        found.documents += 1
        found.versions += version_of(document) > 1
        found.characters += len(document["text"])
        found.words += count_words(document["text"])
        found.text_bytes += len(document["text"].encode("utf-8", "replace"))
        for name, (group, none) in _GROUPS.items():
            _count(getattr(found, group), metadata.get(name), none)


def _count(counter: Counter[str], value: object, none: str = UNKNOWN) -> None:
    name = value[:_LONGEST_VALUE] if isinstance(value, str) and value else none
    if name not in counter and len(counter) >= MAX_VALUES:
        name = OTHERS
    counter[name] += 1


def as_tables(found: Statistics) -> Group:
    """The numbers for a terminal."""
    numbers = {
        "documents": found.documents,
        **({"of these later versions": found.versions} if found.versions else {}),
        "characters": found.characters,
        "words": found.words,
        f"tokens, estimated at {BYTES_PER_TOKEN} bytes each": found.tokens,
        "shards": found.shards,
        "bytes": found.bytes,
    }
    groups = {name.replace("_", " "): getattr(found, group) for name, (group, _) in _GROUPS.items()}
    shares = (
        count_table(title, dict(counter.most_common()), shares_of="pages")
        for title, counter in {
            **groups,
            "reject reason": found.rejects,
            "gone because": found.tombstones,
        }.items()
        if counter
    )
    return apart([count_table("corpus", numbers), *shares])
