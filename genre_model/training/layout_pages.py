"""Labelled screenshots to train trees on, as rows of layout measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from corpus_commons.durable_files import replacing
from corpus_commons.terminal.progress import watched
from genre_model.calibration import IntArray
from genre_model.folds import check_folds, grouped_folds
from genre_model.labels import HEADS, UNKNOWN, indices_of
from genre_model.layout.measures import SIZE, measure, measure_names
from genre_model.samples import Sample, additional_samples, read_samples, shot_path, sites_of
from genre_model.screenshot import ScreenshotError, decode_top
from genre_model.training.distillation import Teacher, read_teacher
from genre_model.training.run_folder import fingerprint
from genre_model.training.targets import Targets, label_targets
from genre_model.training.trees import Examples, Mask, Readings, TreeRecipe
from genre_model.trees import Vector

RECIPES: Final = {
    "genre": TreeRecipe(rounds=500, rate=0.04, leaves=31, forests=2, random_thresholds=True),
    "page_type": TreeRecipe(rounds=250, rate=0.04, leaves=16),
}
_SYNTHETIC_WEIGHT: Final = {"genre": 0.6, "page_type": 0.3}
# Less likely labels of a soft target are not trained on.
_LEAST_SHARE = 0.02


class Others(NamedTuple):
    """Pages that are trained on but never predicted. weights: of a page, by head."""

    samples: Sequence[Sample]
    rows: Vector
    weights: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class LayoutPages:
    """The pages of a labelled folder; everything has one entry per page.

    rows: (pages, measures). teacher: the source of soft labels, for distillation.
    """

    samples: Sequence[Sample]
    sites: Sequence[str]
    folds: IntArray
    rows: Vector
    teacher: Teacher | None = None
    others: Sequence[Others] = ()
    recipes = RECIPES

    @property
    def features(self) -> tuple[str, ...]:
        return measure_names()

    @property
    def ids(self) -> list[str]:
        return [sample.id for sample in self.samples]

    @property
    def copies(self) -> tuple[Readings]:
        return (Readings(self.rows),)

    def truth(self, head: str) -> IntArray:
        """For every page, the index of its label, or UNKNOWN."""
        return _truth(self.samples, head)

    def examples(self, head: str, chosen: Mask, held: int | None) -> Examples:
        """Those of the chosen pages that have a target, and all the others.

        A page with a soft target is repeated for each likely label, weighted by its probability.
        """
        targets = self._targets(held)
        own = targets.answers[head] * (targets.weights[head] * chosen)[:, None]
        more = [its.weights[head] * label_targets(its.samples).answers[head] for its in self.others]
        rows = np.concatenate((self.rows, *(its.rows for its in self.others)))
        shares = np.concatenate((own, *more))
        pages, labels = np.nonzero(shares > _LEAST_SHARE)
        return Examples(Readings(rows[pages]), labels, shares[pages, labels].astype(np.float64))

    def _targets(self, held: int | None) -> Targets:
        """The targets of trees that will predict the fold ``held``, or none."""
        answers = label_targets(self.samples).answers
        known = {head: rows.max(axis=1) for head, rows in answers.items()}
        targets = Targets(answers, known)
        if self.teacher is None:
            return targets
        return self.teacher.teach(targets, self.samples, self.folds, held)


def read_pages(
    folder: Path,
    *,
    group_by: str,
    folds: int,
    teacher: Path | None,
    synthetic: Path | None,
    additional: Path | None,
    cache: Path | None,
) -> LayoutPages:
    """The measures of all screenshots. cache: a folder to keep them in, or to reuse them from.

    Raises ValueError for data that cannot be used, before anything is measured.
    """
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
    samples = read_samples(folder)
    sites = sites_of(samples, group_by)
    fold_of = np.array(grouped_folds(sites, folds))
    for head in HEADS:
        check_folds(head, _truth(samples, head) != UNKNOWN, fold_of)
    soft_labels = read_teacher(teacher, samples, fold_of) if teacher else None
    others = []
    if synthetic is not None:
        pages = read_samples(synthetic)
        measured = _rows(synthetic, pages, cache and cache / "synthetic.npz")
        others.append(Others(pages, measured, _SYNTHETIC_WEIGHT))
    if additional is not None:
        pages, _ = additional_samples(additional, group_by, sites)
        measured = _rows(additional, pages, cache and cache / "additional.npz")
        others.append(Others(pages, measured, dict.fromkeys(HEADS, 1.0)))
    rows = _rows(folder, samples, cache and cache / "data.npz")
    return LayoutPages(samples, sites, fold_of, rows, soft_labels, others)


def _truth(samples: Sequence[Sample], head: str) -> IntArray:
    return indices_of([getattr(sample, head) for sample in samples], HEADS[head])


def _rows(folder: Path, samples: Sequence[Sample], cache: Path | None) -> Vector:
    """The measures of all screenshots. cache: a file to keep them in."""
    ids = [sample.id for sample in samples]
    known = {"ids": ids, "names": [*measure_names()]}
    if cache is not None:
        # Other pictures can have the same ids.
        known["shots"] = [fingerprint(shot_path(folder, page)) for page in ids]
    if cache is not None and cache.exists():
        with np.load(cache, allow_pickle=False) as saved:
            if any(key not in saved or saved[key].tolist() != its for key, its in known.items()):
                raise ValueError(
                    f"{cache}: measures of other pages than those of {folder}, or other measures"
                )
            rows: Vector = saved["rows"]
            return rows
    rows = np.stack([_measures(folder, page) for page in watched(ids, len(ids), "screenshots")])
    if cache is not None:
        with replacing(cache) as file:
            np.savez(file, rows=rows, ids=known["ids"], names=known["names"], shots=known["shots"])
    return rows


def _measures(folder: Path, page_id: str) -> Vector:
    path = shot_path(folder, page_id)
    height, width = SIZE
    try:
        return measure(decode_top(path.read_bytes(), width, height))
    except ScreenshotError as error:
        raise ValueError(f"{path}: {error}") from error
