"""The model file, and what the model makes of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt
import orjson
import zstandard

from boosting.booster import Booster
from extraction.methods.boosted_blocks.decoding import decide
from extraction.methods.boosted_blocks.features import matrix
from extraction.methods.boosted_blocks.page_judgement import ARTICLE, PageJudge, summary

if TYPE_CHECKING:
    from pathlib import Path

    from extraction.methods.boosted_blocks.decoding import Floats
    from extraction.methods.boosted_blocks.view import PageView

_MAX_BYTES = 64_000_000
# What is doubtful on an article comes after its end, as a rule; of lists and shops it is worth
# having.
_STRICTNESS, _STRICTER_IF_ARTICLE = 0.9, 0.5


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

    features: the names of those that the block trees were trained on; one more column tells them
        whether the page is known to be an article.
    """

    features: tuple[str, ...]
    block_trees: Booster
    judge: PageJudge

    def read(self, view: PageView, genre: str | None = None) -> Reading:
        """genre: the kind of page, where it is known."""
        rows = matrix(view, self.features)
        probabilities = self.block_trees.predict(told(rows, genre))
        page = summary(rows, probabilities, view.words, view.copies)
        type_scores = self.judge.type_scores(page)
        article = type_scores.get(ARTICLE, 0.0) if genre is None else float(genre == ARTICLE)
        strictness = _STRICTNESS + _STRICTER_IF_ARTICLE * article
        kept = decide(probabilities, view.words, view.copies, strictness=strictness).kept
        return Reading(probabilities, kept, self.judge.confidence(page), type_scores)


def told(rows: npt.NDArray[np.float32], genre: str | None) -> npt.NDArray[np.float32]:
    """The features and whether the page is known to be an article; NaN where it is not known."""
    known = np.nan if genre is None else float(genre == ARTICLE)
    return np.column_stack([rows, np.full(len(rows), known, dtype=np.float32)])


class Contents(TypedDict):
    """What the model file holds.

    features, page_types: names. blocks, types, f1: trees in LightGBM's text format; no types where
        none were learned.
    """

    features: list[str]
    blocks: str
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
    return Model(tuple(contents["features"]), Booster(contents["blocks"]), judge)


def load(file: Path) -> Model:
    """The model that ``save`` wrote."""
    packed = zstandard.ZstdDecompressor().decompress(file.read_bytes(), _MAX_BYTES)
    return model_of(orjson.loads(packed))


def save(file: Path, contents: Contents) -> None:
    packed = zstandard.ZstdCompressor(level=19).compress(orjson.dumps(contents))
    file.write_bytes(packed)
