"""``provenance.json`` of a data set: with what it is made, by which a run also knows its own work.

It tells nothing of a machine: files are named without the folders that they are in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import orjson

from corpus_commons.extras import DISTRIBUTION, installed_version
from pipelines.corpus.folder import Shard
from refinery.recipe import Recipe

PROVENANCE: Final = "provenance.json"

_FORMAT: Final = 4
# Their versions decide what the steps do, too.
_LIBRARIES: Final = ("datatrove", "tokenizers")


def provenance(
    recipe: Recipe, shards: Iterable[Shard], *, keep_dropped: bool, all_versions: bool
) -> bytes:
    """The file's content: programs, recipe with its defaults, digests of its files and of corpora.

    shards: those of all corpora. The other arguments are as for ``build``. Raises OSError for a
    file of the recipe that cannot be read.
    """
    corpora: dict[Path, list[dict[str, str]]] = {}
    for shard in shards:
        named = {"file": f"{shard.kind}/{shard.path.name}", "sha256": shard.entry.sha256}
        corpora.setdefault(shard.path.parents[1], []).append(named)
    found = {
        "format": _FORMAT,
        "programs": {
            DISTRIBUTION: installed_version(),
            **{library: version(library) for library in _LIBRARIES},
        },
        "recipe": recipe.model_dump(mode="json"),
        "files": list(_files(recipe)),
        "keep_dropped": keep_dropped,
        "all_versions": all_versions,
        "corpora": list(corpora.values()),
    }
    return orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _files(recipe: Recipe) -> Iterator[dict[str, Any]]:
    """Those that steps name, such as lists of words and tokenizers."""
    for number, step in enumerate(recipe.steps, start=1):
        for path in step.named_files():
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            yield {"step": number, "file": path.name, "sha256": digest}
