"""Features of headings: their number, links in them, the text under them, and the title."""

from __future__ import annotations

import numpy as np

from corpus_commons.markup.characters import Integers
from corpus_commons.markup.measures import words_in
from corpus_commons.markup.tags import HEADINGS
from genre_model.html.batch import Batch, Columns
from genre_model.html.characters import Floats
from genre_model.html.segments import Nodes, at, between

_LEVELS = {tag: int(tag[1]) for tag in HEADINGS}
_COUNTED = ("h1", "h2", "h3")
_TITLE_SEPARATORS = ("|", " - ", " – ", " — ", "»", "·", "::")
# Only the beginning of longer titles and headings, and the first headings, are compared.
_MAX_CHARACTERS = 400
_MAX_HEADINGS = 60
# In blocks: enough for a line with author and date, and one or two others.
_NEAR = 6


def outline_features(batch: Batch) -> Columns:
    """Counts of headings, and of the text under them."""
    nodes = batch.headings.index
    headings = Nodes(batch.tree, nodes[~batch.in_clutter[nodes]])
    counts, n = headings.counts, np.maximum(headings.counts, 1)
    inside = batch.blocks.inside(headings.index)
    words = between(batch.block_words, *inside)
    linked = between(batch.block_linked, *inside) > 0.5 * words
    under, prose_under = _under(batch, headings)
    levels = {level: batch.tree.has_tag({level}) for level in _COUNTED}
    first_h1 = headings.first(np.flatnonzero(levels["h1"][headings.index]))
    spread = headings.deviations(under) / np.maximum(headings.means(under), 1)
    return {
        **{
            f"{level}.count": batch.headings.sums(has_level[nodes])
            for level, has_level in levels.items()
        },
        "headings.count": counts,
        "headings.linked": headings.sums(linked),
        "headings.share-linked": headings.sums(linked) / n,
        "headings.per-word": counts / batch.total_words,
        "headings.words": headings.means(words),
        "headings.over-prose": headings.sums(prose_under > 0) / n,
        "headings.most-under": headings.largest(under) / batch.total_words,
        "headings.mean-under": headings.means(under),
        "headings.spread-under": spread,
        "headings.linked-over-prose": headings.sums(linked & (prose_under > 0)),
        "headings.under-first-h1": at(under, first_h1, -1),
        **_title(batch, headings, under),
    }


def _under(batch: Batch, headings: Nodes) -> tuple[Floats, Floats]:
    """For every heading, the words and the words of prose up to the next one on its page."""
    of_page = headings.page_of
    beginning, first = batch.blocks.inside(headings.index)
    last = batch.blocks.ends[of_page]
    followed = np.flatnonzero(of_page[1:] == of_page[:-1])
    last[followed] = beginning[followed + 1]
    last = np.maximum(last, first)
    return between(batch.block_words, first, last), between(batch.block_prose, first, last)


def _title(batch: Batch, headings: Nodes, under: Floats) -> Columns:
    """Features of the heading with the largest overlap with ``<title>``."""
    titles = [head.title[:_MAX_CHARACTERS] for head in batch.heads]
    words = [set(words_in(title.lower())) for title in titles]
    best, likeness = _most_alike(batch, headings, words)
    tags, codes = batch.tree.tag_codes
    levels = np.array([_LEVELS.get(tag, 0) for tag in tags])[codes]
    # Where no heading is found, node 0 stands in.
    found, node = best >= 0, at(headings.index, best).astype(np.int64)
    inside, total_words = batch.blocks.inside(node), batch.total_words
    start, end = batch.blocks.starts, batch.blocks.ends
    near, after, last = (np.clip(inside[0] + step, start, end) for step in (-_NEAR, 1, _NEAR + 1))
    of_heading = {
        "position": between(batch.block_words, start, inside[0]) / total_words,
        "under": at(under, best) / total_words,
        "dates-near": between(batch.is_full_date, near, last),
        "links-after": between(batch.block_linked > 0, after, last),
        "prose-after": between(batch.block_prose, after, last),
        "words-after": between(batch.block_words, after, last),
        "under-words": at(under, best),
    }
    return {
        "title.words": np.array([*map(len, words)]),
        "title.parts": np.array([1 + sum(map(title.count, _TITLE_SEPARATORS)) for title in titles]),
        "title.digits": np.array([sum(map(str.isdigit, title)) for title in titles]),
        "title.likeness": likeness,
        "title.rank": np.where(found, best - headings.starts, -1),
        "title.level": levels[node] * found,
        "title.linked": found & (between(batch.block_linked, *inside) > 0),
        **{f"title.{name}": np.where(found, its, -1) for name, its in of_heading.items()},
    }


def _most_alike(batch: Batch, headings: Nodes, titles: list[set[str]]) -> tuple[Integers, Floats]:
    """For every page, the heading that shares most words with the title, and the share they share.

    -1 and 0 if no heading shares any.
    """
    best, most = np.full(len(titles), -1), np.zeros(len(titles))
    page_of = headings.page_of
    is_early = np.arange(len(headings)) - headings.starts[page_of] < _MAX_HEADINGS
    nodes = headings.index - batch.tree.roots[page_of]
    for heading in np.flatnonzero(is_early).tolist():
        page, node = page_of[heading], nodes[heading]
        dom, title = batch.tree.pages[page], titles[page]
        text = " ".join(dom.texts[node : dom.ends[node]])
        words = words_in(text[:_MAX_CHARACTERS].lower())
        shared = len(title.intersection(words))
        if shared and (likeness := shared / len(title.union(words))) > most[page]:
            best[page], most[page] = heading, likeness
    return best, most
