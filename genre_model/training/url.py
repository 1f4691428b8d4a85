"""Fits the weights of the terms of URLs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import minimize

from genre_model.calibration import FloatArray, IntArray, softmax
from genre_model.labels import indices_of
from genre_model.url.evidence import UrlEvidence

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# A term of a single site says nothing of others.
_LEAST_SITES: Final = 2
# Between 1 and 3, page types and log loss out of fold differ by less than their noise.
_RIDGE: Final = 1.5
_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class UrlPage:
    """A page of known type. terms: of its URL. site: where it is from."""

    terms: frozenset[str]
    site: str
    page_type: str


def fit_url(pages: Sequence[UrlPage]) -> UrlEvidence:
    """Multinomial logistic regression on the terms, with a ridge.

    The intercepts are not fitted: they are the logarithms of the types' shares. So a weight is
    evidence, whatever the shares, and a URL without known terms says nothing.
    """
    known = _shared_terms(pages)
    page_types = sorted({page.page_type for page in pages})
    labels = indices_of([page.page_type for page in pages], page_types)
    shares = np.bincount(labels, minlength=len(page_types)) / len(pages)
    rows = _rows(pages, known)
    shape = (len(known), len(page_types))
    found = minimize(
        lambda flat: _objective(flat.reshape(shape), rows, np.log(shares), labels),
        np.zeros(shape).ravel(),
        jac=True,
        method="L-BFGS-B",
    )
    fitted = found.x.reshape(shape).round(_DIGITS).tolist()
    return UrlEvidence(tuple(page_types), dict(zip(known, map(tuple, fitted), strict=True)))


def _shared_terms(pages: Sequence[UrlPage]) -> list[str]:
    sites = defaultdict(set)
    for page in pages:
        for term in page.terms:
            sites[term].add(page.site)
    return sorted(term for term, its in sites.items() if len(its) >= _LEAST_SITES)


def _rows(pages: Sequence[UrlPage], known: Sequence[str]) -> csr_matrix:
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - for training only

    columns = {term: column for column, term in enumerate(known)}
    found = [[columns[term] for term in page.terms & columns.keys()] for page in pages]
    ends = np.cumsum([0, *map(len, found)])
    indices = np.array([column for row in found for column in row], np.int64)
    return csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(pages), len(known)))


def _objective(
    weights: FloatArray, rows: csr_matrix, intercepts: FloatArray, labels: IntArray
) -> tuple[float, FloatArray]:
    """The log loss of all pages with a ridge penalty, and its gradient."""
    pages = np.arange(len(labels))
    expected = softmax(intercepts + rows @ weights)
    loss = -float(np.log(expected[pages, labels]).sum())
    expected[pages, labels] -= 1
    gradient = rows.T @ expected + 2 * _RIDGE * weights
    return loss + _RIDGE * float((weights**2).sum()), gradient.ravel()
