"""One attribute, for all elements of a page that have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.relations import Nodes


@dataclass(frozen=True, eq=False, slots=True)
class Attribute:
    """The values of an attribute, stored once each, because many elements share them.

    nodes: the elements that have the attribute, ascending.
    values: the distinct values, in order of first occurrence; "" for an attribute without a value.
    codes: for each of ``nodes``, the index of its value.
    """

    nodes: Nodes
    values: Sequence[str]
    codes: Nodes

    @classmethod
    def of(cls, nodes: npt.ArrayLike, values: Iterable[str | None]) -> Self:
        """The attribute with a value for each of ``nodes``."""
        code_of: dict[str, int] = {}
        codes = [code_of.setdefault(value or "", len(code_of)) for value in values]
        return cls(np.array(nodes, np.int32), [*code_of], np.array(codes, np.int32))

    @classmethod
    def joined(cls, parts: Sequence[Self], starts: Sequence[int]) -> Self:
        """The attribute of several pages as one. starts: what to add to the nodes of each."""
        values, codes = joined_codes((part.values, part.codes) for part in parts)
        nodes = [part.nodes + np.int32(start) for part, start in zip(parts, starts, strict=True)]
        return cls(np.concatenate(nodes), values, codes)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Every element with its value."""
        values = self.values
        for node, code in zip(self.nodes.tolist(), self.codes.tolist(), strict=True):
            yield node, values[code]

    def where(self, holds: Callable[[str], object]) -> Nodes:
        """The elements whose value satisfies ``holds``, which is called once per distinct value."""
        chosen = np.array([bool(holds(value)) for value in self.values], dtype=np.bool_)
        return self.nodes[chosen[self.codes]]


def joined_codes(parts: Iterable[tuple[Sequence[str], Nodes]]) -> tuple[list[str], Nodes]:
    """The columns of several pages as one: the distinct values, and the index of each.

    parts: the distinct values of each page, and the index of its own.

    >>> joined_codes([(["a", "b"], np.int32([1, 0])), (["b", "c"], np.int32([0, 1]))])
    (['a', 'b', 'c'], array([1, 0, 1, 2], dtype=int32))
    """
    code_of: dict[str, int] = {}
    codes = [
        np.array([code_of.setdefault(value, len(code_of)) for value in values], np.int32)[own]
        for values, own in parts
    ]
    return [*code_of], np.concatenate(codes)
