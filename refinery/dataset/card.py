"""``README.md`` of a data set: a data card in Hugging Face's format."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pyarrow as pa

from corpus_commons.counts import number_of
from corpus_commons.extras import DISTRIBUTION
from corpus_commons.templates import templates_in
from refinery.dataset.account import Built
from refinery.dataset.layout import FOLDERS, SUFFIXES
from refinery.dataset.schema import COLUMNS, Column
from refinery.dataset.statistics import most_frequent
from refinery.steps.personal_data import Kind, MaskPersonalData
from settings.problems import enumeration

_TEMPLATE: Final = "card.md"
_MASKING: Final = MaskPersonalData.name()
_KINDS: Final[dict[Kind, str]] = {
    "email": "e-mail addresses",
    "ip": "public IPv4 addresses",
    "iban": "IBANs",
    "phone": "phone numbers",
}
# The types whose names in ``datasets`` are others than "string".
_DTYPES: Final = {
    pa.float32(): "float32",
    pa.int32(): "int32",
    pa.int64(): "int64",
    pa.bool_(): "bool",
}
_MOST_ROWS: Final = 10
# The bounds of Hugging Face's size categories, and their names.
_SIZES: Final = (
    (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"), (100_000_000, "10M<n<100M"), (1_000_000_000, "100M<n<1B"),
)  # fmt: skip


def data_card(built: Built) -> str:
    """The card as Markdown, with its metadata in YAML."""
    environment = templates_in(Path(__file__).parent)
    environment.autoescape = False  # Markdown
    environment.filters["number"] = "{:,}".format
    environment.filters["of"] = number_of
    return (
        environment.get_template(_TEMPLATE)
        .render(
            built=built,
            whole=built.whole,
            yaml=_yaml(_metadata(built)),
            columns=COLUMNS,
            masked=_masked(built),
            most=_most,
            program=DISTRIBUTION,
            shown=_shown,
        )
        .rstrip()
        + "\n"
    )


def _metadata(built: Built) -> dict[str, Any]:
    whole = built.whole
    count, first = whole.documents, built.recipe["formats"][0]
    return {
        "pretty_name": built.recipe["name"],
        "license": built.recipe["licence"],
        "language": whole.known_languages,
        "task_categories": ["text-generation"],
        "size_categories": [next((name for most, name in _SIZES if count < most), "n>1B")],
        **_files(built, first, f"{FOLDERS[first]}/"),
    }


def _files(built: Built, format_: str, folder: str) -> dict[str, Any]:
    """The files of one format, and their types, which ``datasets`` then need not guess.

    The configuration has digests of the rows: ``datasets`` knows a folder in its cache by its
    name and what its card says, and would take another data set of that name for this one.
    """
    files = [
        {"split": split, "path": f"{folder}{split}-*.{SUFFIXES[format_]}"} for split in built.splits
    ]
    features = [{"name": column.name, "dtype": _dtype(column)} for column in COLUMNS]
    digests = (f"{figures.digest} of {split}" for split, figures in built.splits.items())
    config = {
        "config_name": "default",
        "description": f"digests of rows: {', '.join(digests)}",
        "data_files": files,
    }
    return {
        "configs": [config],
        "dataset_info": {"features": features},
    }


def lines_card(built: Built) -> str:
    """The card of the folder of JSON Lines, which can be loaded by itself. Parquet has its types,
    and its readers take all files of a folder for their own.
    """
    yaml = _yaml(_files(built, "jsonl", ""))
    return f"---\n{yaml}\n---\n\nThe data set {built.recipe['name']}, see the folder above.\n"


def _masked(built: Built) -> str:
    """What the recipe masks, in words; empty if it is nothing."""
    kinds = {
        kind
        for step in built.steps
        if step.name == _MASKING
        for kind in step.settings.get("kinds", get_args(Kind))
    }
    return enumeration([name for kind, name in _KINDS.items() if kind in kinds]) if kinds else ""


def _shown(settings: dict[str, Any]) -> str:
    """The settings of a step as code in a cell of a table; empty without any."""
    code = json.dumps(settings, ensure_ascii=False).replace("|", r"\|").replace("`", r"\u0060")
    return f"`{code}`" if settings else ""


def _dtype(column: Column) -> str:
    """The name of the type in ``datasets``."""
    if pa.types.is_timestamp(column.type):
        return "timestamp[ms, tz=UTC]"
    return _DTYPES.get(column.type, "string")


def _yaml(value: Any) -> str:
    """YAML of the values: JSON, which YAML includes, a key a line."""
    return "\n".join(f"{key}: {json.dumps(one, ensure_ascii=False)}" for key, one in value.items())


def _most(counts: Counter[str]) -> Iterator[tuple[str, int, float]]:
    """The most frequent values, with their counts and shares; the others as one."""
    total = counts.total()
    for name, count in most_frequent(counts, _MOST_ROWS):
        yield name, count, count / total
