"""What worker processes run in tests: quick to start, and bad at what the page says."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

from corpus_commons.markup import parse
from crawler.discovery.links import Links
from crawler.discovery.page_scan import PageScan
from genre_model.prediction import Prediction
from pipelines.reading.content import Reading
from pipelines.reading.page_reader import PageReader, PageTask, ParsedPage, Task
from pipelines.reading.worker_process import TOGETHER, Message, read
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

EMPTY = parse("")


class ObedientReader:
    """Does what the HTML of a page orders; if that begins with "early", before the scan."""

    def parse(self, task: PageTask) -> ParsedPage[PageTask]:
        if str(task.html.content).startswith("early "):
            obey(str(task.html.content).removeprefix("early "))
        scan = None if task.scan is None else PageScan(Links(refused=7))
        return ParsedPage(task, EMPTY, scan)

    def contents(self, pages: list[ParsedPage[PageTask]]) -> list[Reading]:
        raise RuntimeError("reads them one by one")

    def content(self, page: ParsedPage[PageTask]) -> Reading:
        obey(str(page.task.html.content))
        return Reading(
            text=f"{os.getpid()} {page.task.url}",
            extractor="none",
            prediction=Prediction(None, {}, None, {}),
        )


def obey(html: str) -> None:
    order, _, argument = html.partition(" ")
    if order == "hang":
        while True:
            time.sleep(60)
    elif order == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif order == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif order == "exit":
        os._exit(int(argument))
    elif order == "sleep":
        time.sleep(float(argument))


def obedient(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    answer(connection, connection.send)


def joint(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    """As ``obedient``, but does not tell which page of a batch it is at."""

    def tell(message: Message) -> None:
        connection.send(TOGETHER if isinstance(message, int) else message)

    answer(connection, tell)


def answer(connection: Connection, tell: Callable[[Message], None]) -> None:
    connection.send(None)
    while True:
        try:
            tasks: list[Task] = connection.recv()
        except (EOFError, OSError):
            return
        read(cast(PageReader, ObedientReader()), tasks, tell)


def stillborn(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    os._exit(7)


def not_ready(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    connection.send("newspaper needs the package newspaper4k")


def asleep(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    time.sleep(60)


def killed_once(mark: Path, connection: Connection, genres: Genres, extraction: Extraction) -> None:
    """Killed the first time, which the file ``mark`` remembers."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    obedient(connection, genres, extraction)
