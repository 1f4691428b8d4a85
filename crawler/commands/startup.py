"""Prepares the process of a crawl, before the slow imports."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Final

from corpus_commons.hangup import stop_at_hangup
from crawler.exit_codes import ExitCode

NOT_BEGUN: Final = "stopped before the crawl had begun; run the same command again"
"""What a user is told whose crawl has read and written nothing."""
_STANDARD_ERROR: Final = 2


def make_ready() -> None:
    """Call it in the main thread, before the slow imports.

    Until Scrapy installs its handlers, Ctrl-C and SIGTERM end the process at once, because no work
    has started; SIGHUP is as SIGTERM. Standard streams that are closed, as in a daemon, are opened
    on /dev/null: otherwise a file opened later could get their descriptors, and the output of
    libraries.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _stop())
    stop_at_hangup()
    while (nowhere := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        os.set_inheritable(nowhere, True)
    os.close(nowhere)
    # Python sets this if the process was started without standard error.
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it stays open


def _stop() -> None:
    # Not by sys.stderr, which the signal may have interrupted in a line.
    with contextlib.suppress(OSError):
        os.write(_STANDARD_ERROR, f"{NOT_BEGUN}\n".encode())
    os._exit(ExitCode.STOPPED)
