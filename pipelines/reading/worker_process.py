"""The worker process that reads pages, in batches, with models that are loaded once.

Its first message is None, or a text that says why the job's methods cannot be loaded. It then
answers each list of tasks with a list of scans, once all pages are parsed, and a list of what was
found in them; each has an entry for every task. Between them, it says what it works on, so that it
is known which page it is that kills it: the number of a page in the list, or ``TOGETHER``.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from corpus_commons.processes import confine
from crawler.discovery.page_scan import PageScan
from crawler.outcomes import ERROR, Rejection
from pipelines.reading.content import Content
from pipelines.reading.page_reader import PageReader, PageRejectedError, ParsedPage, Task
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

# Must be set before the libraries are imported: one core per worker.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# A page has at most 10 MB, and its tree a million nodes.
MEMORY_BYTES = 8 * 1024**3
_LONGEST_DETAIL = 500
# More objects than most batches make, and few enough for all of them to be small.
_ALLOCATIONS = 100_000

TOGETHER: Final = -1
"""Stands for all pages of a batch instead of the number of one."""

Found = Content | Rejection
Message = int | list[PageScan | None] | list[Found]

Asked = TypeVar("Asked", bound=Content)
Given = TypeVar("Given")
Result = TypeVar("Result")


class Answer(NamedTuple, Generic[Asked]):
    """found: what was asked for, or a rejection. scan: None if that was not asked for, or parsing
    failed.
    """

    found: Asked | Rejection
    scan: PageScan | None = None


class Reader(Protocol):
    """Reads pages; its methods raise PageRejectedError. See ``PageReader``, the usual one."""

    def warm(self) -> None: ...

    def parse(self, task: Task) -> ParsedPage[Task]: ...

    def content(self, page: ParsedPage[Task]) -> Content: ...

    def contents(self, pages: Sequence[ParsedPage[Task]]) -> Sequence[Found]: ...


def serve(
    connection: Connection,
    genres: Genres,
    extraction: Extraction,
    make: Callable[[Genres, Extraction], Reader] = PageReader,
) -> None:
    """Answer tasks, by the reader that ``make`` makes, until the other end is closed."""
    confine(MEMORY_BYTES)
    try:
        reader = make(genres, extraction)
        reader.warm()
    except (Exception, SystemExit) as error:
        connection.send(_words(error))
        return
    # Exclude the models from garbage collection, which would scan them again and again, and leave
    # it be while a page is read: its tree has no cycles, and is gone with the page.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS)
    connection.send(None)
    while True:
        try:
            tasks: list[Task] = connection.recv()
        except (EOFError, OSError):
            return
        try:
            read(reader, tasks, connection.send)
        except MemoryError:
            # The libraries may be in any state now: end, so that a new process takes over.
            return


def read(reader: Reader, tasks: Sequence[Task], tell: Callable[[Message], object]) -> None:
    """Tell all messages that answer the tasks. Raises nothing but MemoryError, and what ``tell``
    raises.
    """
    pages: list[ParsedPage[Task] | Rejection] = []
    for number, task in enumerate(tasks):
        tell(number)
        pages.append(_attempt(reader.parse, task))
    tell([None if isinstance(page, Rejection) else page.scan for page in pages])
    tell(_contents(reader, pages, tell))


def _contents(
    reader: Reader, pages: Sequence[ParsedPage[Task] | Rejection], tell: Callable[[Message], object]
) -> list[Found]:
    """What is found in the parsed pages of a batch: in all at once, or one by one if that fails."""
    tell(TOGETHER)
    parsed = [page for page in pages if isinstance(page, ParsedPage)]
    together = _attempt(reader.contents, parsed)
    if not isinstance(together, Rejection):
        read = iter(together)
        return [page if isinstance(page, Rejection) else next(read) for page in pages]
    found: list[Found] = []
    for number, page in enumerate(pages):
        tell(number)
        found.append(page if isinstance(page, Rejection) else _attempt(reader.content, page))
    return found


def _attempt(step: Callable[[Given], Result], given: Given) -> Result | Rejection:
    """The result of the step, or why there is none."""
    try:
        return step(given)
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
