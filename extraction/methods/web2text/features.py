"""The features of Web2Text (section 3.2): 128 per block, 25 per pair of neighbours.

The list is that of the authors' published code. Binary features are +1 and -1, as there. The other
features are clipped as there, but standardised inside the network, by the mean and variance of the
training data. Ratios that the authors' code rounds down to integers are left exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import shares
from extraction.methods.web2text.properties import (
    FloatArray,
    Properties,
    branch_properties,
    leaf_properties,
)

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.web2text.cdom import CollapsedDom

Matrix = npt.NDArray[np.float32]
_Feature = Callable[[Properties], FloatArray]


def _sign(values: FloatArray | BoolArray) -> FloatArray:
    return np.where(values > 0, 1.0, -1.0)


def _log(values: FloatArray, low: float, high: float) -> FloatArray:
    """The natural logarithm, clipped to [low, high]; ``low`` for 0."""
    floor = np.exp(low)
    return np.clip(np.log(np.maximum(values, floor)), low, high)


def _word_length(p: Properties) -> FloatArray:
    return np.clip(shares(p.letters, p.words), 3.0, 15.0)


def _stopword_share(p: Properties) -> FloatArray:
    return shares(p.stopwords, p.words)


def _punctuation_share(p: Properties) -> FloatArray:
    return _log(shares(p.punctuation, p.characters), -4.0, -2.5)


def _digit_share(p: Properties) -> FloatArray:
    return shares(p.digits, p.characters)


def _sentence_length(p: Properties) -> FloatArray:
    return _log(shares(p.characters, p.sentences), 2.0, 5.0)


def _capital_share(p: Properties) -> FloatArray:
    return shares(p.capitals, p.words)


def _middle(p: Properties) -> FloatArray:
    return (p.start + p.end) / 2


_ENDINGS_AND_CAPITALS: Mapping[str, _Feature] = {
    "ends_with_punctuation": lambda p: _sign(p.final_punctuation),
    "ends_with_question_mark": lambda p: _sign(p.final_question),
    "contains_copyright": lambda p: _sign(p.copyright),
    "contains_email": lambda p: _sign(p.email),
    "contains_url": lambda p: _sign(p.url),
    "contains_year": lambda p: _sign(p.year),
    "capital_share": _capital_share,
    "capital_share^2": lambda p: _capital_share(p) ** 2,
    "capital_share^3": lambda p: _capital_share(p) ** 3,
}
_OF_LEAF: Mapping[str, _Feature] = {
    "has_word": lambda p: _sign(p.words),
    "log_words": lambda p: _log(p.words, 0.0, 3.5),
    "word_length": _word_length,
    "has_stopword": lambda p: _sign(p.stopwords),
    "stopword_share": _stopword_share,
    "log_characters": lambda p: _log(p.characters, 2.5, 5.5),
    "has_punctuation": lambda p: _sign(p.punctuation),
    "punctuation": lambda p: np.minimum(p.punctuation, 10.0),
    "log_punctuation_share": _punctuation_share,
    "has_digit": lambda p: _sign(p.digits),
    "digit_share": _digit_share,
    "log_sentence_length": _sentence_length,
    "has_sentences": lambda p: _sign(p.sentences > 1),
    "position": _middle,
    "position^2": lambda p: _middle(p) ** 2,
    **_ENDINGS_AND_CAPITALS,
}
_OF_BRANCH: Mapping[str, _Feature] = {
    "body_share": lambda p: p.end - p.start,
    "link_density": lambda p: shares(p.linked, p.characters),
    "word_length": _word_length,
    "has_stopword": lambda p: _sign(p.stopwords),
    "stopword_share": _stopword_share,
    "log_characters": lambda p: _log(p.characters, 2.5, 10.0),
    "log_punctuation_share": _punctuation_share,
    "has_digit": lambda p: _sign(p.digits),
    "digit_share": _digit_share,
    "log_sentence_length": _sentence_length,
    **_ENDINGS_AND_CAPITALS,
    "contains_input": lambda p: _sign(p.inputs),
}
_LEAF_TAGS: Final = tuple(
    "a p td b li span i tr div strong em h3 h2 table h4 small sup h1 blockquote".split()
)
# The authors list `ul` twice; the duplicate is kept so that the 128 features are theirs.
_PARENT_TAGS: Final = tuple(
    "td div p tr table body ul span li blockquote b small a ol ul i form dl strong pre".split()
)
_REPETITIONS = ("has_duplicate", "has_10_duplicates", "same_path_share")
_DISTANCES = ("distance_2", "distance_3", "distance_4", "distance_more")

BLOCK_FEATURES: Final = (
    *_REPETITIONS,
    *_OF_LEAF,
    "has_parent",
    *(f"parent_{name}" for name in _OF_BRANCH),
    *(f"parent_tag_{tag}" for tag in _PARENT_TAGS),
    "has_grandparent",
    *(f"grandparent_{name}" for name in _OF_BRANCH),
    *(f"root_{name}" for name in _OF_BRANCH),
    *(f"tag_{tag}" for tag in _LEAF_TAGS),
)
EDGE_FEATURES: Final = (
    *_DISTANCES,
    "block_break",
    *(f"common_ancestor_{name}" for name in _OF_BRANCH),
)


@dataclass(frozen=True, eq=False)
class PageFeatures:
    """The networks' input for one page.

    blocks: (leaves, 128), the columns in the order of BLOCK_FEATURES.
    edges: (leaves - 1, 25), the columns in the order of EDGE_FEATURES; row i is the pair of the
        leaves i and i + 1. No rows for a page without leaves.
    """

    blocks: Matrix
    edges: Matrix


def page_features(cdom: CollapsedDom) -> PageFeatures:
    """The features of all blocks of a page and of all pairs of neighbours."""
    leaves = leaf_properties(cdom)
    branches = _columns(_OF_BRANCH, branch_properties(cdom, leaves))
    parent_tags = _stack([_sign(cdom.chain_has(tag)[1]) for tag in _PARENT_TAGS])
    parents = cdom.leaf_parents
    n = len(cdom.leaves)
    return PageFeatures(
        blocks=np.hstack(
            [
                _repetitions(cdom),
                _columns(_OF_LEAF, leaves),
                _of_ancestor(np.hstack([branches, parent_tags]), parents),
                _of_ancestor(branches, cdom.branch_parents[parents]),
                np.broadcast_to(branches[0], (n, len(_OF_BRANCH))),
                _stack([_sign(cdom.chain_has(tag)[0]) for tag in _LEAF_TAGS]),
            ]
        ),
        edges=np.hstack([_distances(cdom), _block_breaks(cdom), branches[cdom.common_ancestors]]),
    )


def _stack(columns: Sequence[FloatArray]) -> Matrix:
    return np.stack(columns, axis=1, dtype=np.float32, casting="same_kind")


def _columns(features: Mapping[str, _Feature], properties: Properties) -> Matrix:
    return _stack([feature(properties) for feature in features.values()])


def _of_ancestor(rows: Matrix, ancestors: IntArray) -> Matrix:
    """A column of ones and the ancestor's row; all zero where there is none (-1)."""
    exists = (ancestors >= 0).astype(np.float32)[:, None]
    return np.hstack([exists, rows[ancestors] * exists])


