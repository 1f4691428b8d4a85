"""Trains both heads on labelled pages, and cross-validates them by site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting.growing import PARAMETERS, objective
from genre_model.calibration import fit_temperature, softmax
from genre_model.fusion import HeadFusion, cross_fused, fit_fusion, genre_by_types
from genre_model.html.features import feature_names
from genre_model.html.model import ASKED, BY_TYPES, Head, Model, by_label, logits
from genre_model.labels import GENRES, PAGE_TYPES
from genre_model.training.html.svm import fit_svm
from genre_model.training.html.word_fitting import fit_share, fit_words
from genre_model.training.samples import grouped_folds

if TYPE_CHECKING:
    import lightgbm

    from genre_model.calibration import FloatArray
    from genre_model.html.word_model import WordModel
    from genre_model.html.words import Words
    from genre_model.training.html.samples import Rows

Labels = npt.NDArray[np.int64]

# No label: the page does not contribute to this head's loss.
UNKNOWN = -1

_PARAMETERS = PARAMETERS | {"learning_rate": 0.06, "num_leaves": 12}
# The share of pages that are stripped of scripts and inline style for training.
_BARE_SHARE = 0.5


@dataclass(frozen=True)
class Question:
    """One head: its labels, its rounds of boosting, and the weight of a page from WCXB.

    WCXB's page types are by human annotators, those of a folder often by rules, so pages from WCXB
    have a higher weight. Genres are equally reliable in both.

    reads_words: whether there is also a model of the page's words; it does not help for genres.
    """

    name: str
    labels: tuple[str, ...]
    rounds: int
    weight_of_wcxb: float
    reads_words: bool


GENRE = Question("genre", GENRES, rounds=300, weight_of_wcxb=1.0, reads_words=False)
PAGE_TYPE = Question("page_type", PAGE_TYPES, rounds=250, weight_of_wcxb=3.0, reads_words=True)


@dataclass(frozen=True, eq=False)
class Pages:
    """All data sets together; the arrays have one entry per page.

    set_of: the index of the page's data set. folds: the fold of every page; a site is in one fold.
    full, bare: features of the page as it is and stripped, (pages, features); full_words,
        bare_words: the same for words.
    goce: (pages, 11). genres, page_types: label indices, or UNKNOWN.
    """

    sets: tuple[Rows, ...]
    set_of: Labels
    folds: Labels
    groups: tuple[str, ...]
    full: npt.NDArray[np.float32]
    bare: npt.NDArray[np.float32]
    full_words: Sequence[Words]
    bare_words: Sequence[Words]
    goce: npt.NDArray[np.float64]
    genres: Labels
    page_types: Labels

    def truth(self, question: Question) -> Labels:
        return self.genres if question.name == GENRE.name else self.page_types


def pages_of(sets: Sequence[Rows], folds: int) -> Pages:
    """The data sets together; each is divided into folds by itself, so all folds have all sets."""
    parts = [grouped_folds(rows.groups, folds) for rows in sets]
    return Pages(
        sets=tuple(sets),
        set_of=np.repeat(np.arange(len(sets)), [len(rows.ids) for rows in sets]),
        folds=np.concatenate([np.array(part) for part in parts]),
        groups=tuple(group for rows in sets for group in rows.groups),
        full=np.stack([page.numbers for rows in sets for page in rows.full]),
        bare=np.stack([page.numbers for rows in sets for page in rows.bare]),
        full_words=[page.words for rows in sets for page in rows.full],
        bare_words=[page.words for rows in sets for page in rows.bare],
        goce=np.concatenate([rows.goce for rows in sets]),
        genres=_indices([genre for rows in sets for genre in rows.genres], GENRES),
        page_types=_indices([kind for rows in sets for kind in rows.page_types], PAGE_TYPES),
    )


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Out-of-fold probabilities: (pages, labels), calibrated on the other folds.

    bare: those of the same models for the stripped copies.
    share, temperature: the weight of the words and the final temperature, fitted on all folds.
    """

    full: FloatArray
    bare: FloatArray
    share: float
    temperature: float


def cross_validated(pages: Pages, question: Question, seed: int) -> OutOfFold:
    """The out-of-fold probabilities of every page, labelled or not."""
    trees, words = _unseen_opinions(pages, question, seed)
    truth = pages.truth(question)
    known = truth != UNKNOWN

    def calibration(chosen: npt.NDArray[np.bool_]) -> tuple[float, float]:
        share = 0.0
        if question.reads_words:
            share = fit_share(trees[0, chosen], words[0, chosen], truth[chosen])
        blended = trees[0, chosen] + share * words[0, chosen]
        return share, fit_temperature(blended, truth[chosen])

    answers = np.empty_like(trees)
    for fold in np.unique(pages.folds):
        unseen = pages.folds == fold
        share, temperature = calibration(known & ~unseen)
        blended = trees[:, unseen] + share * words[:, unseen]
        answers[:, unseen] = softmax(blended, temperature)
    full, bare = answers
    return OutOfFold(full, bare, *calibration(known))


