"""The names in the folder of a data set."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pipelines.corpus.other_folders import DATA_SET

SUMMARY: Final = DATA_SET

FOLDERS: Final = {"parquet": "data", "jsonl": "jsonl"}
"""Where the files of each format are."""

SUFFIXES: Final = {"parquet": "parquet", "jsonl": "jsonl.zst"}
"""Of the names of these files."""


def is_dataset(folder: Path) -> bool:
    return (folder / SUMMARY).exists()
