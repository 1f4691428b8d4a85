"""The dropped documents of a data set: a file for each step that dropped some."""

from __future__ import annotations

import heapq
import shutil
from pathlib import Path
from typing import Final

import orjson

from corpus_commons.durable_files import replacing
from corpus_commons.line_files import read_records
from refinery.dataset.sieve import REASON
from refinery.recipe import Recipe
from refinery.steps.ranking import digest

DROPPED: Final = "dropped"

# Of each reason of a step, for the report; and their characters.
_EXAMPLES: Final = 2
_EXCERPT: Final = 300


def gather(parts: Path, out: Path, recipe: Recipe) -> None:
    """Join the parts that tasks have written, ``STEP/TASK.jsonl.zst``, to a file for each step."""
    for number in range(1, len(recipe.steps) + 1):
        of_step = sorted((parts / f"{number:02d}").glob("*.zst"))
        if of_step:
            out.mkdir(parents=True, exist_ok=True)
            with replacing(_file(out, number, recipe)) as whole:
                for part in of_step:
                    with part.open("rb") as file:
                        shutil.copyfileobj(file, whole)


def examples(out: Path, number: int, recipe: Recipe) -> list[dict[str, str]]:
    """Some documents that a step dropped, of each reason, always the same ones."""
    path = _file(out, number, recipe)
    if not path.exists():
        return []
    found: dict[str, list[tuple[int, str, dict[str, str]]]] = {}
    for line in read_records(path, orjson.loads):
        metadata = line["metadata"]
        shown = {
            "reason": metadata[REASON],
            "url": metadata["url"],
            "title": metadata.get("title") or "",
            "text": line.get("text", "")[:_EXCERPT],
        }
        entry = (-digest(line["id"]), line["id"], shown)
        kept = found.setdefault(shown["reason"], [])
        heapq.heappush(kept, entry)
        if len(kept) > _EXAMPLES:
            heapq.heappop(kept)
    return [
        shown for reason in sorted(found) for _, _, shown in sorted(found[reason], reverse=True)
    ]


def _file(out: Path, number: int, recipe: Recipe) -> Path:
    name = recipe.steps[number - 1].name()
    return out / f"{number:02d}-{name}.jsonl.zst"
