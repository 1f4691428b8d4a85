"""What a worker knows of its own run: counted as pages are judged, reported when it is asked."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scrapy.crawler import Crawler

from crawler.crawl.crawl import Crawl
from crawler.items import Document, Page
from crawler.outcomes import Judgement
from live.documents import NewestDocuments
from live.histogram import Histogram
from live.paced import Paced
from live.processes import Processes
from live.report import ProcessUse, WorkerReport
from pipelines.reporting.counts import groups_of, totals
from pipelines.reporting.rates import Rates
from pipelines.signals import PAGE_JUDGED, PAGE_READ

if TYPE_CHECKING:
    from pipelines.reading.second_look import SecondLook

DOWNLOAD: Final = "download"
RENDER: Final = "render"
CONFIDENCE: Final = "confidence"
_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SHARES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_SHARE_OF_LOOKS: Final = 0.005
_RESPONSES: Final = "downloader/response_status_count/"
_EXCEPTIONS: Final = "downloader/exception_type_count/"


class _Machine(NamedTuple):
    """What a worker uses of its machine; sizes in bytes."""

    processes: Sequence[ProcessUse] = ()
    disk_free: int = 0
    disk_size: int = 0


class OwnWorker:
    """The worker in this process."""

    def __init__(self, crawl: Crawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self.documents = NewestDocuments()
        self._rates = Rates()
        self._histograms = {
            DOWNLOAD: Histogram(_SECONDS),
            RENDER: Histogram(_SECONDS),
            CONFIDENCE: Histogram(_SHARES),
        }
        self._processes = Processes()
        self._look: Paced[_Machine] = Paced(
            self._look_at_machine, _Machine(), share=_SHARE_OF_LOOKS
        )
        crawler.signals.connect(self._read, PAGE_READ)
        crawler.signals.connect(self._judged, PAGE_JUDGED)

    def sample(self) -> None:
        """Note how far the run has come; call it every second or two."""
        run = totals(self._stats)
        self._rates.sample(time.monotonic(), (run.static, run.rendered))

    async def report(self, documents: int) -> WorkerReport:
        """The report now, with so many documents. Raises NotOpenError if the crawl is not open."""
        crawl, found = self._crawl, self._stats
        machine = await self._look.ask(crawl.frontier)
        static, rendered = self._rates.per_second()
        return WorkerReport(
            worker=crawl.worker,
            started=crawl.started.timestamp(),
            at=time.time(),
            static=static,
            rendered=rendered,
            is_paused=crawl.is_paused,
            totals=totals(found)._asdict(),
            groups={name: dict(counts) for name, counts in groups_of(found).items()},
            responses=_under(_RESPONSES, found),
            errors=_under(_EXCEPTIONS, found),
            received=crawl.traffic.received,
            leases=crawl.leases.held,
            lost=crawl.leases.lost,
            waited=crawl.waited,
            histograms=self._histograms,
            disk_free=machine.disk_free,
            disk_size=machine.disk_size,
            processes=list(machine.processes),
            documents=self.documents.newest(documents),
        )

    @property
    def _stats(self) -> dict[str, Any]:
        return self._crawler.stats.get_stats()

    async def _look_at_machine(self, _: object) -> _Machine:
        # It waits for the kernel.
        return await asyncio.to_thread(self._machine)

    def _machine(self) -> _Machine:
        disk = shutil.disk_usage(_existing(self._crawl.folder))
        return _Machine(self._processes.look(), disk.free, disk.total)

    def _read(self, page: Page) -> None:
        self.documents.read(page)
        if page.timings.download:
            self._histograms[DOWNLOAD].add(page.timings.download)
        if page.timings.render:
            self._histograms[RENDER].add(page.timings.render)

    def _judged(self, document: Document, judgement: Judgement, look: SecondLook | None) -> None:
        if judgement is not None:
            return
        self.documents.add(document, look)
        if document.extractor_confidence is not None:
            self._histograms[CONFIDENCE].add(document.extractor_confidence)


def _under(begin: str, stats: Mapping[str, Any]) -> dict[str, int]:
    """Scrapy's counts whose names begin so, by the rest; of classes without their modules."""
    counts: Counter[str] = Counter()
    for name, count in stats.items():
        if name.startswith(begin):
            counts[name.removeprefix(begin).rpartition(".")[2]] += count
    return counts


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())
