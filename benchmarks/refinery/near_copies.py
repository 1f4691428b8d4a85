"""The near duplicates that ``corpus build`` finds, among documents with planted ones.

Documents are words of chance in a skewed distribution, as in a language, in sentences; of some
there is a copy, of whose words 1 to 10 % were replaced. What is dropped is right if it is one of
such a pair, and found if at least one of the pair is dropped.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow.parquet as pq
from datatrove.data import Document

from benchmarks.report import Cell, Report, mean
from corpus_commons.terminal.arguments import positive
from corpus_commons.terminal.commands import UsageError
from refinery.blocks import ShardWriter
from refinery.dataset.build import build
from refinery.executors import Place
from refinery.recipe import parse_recipe

SUMMARY = "measure recall and precision of near duplicates on documents with planted copies"

_MOMENT: Final = datetime(2026, 1, 1, tzinfo=UTC).isoformat()
_WORDS: Final = 20_000
_EDITS: Final = range(1, 11)
_PARTS: Final = 4
_SETTINGS: Final = {
    "14 buckets of 8 (datatrove's)": "",
    "20 buckets of 4": "buckets = 20\nhashes = 4",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--documents", type=positive, default=20_000, help="(default: 20000)")
    parser.add_argument("--copies", type=positive, default=2_000, help="of them (default: 2000)")
    parser.add_argument("--processes", type=positive, help="(default: the cores)")


def run(arguments: argparse.Namespace, report: Report) -> int:
    if 2 * arguments.copies > arguments.documents:
        raise UsageError(
            f"--copies {arguments.copies}: must be at most half of --documents, "
            f"{arguments.documents}"
        )
    edits = dict(enumerate(_planted(arguments.copies)))
    columns = {"parameters": "", "precision": ".4f", "documents/s": ".0f"}
    columns |= {f"recall, {edit} %": ".3f" for edit in _EDITS}
    rows: list[list[Cell]] = []
    with TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        documents = list(_documents(arguments.documents - arguments.copies, edits))
        for part in range(_PARTS):
            list(ShardWriter(corpus)(iter(documents[part::_PARTS]), part, _PARTS))
        for number, (name, keys) in enumerate(_SETTINGS.items()):
            recipe = parse_recipe(
                f'name = "x"\nformats = ["parquet"]\n[[steps]]\nuse = "near-duplicates"\n{keys}'
            )
            out = Path(folder) / f"out-{number}"
            begin = time.perf_counter()
            build([corpus], recipe, out, Place(arguments.processes))
            seconds = time.perf_counter() - begin
            dropped = {document.id for document in documents} - _kept(out)
            precision, *recalls = _scores(dropped, edits)
            rows.append([name, precision, len(documents) / seconds, *recalls])
    report.table("planted", columns, rows)
    return 0


def _planted(copies: int) -> Iterator[int]:
    """How many per cent of its words are replaced in each copy."""
    for number in range(copies):
        yield _EDITS[number % len(_EDITS)]


def _documents(count: int, edits: dict[int, int]) -> Iterator[Document]:
    """Documents with the ids 0, 1, … and the copies of the first ones, copy-0, copy-1, …"""
    chance = random.Random(0)
    vocabulary = [_word(chance) for _ in range(_WORDS)]
    weights = [1 / (rank + 3) for rank in range(_WORDS)]
    for number in range(count):
        words = chance.choices(vocabulary, weights, k=chance.randint(80, 800))
        yield _document(str(number), words)
        if number in edits:
            places = chance.sample(range(len(words)), round(len(words) * edits[number] / 100))
            for place in places:
                words[place] = _word(chance)
            yield _document(f"copy-{number}", words)


def _word(chance: random.Random) -> str:
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9)))


def _document(name: str, words: list[str]) -> Document:
    metadata = {"url": f"http://example.org/{name}", "fetched_at": _MOMENT}
    return Document(" ".join(words), name, metadata=metadata)


def _kept(out: Path) -> set[str]:
    return {
        name
        for path in (out / "data").glob("*.parquet")
        for name in pq.read_table(path, columns=["id"])["id"].to_pylist()
    }


def _scores(dropped: set[str], edits: dict[int, int]) -> list[float | None]:
    """The precision, and the recall for each number of edits; None without such copies."""
    pairs = {number: {str(number), f"copy-{number}"} for number in edits}
    right = sum(len(pair & dropped) == 1 for pair in pairs.values())
    recalls = [
        mean([bool(pairs[number] & dropped) for number in edits if edits[number] == edit])
        for edit in _EDITS
    ]
    return [right / len(dropped) if dropped else 1.0, *recalls]
