"""Pages in batches, each of which becomes one ``Forest``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

Page = TypeVar("Page")

# Larger batches save little more time, and take memory.
MOST_NODES: Final = 50_000


def in_batches(pages: Iterable[Page], nodes: Callable[[Page], int]) -> Iterator[list[Page]]:
    """The pages in batches that end with the page that reaches ``MOST_NODES``.

    nodes: the number of nodes of a page.

    >>> [*in_batches([30_000, 30_000, 30_000], nodes=int)]
    [[30000, 30000], [30000]]
    """
    batch: list[Page] = []
    total = 0
    for page in pages:
        batch.append(page)
        total += nodes(page)
        if total >= MOST_NODES:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
