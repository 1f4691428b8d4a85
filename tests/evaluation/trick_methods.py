"""Extractors that misbehave, each in one way, to be run as ``trick_methods:NAME``."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from extraction.page_marks import Blocks, PageMarks, key_of
from extraction.result import Extraction, ExtractionError
from extraction.site_memory import SiteMemory

# The methods misbehave on pages that contain this word.
TRIGGER = "trigger"


class Trick:
    """Returns the page as its text, but misbehaves on pages with the trigger."""

    name = "trick"

    def __init__(self, bad: Callable[[], str | None] = lambda: None) -> None:
        self._bad = bad

    def extract(self, html: object, **told: Any) -> Extraction:
        text = str(html)
        if TRIGGER in text:
            text = self._bad() or text
        return Extraction(text)


class Echo(Trick):
    """Returns its arguments as text."""

    def extract(self, html: object, **told: Any) -> Extraction:
        return Extraction(f"{type(html).__name__} {told.get('url')} {told.get('genre')}")


class SlowStart(Trick):
    """Is slow in the constructor and in the first call, as libraries are."""

    SECONDS: Final = 1.0

    def __init__(self) -> None:
        time.sleep(self.SECONDS)
        super().__init__()
        self._first = True

    def extract(self, html: object, **told: Any) -> Extraction:
        if self._first:
            time.sleep(self.SECONDS)
            self._first = False
        return super().extract(html)


class ImportsLate(Trick):
    """Fails in its first call because its library is missing."""

    def extract(self, html: object, **told: Any) -> Extraction:
        try:
            import no_such_library_for_tests  # type: ignore[import-not-found] # noqa: F401, PLC0415
        except ImportError as error:
            raise ExtractionError("a library failed") from error
        return Extraction("")


def good() -> Trick:
    return Trick()


def hangs() -> Trick:
    def bad() -> None:
        while True:
            time.sleep(60)

    return Trick(bad)


def hangs_outside_python() -> Trick:
    """Stuck in C code that holds the lock of the interpreter, where no exception can reach."""

    def bad() -> None:
        ctypes.PyDLL(None).sleep(60)

    return Trick(bad)


def exits() -> Trick:
    def bad() -> None:
        os._exit(3)

    return Trick(bad)


def segfaults() -> Trick:
    def bad() -> None:
        ctypes.string_at(0)

    return Trick(bad)


def runs_out_of_memory() -> Trick:
    def bad() -> None:
        raise ExtractionError("too large") from MemoryError()

    return Trick(bad)


def raises() -> Trick:
    def bad() -> None:
        raise ExtractionError("beyond reading: \ud800")

    return Trick(bad)


def quits() -> Trick:
    def bad() -> None:
        raise SystemExit(1)

    return Trick(bad)


def surrogates() -> Trick:
    return Trick(lambda: "half \ud83d a pair")


def process() -> Trick:
    return Trick(lambda: str(os.getpid()))


def threads() -> Trick:
    return Trick(lambda: os.environ.get("OMP_NUM_THREADS"))


def chatters() -> Trick:
    def bad() -> None:
        os.write(1, b"noise on the terminal")
        os.write(2, b"noise on the terminal")

    return Trick(bad)


def hungry() -> Trick:
    def bad() -> None:
        bytearray(64 * 2**30)

    return Trick(bad)


def broken() -> Trick:
    raise FileNotFoundError("no model here")


def dies_while_loading() -> Trick:
    os._exit(4)


class Remembering(Trick):
    """Uses a site's memory: its text is how many other pages it knows; its marks are of the URL."""

    def extract(self, html: object, **told: Any) -> Extraction:
        site: SiteMemory | None = told.get("site")
        if site is None:
            return Extraction("no memory")
        blocks = Blocks(np.array([7], np.uint32), np.array([7], np.uint32), np.ones(1, np.float32))
        marks = PageMarks.of(key_of(told["url"], [str(html)]), blocks, np.zeros(1))
        return Extraction(f"knows {len(site)}", marks=marks)
