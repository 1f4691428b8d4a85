"""Features of a page's text: its characters, and whether it is one long text or many pieces."""

from __future__ import annotations

import numpy as np

from corpus_commons.markup.characters import Integers
from genre_model.html.characters import CharacterClass, Floats
from genre_model.html.page import Page

_QUANTILES = (0.75, 0.9, 0.97)
_LENGTHS = (20, 50)
_SHARE_LENGTHS = (20, 50, 100)
_MAIN_SHARE = 0.5


def text_features(page: Page) -> dict[str, float]:
    """Features of all visible text."""
    return {
        **_signs(page),
        **_blocks(page),
        **_run(page),
        **_main(page, "main-prose", page.block_prose),
        **_main(page, "main-text", np.where(page.block_link_density < 1, page.block_words, 0)),
        **_parents(page),
    }


def _signs(page: Page) -> dict[str, float]:
    characters, words = page.characters, page.total_words
    counts = characters.counts.sum(axis=0)
    letters = counts[[CharacterClass.LOWER, CharacterClass.UPPER, CharacterClass.UNSPACED]].sum()
    clutter = page.in_clutter[page.nodes]
    return {
        "text.words": words,
        "text.words-outside-clutter": float(characters.words[~clutter].sum()),
        "text.link-density": float(page.linked_words.sum()) / words,
        "text.link-density-outside-clutter": float(page.linked_words[~clutter].sum())
        / max(float(characters.words[~clutter].sum()), 1.0),
        "text.sentences": float(characters.sentences.sum()) / words,
        "text.capitalised": float(characters.capitalised.sum()) / words,
        "text.unspaced": float(counts[CharacterClass.UNSPACED] / max(letters, 1)),
        "text.prices": float(characters.prices.sum()),
        **{
            f"text.{kind.name.lower()}": float(counts[kind]) / words
            for kind in CharacterClass
            if kind >= CharacterClass.DIGIT
        },
    }


def _blocks(page: Page) -> dict[str, float]:
    words = page.block_words
    n = max(len(words), 1)
    share = words / page.total_words
    prose = page.block_words[page.is_prose]
    middles = np.cumsum(share) - share / 2
    prose_share = page.block_prose / max(float(prose.sum()), 1.0)
    centre = float((prose_share * middles).sum())
    ordered = np.sort(words)[::-1]
    places = np.array(_QUANTILES) * max(len(words) - 1, 0)
    quantiles = np.interp(places, np.arange(n), ordered[::-1] if len(words) else np.zeros(1))
    return {
        "blocks.count": float(len(words)),
        "blocks.longest": float(words.max(initial=0)),
        "blocks.evenness": float((share**2).sum()),
        "blocks.top5-share": float(ordered[:5].sum()) / page.total_words,
        **{f"blocks.words-{q}": float(v) for q, v in zip(_QUANTILES, quantiles, strict=True)},
        **{f"blocks.over-{length}": float((prose > length).sum()) for length in _LENGTHS},
        **{
            f"blocks.share-over-{length}": float(prose[prose > length].sum()) / page.total_words
            for length in _SHARE_LENGTHS
        },
        "blocks.linked": float((page.block_link_density > 0.8).sum()) / n,
        "blocks.unlinked-short": float(
            ((page.block_link_density == 0) & (words < 8)).sum()
        ) / n,
        "prose.blocks": float(len(prose)),
        "prose.share-of-blocks": len(prose) / n,
        "prose.words": float(prose.sum()),
        "prose.share": float(prose.sum()) / page.total_words,
        "prose.mean": float(prose.mean()) if len(prose) else 0.0,
        "prose.spread": float(prose.std() / prose.mean()) if len(prose) else 0.0,
        "prose.outside-clutter": float(
            page.block_prose[~page.in_clutter[page.block_elements]].sum()
        ),
        "prose.centre": centre,
        "prose.dispersion": float((prose_share * (middles - centre) ** 2).sum()) ** 0.5,
        "prose.first": float(middles[page.is_prose][0]) if len(prose) else 1.0,
        "dates.blocks": float(page.is_date.sum()),
        "dates.outside-clutter": float(
            page.is_date[~page.in_clutter[page.block_elements]].sum()
        ),
        "dates.full": float(page.is_full_date.sum()),
        "dates.full-outside-clutter": float(
            page.is_full_date[~page.in_clutter[page.block_elements]].sum()
        ),
        "prices.blocks": float(page.has_price.sum()),
        "prices.share-of-blocks": float(page.has_price.sum()) / n,
    }  # fmt: skip


