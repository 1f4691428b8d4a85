"""What single words in the names of the elements round a block tell of it.

The groups of ``naming`` hold what names mean to us. These weights were learned, for every word that
pages of several sites share: a linear model, whose two parts are features of the trees. The words
of the text have no part in it: those of a language that was not learned would count for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from markup.naming import parts_of_name

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.view import PageView

Weights = Mapping[str, float]

# Names this many steps above a block are near, those above them far.
NEAR: Final = 3
# The pages of a crawl use the same names again and again.
_NAMES_KEPT = 65_536


def words_of_name(name: str) -> set[str]:
    """The words that a name is made of, in small letters, and the name itself.

    >>> sorted(words_of_name("post-TopBar"))
    ['bar', 'post', 'post-topbar', 'top']
    """
    return {*parts_of_name(name), name.lower()}


@dataclass(frozen=True)
class Lexicon:
    """Learned weights of words in near names and in far names."""

    near: Weights
    far: Weights

    def scores(self, view: PageView) -> npt.NDArray[np.float32]:
        """The sums of the weights of the names round every block: (blocks, 2)."""
        naming = view.naming
        weights = np.array([self._of_name(name) for name in naming.names], dtype=np.float32)
        # The last entry is of no element: there the way up ends.
        of_nodes = np.zeros((len(view.dom) + 1, 2), dtype=np.float32)
        of_nodes[naming.elements] = naming.sums(weights.reshape(-1, 2))
        scores = np.zeros((len(view), 2), dtype=np.float32)
        for steps, nodes in enumerate(view.ways_up):
            column = 0 if steps <= NEAR else 1
            scores[:, column] += of_nodes[nodes, column]
        return scores

    def __reduce__(self) -> tuple[type[Lexicon], tuple[Weights, Weights]]:
        # Without what it remembers of names.
        return Lexicon, (self.near, self.far)

    @cached_property
    def _of_name(self) -> Callable[[str], tuple[float, float]]:
        """Near and far weight of a name."""
        words = self.near.keys() | self.far.keys()
        weights_of = {word: (self.near.get(word, 0.0), self.far.get(word, 0.0)) for word in words}

        @lru_cache(_NAMES_KEPT)
        def weights(name: str) -> tuple[float, float]:
            known = [weights_of[word] for word in words_of_name(name) if word in weights_of]
            # Exact sums, for a set has no order.
            near, far = zip(*known, strict=True) if known else ((), ())
            return math.fsum(near), math.fsum(far)

        return weights
