"""Finds bylines that no class marks: short lines below the heading that begin with "by"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import UNSEEN
from pipelines.metadata.authors import begins_byline, byline
from pipelines.metadata.people import is_person

_MOST_HEADINGS = 5
# How far below a heading, in characters and nodes, and how long a byline may be.
_FAR = 300
_MOST_NODES = 200
_LONGEST = 60
_MOST_PIECES = 20


def unmarked_bylines(dom: Dom) -> Iterator[str]:
    """The names in such lines, each with several words."""
    for heading in dom.elements("h1")[:_MOST_HEADINGS].tolist():
        gone_by = 0
        for node in islice(range(int(dom.ends[heading]), len(dom)), _MOST_NODES):
            text = "" if dom.tags[dom.parents[node]] in UNSEEN else dom.texts[node].strip()
            if begins_byline(text[:_LONGEST]) and len(line := _line(dom, node)) < _LONGEST:
                names = byline(line)
                if names is not None and all(map(is_person, names.split("; "))):
                    yield names
            gone_by += len(text)
            if gone_by > _FAR:
                break


def _line(dom: Dom, node: int) -> str:
    """The text from the node to the end of its line."""
    end = min(int(dom.ends[dom.containers[node]]), node + _MOST_PIECES)
    return " ".join(" ".join(dom.texts[node:end]).split())
