"""Pages with gold text, for training and evaluation: one per line of JSONL.

For evaluation alone, snippets of the text that must or must not be kept are enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from corpus_commons.line_files import read_records
from corpus_commons.terminal.commands import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# How much of a wrong value an error message shows, in bytes.
_SHOWN = 40


class DataError(UsageError, ValueError):
    """Labelled pages cannot be read or used; the message says why."""


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page and its main content, chosen by people or by a process that they checked.

    id: unique within its data set.
    html: the page, decoded.
    gold_text: the main content; empty for a page that has none.
    has_gold_text: False if the main content is not known, but only snippets of it.
    url, genre, lang, split: as given by the data set, otherwise None.
    gold_tagged: CleanEval's gold text with its ``<h>``, ``<p>`` and ``<l>`` tags, otherwise None.
    must_have, must_not_have: snippets (``with`` and ``without`` in the file).
    meta: any other data of the data set.
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
    has_gold_text: bool = True
    meta: dict[str, Any] = field(default_factory=dict)


def set_name(path: Path) -> str:
    """The name of a data set in results.

    >>> from pathlib import Path
    >>> set_name(Path("data/wcxb-dev.jsonl.zst"))
    'wcxb-dev'
    """
    return path.name.partition(".")[0] or path.resolve().name


def read_pages(path: Path, *, snippets_suffice: bool = False) -> Iterator[LabelledPage]:
    """The pages of a ``.jsonl`` or ``.jsonl.zst`` file.

    snippets_suffice: whether a page may have snippets instead of gold text.
    Raises DataError for a file that cannot be read and, naming the line, for one that is not a
    labelled page, and for the second page with an id.
    """
    ids: set[str] = set()

    def page_of(line: bytes) -> LabelledPage:
        page = _labelled_page(line, snippets_suffice=snippets_suffice)
        if page.id in ids:
            raise ValueError(f"it is the second page with the id {page.id}")
        ids.add(page.id)
        return page

    try:
        yield from read_records(path, page_of)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise DataError(str(error)) from error


def _labelled_page(line: bytes, *, snippets_suffice: bool) -> LabelledPage:
    gold = "gold_text, or the snippets with or without," if snippets_suffice else "gold_text"
    try:
        return _page(orjson.loads(line), snippets_suffice=snippets_suffice)
    except ValueError as error:
        raise ValueError(
            f"not a labelled page (id, html and {gold} are needed): {error}"
        ) from error


def _page(record: Any, *, snippets_suffice: bool) -> LabelledPage:
    if not isinstance(record, dict):
        raise ValueError(f"an object is needed, not {_shown(record)}")
    has_snippets = bool(record.get("with") or record.get("without"))
    has_gold_text = record.get("gold_text") is not None or not (snippets_suffice and has_snippets)
    return LabelledPage(
        id=_string(record, "id"),
        html=_string(record, "html"),
        gold_text=_string(record, "gold_text") if has_gold_text else "",
        url=_string_or_none(record, "url"),
        genre=_string_or_none(record, "genre"),
        lang=_string_or_none(record, "lang"),
        split=_string_or_none(record, "split"),
        gold_tagged=_string_or_none(record, "gold_tagged"),
        must_have=_strings(record, "with"),
        must_not_have=_strings(record, "without"),
        has_gold_text=has_gold_text,
        meta=_meta(record),
    )


def _string(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key} must be a string, not {_shown(value)}")
    return value


def _string_or_none(record: dict[str, Any], key: str) -> str | None:
    return None if record.get(key) is None else _string(record, key)


def _strings(record: dict[str, Any], key: str) -> tuple[str, ...]:
    values = record.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{key} must be a list of strings, not {_shown(values)}")
    return tuple(values)


def _meta(record: dict[str, Any]) -> dict[str, Any]:
    meta = record.get("meta") or {}
    if not isinstance(meta, dict):
        raise ValueError(f"meta must be an object, not {_shown(meta)}")
    return meta


def _shown(value: Any) -> str:
    """The beginning of the value as JSON; it is cut because it may be a whole page."""
    return orjson.dumps(value)[:_SHOWN].decode(errors="ignore")
