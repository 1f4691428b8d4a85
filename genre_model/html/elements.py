"""Features of a page's elements: their number, their share of the text, and their names."""

from __future__ import annotations

import numpy as np

from genre_model.html.naming import GROUP_NAMES
from genre_model.html.page import Page

_COUNTED = tuple(
    "article section nav header footer time form input textarea button label pre code tr svg img "
    "figure blockquote ul ol li p br strong span div".split()
)
_SHARES = tuple(
    "article section nav aside header footer form pre code table ul ol li blockquote p figure "
    "button".split()
)

_WHOLE = 0.9


def element_features(page: Page) -> dict[str, float]:
    """Counts of elements, the share of words inside them, and both for groups of names."""
    dom = page.dom
    articles = page.elements("article")
    mains = page.elements("main")[:1]
    elements = float(page.is_element.sum())
    return {
        "size.elements": elements,
        "size.depth": float(dom.depths.max()),
        "size.elements-per-word": elements / page.total_words,
        "size.hidden": float((~dom.visible).sum()) / len(dom),
        **{f"tag.{tag}": float(len(page.elements(tag))) for tag in _COUNTED},
        **_shares(page),
        "article.largest": float(page.words[articles].max(initial=0)) / page.total_words,
        "article.mean-words": float(page.words[articles].mean()) if len(articles) else 0.0,
        "article.most-prose": float(page.prose[articles].max(initial=0)),
        "main.link-density": float((page.linked[mains] / np.maximum(page.words[mains], 1)).sum()),
        **_pictures(page),
        **_names(page),
    }


def _shares(page: Page) -> dict[str, float]:
    elements = [page.elements(tag) for tag in _SHARES]
    kinds = np.repeat(np.arange(len(_SHARES)), [len(its) for its in elements])
    shares = page.shares_inside(np.concatenate(elements), kinds, len(_SHARES)).tolist()
    return {f"tag-share.{tag}": share for tag, share in zip(_SHARES, shares, strict=True)}


def _pictures(page: Page) -> dict[str, float]:
    pictures = np.flatnonzero(page.is_picture)
    n = max(len(pictures), 1)
    linked = int((page.link_of[pictures] >= 0).sum())
    outside = int((~page.in_clutter[pictures]).sum())
    return {
        "pictures.count": float(len(pictures)),
        "pictures.per-word": len(pictures) / page.total_words,
        "pictures.linked": float(linked),
        "pictures.share-linked": linked / n,
        "pictures.outside-clutter": float(outside),
    }


def _names(page: Page) -> dict[str, float]:
    """For every group of names, the number of elements and the share of words inside them.

    Elements that contain most of the page are left out, because they are not parts of it.
    """
    is_part = page.words[page.named_nodes] <= _WHOLE * page.total_words
    nodes, groups = page.named_nodes[is_part], page.named_groups[is_part]
    kinds, members = np.nonzero(groups.T)
    counts = np.bincount(kinds, minlength=len(GROUP_NAMES)).tolist()
    shares = page.shares_inside(nodes[members], kinds, len(GROUP_NAMES)).tolist()
    features = {}
    for name, count, share in zip(GROUP_NAMES, counts, shares, strict=True):
        features[f"name.{name}"] = float(count)
        features[f"name-share.{name}"] = share
    return features
