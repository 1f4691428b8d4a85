"""The position of every block in the page and in its section, and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corpus_commons.markup.tags import HEADINGS
from extraction.methods.boosted_blocks.distances import NONE, distances, nearest

if TYPE_CHECKING:
    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.arrays import Floats, Singles
    from extraction.methods.boosted_blocks.batch import Batch, Columns

_NO_LEVEL = 9
_LEVELS = {tag: int(tag[1]) for tag in HEADINGS}


def columns(batch: Batch) -> Columns:
    """Positions counted in blocks, words and words of prose."""
    index, counts = batch.index, np.bincount(batch.page_of)[batch.page_of]
    words_to, prose_to = batch.running(batch.words), batch.running(batch.prose)
    return {
        "position": index / counts,
        "position-in-words": words_to / batch.total_words,
        "blocks-to-end": counts - index,
        "words-before": words_to - batch.words,
        "words-after": batch.total_words - words_to,
        "prose-before": (prose_to - batch.prose) / batch.total_prose,
        "prose-after": (batch.total_prose - prose_to) / batch.total_prose,
        **_nearest_prose(batch),
        **_sections(batch),
        **_neighbours(batch),
    }


def _nearest_prose(batch: Batch) -> Columns:
    """Distance in blocks to the nearest prose on each side, and whether it has the same parent."""
    prose = np.flatnonzero(batch.is_prose)
    before, after = nearest(batch, prose, batch.page_of[prose])
    return {
        **distances("prose", before, after),
        "beside-prose-before": _are_beside(batch, before),
        "beside-prose-after": _are_beside(batch, after),
    }


def _are_beside(batch: Batch, others: Floats) -> BoolArray:
    """Whether every block has the same parent as another one; NaN if there is none."""
    parents = batch.up[batch.containers]
    are_any = ~np.isnan(others)
    beside: BoolArray = parents[np.where(are_any, others, 0).astype(np.intp)] == parents
    return are_any & beside


def _sections(batch: Batch) -> Columns:
    """The position within the section, which extends from one heading to the next."""
    tree, index, blocks = batch.tree, batch.index, np.arange(len(batch))
    heading = tree.nearest(tree.has_tag(HEADINGS))[batch.firsts]
    is_heading = heading >= 0
    tags, codes = tree.tag_codes
    of_tags = np.array([_LEVELS.get(tag, _NO_LEVEL) for tag in tags])
    level = np.where(is_heading, of_tags[codes[heading]], _NO_LEVEL)
    # Every page begins a section.
    section = np.cumsum(is_heading) + batch.page_of
    last = np.maximum.accumulate(np.where(is_heading, blocks, -1))
    has_last = last >= batch.starts[batch.page_of]
    words = np.bincount(section, batch.words)[section]
    linked = np.bincount(section, batch.link_density * batch.words)[section]
    return {
        "heading-level": level,
        "blocks-since-heading": np.where(has_last, blocks - last, NONE),
        "section.level": np.where(has_last, level[last], _NO_LEVEL),
        "section.index": batch.running(is_heading.astype(np.float64)),
        "section.blocks": np.bincount(section)[section],
        "section.words": words,
        "section.link-density": linked / np.maximum(words, 1),
        "blocks-since-h1": _since_title(batch, index, level),
    }


def _since_title(batch: Batch, index: Integers, level: Integers) -> Integers:
    """The distance of every block from the first ``<h1>`` of its page; -NONE if there is none."""
    titles = np.flatnonzero(level == 1)[::-1]
    first = np.full(len(batch.starts), -1)
    # The last assignment counts.
    first[batch.page_of[titles]] = index[titles]
    of_page = first[batch.page_of]
    return np.where(of_page >= 0, index - of_page, -NONE)


def _neighbours(batch: Batch) -> Columns:
    """Features of the previous and the next block."""
    own: dict[str, Singles] = {
        "words": batch.words,
        "link-density": batch.link_density,
        "sentences": batch.characters.sentences,
        "capitalised": np.divide(batch.characters.capitalised, np.maximum(batch.words, 1)),
    }
    is_first = batch.index == 0
    is_last = np.roll(is_first, -1)
    result: Columns = {}
    for name, values in own.items():
        result[f"before.{name}"] = np.where(is_first, np.float32(-1), np.roll(values, 1))
        result[f"after.{name}"] = np.where(is_last, np.float32(-1), np.roll(values, -1))
    return result
