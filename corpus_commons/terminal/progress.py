"""Progress of long work: a bar on a terminal, otherwise a log line at intervals."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

_SECONDS_BETWEEN_LINES = 15.0

# Commands set this logger to INFO to show the lines.
LOGGER = "progress"

_log = logging.getLogger(LOGGER)

Item = TypeVar("Item")


def watched(
    items: Iterable[Item], total: int | None, what: str, console: Console | None = None
) -> Iterator[Item]:
    """Pass ``items`` on, and show how many of ``total`` are done.

    total: None if unknown. what: the name of the items, in the plural.
    console: where to show it; by default standard error, so that output can be piped.
    """
    if console is None and sys.stderr.isatty():
        # Extraction alone is installed without Rich, and then writes lines.
        with contextlib.suppress(ModuleNotFoundError):
            from rich.console import Console  # noqa: PLC0415

            console = Console(stderr=True)
    if console is None or not console.is_terminal:
        return _lines(items, total, what)
    return _bar(items, total, what, console)


def _bar(items: Iterable[Item], total: int | None, what: str, console: Console) -> Iterator[Item]:
    from rich import progress as rich  # noqa: PLC0415

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=console, transient=True) as progress:
        yield from progress.track(items, total=total, description=what)


def _lines(items: Iterable[Item], total: int | None, what: str) -> Iterator[Item]:
    begin = last = time.monotonic()
    of = "" if total is None else f" of {total}"
    for done, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_LINES:
            last = now
            _log.info("%d%s %s after %.0f s", done, of, what, now - begin)
