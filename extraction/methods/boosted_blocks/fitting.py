"""Train the trees of a model on samples."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_commons.boosting.booster import Booster
from corpus_commons.boosting.growing import PARAMETERS
from extraction.methods.boosted_blocks.agreement import agreed
from extraction.methods.boosted_blocks.block_trees import BlockTrees, told
from extraction.methods.boosted_blocks.decoding import decide
from extraction.methods.boosted_blocks.labels import f1_of
from extraction.methods.boosted_blocks.lexicon_fitting import (
    Vocabulary,
    Weighing,
    fit_weights,
    unseen_scores,
)
from extraction.methods.boosted_blocks.model import Contents, policy_for
from extraction.methods.boosted_blocks.page_judgement import ARTICLE, mean_block, summary
from extraction.methods.boosted_blocks.samples import feature_names
from extraction.methods.boosted_blocks.site_fitting import fit_site

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from extraction.methods.boosted_blocks.arrays import Floats, Rows
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
# The weight of each page that was made of an article, beside the article itself.
_MADE = 0.5
# The number of models whose mean decides about a block.
_MODELS = 3
_OF_ARTICLES = _OF_PAGES | {"objective": "binary", "lambda_l2": 1.0}
_ARTICLE_TREES = 300
_TYPE_FOLDS = 4
# The share of pages whose genre is known in training; the trees must work with it and without it.
_TOLD = 0.5
# The share of pages without telling names in the training of each model, so that the trees do not
# rely on names alone, which differ from one part of the web to another.
_NAMELESS = 0.2


class BlockClassifier(NamedTuple):
    """The trained block classifier.

    blocks, articles: trees in LightGBM's text format, as in ``BlockTrees``.
    words: the weights of the lexicon, whose scores are features of the trees.
    """

    blocks: list[str]
    articles: str | None
    words: Weighing

    def probabilities(self, samples: Sequence[Sample]) -> list[Floats]:
        """For every sample, the probabilities of its blocks, without using its genre."""
        trees = BlockTrees.of(self.blocks, self.articles)
        return [
            trees.probabilities(
                sample.rows,
                self.words.scores(sample.evidence),
                sample.words,
                np.zeros(1, np.int64),
                [None],
            )
            for sample in samples
        ]


def fit_classifier(
    samples: Sequence[Sample], vocabulary: Vocabulary, *, trees: int, seed: int
) -> BlockClassifier:
    """Train the lexicon and the trees; the trees see out-of-fold lexicon scores, and also the pages
    that were made of articles.
    """
    weighed = list(zip(samples, _rarity(samples), strict=True))
    weighed += [(made, weight * _MADE) for sample, weight in weighed for made in sample.made]
    seen = [sample for sample, _ in weighed]
    labels = np.concatenate([sample.labels for sample in seen])
    weights = np.concatenate([sample.weights * weight for sample, weight in weighed])
    scores = unseen_scores(seen, vocabulary, seed=seed)
    models = [
        _grown(
            _OF_BLOCKS | {"seed": number},
            _rows(seen, scores, seed=number),
            labels,
            trees,
            weights,
        )
        for number in range(seed, seed + _MODELS)
    ]
    return BlockClassifier(
        models, _fit_articles(samples, seed=seed), fit_weights(samples, vocabulary, seed=seed)
    )


def _rows(samples: Sequence[Sample], scores: Sequence[Sequence[Rows]], *, seed: int) -> Rows:
    """The features of all blocks; random parts of the pages come with their genre, and nameless.

    scores: the lexicon's, of every form of each sample.
    """
    random = np.random.default_rng(seed)
    is_told = random.random(len(samples)) < _TOLD
    chosen = (random.random(len(samples)) < _NAMELESS).astype(int).tolist()
    return np.concatenate(
        [
            told(sample.forms[form].rows, its[form], sample.page_type if known else None)
            for sample, its, known, form in zip(samples, scores, is_told, chosen, strict=True)
        ]
    )


def _fit_articles(samples: Sequence[Sample], *, seed: int) -> str | None:
    """Trees that tell articles from pages of other known types; None if there is only one class."""
    typed = [sample for sample in samples if sample.page_type]
    is_article = [sample.page_type == ARTICLE for sample in typed]
    if len(set(is_article)) < 2:
        return None
    pages = np.array([mean_block(sample.rows, sample.words) for sample in typed])
    return _grown(_OF_ARTICLES | {"seed": seed}, pages, is_article, _ARTICLE_TREES)


def _rarity(samples: Sequence[Sample]) -> list[float]:
    """The weight of every page, which grows with the square root of the rarity of its type."""
    counts = Counter(sample.page_type for sample in samples)
    even = len(samples) / len(counts)
    return [float(np.sqrt(even / counts[sample.page_type])) for sample in samples]


def fit_model(
    samples: Sequence[Sample],
    unseen: Sequence[Floats],
    classifier: BlockClassifier,
    vocabulary: Vocabulary,
    *,
    seed: int,
) -> Contents:
    """The model of this block classifier, with newly trained trees over pages.

    unseen: for every sample, the out-of-fold probabilities of its blocks; those of pages in the
        training data would be overconfident.
    """
    pages = np.array(
        [
            summary(sample.rows, probabilities, sample.words, sample.copies)
            for sample, probabilities in zip(samples, unseen, strict=True)
        ]
    )
    f1 = [_f1(*known) for known in zip(samples, unseen, strict=True)]
    types = sorted({sample.page_type for sample in samples if sample.page_type})
    classes = [types.index(sample.page_type) if sample.page_type else None for sample in samples]
    type_trees = _fit_types(pages, classes, len(types), seed=seed)
    contents = Contents(
        features=list(feature_names()),
        lexicon=asdict(classifier.words.lexicon(vocabulary)),
        blocks=classifier.blocks,
        articles=classifier.articles,
        page_types=types if type_trees else [],
        types=type_trees,
        f1=_grown(_OF_PAGES | {"objective": "cross_entropy", "seed": seed}, pages, f1, _PAGE_TREES),
    )
    type_scores = _unseen_types(samples, pages, classes, types, seed=seed)
    together = [
        _agreed(sample, probabilities, its)
        for sample, probabilities, its in zip(samples, unseen, type_scores, strict=True)
    ]
    site = fit_site(samples, unseen, together, type_scores, seed=seed)
    return contents if site is None else {**contents, "site": site}


def _fit_types(pages: Rows, classes: Sequence[int | None], count: int, *, seed: int) -> str | None:
    """Trees that predict the page type; None if the pages are not of at least two.

    pages: their summaries. classes: the number of each page's type; None if it is unknown. count:
        of all types.
    """
    typed = {place: number for place, number in enumerate(classes) if number is not None}
    if len({*typed.values()}) < 2:
        return None
    objective = {"objective": "multiclass", "num_class": count, "seed": seed}
    return _grown(_OF_PAGES | objective, pages[[*typed]], [*typed.values()], _PAGE_TREES)


def _unseen_types(
    samples: Sequence[Sample],
    pages: Rows,
    classes: Sequence[int | None],
    types: Sequence[str],
    *,
    seed: int,
) -> list[dict[str, float]]:
    """For every page, the out-of-fold probabilities of its type; empty if there is only one."""
    scores: list[dict[str, float]] = [{} for _ in samples]
    folds = np.array([sample.fold(_TYPE_FOLDS, "types") for sample in samples])
    for fold in range(_TYPE_FOLDS):
        seen = np.flatnonzero(folds != fold)
        chosen = [classes[place] for place in seen.tolist()]
        grown = _fit_types(pages[seen], chosen, len(types), seed=seed)
        if grown is None:
            continue
        trees = Booster(grown)
        for place in np.flatnonzero(folds == fold).tolist():
            found = trees.predict(pages[place][None])[0].tolist()
            scores[place] = dict(zip(types, found, strict=True))
    return scores


def _agreed(sample: Sample, probabilities: Floats, type_scores: Mapping[str, float]) -> Floats:
    share = policy_for(type_scores).agreement
    return agreed(probabilities, sample.blocks.places, sample.words, share)


def _f1(sample: Sample, probabilities: Floats) -> float:
    page_type = {sample.page_type: 1.0} if sample.page_type else {}
    together = _agreed(sample, probabilities, page_type)
    kept = decide(together, sample.words, sample.copies, policy_for(page_type)).kept
    text = "\n".join(sample.texts[block] for block in np.flatnonzero(kept).tolist())
    return f1_of(text, sample.page.gold_text)


def _grown(
    parameters: dict[str, Any],
    rows: Rows,
    targets: npt.ArrayLike,
    trees: int,
    weights: npt.NDArray[np.float64] | None = None,
) -> str:
    import lightgbm  # noqa: PLC0415 - for training only, see corpus_commons.boosting.booster

    data = lightgbm.Dataset(rows, np.asarray(targets, dtype=np.float32), weight=weights)
    return str(lightgbm.train(parameters, data, trees).model_to_string())
