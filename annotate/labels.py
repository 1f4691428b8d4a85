"""A label: what one person says of one page; and what several say together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self, TypeVar

from corpus_commons.kinds import GENRES, PAGE_TYPES

CONTENT: Final = "content"
KINDS: Final = "kinds"
TASKS: Final = (CONTENT, KINDS)
"""What people are asked for: the main content, or the genre and page type."""

DROPPED: Final = "other"
KEPT: Final = "kept"
BLOCK_LABELS: Final = (DROPPED, KEPT, "header", "paragraph", "list", "continuation")
"""Dropped or kept; or, in place of kept, Victor's labels of main content."""

NEITHER: Final = "neither"
"""A page of neither of the paper's genres."""

_LONGEST_NAME: Final = 40

Value = TypeVar("Value")


class Span(NamedTuple):
    """Blocks from ``start`` up to ``stop``, which is not among them, with the same label."""

    start: int
    stop: int
    label: str


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of a page.

    page: its id. by: the person. at: when it was saved, ISO 8601 in UTC.
    done: the tasks that the person is through with; without that of content, the blocks are in no
        data set, and without any, nothing is.
    page_type, genre: None if the person does not say; ``neither`` if no genre fits.
    spans: of the blocks that are not dropped, ascending; None if the blocks are not labelled.
    blocks, count: the fingerprint of the blocks that are meant, and their number.
    """

    page: str
    by: str
    at: str
    done: tuple[str, ...] = ()
    page_type: str | None = None
    genre: str | None = None
    spans: tuple[Span, ...] | None = None
    blocks: str | None = None
    count: int = 0

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Self:
        """The label with these fields from JSON. Raises ValueError, naming the field."""
        spans, count = fields.get("spans"), fields.get("count", 0)
        if not isinstance(count, int) or count < 0:
            raise ValueError(f"count must be a number of blocks, not {count!r:.60}")
        return cls(
            page=_string(fields, "page"),
            by=name_of(_string(fields, "by")),
            at=_string(fields, "at"),
            done=_tasks(fields),
            page_type=_one_of(fields, "page_type", PAGE_TYPES),
            genre=_one_of(fields, "genre", (*GENRES, NEITHER)),
            spans=None if spans is None else _spans(spans, count),
            blocks=None if spans is None else _string(fields, "blocks"),
            count=count,
        )

    @property
    def blocks_done(self) -> bool:
        """Whether the blocks are labelled, and the person is through with them."""
        return self.spans is not None and CONTENT in self.done

    def block_labels(self) -> list[str]:
        """The label of every block."""
        labels = [DROPPED] * self.count
        for span in self.spans or ():
            labels[span.start : span.stop] = [span.label] * (span.stop - span.start)
        return labels


def name_of(person: str) -> str:
    """A person's name as it is written down. Raises ValueError for one that cannot be.

    >>> name_of("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = " ".join(person.split())
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise ValueError(f"a name must have 1 to {_LONGEST_NAME} printable characters")
    return name


def agreed(values: Sequence[Value]) -> Value:
    """The most frequent value; the latest of equally frequent ones.

    >>> agreed(["a", "b"]), agreed(["a", "b", "a"])
    ('b', 'a')
    """
    return Counter(reversed(values)).most_common(1)[0][0]


def spans_of(labels: Sequence[str]) -> tuple[Span, ...]:
    """The spans that ``Label.block_labels`` turns into these labels.

    >>> spans_of(["other", "kept", "kept"])
    (Span(start=1, stop=3, label='kept'),)
    """
    edges = [place for place, label in enumerate(labels) if not place or labels[place - 1] != label]
    return tuple(
        Span(start, stop, labels[start])
        for start, stop in pairwise([*edges, len(labels)])
        if labels[start] != DROPPED
    )


def _tasks(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The tasks that are done. Older journals say only that all was that had been said."""
    match fields.get("done"):
        case True if fields.get("spans") is None:
            return (KINDS,)
        case True if fields.get("genre") is None:
            return (CONTENT,)
        case True:
            return TASKS
        case list() as tasks:
            return tuple(task for task in TASKS if task in tasks)
    return ()


def _spans(value: Any, count: int) -> tuple[Span, ...]:
    if not isinstance(value, list):
        raise ValueError("spans must be a list of [start, stop, label]")
    spans: list[Span] = []
    end = 0
    for item in value:
        match item:
            case [int(start), int(stop), str(label)] if end <= start < stop <= count:
                end = stop
            case _:
                raise ValueError(
                    f"spans must be ascending [start, stop, label] up to {count}, not {item!r:.60}"
                )
        if label not in BLOCK_LABELS:
            raise ValueError(f"{label!r:.60} must be one of {', '.join(BLOCK_LABELS)}")
        spans.append(Span(start, stop, label))
    return tuple(spans)


def _string(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, not {value!r:.60}")
    return value


def _one_of(fields: Mapping[str, Any], name: str, known: Sequence[str]) -> str | None:
    value = fields.get(name)
    if value is not None and value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r:.60}")
    return value
