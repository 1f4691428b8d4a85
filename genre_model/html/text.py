"""Features of a page's text: its characters, and whether it is one long text or many pieces."""

from __future__ import annotations

import numpy as np

from genre_model.html.batch import Batch, Columns
from genre_model.html.characters import CharacterClass, Floats
from genre_model.html.segments import Nodes, Numbers, Segments, at, between, totals

_QUANTILES = (0.75, 0.9, 0.97)
_LENGTHS = (20, 50)
_SHARE_LENGTHS = (20, 50, 100)
_MAIN_SHARE = 0.5
_LETTERS = (CharacterClass.LOWER, CharacterClass.UPPER, CharacterClass.UNSPACED)


def text_features(batch: Batch) -> Columns:
    """Features of all visible text."""
    not_linked = batch.block_words * (batch.block_link_density < 1)
    return {
        **_signs(batch),
        **_blocks(batch),
        **_run(batch),
        **_main(batch, "main-prose", batch.block_prose),
        **_main(batch, "main-text", not_linked),
        **_parents(batch),
    }


def _signs(batch: Batch) -> Columns:
    characters, words, texts = batch.characters, batch.total_words, batch.texts
    signs = {kind: texts.sums(characters.counts[:, kind]) for kind in CharacterClass}
    letters = sum(signs[kind] for kind in _LETTERS)
    outside = ~batch.in_clutter[texts.index]
    words_outside = texts.sums(characters.words * outside)
    linked = characters.words * batch.is_linked
    return {
        "text.words": words,
        "text.words-outside-clutter": words_outside,
        "text.link-density": texts.sums(linked) / words,
        "text.link-density-outside-clutter": texts.sums(linked * outside)
        / np.maximum(words_outside, 1),
        "text.sentences": texts.sums(characters.sentences) / words,
        "text.capitalised": texts.sums(characters.capitalised) / words,
        "text.unspaced": signs[CharacterClass.UNSPACED] / np.maximum(letters, 1),
        "text.prices": texts.sums(characters.prices),
        **{
            f"text.{kind.name.lower()}": count / words
            for kind, count in signs.items()
            if kind >= CharacterClass.DIGIT
        },
    }


def _blocks(batch: Batch) -> Columns:
    blocks, words, total_words = batch.blocks, batch.block_words, batch.total_words
    n = np.maximum(blocks.counts, 1)
    share = words / total_words[blocks.page_of]
    density = batch.block_link_density
    lines = {
        "dates.blocks": batch.is_date,
        "dates.outside-clutter": batch.is_date & batch.is_outside,
        "dates.full": batch.is_full_date,
        "dates.full-outside-clutter": batch.is_full_date & batch.is_outside,
        "prices.blocks": batch.has_price,
    }
    return {
        "blocks.count": blocks.counts,
        "blocks.longest": blocks.largest(words),
        "blocks.evenness": blocks.sums(share**2),
        "blocks.top5-share": blocks.ranked(words, 5).sum(axis=0) / total_words,
        **{
            f"blocks.words-{q}": of_pages
            for q, of_pages in zip(_QUANTILES, blocks.quantiles(words, _QUANTILES), strict=True)
        },
        **{f"blocks.over-{length}": blocks.sums(batch.block_prose > length) for length in _LENGTHS},
        **{
            f"blocks.share-over-{length}": blocks.sums(
                batch.block_prose * (batch.block_prose > length)
            )
            / total_words
            for length in _SHARE_LENGTHS
        },
        "blocks.linked": blocks.sums(density > 0.8) / n,
        "blocks.unlinked-short": blocks.sums((density == 0) & (words < 8)) / n,
        **_prose(batch),
        **{name: blocks.sums(chosen) for name, chosen in lines.items()},
        "prices.share-of-blocks": blocks.sums(batch.has_price) / n,
    }


def _prose(batch: Batch) -> Columns:
    """Features of the blocks of prose, and of where on the page they are."""
    blocks, prose = batch.blocks, batch.block_prose
    words = blocks.sums(prose)
    own = batch.block_prose[batch.is_prose]
    alone = Nodes(batch.tree, blocks.index[batch.is_prose])
    mean = alone.means(own)
    before = between(batch.block_words, blocks.starts[blocks.page_of], np.arange(len(prose)))
    middles = (before + batch.block_words / 2) / batch.total_words[blocks.page_of]
    weights = prose / np.maximum(words, 1)[blocks.page_of]
    centre = blocks.sums(weights * middles)
    distances = middles - centre[blocks.page_of]
    first = blocks.first(np.flatnonzero(batch.is_prose))
    return {
        "prose.blocks": alone.counts,
        "prose.share-of-blocks": alone.counts / np.maximum(blocks.counts, 1),
        "prose.words": words,
        "prose.share": words / batch.total_words,
        "prose.mean": mean,
        "prose.spread": alone.deviations(own) / np.maximum(mean, 1),
        "prose.outside-clutter": blocks.sums(prose * batch.is_outside),
        "prose.centre": centre,
        "prose.dispersion": np.sqrt(blocks.sums(weights * distances**2)),
        "prose.first": at(middles, first, 1),
    }


