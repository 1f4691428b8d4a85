"""Grow the trees of a model from samples."""

from __future__ import annotations

import zlib
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from boosting.booster import Booster
from boosting.growing import PARAMETERS
from extraction.methods.boosted_blocks.decoding import decide
from extraction.methods.boosted_blocks.labels import f1_of
from extraction.methods.boosted_blocks.model import Contents, told
from extraction.methods.boosted_blocks.page_judgement import summary
from extraction.methods.boosted_blocks.samples import feature_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from extraction.methods.boosted_blocks.decoding import Floats
    from extraction.methods.boosted_blocks.samples import Sample

_OF_BLOCKS = PARAMETERS | {
    "objective": "binary",
    "learning_rate": 0.1,
    "num_leaves": 63,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.6,
}
_OF_PAGES = PARAMETERS | {"learning_rate": 0.06, "num_leaves": 8, "min_data_in_leaf": 20}
_PAGE_TREES = 150
# Half of the pages are learned with their genre and half without, for both are asked for.
_TOLD = 0.5


def folds_of(samples: Sequence[Sample], folds: int) -> npt.NDArray[np.intp]:
    """For every sample the fold it is held out in; all pages of a site in one."""
    return np.array([zlib.crc32(sample.site.encode()) % folds for sample in samples], dtype=np.intp)


def fit_blocks(samples: Sequence[Sample], *, trees: int, seed: int) -> str:
    """Trees that tell main content from the rest, in LightGBM's text format."""
    is_told = np.random.default_rng(seed).random(len(samples)) < _TOLD
    rows = [
        told(sample.rows, sample.page_type if known else None)
        for sample, known in zip(samples, is_told, strict=True)
    ]
    labels = np.concatenate([sample.labels for sample in samples])
    weights = np.concatenate(
        [sample.weights * rarity for sample, rarity in zip(samples, _rarity(samples), strict=True)]
    )
    return _grown(_OF_BLOCKS | {"seed": seed}, np.concatenate(rows), labels, trees, weights)


def _rarity(samples: Sequence[Sample]) -> list[float]:
    """How much every page counts: one of a rare type for more, by the square root of its rarity."""
    counts = Counter(sample.page_type for sample in samples)
    even = len(samples) / len(counts)
    return [float(np.sqrt(even / counts[sample.page_type])) for sample in samples]


def probabilities_of(trees: str, samples: Sequence[Sample]) -> list[Floats]:
    """For every sample, the probabilities of its blocks, its genre not told."""
    booster = Booster(trees)
    return [booster.predict(told(sample.rows, None)) for sample in samples]


def fit_model(
    samples: Sequence[Sample], unseen: Sequence[Floats], blocks: str, *, seed: int
) -> Contents:
    """The model of these block trees, with trees over pages.

    unseen: for every sample, the probabilities of its blocks by trees that have not seen its site;
        probabilities of pages that were learned are too sure of themselves.
    """
    pages = np.array(
        [
            summary(sample.rows, probabilities, sample.words, sample.copies)
            for sample, probabilities in zip(samples, unseen, strict=True)
        ]
    )
    f1 = [_f1(*known) for known in zip(samples, unseen, strict=True)]
    types = sorted({sample.page_type for sample in samples if sample.page_type})
    type_trees = None
    if len(types) > 1:
        typed = [place for place, sample in enumerate(samples) if sample.page_type]
        classes = [types.index(samples[place].page_type or "") for place in typed]
        objective = {"objective": "multiclass", "num_class": len(types)}
        type_trees = _grown(
            _OF_PAGES | objective | {"seed": seed}, pages[typed], classes, _PAGE_TREES
        )
    return Contents(
        features=list(feature_names()),
        blocks=blocks,
        page_types=types if type_trees else [],
        types=type_trees,
        f1=_grown(_OF_PAGES | {"objective": "cross_entropy", "seed": seed}, pages, f1, _PAGE_TREES),
    )


def _f1(sample: Sample, probabilities: Floats) -> float:
    kept = decide(probabilities, sample.words, sample.copies).kept
    text = "\n".join(sample.texts[block] for block in np.flatnonzero(kept).tolist())
    return f1_of(text, sample.page.gold_text)


def _grown(
    parameters: dict[str, Any],
    rows: npt.NDArray[np.float32],
    targets: npt.ArrayLike,
    trees: int,
    weights: npt.NDArray[np.float64] | None = None,
) -> str:
    import lightgbm  # noqa: PLC0415 - extraction itself does without, see boosting.booster

    data = lightgbm.Dataset(rows, np.asarray(targets, dtype=np.float32), weight=weights)
    return str(lightgbm.train(parameters, data, trees).model_to_string())
