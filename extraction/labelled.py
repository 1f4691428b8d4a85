"""Pages with gold text, one a line of zstd JSONL: what methods are trained and judged on."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
import zstandard

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The largest window that the files at hand were written with.
_MAX_WINDOW = 2**27


class DataError(ValueError):
    """Labelled pages that nothing can be learned from, and why."""


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page and the main content that people, or a process they checked, chose from it.

    id: unique within its data set.
    html: the page, decoded.
    gold_text: the main content; empty for a page that has none.
    url, genre, lang, split: as the data set gives them; None where it does not.
    gold_tagged: CleanEval's gold with its ``<h>``, ``<p>`` and ``<l>`` marks, where given.
    must_have, must_not_have: WCXB's snippets (``with`` and ``without`` in the file).
    meta: whatever else the data set says.
    """

    id: str
    html: str
    gold_text: str
    url: str | None = None
    genre: str | None = None
    lang: str | None = None
    split: str | None = None
    gold_tagged: str | None = None
    must_have: tuple[str, ...] = ()
    must_not_have: tuple[str, ...] = ()
    meta: dict[str, Any] = field(default_factory=dict)


def read_pages(path: Path) -> Iterator[LabelledPage]:
    """The pages of a ``.jsonl.zst`` file.

    Raises DataError, naming file and line, for a line that is not a labelled page.
    """
    for number, line in enumerate(_lines(path), start=1):
        try:
            yield _page(orjson.loads(line))
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise DataError(
                f"{path}, line {number}: not a labelled page "
                f"(id, html and gold_text are needed): {error!r}"
            ) from error


def _lines(path: Path) -> Iterator[bytes]:
    reader = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
    with path.open("rb") as file:
        stream = reader.stream_reader(file, read_across_frames=True)
        try:
            yield from io.BufferedReader(stream)
        except zstandard.ZstdError as error:
            raise DataError(f"{path} is not a whole zstd file: {error}") from error


def _page(record: dict[str, Any]) -> LabelledPage:
    return LabelledPage(
        id=record["id"],
        html=record["html"],
        gold_text=record["gold_text"],
        url=record.get("url"),
        genre=record.get("genre"),
        lang=record.get("lang"),
        split=record.get("split"),
        gold_tagged=record.get("gold_tagged"),
        must_have=tuple(record.get("with") or ()),
        must_not_have=tuple(record.get("without") or ()),
        meta=record.get("meta") or {},
    )
