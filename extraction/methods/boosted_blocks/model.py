"""The model file, and what the model makes of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from boosting import model_file
from boosting.booster import Booster
from extraction.methods.boosted_blocks.block_trees import BlockTrees
from extraction.methods.boosted_blocks.decoding import Manner, completed, decide
from extraction.methods.boosted_blocks.features import matrix
from extraction.methods.boosted_blocks.lexicon import Lexicon
from extraction.methods.boosted_blocks.page_judgement import ARTICLE, PageJudge, summary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from extraction.methods.boosted_blocks.decoding import Floats
    from extraction.methods.boosted_blocks.view import PageView

# Something is doubtful on many pages. On an article it comes after the end, as a rule, and on a
# product's page it is other products; in a list it is worth having.
_MANNERS: Final = {
    ARTICLE: Manner(strictness=1.4, certainty=0.8, gap=30),
    "collection": Manner(strictness=0.8, certainty=0.5),
    "documentation": Manner(strictness=0.6, certainty=0.5),
    "forum": Manner(strictness=1.0, certainty=0.0),
    "listing": Manner(strictness=0.6, certainty=0.5),
    "product": Manner(strictness=1.2, certainty=0.6),
    "service": Manner(strictness=0.7, certainty=0.5),
}
_USUAL_MANNER: Final = Manner(strictness=0.9, certainty=0.5)


class Reading(NamedTuple):
    """What is made of a page.

    probabilities: for every block, that it is main content, in [0, 1].
    kept: which blocks are kept.
    confidence: the F1 to be expected, in [0, 1].
    type_scores: a probability for every page type; empty where the model has learned none.
    """

    probabilities: Floats
    kept: npt.NDArray[np.bool_]
    confidence: float
    type_scores: dict[str, float]


@dataclass(frozen=True, eq=False)
class Model:
    """Trees over blocks, and trees over what these say of the page.

    features: the names of those that the trees were trained on.
    """

    features: tuple[str, ...]
    lexicon: Lexicon
    trees: BlockTrees
    judge: PageJudge

    def read(self, view: PageView, genre: str | None = None) -> Reading:
        """genre: the kind of page, where it is known."""
        rows = matrix(view, self.features)
        scores = self.lexicon.scores(view)
        probabilities = self.trees.probabilities(rows, scores, view.words, genre)
        page = summary(rows, probabilities, view.words, view.copies)
        type_scores = self.judge.type_scores(page)
        manner = manner_for(type_scores if genre is None else {genre: 1.0})
        kept = decide(probabilities, view.words, view.copies, manner).kept
        kept = completed(kept, view.words, view.rows)
        return Reading(probabilities, kept, self.judge.confidence(page), type_scores)


def manner_for(type_scores: Mapping[str, float]) -> Manner:
    """How a page is decided that is of these types.

    >>> manner_for({"article": 1.0})
    Manner(strictness=1.4, certainty=0.8, gap=30.0)
    >>> manner_for({})
    Manner(strictness=0.9, certainty=0.5, gap=60.0)
    """
    known = [(share, _MANNERS[name]) for name, share in type_scores.items() if name in _MANNERS]
    known.append((max(0.0, 1.0 - sum(share for share, _ in known)), _USUAL_MANNER))
    shares, manners = zip(*known, strict=True)
    return Manner(*np.dot(shares, manners).tolist())


class Contents(TypedDict):
    """What the model file holds.

    features, page_types: names. lexicon: its fields. blocks, articles, types, f1: trees in
        LightGBM's text format; no articles and types where none were learned.
    """

    features: list[str]
    lexicon: dict[str, dict[str, float]]
    blocks: str
    articles: str | None
    page_types: list[str]
    types: str | None
    f1: str


def model_of(contents: Contents) -> Model:
    types = contents["types"]
    judge = PageJudge(
        page_types=tuple(contents["page_types"]),
        type_trees=None if types is None else Booster(types),
        f1_trees=Booster(contents["f1"]),
    )
    lexicon = Lexicon(**contents["lexicon"])
    trees = BlockTrees.of(contents["blocks"], contents["articles"])
    return Model(tuple(contents["features"]), lexicon, trees, judge)


def load(file: Path | str) -> Model:
    """The model that ``save`` wrote. Raises ValueError for another file."""
    return model_file.load(file, "trees over blocks", model_of)


def save(file: Path, contents: Contents) -> None:
    """Write the model that ``load`` reads."""
    model_file.save(file, contents)
