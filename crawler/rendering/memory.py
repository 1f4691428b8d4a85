"""How much memory a page may take, whatever it takes it for.

V8 bounds its heap, which holds neither typed arrays nor the DOM. The system bounds a process:
``RLIMIT_DATA`` counts memory that it may write and shares with none. Chromium sets it as well, in
its sandbox, to gigabytes more, and never above what it was given.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PAGE_MEMORY: Final = 2 << 30
"""Bytes. An empty page has 350 MB of them, most of which it never touches."""


def bound_pages(browser: int) -> None:
    """Bound the processes of a browser that draw pages, by its process id; on Linux alone.

    They are forked by a process of the browser's, its zygote, and inherit the limit from it.
    """
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - not every system has it

    for process in _descendants(browser):
        # One that has ended meanwhile, or is held by a lower limit already.
        with contextlib.suppress(OSError, ValueError):
            if _draws_pages(process):
                resource.prlimit(process, resource.RLIMIT_DATA, (PAGE_MEMORY, PAGE_MEMORY))


def _descendants(process: int) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            for child in map(int, children.read_text().split()):
                yield child
                yield from _descendants(child)


def _draws_pages(process: int) -> bool:
    """Or forks those that do; the other zygote forks the browser's network."""
    # Chromium separates the arguments of some by spaces, not by zeros.
    command = Path(f"/proc/{process}/cmdline").read_bytes()
    is_zygote = b"--type=zygote" in command and b"--no-zygote-sandbox" not in command
    return is_zygote or b"--type=renderer" in command
