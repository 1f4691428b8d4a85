"""Pages with gold text, for training and evaluation: one per line of JSONL.

For evaluation alone, snippets of the text that must or must not be kept are enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from corpus_commons.page_lines import read_page_lines, shown, string, string_or_none
from corpus_commons.terminal.commands import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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
    gold = "gold_text, or the snippets with or without," if snippets_suffice else "gold_text"
    page_of = partial(_page, snippets_suffice=snippets_suffice)
    try:
        yield from read_page_lines(path, page_of, needed=f"id, html and {gold}")
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise DataError(str(error)) from error


def _page(fields: dict[str, Any], *, snippets_suffice: bool) -> LabelledPage:
    has_snippets = bool(fields.get("with") or fields.get("without"))
    has_gold_text = fields.get("gold_text") is not None or not (snippets_suffice and has_snippets)
    return LabelledPage(
        id=fields["id"],
        html=fields["html"],
        gold_text=string(fields, "gold_text") if has_gold_text else "",
        url=fields.get("url"),
        genre=string_or_none(fields, "genre"),
        lang=string_or_none(fields, "lang"),
        split=string_or_none(fields, "split"),
        gold_tagged=string_or_none(fields, "gold_tagged"),
        must_have=_strings(fields, "with"),
        must_not_have=_strings(fields, "without"),
        has_gold_text=has_gold_text,
        meta=_meta(fields),
    )


def _strings(fields: dict[str, Any], key: str) -> tuple[str, ...]:
    values = fields.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{key} must be a list of strings, not {shown(values)}")
    return tuple(values)


def _meta(fields: dict[str, Any]) -> dict[str, Any]:
    meta = fields.get("meta") or {}
    if not isinstance(meta, dict):
        raise ValueError(f"meta must be an object, not {shown(meta)}")
    return meta
