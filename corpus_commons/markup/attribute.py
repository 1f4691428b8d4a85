"""One attribute, for all elements of a page that have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

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
    def of(
        cls, name: str, attributes: Sequence[Mapping[str, str | None]], candidates: Sequence[int]
    ) -> Self:
        """The attribute with this name.

        attributes: of every node. candidates: the nodes that have any attributes, ascending.
        """
        nodes = [node for node in candidates if name in attributes[node]]
        code_of: dict[str, int] = {}
        codes = [code_of.setdefault(attributes[node][name] or "", len(code_of)) for node in nodes]
        return cls(np.array(nodes, np.int32), [*code_of], np.array(codes, np.int32))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Every element with its value."""
        values = self.values
        for node, code in zip(self.nodes.tolist(), self.codes.tolist(), strict=True):
            yield node, values[code]

    def where(self, holds: Callable[[str], object]) -> Nodes:
        """The elements whose value satisfies ``holds``, which is called once per distinct value."""
        chosen = np.array([bool(holds(value)) for value in self.values], dtype=np.bool_)
        return self.nodes[chosen[self.codes]]
