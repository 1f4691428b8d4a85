"""Learned weights of the words in the names of a block's ancestors.

While the groups of ``naming`` are chosen by hand, these weights are learned, for every word that
several sites use. They form a linear model, whose two partial sums are features of the trees. The
words of the text are not used: words of languages outside the training data would have no weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.naming import parts_of_name

if TYPE_CHECKING:
    from corpus_commons.markup.names import Names
    from extraction.methods.boosted_blocks.arrays import Floats, Rows
    from extraction.methods.boosted_blocks.batch import Batch

Weights = Mapping[str, float]

# Names up to this many steps above a block are near, those further up far.
NEAR: Final = 3
_NONE: Final = (0.0, 0.0)


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

    def scores(self, batch: Batch) -> Rows:
        """The sums of the weights of the names around every block: (blocks, 2)."""
        names = batch.tree.names
        # The last entry stands for "no element", the parent of a root.
        of_nodes = np.zeros((len(batch.tree) + 1, 2))
        for attribute, own in zip(names.attributes, names.sums(self._of(names)), strict=True):
            of_nodes[attribute.nodes] += own
        scores = np.zeros((len(batch), 2))
        for steps, nodes in enumerate(batch.ways_up):
            column = 0 if steps <= NEAR else 1
            scores[:, column] += of_nodes[nodes, column]
        return scores.astype(np.float32)

    def _of(self, names: Names) -> Floats:
        """(names, 2): the sums of the weights of the words of every name."""
        of_names = np.array([self._weights.get(name.lower(), _NONE) for name in names.names])
        of_names = of_names.reshape(-1, 2)
        # The words of a name are different, so a part that is the whole name counts once.
        of_names[names.are_parts()] = 0
        of_parts = np.array([self._weights.get(part, _NONE) for part in names.parts])
        pairs = np.unique(names.name_of * len(names.parts) + names.part_of)
        if len(pairs):
            name_of, part_of = np.divmod(pairs, len(names.parts))
            np.add.at(of_names, name_of, of_parts[part_of])
        return of_names

    @cached_property
    def _weights(self) -> dict[str, tuple[float, float]]:
        """The near and the far weight of every word."""
        words = self.near.keys() | self.far.keys()
        return {word: (self.near.get(word, 0.0), self.far.get(word, 0.0)) for word in words}
