"""The dropped documents of a data set: a file for each step that dropped some."""

from __future__ import annotations

import heapq
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from corpus_commons.durable_files import replacing
from corpus_commons.markup.beginnings import beginning
from refinery.dataset.sieve import EXCERPT, REASON
from refinery.recipe import Recipe
from refinery.steps.ranking import digest

DROPPED: Final = "dropped"

# Of each reason of a step, for the report.
_EXAMPLES: Final = 2


def gather(parts: Path, out: Path, recipe: Recipe) -> None:
    """Join the parts that tasks have written, ``STEP/TASK.jsonl.zst``, to a file for each step."""
    for number, step in enumerate(recipe.steps, start=1):
        of_step = sorted((parts / f"{number:02d}").glob("*.zst"))
        if of_step:
            out.mkdir(parents=True, exist_ok=True)
            with replacing(file_of(out, number, step.name())) as whole:
                for part in of_step:
                    with part.open("rb") as file:
                        shutil.copyfileobj(file, whole)


def file_of(out: Path, number: int, name: str) -> Path:
    """The file of a step, by its number and name."""
    return out / f"{number:02d}-{name}.jsonl.zst"


def examples(lines: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    """Some of the documents that a step dropped, of each reason, always the same ones."""
    found: dict[str, list[tuple[int, str, int, dict[str, str]]]] = {}
    for number, line in enumerate(lines):
        metadata = line["metadata"]
        shown = {
            "reason": metadata[REASON],
            "url": metadata["url"],
            "title": metadata.get("title") or "",
            "text": beginning(line.get("text", ""), EXCERPT),
        }
        # Two texts of a page have one id; their order then decides.
        entry = (-digest(line["id"]), line["id"], -number, shown)
        kept = found.setdefault(shown["reason"], [])
        heapq.heappush(kept, entry)
        if len(kept) > _EXAMPLES:
            heapq.heappop(kept)
    return [shown for reason in sorted(found) for *_, shown in sorted(found[reason], reverse=True)]
