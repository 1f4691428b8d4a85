"""Limits the memory of the processes that render pages.

V8 limits only its heap, which holds neither typed arrays nor the DOM. ``RLIMIT_DATA`` limits all
private writable memory of a process. Chromium's sandbox sets it too, several gigabytes higher, but
never above the limit that was inherited.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PAGE_MEMORY: Final = 2 << 30
"""In bytes. An empty page reserves 350 MB, most of which it never touches."""


def bound_pages(browser: int) -> None:
    """Limit the renderer processes of the browser with this process id; on Linux only.

    They are forked by the browser's zygote process, and inherit its limit.
    """
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - not every system has it

    for process in _descendants(browser):
        # The process may have ended, or have a lower limit already.
        with contextlib.suppress(OSError, ValueError):
            if _is_renderer(process):
                resource.prlimit(process, resource.RLIMIT_DATA, (PAGE_MEMORY, PAGE_MEMORY))


def _descendants(process: int) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            for child in map(int, children.read_text().split()):
                yield child
                yield from _descendants(child)


def _is_renderer(process: int) -> bool:
    """Whether it renders pages, or is their zygote; another zygote forks the network service."""
    # Some of Chromium's processes separate their arguments by spaces instead of zeros.
    command = Path(f"/proc/{process}/cmdline").read_bytes()
    is_zygote = b"--type=zygote" in command and b"--no-zygote-sandbox" not in command
    return is_zygote or b"--type=renderer" in command
