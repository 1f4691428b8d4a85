"""The paper's baseline: a support-vector machine on eleven features of the HTML.

Source: Nguyen-Hoang et al., Genre-Oriented Web Content Extraction with Deep Convolutional Neural
Networks and Statistical Methods, the features that the images are compared with. Where the paper
leaves details open, this is our reading:

- *Text length* is the characters of all visible text, white space collapsed.
- *Clusters of elements with equal class, tag, number of children, children's tag and class*: two
  elements are in one cluster if their tag, their class attribute, and the sequence of tags and
  class attributes of their child elements (and so also their number) are equal, anywhere on the
  page. A cluster has at least two members.
- *Occurrences in such clusters* is the number of members of all clusters.
- *Image URLs* is the number of ``<img>`` elements that have one, in ``src`` or, if loaded lazily,
  ``data-src``; an image that is shown twice counts twice.
- ``. , ; : ? !`` and digits are counted in the visible text, and only as ASCII characters. These
  are six counts and one; with the four above, eleven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from corpus_commons.markup.dom import Dom

SIGNS = ".,;:?!"
DIGITS = "0123456789"
FEATURES = (
    "text-length", "clusters", "occurrences", "image-urls",
    "full-stops", "commas", "semicolons", "colons", "question-marks", "exclamation-marks",
    "digits",
)  # fmt: skip
_GRID = {"svc__C": [0.3, 1, 3, 10, 30, 100], "svc__gamma": [0.01, 0.03, 0.1, 0.3, 1]}
_INNER_FOLDS = 3
_LEAST_MEMBERS = 2


def goce_features(dom: Dom) -> npt.NDArray[np.float64]:
    """The eleven features, in the order of FEATURES."""
    visible = np.flatnonzero(dom.visible & dom.has_text).tolist()
    text = " ".join([" ".join(dom.texts[node].split()) for node in visible])
    sizes = _cluster_sizes(dom)
    return np.array(
        [
            len(text),
            len(sizes),
            sum(sizes),
            _image_urls(dom),
            *(text.count(sign) for sign in SIGNS),
            sum(text.count(digit) for digit in DIGITS),
        ],
        dtype=np.float64,
    )


def fit_svm(
    rows: npt.NDArray[np.float64], labels: npt.NDArray[np.int64], groups: Sequence[str]
) -> Pipeline:
    """An SVM with an RBF kernel on standardised features; C and gamma by inner cross-validation.

    rows: (pages, 11). groups: the site of every page; the inner folds are by site.
    Raises ValueError if there are fewer than three sites, or only one label.
    """
    if len(np.unique(labels)) == 1:
        raise ValueError("all training pages are of the same genre")
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SVC()), _GRID, cv=GroupKFold(_INNER_FOLDS), n_jobs=1
    )
    best: Pipeline = search.fit(rows, labels, groups=groups).best_estimator_
    return best


def unseen_answers(
    rows: npt.NDArray[np.float64],
    labels: npt.NDArray[np.int64],
    groups: Sequence[str],
    folds: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Out-of-fold predictions; -1 for pages whose label is -1, which are not trained on.

    Raises ValueError if the training pages of a fold are too few, or all of one genre.
    """
    answers = np.full(len(labels), -1)
    for fold in np.unique(folds):
        seen = np.flatnonzero((labels >= 0) & (folds != fold))
        unseen = np.flatnonzero((labels >= 0) & (folds == fold))
        svm = fit_svm(rows[seen], labels[seen], [groups[i] for i in seen.tolist()])
        answers[unseen] = svm.predict(rows[unseen])
    return answers


def _cluster_sizes(dom: Dom) -> list[int]:
    """Members of every cluster."""
    numbers: dict[tuple[str, str | None], int] = {}
    children: dict[int, list[int]] = {}
    owns: dict[int, int] = {}
    elements = np.flatnonzero(~dom.is_text).tolist()
    parents = dom.parents.tolist()
    for node in elements:
        own = (dom.tags[node], dom.attributes[node].get("class"))
        owns[node] = numbers.setdefault(own, len(numbers))
        children.setdefault(parents[node], []).append(owns[node])
    clusters = Counter((owns[node], tuple(children.get(node, ()))) for node in elements)
    return [size for size in clusters.values() if size >= _LEAST_MEMBERS]


def _image_urls(dom: Dom) -> int:
    images = np.flatnonzero(dom.has_tag({"img"})).tolist()
    return sum(
        bool(dom.attributes[node].get("src") or dom.attributes[node].get("data-src"))
        for node in images
    )