def _unseen_opinions(pages: Pages, question: Question, seed: int) -> tuple[FloatArray, FloatArray]:
    """Out-of-fold log probabilities by trees and by words.

    Both (2, pages, labels), for the pages and for their stripped copies. All 0 for words if the
    head does not read them.
    """
    shape = (2, len(pages.folds), len(question.labels))
    of_trees, of_words = np.empty(shape), np.zeros(shape)
    for fold in np.unique(pages.folds):
        unseen = pages.folds == fold
        trees = fit_trees(pages, question, ~unseen, seed)
        for copy, rows in enumerate((pages.full, pages.bare)):
            found = np.asarray(trees.predict(rows[unseen], num_threads=1))
            of_trees[copy, unseen] = logits(by_label(found))
        if question.reads_words:
            words = fit_word_model(pages, question, ~unseen, seed)
            places = np.flatnonzero(unseen).tolist()
            for copy, copies in enumerate((pages.full_words, pages.bare_words)):
                of_words[copy, unseen] = words.log_probabilities([copies[i] for i in places])
    return of_trees, of_words


def pooled(pages: Pages, genre: OutOfFold, page_type: OutOfFold) -> tuple[OutOfFold, HeadFusion]:
    """The genre's probabilities combined with those derived from page types, and the final pool.

    The probabilities of each fold are pooled with weights fitted on the others.
    """
    full, bare = (
        {ASKED: asked, BY_TYPES: _genres_by_types(types)}
        for asked, types in ((genre.full, page_type.full), (genre.bare, page_type.bare))
    )
    truth, labels = pages.genres, GENRE.labels
    known = truth != UNKNOWN
    answers = replace(
        genre,
        full=cross_fused(full, truth, labels, pages.folds),
        bare=cross_fused(full, truth, labels, pages.folds, asked=bare),
    )
    return answers, fit_fusion({eye: its[known] for eye, its in full.items()}, truth[known], labels)


def _genres_by_types(probabilities: FloatArray) -> FloatArray:
    """Genre probabilities derived from those of the page types: (pages, genres)."""
    tables = [dict(zip(PAGE_TYPE.labels, row, strict=True)) for row in probabilities.tolist()]
    return np.array([[*genre_by_types(table).values()] for table in tables])


def fit_trees(
    pages: Pages, question: Question, chosen: npt.NDArray[np.bool_], seed: int
) -> lightgbm.Booster:
    """Trees trained on those of the chosen pages that are labelled."""
    import lightgbm  # noqa: PLC0415 - for training only, see corpus_commons.boosting.booster

    kept, truth, weights = _labelled(pages, question, chosen)
    rows = np.where(_is_bare(pages, seed)[:, None], pages.bare, pages.full)[kept]
    data = lightgbm.Dataset(rows, truth, weight=weights)
    parameters = _PARAMETERS | objective(len(question.labels)) | {"seed": seed}
    return lightgbm.train(parameters, data, question.rounds)


def fit_word_model(
    pages: Pages, question: Question, chosen: npt.NDArray[np.bool_], seed: int
) -> WordModel:
    """A word model trained on those of the chosen pages that are labelled."""
    kept, truth, weights = _labelled(pages, question, chosen)
    is_bare = _is_bare(pages, seed)
    words = [pages.bare_words[i] if is_bare[i] else pages.full_words[i] for i in kept]
    return fit_words(words, truth, weights, len(question.labels))


def fit_head(pages: Pages, question: Question, unseen: OutOfFold, seed: int) -> Head:
    """One head, trained on all pages. unseen: its cross-validation, for share and temperature."""
    everything = np.ones(len(pages.folds), dtype=np.bool_)
    return Head(
        question.labels,
        fit_trees(pages, question, everything, seed).model_to_string(),
        unseen.temperature,
        fit_word_model(pages, question, everything, seed) if question.reads_words else None,
        unseen.share,
    )


def fit_model(
    pages: Pages,
    questions: Sequence[Question],
    unseen: Mapping[str, OutOfFold],
    pool: HeadFusion,
    seed: int,
) -> Model:
    """Both heads, trained on all pages."""
    genre, page_type = (fit_head(pages, its, unseen[its.name], seed) for its in questions)
    return Model(feature_names(), genre, page_type, pool)


def _labelled(
    pages: Pages, question: Question, chosen: npt.NDArray[np.bool_]
) -> tuple[Labels, Labels, FloatArray]:
    """Those of the chosen pages that are labelled, their labels and their weights."""
    truth = pages.truth(question)
    kept = np.flatnonzero(chosen & (truth != UNKNOWN))
    is_wcxb = np.array([rows.name == "wcxb" for rows in pages.sets])[pages.set_of[kept]]
    return kept, truth[kept], np.where(is_wcxb, question.weight_of_wcxb, 1.0)


def _is_bare(pages: Pages, seed: int) -> npt.NDArray[np.bool_]:
    return np.random.default_rng(seed).random(len(pages.folds)) < _BARE_SHARE


def svm_answers(pages: Pages, of_set: int) -> Labels:
    """The out-of-fold predictions of the paper's SVM on one set; UNKNOWN for pages without a genre.

    Raises ValueError if the training pages of a fold are too few, or all of one genre.
    """
    answers = np.full(len(pages.folds), UNKNOWN)
    known = (pages.set_of == of_set) & (pages.genres != UNKNOWN)
    for fold in np.unique(pages.folds):
        seen = np.flatnonzero(known & (pages.folds != fold))
        unseen = np.flatnonzero(known & (pages.folds == fold))
        svm = fit_svm(pages.goce[seen], pages.genres[seen], [pages.groups[i] for i in seen])
        answers[unseen] = svm.predict(pages.goce[unseen])
    return answers


def _indices(names: Sequence[str | None], labels: Sequence[str]) -> Labels:
    return np.array(
        [UNKNOWN if name is None else labels.index(name) for name in names], dtype=np.int64
    )
