"""Features of headings: their number, links in them, the text under them, and the title."""

from __future__ import annotations

import numpy as np

from corpus_commons.markup.measures import words_in
from genre_model.html.page import Page

_LEVELS = ("h1", "h2", "h3")
_TITLE_SEPARATORS = ("|", " - ", " – ", " — ", "»", "·", "::")
# Only the beginning of longer titles and headings is compared.
_MAX_CHARACTERS = 400
# In blocks: enough for a line with author and date, and one or two others.
_NEAR = 6


def outline_features(page: Page) -> dict[str, float]:
    """Counts of headings, and of the text under them."""
    outside = ~page.in_clutter
    is_linked = page.is_heading & (page.linked > 0.5 * page.words)
    headings = np.flatnonzero(page.is_heading & outside)
    features: dict[str, float] = {}
    for level in _LEVELS:
        chosen = page.elements(level)
        features[f"{level}.count"] = float(page.is_heading[chosen].sum())
    under, prose_under = _under(page, headings)
    n = max(len(headings), 1)
    linked = is_linked[headings]
    return {
        **features,
        "headings.count": float(len(headings)),
        "headings.linked": float(linked.sum()),
        "headings.share-linked": float(linked.sum()) / n,
        "headings.per-word": len(headings) / page.total_words,
        "headings.words": float(page.words[headings].mean()) if len(headings) else 0.0,
        "headings.over-prose": float((prose_under > 0).sum()) / n,
        "headings.most-under": float(under.max(initial=0)) / page.total_words,
        "headings.mean-under": float(under.mean()) if len(under) else 0.0,
        "headings.spread-under": float(under.std() / max(under.mean(), 1.0)) if len(under) else 0.0,
        "headings.linked-over-prose": float((linked & (prose_under > 0)).sum()),
        "headings.under-first-h1": _under_first_h1(page, headings, under),
        **_title(page, headings, under),
    }


def _under(page: Page, headings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every heading, the words and the words of prose up to the next one."""
    before = np.concatenate(([0.0], np.cumsum(page.block_words)))
    prose = np.concatenate(([0.0], np.cumsum(page.block_prose)))
    first = np.searchsorted(page.block_elements, page.dom.ends[headings])
    last = np.append(np.searchsorted(page.block_elements, headings[1:]), len(page.block_elements))
    last = np.maximum(last[: len(headings)], first)
    return before[last] - before[first], prose[last] - prose[first]


def _under_first_h1(page: Page, headings: np.ndarray, under: np.ndarray) -> float:
    is_h1 = page.dom.has_tag({"h1"})[headings]
    return float(under[int(np.argmax(is_h1))]) if is_h1.any() else -1.0


def _title(page: Page, headings: np.ndarray, under: np.ndarray) -> dict[str, float]:
    """Features of the heading with the largest overlap with ``<title>``."""
    dom = page.dom
    title = page.title[:_MAX_CHARACTERS]
    title_words = set(words_in(title.lower()))
    best, best_likeness = -1, 0.0
    for rank, heading in enumerate(headings[:60].tolist() if title_words else ()):
        text = " ".join(dom.texts[heading : dom.ends[heading]])[:_MAX_CHARACTERS]
        words = set(words_in(text.lower()))
        likeness = len(words & title_words) / max(len(words | title_words), 1)
        if likeness > best_likeness:
            best, best_likeness = rank, likeness
    found = best >= 0
    heading = int(headings[best]) if found else 0
    block = int(np.searchsorted(page.block_elements, heading))
    position = float(page.block_words[:block].sum())
    near = slice(max(block - _NEAR, 0), block + _NEAR + 1)
    after = slice(block + 1, block + _NEAR + 1)
    return {
        "title.words": float(len(title_words)),
        "title.parts": float(1 + sum(title.count(mark) for mark in _TITLE_SEPARATORS)),
        "title.digits": float(sum(character.isdigit() for character in title)),
        "title.likeness": best_likeness,
        "title.rank": float(best),
        "title.level": float(dom.tags[heading][1:]) if found else 0.0,
        "title.linked": float(page.linked[heading] > 0) if found else 0.0,
        "title.position": position / page.total_words if found else -1.0,
        "title.under": float(under[best]) / page.total_words if found else -1.0,
        "title.dates-near": float(page.is_full_date[near].sum()) if found else -1.0,
        "title.links-after": float((page.block_linked[after] > 0).sum()) if found else -1.0,
        "title.prose-after": float(page.block_prose[after].sum()) if found else -1.0,
        "title.words-after": float(page.block_words[after].sum()) if found else -1.0,
        "title.under-words": float(under[best]) if found else -1.0,
    }
