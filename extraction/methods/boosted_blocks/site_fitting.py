"""Train the correction by other pages of the site, on the training pages of sites with several."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from extraction.methods.boosted_blocks.log_odds import log_odds
from extraction.methods.boosted_blocks.site import PRIOR, PageOnSite, drawn, evidence
from extraction.page_marks import key_of
from extraction.site_memory import SiteMemory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.samples import Sample
    from extraction.site_index import Known

# Every page is learned with so many other pages known, and with all.
_KNOWN: Final = (1, 2, 5, 20)
_PENALTY: Final = 30.0
_TOTAL_WEIGHT: Final = 10_000.0
_DECIMALS: Final = 4


class _Rows(NamedTuple):
    """The blocks of a page with some pages known: what the model adds, and what it should say."""

    evidence: Floats
    odds: Floats
    labels: BoolArray
    weights: Floats


def fit_site(
    samples: Sequence[Sample],
    unseen: Sequence[Floats],
    agreed: Sequence[Floats],
    type_scores: Sequence[Mapping[str, float]],
    *,
    seed: int,
) -> list[float] | None:
    """The weights of the ``evidence``; None if no site has several pages.

    unseen: for every sample, the out-of-fold probabilities of its blocks. agreed: the same, agreed
        upon. type_scores: those of its page type.
    """
    rows = [*_rows(samples, unseen, agreed, type_scores, np.random.default_rng(seed))]
    if not rows:
        return None
    columns, odds, labels, weights = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    fitted = _fitted(columns, odds, np.where(labels, 1.0, -1.0), weights)
    return [round(weight, _DECIMALS) for weight in fitted.tolist()]


def site_memories(samples: Sequence[Sample], unseen: Sequence[Floats]) -> dict[str, SiteMemory]:
    """The memory of every site, of all its pages among the samples."""
    memories: defaultdict[str, SiteMemory] = defaultdict(SiteMemory)
    for sample, probabilities in zip(samples, unseen, strict=True):
        memories[sample.site].add(_on_site(sample).marks(probabilities))
    return memories


def _rows(
    samples: Sequence[Sample],
    unseen: Sequence[Floats],
    agreed: Sequence[Floats],
    type_scores: Sequence[Mapping[str, float]],
    random: np.random.Generator,
) -> Iterator[_Rows]:
    sites: defaultdict[str, list[int]] = defaultdict(list)
    for place, sample in enumerate(samples):
        sites[sample.site].append(place)
    for places in sites.values():
        pages = [_on_site(samples[place]) for place in places]
        marks = [page.marks(unseen[place]) for page, place in zip(pages, places, strict=True)]
        for place, own in zip(places, pages, strict=True):
            others = [one for one in marks if one.key != own.key]
            for size in sorted({*_KNOWN, len(others)}):
                if 0 < size <= len(others):
                    chosen = random.permutation(len(others))[:size]
                    memory = SiteMemory((others[other] for other in chosen), capacity=size)
                    known = own.known(memory, agreed[place])
                    yield from _of_page(samples[place], agreed[place], known, type_scores[place])


def _of_page(
    sample: Sample, agreed: Floats, known: Known, type_scores: Mapping[str, float]
) -> Iterator[_Rows]:
    if known.pages:
        odds = drawn(log_odds(agreed), known)
        yield _Rows(evidence(known, type_scores), odds, sample.labels, sample.weights)


def _on_site(sample: Sample) -> PageOnSite:
    return PageOnSite(key_of(sample.page.url, sample.texts), sample.blocks)


def _fitted(columns: Floats, odds: Floats, signs: Floats, weights: Floats) -> Floats:
    """Logistic regression of the labels, as signs, with fixed odds added, drawn to the prior."""
    from scipy.optimize import minimize  # noqa: PLC0415 - for training only

    prior = np.array(PRIOR)
    weights = weights * (_TOTAL_WEIGHT / weights.sum())

    def loss(coefficients: Floats) -> tuple[float, Floats]:
        margins = signs * (odds + columns @ coefficients)
        slopes = -signs * weights / (1 + np.exp(margins))
        away = coefficients - prior
        value = weights @ np.logaddexp(0, -margins) + _PENALTY / 2 * away @ away
        return float(value), columns.T @ slopes + _PENALTY * away

    found = minimize(loss, prior, jac=True, method="L-BFGS-B")
    return np.asarray(found.x, dtype=np.float64)