def _repetitions(cdom: CollapsedDom) -> Matrix:
    """How often the block's text, and its path of tags and classes, occur on the page."""
    counts = Counter(cdom.texts)
    repeats = np.fromiter((counts[text] for text in cdom.texts), np.float64, len(cdom.leaves))
    _, path, path_counts = np.unique(cdom.paths, return_inverse=True, return_counts=True)
    same_path = path_counts[path] / max(1, len(cdom.leaves))
    return _stack([_sign(repeats > 1), _sign(repeats > 10), same_path])


def _distances(cdom: CollapsedDom) -> Matrix:
    """The distance in the collapsed tree from one leaf to the next: 2, 3, 4 or more."""
    leaf_depths = cdom.branch_depths[cdom.leaf_parents] + 1
    steps = leaf_depths[:-1] + leaf_depths[1:] - 2 * cdom.branch_depths[cdom.common_ancestors]
    return _stack([_sign(found) for found in (steps == 2, steps == 3, steps == 4, steps > 4)])


def _block_breaks(cdom: CollapsedDom) -> Matrix:
    """1 where a block-level element or a ``<br>`` separates the two leaves, else 0."""
    boundaries = np.cumsum(cdom.line_boundaries)
    return (np.diff(boundaries[cdom.leaves]) > 0)[:, None].astype(np.float32)
