"""``scrapy corpus stats DIR``: how much there is, of what, and why the rest was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from pipelines.counts import UNKNOWN, UNSURE
from pipelines.errors import ShardDamagedError
from pipelines.reading import Shard, parsed, shards
from pipelines.words import count_words

# More different values than this are counted together: a corpus may come from anywhere.
MAX_VALUES: Final = 1000
OTHERS: Final = "others"
_LONGEST_VALUE: Final = 100


@dataclass(slots=True)
class Statistics:
    """Numbers of a corpus.

    shards, bytes: of documents; bytes are compressed.
    characters: Unicode code points of all texts.
    words: what white space parts; an ideograph or a kana counts as one.
    genres, page_types: documents by value; ``unsure`` where the model named none.
    languages, extractors: likewise; ``unknown`` where there is none.
    rejects: rejected pages by reason.
    """

    shards: int = 0
    bytes: int = 0
    documents: int = 0
    characters: int = 0
    words: int = 0
    genres: Counter[str] = field(default_factory=Counter)
    page_types: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    extractors: Counter[str] = field(default_factory=Counter)
    rejects: Counter[str] = field(default_factory=Counter)

    def as_data(self) -> dict[str, Any]:
        """For JSON, the most frequent values first."""
        data = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            name: dict(value.most_common()) if isinstance(value, Counter) else value
            for name, value in data.items()
        }


def statistics(folder: Path) -> Statistics:
    """Read a whole corpus.

    Raises CorpusError where there is none; ShardDamagedError where a line is no document.
    """
    found = Statistics()
    for shard in shards(folder):
        if shard.kind == "documents":
            found.shards += 1
            found.bytes += shard.entry.bytes
        _read(shard, found)
    return found


def _read(shard: Shard, found: Statistics) -> None:
    for number, line in enumerate(shard.lines(), start=1):
        try:
            document = parsed(line)
        except ValueError as error:
            raise ShardDamagedError(f"{shard.path}, line {number}: {error}") from error
        metadata = document["metadata"]
        if shard.kind == "rejects":
            _count(found.rejects, metadata.get("reject_reason"))
            continue
        found.documents += 1
        found.characters += len(document["text"])
        found.words += count_words(document["text"])
        _count(found.genres, metadata.get("genre"), UNSURE)
        _count(found.page_types, metadata.get("page_type"), UNSURE)
        _count(found.languages, metadata.get("language"))
        _count(found.extractors, metadata.get("extractor"))


def _count(counter: Counter[str], value: object, none: str = UNKNOWN) -> None:
    name = value[:_LONGEST_VALUE] if isinstance(value, str) and value else none
    if name not in counter and len(counter) >= MAX_VALUES:
        name = OTHERS
    counter[name] += 1


def as_tables(found: Statistics) -> Group:
    """The numbers for a terminal."""
    totals = Table("corpus", "", box=None, pad_edge=False)
    totals.columns[1].justify = "right"
    for name in ("documents", "characters", "words", "shards", "bytes"):
        totals.add_row(name, f"{getattr(found, name):,}")
    parts: list[Table | Text] = [totals]
    for title, counter in (
        ("genre", found.genres),
        ("page type", found.page_types),
        ("language", found.languages),
        ("extractor", found.extractors),
        ("rejected for", found.rejects),
    ):
        if counter:
            parts += [Text(), _shares(title, counter.most_common())]
    return Group(*parts)


def _shares(title: str, counts: Iterable[tuple[str, int]]) -> Table:
    counts = list(counts)
    total = sum(count for _, count in counts)
    table = Table(title, "pages", "share", box=None, pad_edge=False)
    table.columns[1].justify = table.columns[2].justify = "right"
    for value, count in counts:
        table.add_row(Text(value), f"{count:,}", f"{count / total:.1%}")
    return table
