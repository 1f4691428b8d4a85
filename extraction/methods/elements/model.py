"""The models: word weights and boosted trees, for text elements and for images."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import orjson

from corpus_commons.boosting import Booster
from extraction.methods.elements.linear import WordWeights

if TYPE_CHECKING:
    from corpus_commons.markup.tree import IntArray
    from extraction.methods.elements.ancestry import Ancestry
    from extraction.methods.elements.linear import TextWords
    from extraction.methods.elements.page_view import PageView

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]

_PARTS: Final = ("path", "own", "text")


@dataclass(frozen=True, eq=False)
class Judge:
    """Predicts the probability that elements are main content.

    weights: of the words in names and texts.
    trees: over the features and the word scores.
    threshold: the least probability at which an element is kept.
    """

    weights: WordWeights
    trees: Booster
    threshold: float

    def probabilities(
        self, rows: Rows, ancestry: Ancestry, nodes: IntArray, words: TextWords
    ) -> Floats:
        """One entry per element, in [0, 1]."""
        if not len(nodes):
            return np.zeros(0)
        table = np.hstack((rows, self.weights.scores(ancestry, nodes, words)), dtype=np.float32)
        return self.trees.predict(table)


@dataclass(frozen=True, eq=False)
class Model:
    """The two judges; images are classified after the text around them."""

    text: Judge
    images: Judge

    def text_probabilities(self, page: PageView) -> Floats:
        return self.text.probabilities(
            page.text_rows, page.ancestry, page.elements.nodes, page.text_words
        )

    def image_probabilities(self, page: PageView, text_probabilities: Floats) -> Floats:
        rows = page.image_rows(text_probabilities)
        return self.images.probabilities(rows, page.ancestry, page.images, page.image_words)

    def save(self, folder: Path) -> None:
        """Write ``words.npz``, ``text.trees``, ``images.trees`` and ``thresholds.json``."""
        folder.mkdir(parents=True, exist_ok=True)
        judges = {"text": self.text, "images": self.images}
        weights = {
            f"{name}_{part}": getattr(judge.weights, part).astype(np.float16)
            for name, judge in judges.items()
            for part in _PARTS
        }
        np.savez_compressed(folder / "words.npz", allow_pickle=False, **weights)
        for name, judge in judges.items():
            (folder / f"{name}.trees").write_text(judge.trees.text, encoding="utf-8")
        thresholds = {name: judge.threshold for name, judge in judges.items()}
        (folder / "thresholds.json").write_bytes(orjson.dumps(thresholds) + b"\n")


def load(folder: Path | str) -> Model:
    """Load the model that ``save`` wrote.

    Raises FileNotFoundError if a file is missing, ValueError if one holds no trees.
    """
    folder = Path(folder)
    thresholds = orjson.loads((folder / "thresholds.json").read_bytes())
    with np.load(folder / "words.npz", allow_pickle=False) as weights:
        text, images = (
            Judge(
                WordWeights(*(weights[f"{name}_{part}"].astype(np.float32) for part in _PARTS)),
                Booster((folder / f"{name}.trees").read_text(encoding="utf-8")),
                thresholds[name],
            )
            for name in ("text", "images")
        )
    return Model(text, images)
