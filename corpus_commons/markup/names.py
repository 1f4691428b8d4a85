"""The names of a tree's elements and the words that they consist of, each read once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.attribute import Attribute
from corpus_commons.markup.naming import MAX_NAME_CHARACTERS, PART, NameGroups

Integers = npt.NDArray[np.int64]
Number = TypeVar("Number", np.uint32, np.float64)

_END = "\n"


class Names:
    """The names in the values of some attributes, where white space separates them.

    names, parts: the distinct ones; parts are in lower case.
    part_of, name_of: every use of a part by a name, as indices of both, name by name.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        names = [
            value[:MAX_NAME_CHARACTERS].split()
            for attribute in attributes
            for value in attribute.values
        ]
        number_of: dict[str, int] = {}
        uses = [number_of.setdefault(name, len(number_of)) for name in chain.from_iterable(names)]
        self.names = [*number_of]
        # Every use of a name by a value.
        self._uses: Integers = np.array(uses, dtype=np.int64)
        self._value_of: Integers = np.repeat(np.arange(len(names)), [*map(len, names)])
        # The first value of every attribute.
        counts = [len(attribute.values) for attribute in attributes]
        self._values: Integers = np.cumsum([0, *counts])
        self._read_parts()

    def _read_parts(self) -> None:
        # All names at once; lower-casing each part would take as long as finding it.
        found = PART.findall(_END.join([*self.names, ""]))
        number_of: dict[str, int] = {_END: -1}
        numbers = [number_of.setdefault(part, len(number_of) - 1) for part in found]
        parts = [part.lower() for part in number_of][1:]
        lower: dict[str, int] = {}
        lowered = np.array([lower.setdefault(part, len(lower)) for part in parts], dtype=np.int64)
        used = np.array(numbers, dtype=np.int64)
        is_part = used >= 0
        self.parts = [*lower]
        self.part_of: Integers = lowered[used[is_part]]
        self.name_of: Integers = np.cumsum(~is_part, dtype=np.int64)[is_part]

    def are_parts(self) -> npt.NDArray[np.bool_]:
        """For every name, whether it is a single part."""
        counts = np.bincount(self.name_of, minlength=len(self.names))
        lengths = np.array([*map(len, self.parts)], dtype=np.int64)
        of_parts = np.bincount(self.name_of, lengths[self.part_of], len(self.names))
        are_parts: npt.NDArray[np.bool_] = (counts == 1) & (of_parts == [*map(len, self.names)])
        return are_parts

    def groups(self, groups: NameGroups, nodes: int) -> Integers:
        """For every node, the groups that any of its names matches, as bits."""
        of_parts = np.array([*map(groups.bits_of_part, self.parts)], dtype=np.int64)
        of_names = np.zeros(len(self.names), dtype=np.int64)
        np.bitwise_or.at(of_names, self.name_of, of_parts[self.part_of])
        of_values = np.zeros(self._values[-1], dtype=np.int64)
        np.bitwise_or.at(of_values, self._value_of, of_names[self._uses])
        found = np.zeros(nodes, dtype=np.int64)
        for attribute, start in zip(self.attributes, self._values, strict=False):
            found[attribute.nodes] |= of_values[start + attribute.codes]
        return found

    def sums(self, of_names: npt.NDArray[Number]) -> list[npt.NDArray[Number]]:
        """For every attribute and each of its nodes, the sum over the names in the value.

        of_names: one entry per name, perhaps with several columns.
        """
        shape = int(self._values[-1]), *of_names.shape[1:]
        of_values: npt.NDArray[Number] = np.zeros(shape, dtype=of_names.dtype)
        np.add.at(of_values, self._value_of, of_names[self._uses])
        return [
            of_values[start + attribute.codes]
            for attribute, start in zip(self.attributes, self._values, strict=False)
        ]

    def uses(self) -> tuple[Integers, Integers]:
        """Every use of a name by a node: the node, and the index of the name."""
        counts = np.bincount(self._value_of, minlength=self._values[-1])
        firsts = np.cumsum(counts) - counts
        values = np.concatenate(
            [
                start + attribute.codes
                for attribute, start in zip(self.attributes, self._values, strict=False)
            ]
        )
        # A node has all the names of its attribute's value, which are adjacent.
        own = counts[values]
        skipped = firsts[values] - (np.cumsum(own) - own)
        nodes = np.concatenate([attribute.nodes for attribute in self.attributes])
        places = np.repeat(skipped, own) + np.arange(own.sum())
        return np.repeat(nodes, own).astype(np.int64), self._uses[places]
