"""Links to notes: a number after a text that leads to a note further down, which leads back to it.

Many are raised by style instead of ``<sup>``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.page.inner_links import inner_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus_commons.markup.dom import Dom

_MOST_DIGITS: Final = 3
# A link has no more nodes, and its name is no further from it, nor the way back from its note.
_NEAR: Final = 8


def note_links(dom: Dom) -> set[int]:
    """The links whose text is a number, if they lead to notes, or are declared to."""
    numbers = set(_numbers(dom))
    found = {link for link in numbers if dom.attributes[link].get("role") == "doc-noteref"}
    if not any("#" in (dom.attributes[link].get("href") or "") for link in numbers):
        return found
    origins, targets = inner_links(dom)
    pairs = zip(origins.tolist(), targets.tolist(), strict=True)
    notes = {link: note for link, note in pairs if link < note and link in numbers}
    links = np.array([*notes], dtype=np.int32)
    starts = np.searchsorted(links, targets - _NEAR).tolist()
    ends = np.searchsorted(links, targets + _NEAR).tolist()
    for back, start, end in zip(origins.tolist(), starts, ends, strict=True):
        for link in links[start:end].tolist():
            note = notes[link]
            if note <= back < max(int(dom.ends[note]), note + _NEAR):
                found.add(link)
    return found


def _numbers(dom: Dom) -> Iterator[int]:
    is_short = (dom.lengths > 0) & (dom.lengths <= _MOST_DIGITS)
    for node in np.flatnonzero(is_short & (dom.links >= 0)).tolist():
        link = int(dom.links[node])
        inside = slice(link, min(int(dom.ends[link]), link + _NEAR))
        if dom.texts[node].strip().isdecimal() and dom.lengths[inside].sum() == dom.lengths[node]:
            yield link
