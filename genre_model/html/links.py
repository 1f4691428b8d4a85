"""Features of a page's links: their position, text and target."""

from __future__ import annotations

from collections import Counter

import numpy as np

from genre_model.html.page import Page

_NUMBER_CHARACTERS = 4
_HEADLINE_WORDS = 5
_SCHEMES = ("mailto:", "tel:")


def link_features(page: Page) -> dict[str, float]:
    """Counts over all visible links."""
    dom = page.dom
    links = np.flatnonzero(page.is_link)
    n = max(len(links), 1)
    words = np.bincount(
        np.maximum(page.link_of[page.nodes], 0), page.linked_words, len(dom)
    )[links]  # fmt: skip
    outside = ~page.in_clutter[links]
    pictures = page.count_in_subtrees(page.is_picture)[links]
    headline = (words >= _HEADLINE_WORDS) & outside
    return {
        "links.count": float(len(links)),
        "links.outside-clutter": float(outside.sum()),
        "links.per-word": len(links) / page.total_words,
        "links.words": float(words.mean()) if len(links) else 0.0,
        "links.headlines": float(headline.sum()),
        "links.share-headlines": float(headline.sum()) / n,
        "links.with-picture": float((pictures > 0).sum()) / n,
        "links.with-picture-outside-clutter": float(((pictures > 0) & outside).sum()),
        **_targets(page, links, outside),
        **_numbers(page, links),
    }


def _targets(page: Page, links: np.ndarray, outside: np.ndarray) -> dict[str, float]:
    fragments = schemes = empty = relations = 0
    folders: Counter[str] = Counter()
    outside_folders: Counter[str] = Counter()
    distinct = set()
    for node, is_outside in zip(links.tolist(), outside.tolist(), strict=True):
        attributes = page.dom.attributes[node]
        target = attributes.get("href") or ""
        fragments += target.startswith("#") and len(target) > 1
        schemes += target.startswith(_SCHEMES)
        empty += target in ("", "#")
        relations += attributes.get("rel") in ("next", "prev")
        if len(target) > 1 and target[0] != "#":
            distinct.add(target)
            folder = target.rstrip("/").rpartition("/")[0]
            folders[folder] += 1
            outside_folders[folder] += is_outside
    n = max(len(links), 1)
    most = max(outside_folders.values(), default=0)
    return {
        "links.fragments": float(fragments),
        "links.share-fragments": fragments / n,
        "links.contact": float(schemes),
        "links.empty": empty / n,
        "links.next-or-previous": float(relations),
        "links.distinct": len(distinct) / n,
        "links.folders": len(folders) / n,
        "links.in-one-folder": float(most),
        "links.share-in-one-folder": most / max(int(outside.sum()), 1),
    }


def _numbers(page: Page, links: np.ndarray) -> dict[str, float]:
    """Links with a number as text, as in pagination."""
    nodes = page.nodes[page.link_of[page.nodes] >= 0].tolist()
    texts = (page.dom.texts[node].strip() for node in nodes)
    numbers = {int(t) for t in texts if len(t) <= _NUMBER_CHARACTERS and t.isdecimal()}
    in_row = 0
    while in_row + 2 in numbers:
        in_row += 1
    return {"pages.numbers": float(len(numbers)), "pages.in-row": float(in_row)}
