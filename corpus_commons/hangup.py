"""The end of the terminal, or of the connection, that a program was started from."""

from __future__ import annotations

import errno
import os
import signal
import termios
from typing import Final

_STANDARD_STREAMS: Final = (0, 1, 2)


def stop_at_hangup() -> None:
    """Take SIGHUP for SIGTERM, unless it is ignored, as by ``nohup``. Call it in the main thread.

    Only once: a shell passes it on to its jobs, and the kernel sends it again when the shell ends.
    What is written to the terminal from then on goes nowhere, without an error.
    """
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _stop)


def _stop(*_: object) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in filter(_is_closed_terminal, _STANDARD_STREAMS):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    signal.raise_signal(signal.SIGTERM)


def _is_closed_terminal(stream: int) -> bool:
    try:
        termios.tcgetattr(stream)
    except termios.error as error:
        return bool(error.args[0] == errno.EIO)
    return False
