"""What worker processes run in tests: quick to start, and bad at what the page says."""

from __future__ import annotations

import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

from crawler.discovery.links import Links
from crawler.discovery.page_scan import PageScan
from genre_model.prediction import Prediction
from pipelines.reading.content import Reading
from pipelines.reading.page_reader import PageTask
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres


def obedient(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    """Does what the page's HTML orders."""
    connection.send(None)
    while True:
        try:
            task: PageTask = connection.recv()
        except (EOFError, OSError):
            return
        if task.scan is not None:
            connection.send(PageScan(Links(refused=7)))
        order, _, argument = str(task.html).partition(" ")
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
        connection.send(
            Reading(
                text=f"{os.getpid()} {task.url}",
                extractor="none",
                prediction=Prediction(None, {}, None, {}),
            )
        )


def stillborn(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    os._exit(7)


def not_ready(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    connection.send("newspaper needs the package newspaper4k")


def asleep(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    time.sleep(60)


def killed_once(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    """Killed the first time, as ``KILLED_ONCE`` names the file that remembers it."""
    mark = Path(os.environ["KILLED_ONCE"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    obedient(connection, genres, extraction)
