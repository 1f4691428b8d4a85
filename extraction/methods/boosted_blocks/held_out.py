"""The report on held-out pages: word F1, page types, and confidence against F1."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from corpus_commons.compared_words import token_pair
from corpus_commons.counts import number_of
from extraction.methods.boosted_blocks.labels import overlap_f1

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from extraction.methods.boosted_blocks.samples import Sample
    from extraction.result import Extraction

_BANDS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01)
_BAR: Final = 40


class HeldOut(NamedTuple):
    """A page, and what a model extracted from it that was trained without its site.

    on_site: whether the other pages of the site were known.
    """

    sample: Sample
    extraction: Extraction
    on_site: bool

    @property
    def f1(self) -> float:
        """The word F1, as evaluation has it."""
        return overlap_f1(*token_pair(self.extraction.text, self.sample.page.gold_text))


def report(results: Sequence[HeldOut]) -> str:
    """F1 and page type accuracy of every set, and a table of confidence against F1, as text."""
    return "\n".join([*_by_set(results), "", *_by_confidence(results)])


def _by_set(results: Sequence[HeldOut]) -> Iterator[str]:
    for name in sorted({result.sample.set_name for result in results}):
        chosen = [result for result in results if result.sample.set_name == name]
        f1 = np.mean([result.f1 for result in chosen])
        right = [
            max(scores, key=scores.__getitem__) == page_type
            for result in chosen
            if (page_type := result.sample.page_type)
            and (scores := result.extraction.page_type_scores)
        ]
        of_types = f", page type right on {np.mean(right):.3f}" if right else ""
        yield f"{name}: {number_of(len(chosen), 'page')}, F1 {f1:.3f}{of_types}"


def _by_confidence(results: Sequence[HeldOut]) -> Iterator[str]:
    # Pages without text have no confidence.
    known = [result for result in results if result.extraction.confidence is not None]
    confidence = np.array([result.extraction.confidence for result in known])
    f1 = np.array([result.f1 for result in known])
    yield "confidence   pages  mean F1"
    for low, high in pairwise(_BANDS):
        inside = (confidence >= low) & (confidence < high)
        if inside.any():
            mean = float(f1[inside].mean())
            bar = "#" * round(mean * _BAR)
            yield f"{low:.2f}-{min(high, 1):.2f}  {inside.sum():6d}  {mean:7.3f}  {bar}"
