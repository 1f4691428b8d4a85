"""The names of a tree's elements and the words that they consist of, each read once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.attribute import Attribute
from corpus_commons.markup.naming import MAX_NAME_CHARACTERS, PART, NameGroups

if TYPE_CHECKING:
    from corpus_commons.markup.tree import Tree

Integers = npt.NDArray[np.int64]
Number = TypeVar("Number", np.uint32, np.float64)

# The place of an element is told by these.
PLACING: Final = ("class", "id")
# Attributes for screen readers, tests and search engines keep their meaning on pages whose class
# names are scrambled.
_ATTRIBUTES: Final = (
    *PLACING, "role", "itemprop", "itemtype", "aria-label", "data-testid", "rel"
)  # fmt: skip


class Names:
    """The names in the values of some attributes, where white space separates them.

    names, parts: the distinct ones; parts are in lower case.
    part_of, name_of: every use of a part by a name, as indices of both, name by name.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        values = (
            value[:MAX_NAME_CHARACTERS] for attribute in attributes for value in attribute.values
        )
        # Every use of a name by a value; no parsed page contains a NUL.
        ended = (" \0 ".join(values) + " \0").split()
        self.names, self._uses, self._value_of = _numbered(ended, "\0")
        # The first value of every attribute.
        counts = [len(attribute.values) for attribute in attributes]
        self._values: Integers = np.cumsum([0, *counts])
        self._read_parts()

    def _read_parts(self) -> None:
        # All names at once; lower-casing each part would take as long as finding it.
        parts, part_of, self.name_of = _numbered(PART.findall("\n".join([*self.names, ""])), "\n")
        lower: dict[str, int] = {}
        numbers = [lower.setdefault(part.lower(), len(lower)) for part in parts]
        self.parts = [*lower]
        self.part_of: Integers = np.array(numbers, dtype=np.int64)[part_of]

    def are_parts(self) -> npt.NDArray[np.bool_]:
        """For every name, whether it is a single part."""
        counts = np.bincount(self.name_of, minlength=len(self.names))
        lengths = np.array([*map(len, self.parts)], dtype=np.int64)
        of_parts = np.bincount(self.name_of, lengths[self.part_of], len(self.names))
        are_parts: npt.NDArray[np.bool_] = (counts == 1) & (of_parts == [*map(len, self.names)])
        return are_parts

    def groups(self, groups: NameGroups, nodes: int, attributes: int | None = None) -> Integers:
        """For every node, the groups that any of its names matches, as bits.

        attributes: how many of the attributes count, from the first one; all by default.
        """
        of_parts = np.array([*map(groups.bits_of_part, self.parts)], dtype=np.int64)
        of_names = np.zeros(len(self.names), dtype=np.int64)
        np.bitwise_or.at(of_names, self.name_of, of_parts[self.part_of])
        of_values = np.zeros(self._values[-1], dtype=np.int64)
        np.bitwise_or.at(of_values, self._value_of, of_names[self._uses])
        found = np.zeros(nodes, dtype=np.int64)
        for attribute, start in zip(self.attributes[:attributes], self._values, strict=False):
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


def names_of(tree: Tree) -> Names:
    """The names of elements, those in ``PLACING`` first; custom elements have their tags, too."""
    custom = [tag for tag in tree.tag_codes[0] if "-" in tag]
    tagged = [(tag, tree.elements(tag)) for tag in custom]
    return Names(
        [
            *map(tree.attribute, _ATTRIBUTES),
            *(Attribute(own, [tag], np.zeros(len(own), np.int32)) for tag, own in tagged),
        ]
    )


def _numbered(ended: Sequence[str], end: str) -> tuple[list[str], Integers, Integers]:
    """The distinct strings of several lists that follow each other, each ended by ``end``.

    And every string's number among them, and the number of its list.

    >>> _numbered(["b", "a", ";", ";", "b", ";"], ";")
    (['b', 'a'], array([0, 1, 0]), array([0, 0, 2]))
    """
    distinct = dict.fromkeys(ended)
    distinct.pop(end, None)
    number_of = {string: number for number, string in enumerate(distinct)} | {end: -1}
    numbers = np.fromiter(map(number_of.__getitem__, ended), np.int64, len(ended))
    inside = numbers >= 0
    return [*distinct], numbers[inside], np.cumsum(~inside, dtype=np.int64)[inside]
