"""The server of a live page in a thread of this process, of a frontier without a crawl."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corpus_commons.web.door import Door, listen
from crawler.frontier import Candidate, Frontier, SqliteFrontier
from crawler.frontier.policy import Policy
from crawler.html import Html
from crawler.items import Document
from crawler.outcomes import Rejection
from live.documents import NewestDocuments
from live.histogram import Histogram
from live.loop_server import LoopServer
from live.report import ProcessUse, WorkerReport
from live.server import LiveServer, Site
from live.steering import Steering
from live.watch import Watch
from pipelines.reading.content import Content, ContentTask
from pipelines.reading.second_look import SecondLook
from settings import parse_job

JOB = parse_job('name = "a-job"\nseeds.urls = ["http://localhost/"]\n', source="job.toml")
DEAD = "internal-error: <b>'\"&"


def report(**fields: Any) -> WorkerReport:
    """A worker's report, with a value for everything."""
    own = WorkerReport(
        worker="worker-1",
        started=time.time() - 60,
        at=time.time(),
        static=4.25,
        rendered=0.5,
        is_paused=False,
        totals={"documents": 7, "rejects": 3, "rendered": 2, "words": 900, "held": 1},
        groups={
            "genres": {"article": 5, "list-view": 2},
            "page_types": {"forum": 7},
            "languages": {"en": 7},
            "reject_reasons": {"too-short": 3},
        },
        responses={"200": 11, "404": 1},
        errors={"TimeoutError": 2},
        received=123_456,
        leases=4,
        lost=1,
        waited=12.5,
        histograms={
            "download": Histogram((0.1, 1.0), [1, 2, 0], 1.5),
            "render": Histogram((1.0,), [2, 0], 1.0),
            "confidence": Histogram((0.5,), [3, 4], 5.0),
        },
        disk_free=10**9,
        disk_size=10**10,
        processes=[ProcessUse("crawler", 1, 10**8, 3.0, 0.5), ProcessUse("reader", 2, 10**8, 9, 1)],
    )
    return replace(own, **fields)


def document(name: str, **fields: Any) -> Document:
    url = f"http://a.test/{name}"
    return Document(id=name, text="Words.", url=url, fetched_at=datetime.now(UTC), **fields)


class Reader:
    """Reads pages as it is told. asked: how often. most_at_once: pages in work."""

    def __init__(self, found: Content | Rejection | Exception) -> None:
        self._found = found
        self._at_once = 0
        self.asked = self.most_at_once = 0

    async def with_blocks(self, _: ContentTask) -> Content | Rejection:
        self.asked += 1
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await asyncio.sleep(0)
        self._at_once -= 1
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


def look(reader: Any, html: str = "<p>Words.") -> SecondLook:
    return SecondLook(ContentTask(Html(html), "http://a.test/", "boosted-blocks"), reader)


@dataclass
class Served:
    address: str
    documents: NewestDocuments
    server: LiveServer


@contextmanager
def serving(folder: Path, *, token: str = "") -> Iterator[Served]:
    """The page of a frontier with a dead URL, and of a worker whose documents can be added to."""
    listener = listen(0)
    door = Door(listener.getsockname()[1], token=token)
    documents = NewestDocuments()
    ready, found = threading.Event(), list[Any]()

    async def own(most: int) -> WorkerReport:
        return report(documents=documents.newest()[:most])

    async def serve() -> None:
        frontier = await SqliteFrontier.open(folder, Policy(delay=0, tries=1))
        async with frontier:
            await _bury(frontier)

            async def given() -> Frontier:
                return frontier

            site = Site(Watch(JOB, given, own), Steering(given), "worker-1", documents.find)
            live = LiveServer(site, door)
            server = LoopServer(live.app)
            found.extend((live, server))
            ready.set()
            await server.serve(sockets=[listener])

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(20)
    live, server = found
    try:
        yield Served(door.address, documents, live)
    finally:
        server.end()
        thread.join()


async def _bury(frontier: Frontier) -> None:
    await frontier.add([Candidate("http://a.test/1"), Candidate("http://b.test/2")])
    (lease, *_) = await frontier.lease(1)
    await frontier.release(lease, reason=DEAD)


def wait_until(condition: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come so far"
        time.sleep(0.02)
