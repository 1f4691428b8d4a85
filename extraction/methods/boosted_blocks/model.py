"""The model and its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting import model_file
from corpus_commons.boosting.booster import Booster
from extraction.methods.boosted_blocks.agreement import agreed
from extraction.methods.boosted_blocks.block_trees import BlockTrees
from extraction.methods.boosted_blocks.decoding import Policy
from extraction.methods.boosted_blocks.features import matrix
from extraction.methods.boosted_blocks.lexicon import Lexicon
from extraction.methods.boosted_blocks.page_judgement import (
    ARTICLE,
    PageJudge,
    likeness,
    summary,
)
from extraction.methods.boosted_blocks.page_types import page_types
from extraction.methods.boosted_blocks.site import PRIOR, PageOnSite, corrected
from extraction.methods.boosted_blocks.structures import decide_structures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from extraction.methods.base import Parsed
    from extraction.methods.boosted_blocks.arrays import Floats, Rows
    from extraction.methods.boosted_blocks.batch import Batch
    from extraction.methods.boosted_blocks.view import PageView
    from extraction.page_marks import PageMarks

# Uncertain blocks should be dropped from a product page, where they are other products; in a list
# they are worth keeping. What comes after an article has to be sure. The posts of a forum and the
# entries of a list belong together, whereas a shop shows its products and others alike.
_POLICIES: Final = {
    ARTICLE: Policy(strictness=1.0, certainty=0.8, gap=30, agreement=0.6),
    "collection": Policy(strictness=0.8, certainty=0.5),
    "documentation": Policy(strictness=0.6, certainty=0.5, agreement=0.6),
    "forum": Policy(strictness=1.0, certainty=0.0, agreement=0.6),
    "listing": Policy(strictness=0.6, certainty=0.5, agreement=0.6),
    "product": Policy(strictness=1.2, certainty=0.6),
    "service": Policy(strictness=0.7, certainty=0.5),
}
_DEFAULT_POLICY: Final = Policy(strictness=0.9, certainty=0.5)


class Reading(NamedTuple):
    """The model's output for a page.

    probabilities: for every block, that it is main content, in [0, 1].
    kept: for every block, whether it is kept.
    confidence: the expected F1, in [0, 1].
    type_scores: the method's own probability for every page type; empty if the model was trained
        without types.
    marks, site_pages: as in ``Extraction``.
    """

    probabilities: Floats
    kept: npt.NDArray[np.bool_]
    confidence: float
    type_scores: dict[str, float]
    marks: PageMarks | None = None
    site_pages: int | None = None


@dataclass(frozen=True, eq=False)
class Model:
    """Trees over blocks, and trees over the page's summary of their results.

    features: the names of the features that the trees were trained on.
    site: weights of the evidence from other pages of the site; None for a model without.
    """

    features: tuple[str, ...]
    lexicon: Lexicon
    trees: BlockTrees
    judge: PageJudge
    site: Sequence[float] | None = None

    def read(self, batch: Batch, parsed: Sequence[Parsed]) -> list[Reading]:
        """Classify the blocks of pages. parsed: those of the batch."""
        rows, probabilities = self._judged(batch, parsed)
        pages = np.stack(
            [
                summary(own, its, view.words, view.copies)
                for own, its, view in zip(rows, probabilities, batch.views, strict=True)
            ]
        )
        own = self.judge.type_scores(pages)
        judged = zip(own, page_types(parsed, own), self.judge.confidence(pages), strict=True)
        return [
            self._decided(*page)
            for page in zip(batch.views, probabilities, judged, parsed, strict=True)
        ]

    def probabilities(self, batch: Batch, parsed: Sequence[Parsed]) -> list[Floats]:
        """For every page, the probabilities of its blocks by the trees alone."""
        return self._judged(batch, parsed)[1]

    def _judged(self, batch: Batch, parsed: Sequence[Parsed]) -> tuple[list[Rows], list[Floats]]:
        """For every page, the features of its blocks, and their probabilities."""
        rows, scores = matrix(batch, self.features), self.lexicon.scores(batch)
        genres = [page.genre for page in parsed]
        found = self.trees.probabilities(rows, scores, batch.words, batch.starts, genres)
        cuts = batch.starts[1:]
        return np.split(rows, cuts), np.split(found, cuts)

    def _decided(
        self,
        view: PageView,
        probabilities: Floats,
        judged: tuple[dict[str, float], Mapping[str, float], float],
        page: Parsed,
    ) -> Reading:
        type_scores, types, confidence = judged
        policy = policy_for(types)
        marks = site_pages = None
        together = agreed(probabilities, view.places, view.words, policy.agreement)
        if page.site is not None and self.site is not None:
            on_site = PageOnSite.of(view, page.url)
            marks, known = on_site.marks(probabilities), on_site.known(page.site, together)
            site_pages = known.pages
            together = corrected(together, known, types, self.site)
        kept = decide_structures(together, view, policy, likeness(type_scores, page.genre))
        return Reading(together, kept, confidence, type_scores, marks, site_pages)


def policy_for(type_scores: Mapping[str, float]) -> Policy:
    """The policy for a page with these type probabilities: the mean of those of the types.

    >>> policy_for({"article": 1.0})
    Policy(strictness=1.0, certainty=0.8, gap=30.0, agreement=0.6)
    >>> policy_for({})
    Policy(strictness=0.9, certainty=0.5, gap=60.0, agreement=0.0)
    """
    known = [(share, _POLICIES[name]) for name, share in type_scores.items() if name in _POLICIES]
    known.append((max(0.0, 1.0 - sum(share for share, _ in known)), _DEFAULT_POLICY))
    shares, policies = zip(*known, strict=True)
    return Policy(*np.dot(shares, policies).tolist())


class Contents(TypedDict):
    """The content of the model file.

    features, page_types: names. lexicon: its fields. blocks, articles, types, f1: trees in
        LightGBM's text format; articles and types are None if the model was trained without types.
        site: as in ``Model``; missing if no site had several pages.
    """

    features: list[str]
    lexicon: dict[str, dict[str, float]]
    blocks: list[str]
    articles: str | None
    page_types: list[str]
    types: str | None
    f1: str
    site: NotRequired[list[float]]


def model_of(contents: Contents) -> Model:
    """Raises ValueError for weights of other evidence."""
    types, site = contents["types"], contents.get("site")
    if site is not None and len(site) != len(PRIOR):
        raise ValueError(
            f"the model weighs {len(site)} kinds of evidence of a site, not {len(PRIOR)}"
        )
    judge = PageJudge(
        page_types=tuple(contents["page_types"]),
        type_trees=None if types is None else Booster(types),
        f1_trees=Booster(contents["f1"]),
    )
    lexicon = Lexicon(**contents["lexicon"])
    trees = BlockTrees.of(contents["blocks"], contents["articles"])
    return Model(tuple(contents["features"]), lexicon, trees, judge, site)


def load(file: Path | str) -> Model:
    """Load a model that ``save`` wrote. Raises ValueError for any other file."""
    return model_file.load(file, "trees over blocks", model_of)


def save(file: Path, contents: Contents) -> None:
    """Write a model for ``load``."""
    model_file.save(file, contents)
