"""The worker process, which loads methods, runs them on pages and measures their time.

Its first message is None, when it is ready. It keeps the ``Task`` that it was sent last. It answers
the name of a method with why that cannot be loaded; or with None as it begins to extract, and then
with ``Finished``.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Final, NamedTuple

from corpus_commons.markup.page_site import page_site
from corpus_commons.processes import confine
from evaluation.results import CRASH, ERROR, OnSite, PageKey
from extraction.interface import Extractor
from extraction.page_marks import PageMarks
from extraction.registry import extractor
from extraction.result import Extraction
from extraction.site_memory import SiteMemory

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


Memory = tuple[bytes, ...]
"""The marks of the pages that a site's memory consists of."""
_NO_MEMORIES: Final[Mapping[str, Memory]] = {}


class Task(NamedTuple):
    """One page, and the methods to run on it, in this order.

    memories: those that methods are given, by method; the others get none.
    """

    page: PageKey
    html: str
    url: str | None
    genre: str | None
    methods: tuple[str, ...]
    memories: Mapping[str, Memory] = _NO_MEMORIES


class Finished(NamedTuple):
    """The method has finished the page; see Result for the fields."""

    text: str
    seconds: float | None
    error: str | None
    on_site: OnSite | None = None


def make_extractor(method: str) -> Extractor:
    """The extractor for a registry name or a ``module:factory`` path.

    Modules are looked for in the working directory last, so that none there hides another.
    Raises ValueError, ImportError or AttributeError if there is none, and whatever the factory
    raises.
    """
    if ":" not in method:
        return extractor(method)
    module, factory = method.split(":", 1)
    if "" not in sys.path:
        sys.path.append("")
    made: Extractor = getattr(import_module(module), factory)()
    return made


def serve(connection: Connection, memory_bytes: int | None) -> None:
    """Answer until the other end of the connection is closed."""
    confine(memory_bytes)
    methods: dict[str, Extractor | str] = {}
    task: Task | None = None
    connection.send(None)
    while True:
        try:
            message: Task | str = connection.recv()
        except (EOFError, OSError):
            return
        if isinstance(message, Task):
            task = message
            continue
        if message not in methods:
            methods[message] = _loaded(message)
        method = methods[message]
        if isinstance(method, str):
            connection.send(method)
            continue
        assert task is not None  # noqa: S101 - for mypy: a page is sent before any method
        connection.send(None)
        finished = _extracted(method, task, task.memories.get(message))
        connection.send(finished)
        if finished.error is not None and finished.error.startswith(CRASH):
            # After a MemoryError, the state of a library is undefined.
            return


def _loaded(name: str) -> Extractor | str:
    """The method, or why it cannot be loaded."""
    try:
        method = make_extractor(name)
    except (Exception, SystemExit) as error:
        return _words(error)
    try:
        method.extract(WARM_PAGE)
    except (Exception, SystemExit) as error:
        # A library may be imported only in the first call. Other errors may be due to this page.
        if _has_cause(error, ImportError):
            return _words(error)
    # Collected now rather than during a timed call.
    gc.collect()
    gc.freeze()
    return method


def _extracted(method: Extractor, task: Task, memory: Memory | None) -> Finished:
    site = None
    if memory is not None:
        site = SiteMemory(map(PageMarks.from_bytes, memory), max(1, len(memory)))
    begin = time.perf_counter()
    found, failure = Extraction(""), None
    try:
        if site is None:
            found = method.extract(task.html, url=task.url, genre=task.genre)
        else:
            found = method.extract(task.html, url=task.url, genre=task.genre, site=site)
    except (Exception, SystemExit) as error:
        failure = error
    seconds = time.perf_counter() - begin
    if failure is None:
        on_site = None if site is None else _on_site(task, found)
        return Finished(_encodable(found.text), seconds, None, on_site)
    kind = CRASH if _has_cause(failure, MemoryError) else ERROR
    return Finished("", seconds, _encodable(f"{kind}: {_words(failure)}"))


def _on_site(task: Task, found: Extraction) -> OnSite:
    marks = None if found.marks is None else found.marks.to_bytes()
    return OnSite(page_site(task.html, task.url), marks)


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
