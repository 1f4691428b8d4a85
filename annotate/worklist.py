"""The pages in the order in which people are asked for them: the most uncertain first."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from heapq import heappush, heappushpop

from annotate.labels import CONTENT
from annotate.opinions import Machine, Opinion
from annotate.sources import SourcePage

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work:
    """A page to be labelled, and what the machine says of it.

    blocks: their fingerprint, if somebody may have labelled them before; None otherwise.
    """

    page: SourcePage
    opinion: Opinion
    blocks: str | None = None


def worklist(
    pages: Iterable[SourcePage],
    machine: Machine,
    *,
    task: str,
    most: int,
    labelled: Collection[str],
) -> list[Work]:
    """The labelled pages, and of the others those that the machine doubts most.

    most: how many of the others. labelled: the ids of pages that somebody has labelled.
    Pages that cannot be parsed are left out with a warning. Raises ValueError for a second page of
    the same id, and if there are none.
    """
    seen: set[str] = set()
    begun: list[tuple[float, int, Work]] = []
    others: list[tuple[float, int, Work]] = []
    for number, page in enumerate(pages):
        if page.id in seen:
            raise ValueError(f"there are two pages with the id {page.id!r:.80}")
        seen.add(page.id)
        try:
            opinion = machine.opinion(page)
            is_asked = task == CONTENT and page.id in labelled
            blocks = machine.blocks(page).fingerprint if is_asked else None
        except ValueError as error:
            _log.warning("page %.80r left out: %s", page.id, error)
            continue
        # The number decides between equals, the first of them first.
        item = (opinion.doubt(task), -number, Work(page, opinion, blocks))
        if page.id in labelled:
            begun.append(item)
        elif len(others) < most:
            heappush(others, item)
        else:
            heappushpop(others, item)
    if not begun and not others:
        raise ValueError("there is no page to label")
    return [work for _, _, work in sorted(begun + others, key=lambda item: item[:2], reverse=True)]
