"""Worker processes as forks of a process that has loaded what they need.

``multiprocessing`` starts each as a new program, which loads for longer than most tests read pages.
A fork does what that program is told to do, with the environment, the limits and the blocked
signals of who starts it, and with none of its files, handlers or threads.
"""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from multiprocessing import forkserver, util
from typing import Final

FRESH: Final = "FRESH_WORKERS"
"""A variable of the environment; where it is set, workers are new programs after all."""

# What is run by a worker process, and by the one of which workers are forks.
_PROGRAMS: Final = ("from multiprocessing.spawn ", "from multiprocessing.forkserver ")
_STANDARD_STREAMS: Final = (0, 1, 2)
_start_program = util.spawnv_passfds


def start(path: bytes, command: Sequence[str], files: Sequence[int]) -> int:
    """Start a process, in place of ``multiprocessing.util.spawnv_passfds``; returns its id."""
    if FRESH in os.environ or not _program_of(command).startswith(_PROGRAMS):
        return _start_program(path, command, files)
    process = os.fork()
    if not process:
        _work(command, files)
    return process


def end_server() -> None:
    """End the process, if there is one, of which the next worker would be a fork."""
    forkserver._forkserver._stop()


def _program_of(command: Sequence[str]) -> str:
    return command[command.index("-c") + 1]


def _work(command: Sequence[str], files: Sequence[int]) -> None:
    """Be the new program, to its end."""
    code = 1
    try:
        # What belongs to the other process is never let go here, as that would close files.
        gc.freeze()
        _forget_handlers()
        _close_all_but({*_STANDARD_STREAMS, *files})
        program = _program_of(command)
        sys.argv = ["-c", *command[command.index(program) + 1 :]]
        exec(program, {"__name__": "__main__"})  # noqa: S102 - of multiprocessing
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _forget_handlers() -> None:
    """As a new program does."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def _close_all_but(kept: set[int]) -> None:
    """Not by ``util.close_all_fds_except``, which closes all where 0 is to be kept."""
    for before, after in itertools.pairwise([*sorted(kept), util.MAXFD]):
        os.closerange(before + 1, after)
