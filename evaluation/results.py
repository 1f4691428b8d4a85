"""The result of one method on one page, stored as a line of JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import orjson
import zstandard

from corpus_commons.line_files import read_records
from corpus_commons.page_lines import shown
from corpus_commons.terminal.output import writing_to

# Kinds of failure: the word before the colon in ``error``.
TIMEOUT = "timeout"  # no result within the limit; the worker was killed
CRASH = "crash"  # the process died, or ran out of memory
ERROR = "error"  # the method raised an exception
LOAD = "load"  # the method itself could not be loaded
MISSING = "missing"  # saved results lack this page


class PageKey(NamedTuple):
    """Identifies a page across data sets."""

    set: str
    id: str


class OnSite(NamedTuple):
    """What a run with site memory keeps of a page. site: empty if unknown. marks: for a memory."""

    site: str
    marks: bytes | None


class Result(NamedTuple):
    """The result of one method on one page.

    text: the extracted text; empty if the method failed.
    seconds: wall time of the extraction in the worker; the limit for a timeout; None if the process
        died.
    error: None, or ``kind: reason`` where kind is one of this module's words.
    on_site: None unless the method was given a site's memory; not saved.
    """

    page: PageKey
    method: str
    text: str
    seconds: float | None
    error: str | None
    on_site: OnSite | None = None

    @property
    def failure(self) -> str | None:
        """The kind of failure; None if there was none."""
        return None if self.error is None else self.error.partition(":")[0]


def to_line(result: Result) -> bytes:
    r"""One line of JSON, including the newline.

    >>> to_line(Result(PageKey("wcxb", "7"), "bte", "Hello", 0.25, None))
    b'{"id":"7","set":"wcxb","method":"bte","text":"Hello","seconds":0.25,"error":null}\n'
    """
    fields = result._asdict()
    page: PageKey = fields.pop("page")
    del fields["on_site"]
    line = {"id": page.id, "set": page.set, **fields}
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def from_line(line: bytes) -> Result:
    """The result in a line; raises ValueError for anything that ``to_line`` would not write."""
    fields: Any = orjson.loads(line)
    try:
        page = PageKey(fields["set"], fields["id"])
        result = Result(
            page, fields["method"], fields["text"], fields.get("seconds"), fields.get("error")
        )
    except KeyError as error:
        raise ValueError(f"it must have id, set, method and text; there is no {error}") from error
    except (TypeError, AttributeError) as error:
        raise ValueError("it must be an object with id, set, method and text") from error
    if not all(isinstance(word, str) for word in (*page, result.method, result.text)):
        raise ValueError("id, set, method and text must be strings")
    if not isinstance(result.seconds, int | float | None):
        raise ValueError(f"seconds must be a number or null, not {shown(result.seconds)}")
    if not isinstance(result.error, str | None):
        raise ValueError(f"error must be a string or null, not {shown(result.error)}")
    return result


@contextmanager
def writing(path: Path) -> Iterator[Callable[[Result], object]]:
    """A function that writes a result to ``path``, compressed if its name ends in ``.zst``.

    Results are written one by one, so that those of an interrupted run are kept. Raises OSError
    that names the file.
    """
    stack = ExitStack()
    stream: IO[bytes] = stack.enter_context(path.open("wb"))
    if path.suffix == ".zst":
        compressor = zstandard.ZstdCompressor(level=6)
        stream = stack.enter_context(compressor.stream_writer(stream))

    def write(result: Result) -> None:
        with writing_to(path):
            stream.write(to_line(result))

    try:
        yield write
    finally:
        with writing_to(path):
            stack.close()


class SavedResults:
    """The results saved in files; if there are several for a page and method, only the last one.

    The files are read twice, so that the texts are not kept in memory.

    methods: the methods with results, in order of their first result.
    Raises ValueError, naming file and line, for a line that is not a result.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._last: dict[tuple[PageKey, str], int] = {}
        for number, result in enumerate(_all_results(paths)):
            self._last[result.page, result.method] = number
        self.methods = tuple(dict.fromkeys(method for _, method in self._last))

    def of(self, pages: Collection[PageKey], methods: Collection[str]) -> Iterator[Result]:
        """The results of these methods on these pages.

        If a method has results for only some of the selected pages of a set, the others are
        reported as failures.
        """
        for number, result in enumerate(_all_results(self._paths)):
            wanted = result.page in pages and result.method in methods
            if wanted and self._last[result.page, result.method] == number:
                yield result
        for page, method in self.missing(pages, methods):
            yield Result(page, method, "", None, f"{MISSING}: no result was saved")

    def missing(
        self, pages: Collection[PageKey], methods: Collection[str]
    ) -> list[tuple[PageKey, str]]:
        """Pages and methods without a result, if the method has results for others of the set."""
        begun = {(page.set, method) for page, method in self._last if page in pages}
        return [
            (page, method)
            for method in methods
            for page in pages
            if (page.set, method) in begun and (page, method) not in self._last
        ]

    def have_any(self, pages: Collection[PageKey], methods: Collection[str]) -> bool:
        """Whether there is a result of one of these methods on one of these pages."""
        return any(page in pages and method in methods for page, method in self._last)

    def unknown(self, pages: Collection[PageKey]) -> int:
        """The number of results for pages that are not selected."""
        return sum(page not in pages for page, _ in self._last)


def _all_results(paths: Sequence[Path]) -> Iterator[Result]:
    for path in paths:
        yield from read_records(path, _saved_result)


def _saved_result(line: bytes) -> Result:
    try:
        return from_line(line)
    except ValueError as error:
        raise ValueError(f"not a result: {error}") from error