def _run(batch: Batch) -> Columns:
    """Features of the longest run of blocks, in words, without a block that is mostly links."""
    blocks = batch.blocks
    breaks = (batch.block_link_density > 0.5) & (batch.block_words > 0)
    pages = np.arange(len(blocks.counts))
    # Every page begins a run.
    runs = Segments(np.repeat(pages, blocks.sums(breaks).astype(np.int64) + 1), len(pages))
    run_of = np.cumsum(breaks) + blocks.page_of

    def over_runs(values: Numbers) -> Floats:
        return totals(run_of, values, len(runs))

    words = over_runs(batch.block_words * ~breaks)
    prose = over_runs(batch.block_prose)
    best = np.maximum(runs.first_largest(prose), runs.starts)
    most, second = runs.ranked(prose, 2)
    return {
        "run.prose": most,
        "run.prose-blocks": at(over_runs(batch.is_prose), best),
        "run.share-of-prose": most / np.maximum(blocks.sums(batch.block_prose), 1),
        "run.share": at(words, best) / batch.total_words,
        "run.second": second / np.maximum(most, 1),
        "run.count": runs.sums(prose > 0),
        "run.over-30": runs.sums(prose > 30),
    }


def _main(batch: Batch, name: str, block_values: Floats) -> Columns:
    """Features of the smallest element that contains most of the sum of the values."""
    tree, blocks, holders = batch.tree, batch.blocks, batch.holders
    values = between(block_values, *blocks.inside(holders.index))
    whole = blocks.sums(block_values)
    least = _MAIN_SHARE * np.maximum(whole, 1e-9)
    # Elements with more than half of the sum are nested, so the last one is the innermost.
    last = holders.last(np.flatnonzero(values > least[holders.page_of]))
    node = np.where(last < 0, tree.roots, at(holders.index, last).astype(np.int64))
    inside = blocks.inside(node)
    total = between(block_values, *inside)
    words, node_blocks = between(batch.block_words, *inside), inside[1] - inside[0]
    some_words = np.maximum(words, 1)
    is_child = tree.parents[holders.index] == node[holders.page_of]
    child_values = values * is_child
    headings = batch.headings
    linked = between(batch.block_linked, *blocks.inside(headings.index)) > 0
    features = {
        "share": total / np.maximum(whole, 1),
        "share-of-words": words / batch.total_words,
        "words": words,
        "link-density": between(batch.block_linked, *inside) / some_words,
        "blocks": node_blocks,
        "words-per-block": words / np.maximum(node_blocks, 1),
        "depth": tree.depths[node],
        "children": holders.sums(child_values > 0),
        "largest-child": holders.largest(child_values) / np.maximum(total, 1),
        "headings": headings.count_inside(node),
        "linked-headings": between(linked, *headings.inside(node)),
        "pictures": batch.pictures.count_inside(node),
        "links": batch.links.count_inside(node),
        "elements": batch.elements.count_inside(node) / some_words,
    }
    return {f"{name}.{key}": values for key, values in features.items()}


def _parents(batch: Batch) -> Columns:
    """Features of the elements with the most prose in their own children, in descending order."""
    blocks = batch.blocks.index
    above = batch.tree.parents[blocks]
    nodes, parent_of = np.unique(np.where(above < 0, blocks, above), return_inverse=True)
    parents = Nodes(batch.tree, nodes)
    prose = totals(parent_of, batch.block_prose, len(nodes))
    members = totals(parent_of, batch.is_prose, len(nodes))
    first, second, _, fourth = parents.ranked(prose, 4)
    return {
        "parent.share-of-prose": first / np.maximum(batch.blocks.sums(batch.block_prose), 1),
        "parent.share": first / batch.total_words,
        "parent.words": first,
        "parent.blocks": at(members, parents.first_largest(prose)),
        "parent.second": second / np.maximum(first, 1),
        "parent.fourth": fourth / np.maximum(first, 1),
        "parent.count": parents.sums(prose > 20),
    }
