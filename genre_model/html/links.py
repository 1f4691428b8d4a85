"""Features of a page's links: their position, text and target."""

from __future__ import annotations

import numpy as np

from corpus_commons.markup.tree import BoolArray
from genre_model.html.batch import Batch, Columns
from genre_model.html.segments import Segments, totals

_NUMBER_CHARACTERS = 4
_HEADLINE_WORDS = 5
_SCHEMES = ("mailto:", "tel:")
_TURNS = ("next", "prev")


def link_features(batch: Batch) -> Columns:
    """Counts over all visible links."""
    links = batch.links
    outside = ~batch.in_clutter[links.index]
    counts, n = links.counts, np.maximum(links.counts, 1)
    linked = batch.tree.links[batch.texts.index[batch.is_linked]]
    words = totals(linked, batch.characters.words[batch.is_linked], len(batch.tree))
    words = words[links.index]
    headlines = links.sums((words >= _HEADLINE_WORDS) & outside)
    pictured = batch.pictures.count_inside(links.index) > 0
    return {
        "links.count": counts,
        "links.outside-clutter": links.sums(outside),
        "links.per-word": counts / batch.total_words,
        "links.words": links.means(words),
        "links.headlines": headlines,
        "links.share-headlines": headlines / n,
        "links.with-picture": links.sums(pictured) / n,
        "links.with-picture-outside-clutter": links.sums(pictured & outside),
        **_targets(batch, outside),
        **_numbers(batch),
    }


def _targets(batch: Batch, outside: BoolArray) -> Columns:
    links, tree = batch.links, batch.tree
    n, pages = np.maximum(links.counts, 1), len(links.counts)
    href = tree.attribute("href")
    # A link without a target has the last one, which is empty.
    target_of = np.full(len(tree), len(href.values))
    target_of[href.nodes] = href.codes
    targets, own = [*href.values, ""], target_of[links.index]
    lengths = np.array([*map(len, targets)])[own]
    is_hash, is_contact = (
        np.array([target.startswith(start) for target in targets])[own] for start in ("#", _SCHEMES)
    )
    is_long = (lengths > 1) & ~is_hash
    # Different targets, and different folders of targets, on a page.
    keys = links.page_of[is_long].astype(np.int64) * len(targets)
    distinct = np.unique(keys + own[is_long]) // len(targets)
    number_of: dict[str, int] = {}
    numbers = [number_of.setdefault(_folder(target), len(number_of)) for target in targets]
    found, folder_of = np.unique(keys + np.array(numbers)[own[is_long]], return_inverse=True)
    folders = Segments(found // len(targets), pages)
    most = folders.largest(totals(folder_of, outside[is_long], len(found)))
    turns = np.isin(links.index, tree.attribute("rel").where(_TURNS.__contains__))
    fragments = links.sums(is_hash & (lengths > 1))
    return {
        "links.fragments": fragments,
        "links.share-fragments": fragments / n,
        "links.contact": links.sums(is_contact),
        "links.empty": links.sums(lengths <= is_hash) / n,
        "links.next-or-previous": links.sums(turns),
        "links.distinct": np.bincount(distinct, minlength=pages) / n,
        "links.folders": folders.counts / n,
        "links.in-one-folder": most,
        "links.share-in-one-folder": most / np.maximum(links.sums(outside), 1),
    }


def _folder(target: str) -> str:
    return target.rstrip("/").rpartition("/")[0]


def _numbers(batch: Batch) -> Columns:
    """Links with a number as text, as in pagination."""
    texts, numbers = batch.texts, [set[int]() for _ in batch.tree.pages]
    is_short = batch.tree.lengths[texts.index] <= _NUMBER_CHARACTERS
    for place in np.flatnonzero(batch.is_linked & is_short).tolist():
        text = batch.strings[place].strip()
        if len(text) <= _NUMBER_CHARACTERS and text.isdecimal():
            numbers[texts.page_of[place]].add(int(text))
    return {
        "pages.numbers": np.array([*map(len, numbers)]),
        "pages.in-row": np.array([*map(_in_row, numbers)]),
    }


def _in_row(numbers: set[int]) -> int:
    """How many numbers follow 1 without a gap."""
    in_row = 0
    while in_row + 2 in numbers:
        in_row += 1
    return in_row
