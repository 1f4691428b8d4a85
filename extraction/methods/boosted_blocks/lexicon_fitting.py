"""Train the weights of a lexicon on samples."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from extraction.methods.boosted_blocks.lexicon import NEAR, Lexicon, words_of_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpus_commons.markup.characters import Integers
    from extraction.methods.boosted_blocks.arrays import Rows
    from extraction.methods.boosted_blocks.batch import Batch
    from extraction.methods.boosted_blocks.samples import Sample

# Words on fewer sites are left out: their weights would describe those sites.
_LEAST_SITES = 5
_STRENGTH = 1e-3
_EPOCHS = 6
_INNER_FOLDS = 4
_DECIMALS = 3


# The column of every word, in order of first occurrence.
Vocabulary = dict[str, int]


class Evidence(NamedTuple):
    """How often each word is in the names around each block: two matrices (blocks, words)."""

    near: sparse.csr_matrix
    far: sparse.csr_matrix


NO_EVIDENCE: Final = Evidence(*(sparse.csr_matrix((0, 0), dtype=np.float32) for _ in range(2)))


def evidence_of(batch: Batch, vocabulary: Vocabulary) -> Evidence:
    """The words of a page as ``Lexicon.scores`` weighs them; adds new ones to the vocabulary."""
    names = _words_of_nodes(batch, vocabulary)
    ways = batch.ways_up
    near, far = (_reached(some, names, len(batch)) for some in (ways[: NEAR + 1], ways[NEAR + 1 :]))
    return Evidence(near, far)


def _words_of_nodes(batch: Batch, vocabulary: Vocabulary) -> sparse.csr_matrix:
    """(nodes + 1, words): word counts. The last row stands for "no node"."""
    names = batch.tree.names
    words = [
        [vocabulary.setdefault(word, len(vocabulary)) for word in sorted(words_of_name(name))]
        for name in names.names
    ]
    users, uses = names.uses()
    of_nodes = _counts(users, uses, (len(batch.tree) + 1, len(words)))
    named = np.repeat(np.arange(len(words)), [*map(len, words)])
    numbers = np.fromiter(chain.from_iterable(words), np.int64, len(named))
    return of_nodes @ _counts(named, numbers, (len(words), len(vocabulary)))


def _counts(rows: Integers, columns: Integers, shape: tuple[int, int]) -> sparse.csr_matrix:
    """A matrix that counts how often each pair of row and column occurs."""
    ones = np.ones(len(rows), dtype=np.float32)
    return sparse.csr_matrix((ones, (rows, columns)), shape=shape)


def _reached(
    ways: Iterable[npt.NDArray[np.int32]], names: sparse.csr_matrix, blocks: int
) -> sparse.csr_matrix:
    """For every block, the sum of the rows of its ancestors in ``ways``."""
    nothing = sparse.csr_matrix((blocks, names.shape[1]), dtype=np.float32)
    return sum((names[nodes] for nodes in ways), nothing)


class Weighing(NamedTuple):
    """Weights by the columns of a vocabulary."""

    near: npt.NDArray[np.float64]
    far: npt.NDArray[np.float64]

    def scores(self, evidence: Evidence) -> Rows:
        """The same as ``Lexicon.scores`` of the evidence's page: (blocks, 2)."""
        found = [
            part @ weights[: part.shape[1]] for part, weights in zip(evidence, self, strict=True)
        ]
        return np.column_stack(found).astype(np.float32)

    def lexicon(self, vocabulary: Vocabulary) -> Lexicon:
        near, far = (
            {
                word: round(float(weights[number]), _DECIMALS)
                for word, number in vocabulary.items()
                if abs(weights[number]) >= 10**-_DECIMALS
            }
            for weights in self
        )
        return Lexicon(near, far)


def fit_weights(samples: Sequence[Sample], vocabulary: Vocabulary, *, seed: int) -> Weighing:
    """Logistic regression of the blocks' labels on their words; all zero for too few pages."""
    from sklearn.linear_model import SGDClassifier  # noqa: PLC0415 - for training only

    found = Weighing(np.zeros(len(vocabulary)), np.zeros(len(vocabulary)))
    chosen = [_shared(samples, part) for part in range(len(found))]
    labels = np.array([label for sample in samples for label in sample.labels.tolist()])
    if not any(map(len, chosen)) or labels.all() or not labels.any():
        return found
    rows = sparse.hstack(
        [
            sparse.vstack(
                [_widened(sample.evidence[part], len(vocabulary)) for sample in samples]
            ).tocsr()[:, shared]
            for part, shared in enumerate(chosen)
        ],
        format="csr",
    )
    weights = np.concatenate([sample.weights for sample in samples])
    regression = SGDClassifier(
        loss="log_loss", alpha=_STRENGTH, max_iter=_EPOCHS, tol=None, random_state=seed
    )
    regression.fit(rows, labels, sample_weight=weights / weights.mean())
    ends = np.cumsum([*map(len, chosen)])
    for part, shared, its in zip(found, chosen, np.split(regression.coef_[0], ends), strict=False):
        part[shared] = its
    return found


def unseen_scores(
    samples: Sequence[Sample], vocabulary: Vocabulary, *, seed: int
) -> list[list[Rows]]:
    """The out-of-fold scores of every sample's forms: by weights learned without its site."""
    folds = np.array([sample.fold(_INNER_FOLDS, "lexicon") for sample in samples])
    scores: list[list[Rows]] = [[] for _ in samples]
    for fold in range(_INNER_FOLDS):
        seen = [samples[place] for place in np.flatnonzero(folds != fold).tolist()]
        weights = fit_weights(seen, vocabulary, seed=seed)
        for place in np.flatnonzero(folds == fold).tolist():
            scores[place] = [weights.scores(form.evidence) for form in samples[place].forms]
    return scores


def _shared(samples: Sequence[Sample], part: int) -> npt.NDArray[np.intp]:
    """The columns of the words that occur on enough sites."""
    of_sites: dict[str, set[int]] = {}
    for sample in samples:
        words = np.unique(sample.evidence[part].indices).tolist()
        of_sites.setdefault(sample.site, set()).update(words)
    counts = Counter(word for words in of_sites.values() for word in words)
    shared = sorted(word for word, count in counts.items() if count >= _LEAST_SITES)
    return np.array(shared, dtype=np.intp)


def _widened(matrix: sparse.csr_matrix, width: int) -> sparse.csr_matrix:
    """The matrix with additional columns for the words that were first met on later pages."""
    data = matrix.data, matrix.indices, matrix.indptr
    return sparse.csr_matrix(data, (matrix.shape[0], width))
