"""Learned weights of the words in the names of a block's ancestors.

While the groups of ``naming`` are chosen by hand, these weights are learned, for every word that
several sites use. They form a linear model, whose two partial sums are features of the trees. The
words of the text are not used: words of languages outside the training data would have no weight.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.naming import parts_of_name

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.view import PageView

Weights = Mapping[str, float]

# Names up to this many steps above a block are near, those further up far.
NEAR: Final = 3
# The size of the cache; pages of a site share most of their names.
_NAMES_KEPT = 65_536


def words_of_name(name: str) -> set[str]:
    """The words that a name consists of, in lower case, and the name itself.

    >>> sorted(words_of_name("post-TopBar"))
    ['bar', 'post', 'post-topbar', 'top']
    """
    return {*parts_of_name(name), name.lower()}


@dataclass(frozen=True)
class Lexicon:
    """The learned weights of words in near and in far names."""

    near: Weights
    far: Weights

    def scores(self, view: PageView) -> npt.NDArray[np.float32]:
        """The sums of the weights of the names around every block: (blocks, 2)."""
        naming = view.naming
        weights = np.array([self._of_name(name) for name in naming.names], dtype=np.float32)
        # The last entry stands for "no element", the parent of the root.
        of_nodes = np.zeros((len(view.dom) + 1, 2), dtype=np.float32)
        of_nodes[naming.elements] = naming.sums(weights.reshape(-1, 2))
        scores = np.zeros((len(view), 2), dtype=np.float32)
        for steps, nodes in enumerate(view.ways_up):
            column = 0 if steps <= NEAR else 1
            scores[:, column] += of_nodes[nodes, column]
        return scores

    def __reduce__(self) -> tuple[type[Lexicon], tuple[Weights, Weights]]:
        # Without the cache, which cannot be pickled.
        return Lexicon, (self.near, self.far)

    @cached_property
    def _of_name(self) -> Callable[[str], tuple[float, float]]:
        """A cached function from a name to its near and its far weight."""
        words = self.near.keys() | self.far.keys()
        weights_of = {word: (self.near.get(word, 0.0), self.far.get(word, 0.0)) for word in words}

        @lru_cache(_NAMES_KEPT)
        def weights(name: str) -> tuple[float, float]:
            known = [weights_of[word] for word in words_of_name(name) if word in weights_of]
            # fsum is exact, so the result does not depend on the order of the set.
            near, far = zip(*known, strict=True) if known else ((), ())
            return math.fsum(near), math.fsum(far)

        return weights
