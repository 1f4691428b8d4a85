"""What single words in the names of the elements round a block tell of it.

The groups of ``naming`` hold what names mean to us. These weights were learned, for every word that
pages of several sites share: a linear model, whose two parts are features of the trees. The words
of the text have no part in it: those of a language that was not learned would count for nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from markup.naming import MAX_NAME_CHARACTERS

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.view import PageView

Weights = Mapping[str, float]

# Names this many steps above a block are near, those above them far.
NEAR: Final = 3
_PART_OF_NAME = re.compile("[A-Z]?[a-z]+|[A-Z]+")
# The pages of a crawl use the same names again and again.
_NAMES_KEPT = 65_536
_ELEMENTS_KEPT = 16_384


def words_of_name(text: str) -> set[str]:
    """The words that an element's names are made of, in small letters, and the names themselves.

    >>> sorted(words_of_name("post-body TopBar x9"))
    ['bar', 'body', 'post', 'post-body', 'top', 'topbar']
    """
    return set().union(*map(_words_of_one, text[:MAX_NAME_CHARACTERS].split()))


@dataclass(frozen=True)
class Lexicon:
    """Learned weights of words in near names and in far names."""

    near: Weights
    far: Weights

    def scores(self, view: PageView) -> npt.NDArray[np.float32]:
        """The sums of the weights of the names round every block: (blocks, 2)."""
        of_nodes = self._of_nodes(view)
        scores = np.zeros((len(view), 2), dtype=np.float32)
        for steps, nodes in enumerate(view.ways_up):
            column = 0 if steps <= NEAR else 1
            scores[:, column] += of_nodes[nodes, column]
        return scores

    def _of_nodes(self, view: PageView) -> npt.NDArray[np.float32]:
        """Near and far weight of the elements round blocks; the last entry is of no element."""
        is_asked_for = np.zeros(len(view.dom) + 1, dtype=np.bool_)
        is_asked_for[np.concatenate(view.ways_up)] = True
        weights = np.zeros((len(is_asked_for), 2), dtype=np.float32)
        nodes = [node for node in view.names if is_asked_for[node]]
        if nodes:
            weights[nodes] = [self._of_names(view.names[node]) for node in nodes]
        return weights

    @cached_property
    def _of_names(self) -> Callable[[str], tuple[float, float]]:
        """Near and far weight of an element's names."""

        @lru_cache(_ELEMENTS_KEPT)
        def weights(text: str) -> tuple[float, float]:
            words = words_of_name(text)
            return _sum(self.near, words), _sum(self.far, words)

        return weights


@lru_cache(_NAMES_KEPT)
def _words_of_one(name: str) -> set[str]:
    words = {part.lower() for part in _PART_OF_NAME.findall(name) if len(part) > 1}
    if not any(map(str.isdigit, name)):
        words.add(name.lower())
    return words


def _sum(weights: Weights, words: set[str]) -> float:
    return math.fsum([weights[word] for word in words if word in weights])
