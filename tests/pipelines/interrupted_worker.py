"""A worker process to which a Ctrl-C comes while it loads its modules."""

from __future__ import annotations

import os
import signal
from multiprocessing import parent_process
from multiprocessing.connection import Connection

from odd_workers import obedient

from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

if parent_process() is not None:
    # Where the tests run in the background, a shell may have set it to be ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.kill(os.getpid(), signal.SIGINT)


def serve(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    obedient(connection, genres, extraction)
