"""Features of a page's elements: their number, their share of the text, and their names."""

from __future__ import annotations

import numpy as np

from genre_model.html.batch import Batch, Columns
from genre_model.html.naming import GROUP_NAMES
from genre_model.html.segments import Nodes, at, between

_COUNTED = tuple(
    "article section nav header footer time form input textarea button label pre code tr svg img "
    "figure blockquote ul ol li p br strong span div".split()
)
_SHARES = tuple(
    "article section nav aside header footer form pre code table ul ol li blockquote p figure "
    "button".split()
)

_WHOLE = 0.9
_BITS = np.arange(len(GROUP_NAMES))


def element_features(batch: Batch) -> Columns:
    """Counts of elements, the share of words inside them, and both for groups of names."""
    tree, total_words, pages = batch.tree, batch.total_words, len(batch.tree.pages)
    articles, mains = (Nodes(tree, tree.elements(tag)) for tag in ("article", "main"))
    inside = batch.blocks.inside(articles.index)
    words, prose = between(batch.block_words, *inside), between(batch.block_prose, *inside)
    in_mains = batch.blocks.inside(mains.index)
    main_words = np.maximum(between(batch.block_words, *in_mains), 1)
    main_density = between(batch.block_linked, *in_mains) / main_words
    elements = batch.elements.counts
    return {
        "size.elements": elements,
        "size.depth": np.maximum.reduceat(tree.depths, tree.roots),
        "size.elements-per-word": elements / total_words,
        "size.hidden": batch.chosen(~batch.visible).counts / np.bincount(tree.page_of),
        **{
            f"tag.{tag}": np.bincount(tree.page_of[tree.elements(tag)], minlength=pages)
            for tag in _COUNTED
        },
        **_shares(batch),
        "article.largest": articles.largest(words) / total_words,
        "article.mean-words": articles.means(words),
        "article.most-prose": articles.largest(prose),
        "main.link-density": at(main_density, mains.first()),
        **_pictures(batch),
        **_names(batch),
    }


def _shares(batch: Batch) -> Columns:
    elements = [batch.tree.elements(tag) for tag in _SHARES]
    kinds = np.repeat(np.arange(len(_SHARES)), [*map(len, elements)])
    shares = batch.shares_inside(np.concatenate(elements), kinds, len(_SHARES))
    return {f"tag-share.{tag}": share for tag, share in zip(_SHARES, shares, strict=True)}


def _pictures(batch: Batch) -> Columns:
    pictures = batch.pictures
    linked = pictures.sums(batch.tree.links[pictures.index] >= 0)
    return {
        "pictures.count": pictures.counts,
        "pictures.per-word": pictures.counts / batch.total_words,
        "pictures.linked": linked,
        "pictures.share-linked": linked / np.maximum(pictures.counts, 1),
        "pictures.outside-clutter": pictures.sums(~batch.in_clutter[pictures.index]),
    }


def _names(batch: Batch) -> Columns:
    """For every group of names, the number of elements and the share of words inside them.

    Elements that contain most of the page are left out, because they are not parts of it.
    """
    nodes = np.flatnonzero(batch.names)
    total_words = batch.total_words[batch.tree.page_of[nodes]]
    nodes = nodes[batch.words_inside(nodes) <= _WHOLE * total_words]
    # Few of the possible sets of groups occur.
    sets, set_of = np.unique(batch.names[nodes], return_inverse=True)
    kinds, members = np.nonzero(((sets >> _BITS[:, None]) & 1).astype(np.bool_)[:, set_of])
    nodes, n, pages = nodes[members], len(GROUP_NAMES), len(batch.tree.pages)
    cells = kinds * pages + batch.tree.page_of[nodes]
    counts = np.bincount(cells, minlength=n * pages).reshape(n, pages)
    shares = batch.shares_inside(nodes, kinds, n)
    features: Columns = {}
    for name, count, share in zip(GROUP_NAMES, counts, shares, strict=True):
        features[f"name.{name}"] = count
        features[f"name-share.{name}"] = share
    return features
