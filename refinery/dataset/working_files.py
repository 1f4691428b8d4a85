"""Documents as files while a data set is made: all, whatever text and metadata they have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from datatrove.data import Document
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter


class WorkingReader(JsonlReader):
    """Reads what ``WorkingWriter`` has written. datatrove's own leaves out empty texts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))

    def get_document_from_dict(self, data: dict[str, Any], *_: object) -> Document:
        return Document(data.get("text", ""), data["id"], metadata=data.get("metadata", {}))


class WorkingWriter(JsonlWriter):
    """Writes a file for each task, in which no other writes.

    name: of the files, with ``${rank}`` for the task, and what ``write`` is given. datatrove's own
    takes the metadata of documents for it, too, and from there another ``rank``, if there is one.
    """

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(str(folder), output_filename=f"{name}.jsonl.zst", compression="zstd")

    def _get_output_filename(self, document: Document, rank: int | str = 0, **named: object) -> str:
        return str(self.output_filename.substitute(named, rank=str(rank).zfill(5)))
