"""Finds bylines that no class marks: short lines below the heading with "by" or "Author:"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import UNSEEN
from pipelines.metadata.authors import byline, byline_in
from pipelines.metadata.people import is_person

_MOST_HEADINGS = 5
# How far below a heading, in characters and nodes, and how long a byline may be.
_FAR = 300
_MOST_NODES = 200
_LONGEST = 60
_MOST_PIECES = 20
_CHINESE_NAME = re.compile(r"[\u4e00-\u9fff]{2,4}")


def unmarked_bylines(dom: Dom) -> Iterator[str]:
    """The names in such lines, each with several words, or in Chinese."""
    for heading in dom.elements("h1")[:_MOST_HEADINGS].tolist():
        gone_by = 0
        for node in islice(range(int(dom.ends[heading]), len(dom)), _MOST_NODES):
            text = "" if dom.tags[dom.parents[node]] in UNSEEN else dom.texts[node].strip()
            if byline_in(text[:_LONGEST]) is not None and len(line := _line(dom, node)) < _LONGEST:
                names = byline(byline_in(line) or "")
                if names is not None and all(map(_is_name, names.split("; "))):
                    yield names
            gone_by += len(text)
            if gone_by > _FAR:
                break


def _is_name(text: str) -> bool:
    return is_person(text) or _CHINESE_NAME.fullmatch(text) is not None


def _line(dom: Dom, node: int) -> str:
    """The text from the node to the end of its line."""
    end = min(int(dom.ends[dom.containers[node]]), node + _MOST_PIECES)
    return " ".join(" ".join(dom.texts[node:end]).split())
