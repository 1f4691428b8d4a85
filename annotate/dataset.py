"""The data set that labels make: a page a line, as training and evaluation read it.

Where people disagree, the most frequent answer counts, and the latest of equally frequent ones: for
the page type, for the genre, and for every block.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from annotate.labels import DROPPED, KEPT, NEITHER, Label, agreed
from annotate.opinions import PageBlocks
from annotate.sources import SourcePage
from corpus_commons import json_text
from corpus_commons.durable_files import replacing
from corpus_commons.line_files import read_records
from corpus_commons.markup.page_site import page_site

_log = logging.getLogger(__name__)
Blocks = Callable[[SourcePage], PageBlocks]

# CleanEval's marks of Victor's labels; a continuation belongs to the segment before it.
_MARKS: Final = {"header": "h", "paragraph": "p", "list": "l"}


def write_dataset(
    out: Path,
    pages: Iterable[SourcePage],
    labels: Callable[[str], Mapping[str, Label]],
    blocks: Blocks,
) -> int:
    """Replace the data set ``out`` by one of all pages that somebody is through with.

    labels: of a page, by person. Lines of ``out`` for labelled pages that are not among ``pages``
    are kept, and so is one with main content while nobody has labelled that of the page as it is
    now. Returns how many lines it has.
    """
    written = set()
    with_content = {fields["id"] for _, fields in _lines(out) if "gold_text" in fields}
    count = 0
    with replacing(out) as file:
        for page in pages:
            done = [label for label in labels(page.id).values() if label.done]
            fields = record(page, done, blocks) if done else {}
            if "gold_text" not in fields and any(label.blocks_done for label in done):
                _log.warning("page %.80r has changed since it was labelled", page.id)
            if fields and ("gold_text" in fields or page.id not in with_content):
                file.write(json_text.dumps(fields, option=orjson.OPT_APPEND_NEWLINE))
                written.add(page.id)
                count += 1
        for line, fields in _lines(out):
            if fields["id"] not in written:
                file.write(line)
                count += 1
    return count


def record(page: SourcePage, labels: Sequence[Label], blocks: Blocks) -> dict[str, Any]:
    """The line of a page, from what people say of it, the latest last; see LabelledPage.

    Without labelled blocks it has no ``gold_text``. Empty if the blocks have changed since then,
    and nothing else is said.
    """
    types = [label.page_type for label in labels if label.page_type]
    genres = [label.genre for label in labels if label.genre]
    page_type = agreed(types) if types else page.genre
    fields: dict[str, Any] = {
        "id": page.id,
        "url": page.url,
        "site": page_site(page.html, page.url) or page.id,
        "lang": page.lang,
        "genre": page_type,
    }
    if genres:
        genre = agreed(genres)
        fields["goce"] = None if genre == NEITHER else genre
    with_blocks = [label for label in labels if label.blocks_done]
    if with_blocks:
        found = blocks(page)
        ours = [label for label in with_blocks if label.blocks == found.fingerprint]
        if ours:
            fields |= _main_content(found, ours)
        elif not types and not genres:
            return {}
    fields["meta"] = {"annotators": [label.by for label in labels]}
    return fields | {"html": page.html}


def _main_content(found: PageBlocks, labels: Sequence[Label]) -> dict[str, str]:
    by_block = [
        agreed(block) for block in zip(*(one.block_labels() for one in labels), strict=True)
    ]
    chosen = np.array([label != DROPPED for label in by_block], dtype=np.bool_)
    fields = {"gold_text": found.document(chosen)}
    if chosen.any() and KEPT not in by_block:
        fields["gold_tagged"] = "\n".join(_segments(found.texts, by_block))
    return fields


def _segments(texts: Sequence[str], labels: Sequence[str]) -> Iterator[str]:
    """The gold text in CleanEval's format, from Victor's labels."""
    segment = ""
    for text, label in zip(texts, labels, strict=True):
        if label == DROPPED:
            continue
        if segment and label == "continuation":
            segment += f" {text}"
            continue
        if segment:
            yield segment
        segment = f"<{_MARKS.get(label, 'p')}>{text}"
    if segment:
        yield segment


def _lines(out: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The lines of ``out``, and what is in them. Raises ValueError if it is no data set."""
    with suppress(FileNotFoundError):
        yield from read_records(out, lambda line: (line, orjson.loads(line)))
