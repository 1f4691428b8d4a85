"""The process that runs methods on pages: it loads each once, times it, and may be killed.

It answers a ``Task`` with messages: ``Loading`` (a method is being loaded), ``Started`` and
``Finished``, one pair for each method in the task's order. ``Ready`` is its first message.
"""

from __future__ import annotations

import gc
import time
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from evaluation.results import CRASH, ERROR, LOAD, PageKey
from extraction.base import Extractor
from extraction.registry import extractor
from pipelines.processes import confine

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# Set before the libraries are imported: one core a worker, and no chatter.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
}

# Every method reads this once before it is timed: libraries compile patterns at their first call.
WARM_PAGE = (
    "<!doctype html><html lang=en><head><title>A title</title></head><body><nav><ul>"
    "<li><a href=/>Home</a><li><a href=/a>About</a></ul></nav><main><h1>A heading</h1>"
    + "<p>A paragraph of plain words, long enough to be taken for the content of a page.</p>" * 5
    + "<ul><li>One item</li><li>Another item</li></ul></main><footer>The end</footer></body></html>"
)


class Task(NamedTuple):
    """One page for some methods, in this order."""

    page: PageKey
    html: str
    url: str | None
    genre: str | None
    methods: tuple[str, ...]


class Ready(NamedTuple):
    """The process is up."""


class Loading(NamedTuple):
    """A method is being loaded and warmed."""

    method: str


class Started(NamedTuple):
    """A method began to extract, at this reading of the monotonic clock that processes share."""

    method: str
    at: float


class Finished(NamedTuple):
    """A method is done with the page; see Result for the fields."""

    method: str
    text: str
    seconds: float | None
    error: str | None


Message = Ready | Loading | Started | Finished


def make_extractor(method: str) -> Extractor:
    """The extractor of a registry name, or of a ``module:factory`` path.

    Raises ValueError, ImportError or AttributeError where there is none, and whatever the
    factory raises.
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
                # After MemoryError the state of a library is anybody's guess.
                return


class _Shelf:
    """The methods that this worker has loaded, or why it could not."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._made: dict[str, Extractor | str] = {}

    def get(self, method: str) -> Extractor | str:
        made = self._made.get(method)
        if made is None:
            self._connection.send(Loading(method))
            made = self._made[method] = _load(method)
            # Models are not garbage: no timed call shall pay for looking through them.
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
        # A library that is imported at the first call is missing only then. Other errors may be
        # of this page alone.
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
    """The text without lone surrogates, which JSON in UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
