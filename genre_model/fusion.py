"""Two eyes, one answer: the screenshot's and the HTML's probabilities, pooled.

The log-linear pool raises each eye's probabilities to a weight, multiplies them, and corrects
every class by a bias: softmax(w1 log p1 + w2 log p2 + b). Weights of one and no bias are the
product of experts; the mean is the linear pool. Both are here to compare with.
Source: Genest and Zidek, Combining Probability Distributions, Statistical Science 1986.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from genre_model.calibration import FloatArray, IntArray, log_loss, softmax
from genre_model.prediction import THRESHOLD, Prediction

SHIPPED: Final = Path(__file__).with_name("shipped") / "fusion.json"

# No eye is ever surer than this, so that none can silence the other.
_FLOOR = 1e-4
# Keeps the fit finite where one eye makes no mistakes; too weak to matter elsewhere.
_RIDGE = 1e-3


@dataclass(frozen=True, slots=True)
class HeadFusion:
    """The log-linear pool of one head.

    labels: the classes, in the order of ``bias``.
    screenshot, html: the weights of the two eyes, not negative.
    bias: one number a class, in log probabilities.
    """

    labels: tuple[str, ...]
    screenshot: float
    html: float
    bias: tuple[float, ...]

    def pool(self, p_screenshot: npt.ArrayLike, p_html: npt.ArrayLike) -> FloatArray:
        """Pooled probabilities of (..., classes)."""
        logits = self.screenshot * _log(p_screenshot) + self.html * _log(p_html)
        return softmax(logits + np.asarray(self.bias))

    def fuse(self, screenshot: Mapping[str, float], html: Mapping[str, float]) -> dict[str, float]:
        """Pooled scores of two tables of scores; raises ValueError for other labels."""
        for scores in (screenshot, html):
            if set(scores) != set(self.labels):
                raise ValueError(f"scores of {sorted(scores)} where {self.labels} are fused")
        pooled = self.pool(
            [screenshot[label] for label in self.labels], [html[label] for label in self.labels]
        )
        return dict(zip(self.labels, pooled.tolist(), strict=True))

    @classmethod
    def _of_fields(cls, fields: Mapping[str, Any]) -> HeadFusion:
        head = cls(
            tuple(fields["labels"]),
            float(fields["screenshot"]),
            float(fields["html"]),
            tuple(map(float, fields["bias"])),
        )
        if len(head.labels) != len(head.bias):
            raise ValueError(f"{len(head.bias)} biases for {len(head.labels)} labels")
        return head


@dataclass(frozen=True, slots=True)
class Fusion:
    """How both heads of two classifiers are fused."""

    genre: HeadFusion
    page_type: HeadFusion

    @classmethod
    def load(cls, path: Path) -> Fusion:
        """Read what ``save`` wrote; raises ValueError for another file."""
        try:
            fields = orjson.loads(path.read_bytes())
            return cls(
                HeadFusion._of_fields(fields["genre"]), HeadFusion._of_fields(fields["page_type"])
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} does not hold the weights of a fusion: {error!r}") from error

    def save(self, path: Path) -> None:
        """Write the weights as JSON."""
        heads = {"genre": self.genre, "page_type": self.page_type}
        path.write_bytes(
            orjson.dumps(heads, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )

    def fuse(
        self,
        screenshot: Prediction | None,
        html: Prediction | None,
        threshold: float = THRESHOLD,
    ) -> Prediction:
        """Both predictions of a page as one; the other alone where one is None.

        Raises ValueError where both are, or where their labels are not those of the fusion.
        """
        if screenshot is not None and html is not None:
            return Prediction.of(
                self.genre.fuse(screenshot.genre_scores, html.genre_scores),
                self.page_type.fuse(screenshot.page_type_scores, html.page_type_scores),
                threshold,
            )
        alone = screenshot or html
        if alone is None:
            raise ValueError("neither the screenshot nor the HTML of the page was classified")
        return alone.with_threshold(threshold)


def fit_fusion(
    p_screenshot: npt.ArrayLike, p_html: npt.ArrayLike, labels: npt.ArrayLike, names: Sequence[str]
) -> HeadFusion:
    """The pool of one head with the least log loss.

    p_screenshot, p_html: (samples, classes) out-of-fold probabilities of the same samples.
    labels: (samples,), indices into ``names``, the classes.
    A classifier is surer of the pages it was trained on, so probabilities of those would give
    the wrong weights. Raises ValueError for arrays that do not go together.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - only fitting needs it, serving does not

    first, second = _log(p_screenshot), _log(p_html)
    truth = np.asarray(labels, dtype=np.int64)
    shape = (len(truth), len(names))
    if not len(truth) or first.shape != shape or second.shape != shape:
        raise ValueError(f"{first.shape} and {second.shape} scores where {shape} are needed")
    start = np.concatenate([[1.0, 1.0], np.zeros(len(names))])
    found = minimize(
        lambda weights: _objective(weights, start, first, second, truth),
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * 2 + [(None, None)] * len(names),
    )
    screenshot, html, *bias = found.x.tolist()
    return HeadFusion(tuple(names), screenshot, html, tuple(bias))


def cross_fused(
    p_screenshot: FloatArray,
    p_html: FloatArray,
    labels: IntArray,
    names: Sequence[str],
    folds: npt.ArrayLike,
) -> FloatArray:
    """Fused probabilities of every sample, by weights fitted on the samples of other folds."""
    where = np.asarray(folds)
    fused = np.empty_like(p_screenshot)
    for fold in np.unique(where):
        out, rest = where == fold, where != fold
        head = fit_fusion(p_screenshot[rest], p_html[rest], labels[rest], names)
        fused[out] = head.pool(p_screenshot[out], p_html[out])
    return fused


def product(p_screenshot: npt.ArrayLike, p_html: npt.ArrayLike) -> FloatArray:
    """The product of experts: probabilities multiplied, and scaled to sum to 1."""
    return softmax(_log(p_screenshot) + _log(p_html))


def mean(p_screenshot: npt.ArrayLike, p_html: npt.ArrayLike) -> FloatArray:
    """The linear pool with equal weights."""
    return (np.asarray(p_screenshot, np.float64) + np.asarray(p_html, np.float64)) / 2


def _log(probabilities: npt.ArrayLike) -> FloatArray:
    logs: FloatArray = np.log(np.maximum(np.asarray(probabilities, np.float64), _FLOOR))
    return logs


def _objective(
    weights: FloatArray, start: FloatArray, first: FloatArray, second: FloatArray, truth: IntArray
) -> tuple[float, FloatArray]:
    """The log loss with a ridge towards the product of experts, and its gradient."""
    pooled = softmax(weights[0] * first + weights[1] * second + weights[2:])
    away = weights - start
    errors = pooled.copy()
    errors[np.arange(len(truth)), truth] -= 1
    errors /= len(truth)
    gradient = np.concatenate([[(errors * first).sum(), (errors * second).sum()], errors.sum(0)])
    return log_loss(pooled, truth) + _RIDGE * float(away @ away), gradient + 2 * _RIDGE * away
