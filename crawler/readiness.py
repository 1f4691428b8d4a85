"""What the process of a crawl must bear from its first moment on, while it is being loaded."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Final

from crawler.exit_codes import ExitCode

_STANDARD_ERROR: Final = 2


def make_ready() -> None:
    """Call it in the main thread, before what takes long to load.

    Ctrl-C or SIGTERM ends the process at once, until Scrapy hears of them: nothing is in work yet.
    A standard stream that is missing, as a daemon's may be, leads nowhere, so that nothing that is
    opened later takes its number, and with it what libraries write there.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(ExitCode.STOPPED))
    while (nowhere := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        os.set_inheritable(nowhere, True)
    os.close(nowhere)
    # Python's word for a process that was started without one.
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it stays open
