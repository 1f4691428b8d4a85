"""Labels of blocks from CleanEval's gold text with its ``<h>``, ``<p>`` and ``<l>`` marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from extraction.methods.victor.crf import CONTINUATION, LABELS, OTHER
from extraction.training.alignment import gold_shares, words_of

_MARK = re.compile(r"<([hpl])>", re.I)
_LABEL_OF_MARK = {
    "h": LABELS.index("header"),
    "p": LABELS.index("paragraph"),
    "l": LABELS.index("list"),
}
# The least share of a block's words in the gold text (Web2Text, section 4.1: two thirds).
_LEAST_SHARE = 2 / 3


def segments(gold_tagged: str) -> list[tuple[str, str]]:
    """The tag and the text of every segment of the gold; text before the first tag is a ``p``.

    >>> segments("<h> Title <p> Some text")
    [('h', ' Title '), ('p', ' Some text')]
    """
    pieces = _MARK.split(gold_tagged)
    pairs = [("p", pieces[0])] if pieces[0].strip() else []
    return pairs + [
        (mark.lower(), text) for mark, text in zip(pieces[1::2], pieces[2::2], strict=True)
    ]


def block_labels(texts: Sequence[str], gold_tagged: str) -> npt.NDArray[np.int64]:
    """The label of every block of a page, as an index into LABELS.

    A block that is in the gold gets the label of its segment if it is the first one there, and is a
    continuation otherwise. Blocks without words (bullets, separators) are continuations between two
    blocks that are in the gold, and other elsewhere.

    >>> labels = block_labels(["Menu", "Title", "Some", "text."], "<h> Title <p> Some text.")
    >>> [LABELS[label] for label in labels]
    ['other', 'header', 'paragraph', 'continuation']
    """
    gold = segments(gold_tagged)
    shares = gold_shares(texts, " ".join(text for _, text in gold))
    segment_of = _segments_of(texts, [words_of(text) for _, text in gold])
    labels = np.full(len(texts), OTHER, dtype=np.int64)
    # The segment of the previous block; None if that is not in the gold.
    before: int | None = None
    wordless: list[int] = []
    for block, share in enumerate(shares.tolist()):
        if np.isnan(share):
            wordless.append(block)
            continue
        if share > _LEAST_SHARE:
            segment = segment_of[block]
            if before is not None:
                labels[wordless] = CONTINUATION
            if segment == before:
                labels[block] = CONTINUATION
            else:
                labels[block] = _LABEL_OF_MARK[gold[segment][0] if segment >= 0 else "p"]
            before = segment
        else:
            before = None
        wordless = []
    return labels


def _segments_of(texts: Sequence[str], segment_words: list[list[str]]) -> list[int]:
    """For every block, the segment with most of its words; -1 if too few are aligned."""
    units = [words_of(text) for text in texts]
    block_of_word = np.repeat(np.arange(len(units)), [len(words) for words in units])
    segment_of_word = np.repeat(
        np.arange(len(segment_words)), [len(words) for words in segment_words]
    )
    segment_of = [-1] * len(units)
    votes: list[dict[int, int]] = [{} for _ in units]
    opcodes = LCSseq.opcodes(
        [word for words in units for word in words],
        [word for words in segment_words for word in words],
    )
    for stretch in opcodes:
        if stretch.tag != "equal":
            continue
        for block, segment in zip(
            block_of_word[stretch.src_start : stretch.src_end].tolist(),
            segment_of_word[stretch.dest_start : stretch.dest_end].tolist(),
            strict=True,
        ):
            votes[block][segment] = votes[block].get(segment, 0) + 1
    for block, counted in enumerate(votes):
        if counted:
            segment_of[block] = max(counted, key=lambda segment: (counted[segment], -segment))
    return segment_of
