"""The worker process that reads pages, one at a time, with models that are loaded once.

Its first message is None, or a text that says why the job's methods cannot be loaded. It then
answers each ``PageTask`` with a ``PageScan``, if the task asks for one and the page can be parsed,
and then a ``Reading`` or a ``Rejection``; and each ``ContentTask`` with a ``Content`` or a
``Rejection``.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import NamedTuple

from corpus_commons.processes import confine
from crawler.discovery.page_scan import PageScan
from crawler.outcomes import ERROR, Rejection
from pipelines.reading.content import Content, ContentTask, Reading
from pipelines.reading.page_reader import PageReader, PageRejectedError, PageTask
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

# Must be set before the libraries are imported: one core per worker.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# A page has at most 10 MB, and its tree a million nodes.
MEMORY_BYTES = 8 * 1024**3
_LONGEST_DETAIL = 500


Found = Reading | Rejection


class Answer(NamedTuple):
    """found: the reading, or a rejection. scan: None if none was asked for, or parsing failed."""

    found: Found
    scan: PageScan | None = None


def serve(connection: Connection, genres: Genres, extraction: Extraction) -> None:
    """Answer tasks until the other end of the connection is closed."""
    confine(MEMORY_BYTES)
    try:
        reader = PageReader(genres, extraction)
        reader.warm()
    except (Exception, SystemExit) as error:
        connection.send(_words(error))
        return
    # Exclude the models from garbage collection, which would scan them again and again.
    gc.collect()
    gc.freeze()
    connection.send(None)
    while True:
        try:
            task: PageTask | ContentTask = connection.recv()
        except (EOFError, OSError):
            return
        try:
            connection.send(read(reader, task, connection.send))
        except MemoryError:
            # The libraries may be in any state now: end, so that a new process takes over.
            return


def read(
    reader: PageReader,
    task: PageTask | ContentTask,
    scanned: Callable[[PageScan], object] | None = None,
) -> Content | Rejection:
    """What the task asks for, or why there is none. Raises nothing but MemoryError.

    scanned: called with the scan that the task asks for, before the content is read.
    """
    try:
        if isinstance(task, ContentTask):
            return reader.read_again(task)
        return reader.read(task, scanned)
    except PageRejectedError as error:
        return error.rejection
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        return failed(error)


def failed(error: BaseException) -> Rejection:
    """The rejection of a page for which our own code failed."""
    return Rejection(ERROR, _words(error))


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:_LONGEST_DETAIL]
