"""What is acknowledged once the line of a page is on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from crawler.items import Document, Page
from crawler.lease import Lease
from crawler.outcomes import Judgement
from crawler.recrawl.observation import Observation
from pipelines.corpus.held_page import HeldPage, HeldRow
from pipelines.versions.lineage import Step

Judged = tuple[Document, Judgement]

# What is said of a visit if its page is not visited again.
ONCE: Final = Observation(seen="changed")


@dataclass(frozen=True, slots=True)
class PendingAck:
    """What to acknowledge once a line is on disk.

    id: of the page. lease: the page came by it.
    found: for the policy of its next visit; None if there is none.
    is_released: whether it was held, and its lease has been acknowledged.
    judged: the document and what became of it; None if the page is held, or nothing is said of it.
    outdated: see ``Step``.
    row: of a page that is held instead of written.
    """

    id: str
    lease: Lease
    outcome: str
    found: Observation | None = ONCE
    is_released: bool = False
    judged: Judged | None = None
    outdated: bytes | None = None
    row: HeldRow | None = None

    @classmethod
    def of(
        cls, page: Page | HeldPage, outcome: str, step: Step, judged: Judged | None = None
    ) -> Self:
        is_released = isinstance(page, HeldPage)
        return cls(step.document.id, page.lease, outcome, step.found, is_released, judged)
