"""Block scores of methods, as in Table 1 of the Web2Text paper.

The blocks are Web2Text's, the leaves of the collapsed DOM; the gold text determines which are main
content (extraction.methods.web2text.labels). The text of a method is aligned with the blocks in the
same way, as in the paper; Web2Text's own labels are used directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from corpus_commons.markup.dom import parse, tamed
from evaluation.metrics.blocks import Labels, blocks
from evaluation.metrics.score import Confusion
from extraction.base import Extractor
from extraction.kinds import KINDS
from extraction.labelled import LabelledPage
from extraction.methods.web2text import Web2Text
from extraction.methods.web2text.cdom import CollapsedDom, collapse
from extraction.methods.web2text.labels import gold_labels
from extraction.result import ExtractionError


@dataclass
class BlockScores:
    """The decisions of one method on the blocks of all pages.

    failures: the number of pages with an error; all their blocks count as dropped.
    """

    confusion: Confusion = field(default_factory=Confusion)
    failures: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Accuracy, precision, recall and F1, and the underlying counts."""
        score = self.confusion.score
        return {
            "accuracy": self.confusion.accuracy,
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "true_positives": self.confusion.tp,
            "false_positives": self.confusion.fp,
            "false_negatives": self.confusion.fn,
            "true_negatives": self.confusion.tn,
            "failures": self.failures,
        }


def score_blocks(
    pages: Iterable[LabelledPage], extractors: Mapping[str, Extractor]
) -> dict[str, BlockScores]:
    """The scores of every method, pooled over the blocks of all pages."""
    scores = {name: BlockScores() for name in extractors}
    for page in pages:
        cdom = collapse(parse(page.html))
        gold = gold_labels(cdom.texts, page.gold_text) == 1
        for name, extractor in extractors.items():
            try:
                predicted = block_labels(extractor, page, cdom)
            except ExtractionError:
                predicted = np.zeros(len(gold), dtype=np.bool_)
                scores[name].failures += 1
            scores[name].confusion += blocks(predicted, gold)
    return scores


def block_labels(extractor: Extractor, page: LabelledPage, cdom: CollapsedDom) -> Labels:
    """For every block of a page, whether a method keeps it.

    Raises ExtractionError if the method does.
    """
    if isinstance(extractor, Web2Text):
        labels, _ = extractor.labels(cdom)
    else:
        genre = page.genre if page.genre in KINDS else None
        text = extractor.extract(page.html, url=page.url, genre=genre).text
        labels = gold_labels(cdom.texts, text)
    kept: Labels = labels == 1
    return kept


def repaired(page: LabelledPage) -> LabelledPage:
    """The page as repaired by an HTML5 tree builder, with all elements closed.

    >>> repaired(LabelledPage("1", "<P>one<P>two", "")).html
    '<html><head></head><body><p>one</p><p>two</p></body></html>'
    """
    return replace(page, html=LexborHTMLParser(tamed(page.html)).html or "")


def split_pages(pages: Iterable[LabelledPage], split: str) -> Iterator[LabelledPage]:
    """The test pages of one of Web2Text's two splits of CleanEval, ``w2t`` or ``w2t_ce_test``."""
    wanted = "test" if split == "w2t" else True
    return (page for page in pages if page.meta.get(split) == wanted)
