"""Pages that are visited each day, with the corpus that they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import orjson
from corpus_samples import BEGIN, document, page, plain_lines, unheard

from crawler.frontier.base import Ack
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.visits import Visit
from crawler.items import GonePage, Page
from crawler.lease import Lease
from crawler.recrawl.history import MISSES
from crawler.recrawl.revisits import Revisits, history_of
from pipelines.corpus_output import CorpusOutput
from settings import Job

WORDS = "It rained in the town for the whole of the week, as it does every year. " * 5
DAY = 86_400


class Site:
    """Pages that are visited each day, and a frontier that remembers what it is told of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.worker = "worker"
        self.day = 0
        self.histories: dict[str, str] = {}
        self.outcomes: list[str] = []
        # Whether acknowledgements are lost, as if the worker were killed before them.
        self.forgets = False
        job = Job.model_validate(
            {"name": "job", "seeds": {"urls": ["https://example.com/"]},
             "politeness": {"contact": "me@example.com"}, "recrawl": {"policy": "fixed"}}
        )  # fmt: skip
        revisits = Revisits(job, self._counts, clock=lambda: self.now)
        leases = SimpleNamespace(ack_all=self._ack_all, frontier=self)
        self._make = lambda: CorpusOutput(
            folder,
            self.worker,
            cast("LeaseHolder", leases),
            on_failure=unheard,
            revisits=revisits,
        )

    @property
    def now(self) -> float:
        return BEGIN.timestamp() + self.day * DAY

    def lease(self, number: int) -> Lease:
        lease = page(number).lease
        return replace(lease, history=self.histories.get(lease.url, ""))

    def page(self, number: int) -> Page:
        return replace(page(number), lease=self.lease(number))

    def visit(self, number: int, text: str, *, days: int = 1) -> Any:
        """What becomes of a page that has this text at its visit, a day later."""
        self.day += days
        found = document(number, text)
        found.fetched_at = BEGIN + timedelta(days=self.day)
        found.requested_url = self.lease(number).url
        return self.work(lambda output: output.take(self.page(number), found))

    def miss(self, number: int) -> bool:
        """Whether the page is gone for good."""
        self.day += 1
        gone = GonePage(self.lease(number), "not-found", BEGIN + timedelta(days=self.day))
        return bool(self.work(lambda output: output.end(gone)))

    def is_gone(self, number: int) -> bool:
        history = history_of(self.lease(number).history)
        return history is not None and history.misses >= MISSES

    def work(self, call: Callable[[CorpusOutput], Any]) -> Any:
        async def work() -> Any:
            async with self._make() as output:
                return await call(output)

        return asyncio.run(work())

    async def _counts(self, host: str) -> Mapping[str, float]:
        return {}

    async def _ack_all(self, acks: Sequence[Ack]) -> list[Lease]:
        if self.forgets:
            return []
        for ack in acks:
            self.outcomes.append(ack.outcome)
            if ack.visit is not None:
                self.histories[ack.lease.url] = ack.visit.history
        return []

    async def history(self, url: str) -> str:
        return self.histories.get(url, "")

    async def recount(
        self, worker: str, number: int, changes: Mapping[str, int], visits: Mapping[str, Visit]
    ) -> None:
        self.histories |= {url: visit.history for url, visit in visits.items()}


def lines(folder: Path, kind: str) -> list[tuple[int, str, dict[str, Any]]]:
    """Version, text and metadata of each line of a kind."""
    found = [
        orjson.loads(line)
        for path in sorted((folder / kind).glob("*"))
        for line in plain_lines(path)
    ]
    return [(line["metadata"]["version"], line["text"], line["metadata"]) for line in found]