def _run(page: Page) -> dict[str, float]:
    """Features of the longest run of blocks, in words, without a block that is mostly links."""
    breaks = (page.block_link_density > 0.5) & (page.block_words > 0)
    runs = np.cumsum(breaks)
    words = np.bincount(runs, np.where(breaks, 0, page.block_words), 1)
    prose = np.bincount(runs, page.block_prose, 1)
    blocks = np.bincount(runs, page.is_prose, 1)
    best = int(np.argmax(prose))
    total = max(float(page.block_prose.sum()), 1.0)
    ordered = np.sort(prose)[::-1]
    return {
        "run.prose": float(prose[best]),
        "run.prose-blocks": float(blocks[best]),
        "run.share-of-prose": float(prose[best]) / total,
        "run.share": float(words[best]) / page.total_words,
        "run.second": float(ordered[1] / max(ordered[0], 1.0)) if len(ordered) > 1 else 0.0,
        "run.count": float((prose > 0).sum()),
        "run.over-30": float((prose > 30).sum()),
    }


def _main(page: Page, name: str, block_values: Floats) -> dict[str, float]:
    """Features of the smallest element that contains most of the sum of the values."""
    sums = page.over_subtrees(block_values)
    # Elements with more than half of the sum are nested, so the last one is the innermost.
    containing = np.flatnonzero(page.is_element & (sums > _MAIN_SHARE * max(sums[0], 1e-9)))
    node = int(containing[-1]) if len(containing) else 0
    words = max(float(page.words[node]), 1.0)
    end = int(page.dom.ends[node])
    inside = slice(node, end)
    children = page.dom.parents[inside] == node
    child_values = sums[inside][children]
    return {
        f"{name}.share": float(sums[node]) / max(float(sums[0]), 1.0),
        f"{name}.share-of-words": float(page.words[node]) / page.total_words,
        f"{name}.words": float(page.words[node]),
        f"{name}.link-density": float(page.linked[node]) / words,
        f"{name}.blocks": float(page.blocks[node]),
        f"{name}.words-per-block": float(page.words[node]) / max(float(page.blocks[node]), 1.0),
        f"{name}.depth": float(page.dom.depths[node]),
        f"{name}.children": float((child_values > 0).sum()),
        f"{name}.largest-child": float(child_values.max(initial=0)) / max(float(sums[node]), 1.0),
        f"{name}.headings": float(page.is_heading[inside].sum()),
        f"{name}.linked-headings": float(
            (page.is_heading[inside] & (page.linked[inside] > 0)).sum()
        ),
        f"{name}.pictures": float(page.is_picture[inside].sum()),
        f"{name}.links": float(page.is_link[inside].sum()),
        f"{name}.elements": float(page.is_element[inside].sum()) / words,
    }


def _parents(page: Page) -> dict[str, float]:
    """Features of the elements with the most prose in their own children, in descending order."""
    parents: Integers = np.maximum(page.dom.parents[page.block_elements], 0).astype(np.int64)
    prose = np.bincount(parents, page.block_prose, len(page.dom))
    blocks = np.bincount(parents, page.is_prose, len(page.dom))
    top = np.sort(prose)[::-1][:4]
    top = np.pad(top, (0, 4 - len(top)))
    best = int(np.argmax(prose))
    total = max(float(page.block_prose.sum()), 1.0)
    return {
        "parent.share-of-prose": float(top[0]) / total,
        "parent.share": float(top[0]) / page.total_words,
        "parent.words": float(top[0]),
        "parent.blocks": float(blocks[best]),
        "parent.second": float(top[1]) / max(float(top[0]), 1.0),
        "parent.fourth": float(top[3]) / max(float(top[0]), 1.0),
        "parent.count": float((prose > 20).sum()),
    }
