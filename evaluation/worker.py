"""The worker process, which loads methods, runs them on pages and measures their time.

Its first message is ``Ready``. It answers a ``Task`` with ``Loading`` (if a method has to be
loaded), and ``Started`` and ``Finished`` for each method, in the task's order.
"""

from __future__ import annotations

import gc
import time
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from evaluation.results import CRASH, ERROR, LOAD, PageKey
from extraction.base import Extractor
from extraction.registry import extractor
from pipelines.reading.processes import confine

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# Set before the libraries are imported: one core per worker, and no log output.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
}

# Every method extracts this first, untimed, because libraries compile patterns in their first call.
WARM_PAGE = (
    "<!doctype html><html lang=en><head><title>A title</title></head><body><nav><ul>"
    "<li><a href=/>Home</a><li><a href=/a>About</a></ul></nav><main><h1>A heading</h1>"
    + "<p>A paragraph of plain words, long enough to be taken for the content of a page.</p>" * 5
    + "<ul><li>One item</li><li>Another item</li></ul></main><footer>The end</footer></body></html>"
)


class Task(NamedTuple):
    """One page, and the methods to run on it, in this order."""

    page: PageKey
    html: str
    url: str | None
    genre: str | None
    methods: tuple[str, ...]


class Ready(NamedTuple):
    """The process has started."""


class Loading(NamedTuple):
    """A method is being loaded and warmed up."""

    method: str


class Started(NamedTuple):
    """A method has begun to extract, at this time by the monotonic clock of all processes."""

    method: str
    at: float


class Finished(NamedTuple):
    """A method has finished the page; see Result for the fields."""

    method: str
    text: str
    seconds: float | None
    error: str | None


Message = Ready | Loading | Started | Finished


def make_extractor(method: str) -> Extractor:
    """The extractor for a registry name or a ``module:factory`` path.

    Raises ValueError, ImportError or AttributeError if there is none, and whatever the factory
    raises.
    """
    if ":" not in method:
        return extractor(method)
    module, factory = method.split(":", 1)
    made: Extractor = getattr(import_module(module), factory)()
    return made


def serve(connection: Connection, memory_bytes: int | None) -> None:
    """Answer tasks until the other end of the connection is closed."""
    confine(memory_bytes)
    shelf = _Shelf(connection)
    connection.send(Ready())
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):
            return
        for method in task.methods:
            made = shelf.get(method)
            if isinstance(made, str):
                finished = Finished(method, "", None, made)
            else:
                connection.send(Started(method, time.monotonic()))
                finished = _extract(made, method, task)
            connection.send(finished)
            if finished.error is not None and finished.error.startswith(CRASH):
                # After a MemoryError, the state of a library is undefined.
                return


class _Shelf:
    """The methods that this worker has loaded, or the errors of loading them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._made: dict[str, Extractor | str] = {}

    def get(self, method: str) -> Extractor | str:
        made = self._made.get(method)
        if made is None:
            self._connection.send(Loading(method))
            made = self._made[method] = _load(method)
            # Collected now rather than during a timed call.
            gc.collect()
            gc.freeze()
        return made


def _load(method: str) -> Extractor | str:
    try:
        made = make_extractor(method)
    except (Exception, SystemExit) as error:
        return f"{LOAD}: {_words(error)}"
    try:
        made.extract(WARM_PAGE)
    except (Exception, SystemExit) as error:
        # A library may be imported only in the first call. Other errors may be due to this page.
        if _has_cause(error, ImportError):
            return f"{LOAD}: {_words(error)}"
    return made


def _extract(made: Extractor, method: str, task: Task) -> Finished:
    text, failure = "", None
    begin = time.perf_counter()
    try:
        text = made.extract(task.html, url=task.url, genre=task.genre).text
    except (Exception, SystemExit) as error:
        failure = error
    seconds = time.perf_counter() - begin
    if failure is None:
        return Finished(method, _encodable(text), seconds, None)
    kind = CRASH if _has_cause(failure, MemoryError) else ERROR
    return Finished(method, "", seconds, _encodable(f"{kind}: {_words(failure)}"))


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:500]


def _has_cause(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__
    return False


def _encodable(text: str) -> str:
    """The text without lone surrogates, which cannot be encoded in UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
