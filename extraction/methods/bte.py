"""Body text extraction (BTE): the stretch of the page with the most words and the fewest tags.

A. Finn, N. Kushmerick, B. Smyth: Fact or fiction: content classification for digital libraries.
DELOS workshop on personalisation and recommender systems in digital libraries, 2001.

The page is a sequence of tokens: tags and words. The text between the tokens i and j is kept that
maximises the number of words inside plus the number of tags outside. Since the tags outside are all
tags minus those inside, this is the maximum-sum subarray with words as 1 and tags as -1.
"""

from __future__ import annotations

import numpy as np

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.measures import Counts, Measures
from corpus_commons.markup.tags import VOID
from extraction.methods.base import DomExtractor
from extraction.page.segmentation import segment
from extraction.result import Extraction


class BodyTextExtraction(DomExtractor):
    """BTE over the start and end tags of the parsed tree, not over those of the file.

    So optional tags (``</p>``, ``</li>``, ``<tbody>``) count the same on every page, whether
    written or not, and the content of scripts does not count.
    """

    name = "bte"

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        measures = Measures(dom)
        first, last = body_text(dom, measures.own_words)
        kept = measures.shown.copy()
        kept[:first] = False
        kept[last + 1 :] = False
        segmentation = segment(dom, kept)
        return self.extraction(segmentation, segmentation.block_of >= 0)


def body_text(dom: Dom, own_words: Counts) -> tuple[int, int]:
    """The first and the last node of the body text; (0, -1) on a page without words.

    own_words: for every node, the words of its own text; 0 for elements.
    Linear in the number of nodes: the greatest sum that ends at a node is the sum up to it minus
    the least sum up to any earlier node.
    """
    has_end_tag = ~(dom.is_text | dom.has_tag(VOID))
    end_tags = np.bincount(dom.ends[has_end_tag], minlength=len(dom) + 1)[:-1]
    start_tags = (~dom.is_text).astype(np.int64)
    tags_before = np.cumsum(start_tags) - start_tags + np.cumsum(end_tags)
    before = np.cumsum(own_words) - own_words - tags_before
    with_words = np.flatnonzero(own_words)
    if not with_words.size:
        return 0, -1
    starts = before[with_words]
    ends = starts + own_words[with_words]
    last = int(np.argmax(ends - np.minimum.accumulate(starts)))
    first = int(np.argmin(starts[: last + 1]))
    return int(with_words[first]), int(with_words[last])
