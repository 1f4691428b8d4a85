"""The position of every block in the page and in its section, and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.tags import HEADINGS

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.view import Columns, Floats, PageView

_NONE = 999
_NO_LEVEL = 9


def columns(view: PageView) -> Columns:
    """Positions counted in blocks, words and words of prose."""
    index = np.arange(len(view))
    words_to = np.cumsum(view.words)
    prose_to = np.cumsum(view.prose)
    return {
        "position": index / len(view),
        "position-in-words": words_to / view.total_words,
        "blocks-to-end": len(view) - index,
        "words-before": words_to - view.words,
        "words-after": view.total_words - words_to,
        "prose-before": (prose_to - view.prose) / view.total_prose,
        "prose-after": (view.total_prose - prose_to) / view.total_prose,
        **_nearest_prose(view, index),
        **_sections(view, index),
        **_neighbours(view),
    }


def _nearest_prose(view: PageView, index: npt.NDArray[np.int64]) -> Columns:
    """Distance in blocks to the nearest prose on each side, and whether it has the same parent."""
    n = len(view)
    is_prose = view.is_prose
    last = np.maximum.accumulate(np.where(is_prose, index, -1))
    following = np.minimum.accumulate(np.where(is_prose, index, n)[::-1])[::-1]
    before = np.concatenate(([-1], last[:-1]))
    after = np.concatenate((following[1:], [n]))
    parents = view.dom.parents[view.containers]
    return {
        "blocks-since-prose": np.where(before >= 0, index - before, _NONE),
        "blocks-to-prose": np.where(after < n, after - index, _NONE),
        "beside-prose-before": (before >= 0) & (parents[before] == parents),
        "beside-prose-after": (after < n) & (parents[np.minimum(after, n - 1)] == parents),
    }


def _sections(view: PageView, index: npt.NDArray[np.int64]) -> Columns:
    """The position within the section, which extends from one heading to the next."""
    dom = view.dom
    heading = dom.nearest(dom.has_tag(HEADINGS))[view.segmentation.firsts]
    is_heading = heading >= 0
    level = np.full(len(view), _NO_LEVEL)
    level[is_heading] = [int(dom.tags[node][1]) for node in heading[is_heading].tolist()]
    last = np.maximum.accumulate(np.where(is_heading, index, -1))
    title = np.flatnonzero(level == 1)
    section = np.cumsum(is_heading)
    words = np.bincount(section, view.words)[section]
    linked = np.bincount(section, view.link_density * view.words)[section]
    return {
        "heading-level": level,
        "blocks-since-heading": np.where(last >= 0, index - last, _NONE),
        "section.level": np.where(last >= 0, level[last], _NO_LEVEL),
        "section.index": section,
        "section.blocks": np.bincount(section)[section],
        "section.words": words,
        "section.link-density": linked / np.maximum(words, 1),
        "blocks-since-h1": index - title[0] if len(title) else np.full(len(view), -_NONE),
    }


def _neighbours(view: PageView) -> Columns:
    """Features of the previous and the next block."""
    own: dict[str, Floats] = {
        "words": view.words,
        "link-density": view.link_density,
        "sentences": view.characters.sentences,
        "capitalised": np.divide(view.characters.capitalised, np.maximum(view.words, 1)),
    }
    result: Columns = {}
    for name, values in own.items():
        edge = np.array([-1], dtype=np.float32)
        result[f"before.{name}"] = np.concatenate((edge, values[:-1]))
        result[f"after.{name}"] = np.concatenate((values[1:], edge))
    return result
