"""Corpora for the tests of recipes, and what a recipe makes of them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import zstandard

from crawler.items import Document, document_id
from refinery.blocks import ShardWriter
from refinery.blocks.documents import trove_document
from refinery.dataset.account import Built
from refinery.dataset.build import build
from refinery.executors import Place
from refinery.recipe import parse_recipe

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)
ALONE = Place(processes=1)
_SCORES = {"article": 0.9, "list-view": 0.1}
_VOCABULARY = (
    "the lamp on that tower was lit by hand and seen from far away with every ship in reach of it "
    "keepers wrote down weather wind and tide each hour while fog hid the rocks below old walls"
).split()


def prose(seed: int, sentences: int = 12) -> str:
    """Sentences of chance, always the same ones for a seed, in paragraphs."""
    chance = random.Random(seed)
    made = [
        " ".join(chance.choices(_VOCABULARY, k=chance.randint(9, 16))).capitalize() + "."
        for _ in range(sentences)
    ]
    return "\n\n".join(" ".join(made[start : start + 3]) for start in range(0, len(made), 3))


def edited(text: str, share: float, chance: random.Random) -> str:
    """The text with a share of its words replaced."""
    words = text.split(" ")
    for place in chance.sample(range(len(words)), int(share * len(words))):
        words[place] = f"word{chance.randrange(10**6)}"
    return " ".join(words)


def document(number: int, text: str | None = None, host: str = "", **fields: Any) -> Document:
    url = f"https://{host or f'host{number % 7}.example'}/{number}"
    given = {"genre": "article", "genre_scores": _SCORES, "language": "en", **fields}
    given.setdefault("fetched_at", BEGIN + timedelta(minutes=number))
    id_ = document_id(fields.get("requested_url") or url)
    return Document(id=id_, text=prose(number) if text is None else text, url=url, **given)


def corpus(folder: Path, documents: Iterable[Document], parts: int = 2) -> Path:
    """A corpus, the documents dealt out to its parts."""
    every = list(documents)
    names = [f"part-{part}" for part in range(parts)]
    writer = ShardWriter(folder, names)
    for part in range(parts):
        list(writer(map(trove_document, every[part::parts]), part, parts))
    return folder


def made(
    folder: Path, documents: Iterable[Document], steps: str, *, head: str = "validation = 0"
) -> Built:
    """Build ``folder/out`` of a corpus of the documents. steps: TOML."""
    corpus(folder / "corpus", documents)
    recipe = parse_recipe(f'name = "sample"\n{head}\n{steps}', folder=folder)
    return build([folder / "corpus"], recipe, folder / "out", ALONE)


def rows(out: Path) -> list[dict[str, Any]]:
    """The rows of all Parquet files."""
    return [
        row
        for path in sorted((out / "data").glob("*.parquet"))
        for row in pq.read_table(path).to_pylist()
    ]


def numbers(out: Path) -> list[int]:
    """The numbers of the documents that were kept."""
    return sorted(int(row["url"].rpartition("/")[2]) for row in rows(out))


def dropped(out: Path) -> dict[int, str]:
    """Why documents were dropped, by their numbers."""
    found = {}
    for path in sorted((out / "dropped").glob("*.jsonl.zst")):
        with zstandard.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                metadata = orjson.loads(line)["metadata"]
                found[int(metadata["url"].rpartition("/")[2])] = metadata["dropped_reason"]
    return found
