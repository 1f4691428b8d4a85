"""The extractor: labels the blocks, and makes text and structure from the labels."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tree import BoolArray
from extraction.methods.base import DomExtractor
from extraction.methods.victor.blocks import TextBlocks, cut
from extraction.methods.victor.crf import CONTINUATION, LABELS, OTHER, Crf, load
from extraction.methods.victor.features import features
from extraction.page.blocks import Block, BlockKind, join
from extraction.page.segmentation import Segmentation, segment
from extraction.page.selection import Selection
from extraction.result import Extraction

Decoding = Literal["marginal", "viterbi"]

_KIND_OF_LABEL: dict[str, BlockKind] = {
    "header": "heading",
    "paragraph": "paragraph",
    "list": "list-item",
    "continuation": "paragraph",
}


@dataclass(frozen=True, eq=False)
class Labelling:
    """The model's output for a page.

    blocks: the text nodes. labels: (blocks,) indices into LABELS.
    marginals: (blocks, labels), the probability of every label.
    """

    blocks: TextBlocks
    labels: npt.NDArray[np.int64]
    marginals: npt.NDArray[np.float64]

    @property
    def is_main(self) -> BoolArray:
        """(blocks,): whether it is main content, which is any label but ``other``."""
        main: BoolArray = self.labels != OTHER
        return main

    @property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """(blocks,): the probability of being main content."""
        main: npt.NDArray[np.float64] = 1 - self.marginals[:, OTHER]
        return main

    @property
    def confidence(self) -> float | None:
        """The mean probability that a block is correctly kept or dropped, weighted by length."""
        if not len(self.labels):
            return None
        right = np.where(self.is_main, self.probabilities, 1 - self.probabilities)
        return float(np.average(right, weights=[len(text) for text in self.blocks.texts]))


class Victor(DomExtractor):
    """Keeps what the CRF labels header, paragraph, list or continuation.

    ``Extraction.text`` follows the same rules as for all methods. ``Extraction.blocks`` follow the
    labels: a header, paragraph or list label begins a block, a continuation extends it.

    decoding: ``marginal`` keeps a block if main content is more probable than ``other`` and gives
        it the most probable label of main content; ``viterbi``, as CRF++ decodes, takes the most
        probable sequence of labels. The first one scores better (docs/results/victor.md).
    """

    name = "victor"

    def __init__(self, model: Path | Crf | None = None, decoding: Decoding = "marginal") -> None:
        """model: a file that training wrote, or its content; by default, the shipped model."""
        if model is None:
            with resources.as_file(resources.files(__package__) / "model.npz") as shipped:
                model = load(shipped)
        self.crf = model if isinstance(model, Crf) else load(model)
        self.decoding: Decoding = decoding

    def label(self, dom: Dom) -> Labelling:
        """Label every visible text node."""
        blocks = cut(dom)
        classes = features(blocks, self.crf.binning).classes
        return Labelling(blocks, *labels_of(self.crf, classes, self.decoding))

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        return assembled(self.label(dom), self.name)


def assembled(labelling: Labelling, method: str) -> Extraction:
    """The extraction that the labels of a page define."""
    dom = labelling.blocks.dom
    kept = np.zeros(len(dom), dtype=np.bool_)
    kept[labelling.blocks.nodes[labelling.is_main]] = True
    segmentation = segment(dom)
    return Extraction(
        text=join(segmentation.kept_blocks(kept)),
        blocks=_labelled_blocks(segmentation, labelling),
        method=method,
        confidence=labelling.confidence,
        selection=Selection(segmentation, kept),
    )


def labels_of(
    crf: Crf, classes: npt.NDArray[np.int32], decoding: Decoding
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The labels and the marginals of the blocks of a page; see Labelling."""
    emissions = crf.emissions(classes)
    marginals = crf.marginals(emissions)
    if decoding == "viterbi":
        return crf.best_labels(emissions), marginals
    main = np.delete(marginals, OTHER, axis=1).argmax(axis=1)
    return np.where(marginals[:, OTHER] < 0.5, main, OTHER), marginals


def _labelled_blocks(segmentation: Segmentation, labelling: Labelling) -> tuple[Block, ...]:
    """The kept text nodes, grouped into blocks by their labels."""
    main = np.flatnonzero(labelling.is_main)
    if not len(main):
        return ()
    nodes = labelling.blocks.nodes[main]
    labels = labelling.labels[main]
    begins = labels != CONTINUATION
    # No block begins inside a word: the text, unlike the blocks, would not separate the two parts.
    begins[1:] &= segmentation.continued[nodes[1:]] != nodes[:-1]
    begins[0] = True
    piece_of, piece_begins = _pieces(segmentation.block_of[nodes], begins)
    texts = _texts(segmentation, nodes, piece_of)
    # A piece that continues the previous block is separated from it only by layout.
    lines: list[list[str]] = []
    for text, new in zip(texts, piece_begins.tolist(), strict=True):
        if new:
            lines.append([text])
        else:
            lines[-1].append(text)
    block_of = np.cumsum(begins) - 1
    sums = np.bincount(block_of, weights=labelling.probabilities[main])
    probabilities = sums / np.bincount(block_of)
    return tuple(
        Block("\n".join(filter(None, parts)), _KIND_OF_LABEL[LABELS[label]], probability)
        for parts, label, probability in zip(
            lines, labels[begins].tolist(), probabilities.tolist(), strict=True
        )
        if any(parts)
    )


def _pieces(
    layout_block: npt.NDArray[np.int32], begins: BoolArray
) -> tuple[npt.NDArray[np.int32], BoolArray]:
    """For every kept node, its piece: nodes in the same block both by label and by layout.

    Also, for every piece, whether it begins a block by label.
    """
    new_piece = begins.copy()
    new_piece[1:] |= layout_block[1:] != layout_block[:-1]
    return (np.cumsum(new_piece) - 1).astype(np.int32), begins[new_piece]


def _texts(
    segmentation: Segmentation, nodes: npt.NDArray[np.int32], piece_of: npt.NDArray[np.int32]
) -> list[str]:
    """The text of every piece, by the rules of all methods."""
    block_of = np.full(len(segmentation.dom), -1, dtype=np.int32)
    block_of[nodes] = piece_of
    # Blank text nodes between two nodes of a piece are the white space between their words.
    blank = np.flatnonzero((segmentation.block_of >= 0) & (block_of < 0))
    following = np.searchsorted(nodes, blank)
    between = (following > 0) & (following < len(nodes))
    left, right = following[between] - 1, following[between]
    same = piece_of[left] == piece_of[right]
    block_of[blank[between][same]] = piece_of[left[same]]
    starts = np.flatnonzero(np.diff(piece_of, prepend=-1))
    stops = np.append(starts[1:], len(nodes)) - 1
    pieces = Segmentation(
        dom=segmentation.dom,
        block_of=block_of,
        firsts=nodes[starts],
        lasts=nodes[stops],
        containers=segmentation.containers[segmentation.block_of[nodes[starts]]],
        code_lines=segmentation.code_lines,
    )
    kept = np.zeros(len(segmentation.dom), dtype=np.bool_)
    kept[nodes] = True
    kept[blank] = [not segmentation.dom.texts[node].strip() for node in blank.tolist()]
    return pieces.texts_of(kept)
