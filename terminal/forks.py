"""Libraries that cannot live in a fork of the process that they were used in."""

from __future__ import annotations

import os
from functools import cache


def check_not_forked() -> None:
    """Call it before TensorFlow makes or runs a network, whoever asks for one.

    Raises RuntimeError in a fork of the process that first called it.
    """
    if os.getpid() != _process():
        raise RuntimeError(
            "a network was loaded before a fork, and TensorFlow would wait for ever in this "
            "process; load it in each process and not before the fork, or use spawn"
        )


@cache
def _process() -> int:
    """The process that first asked for a network; asked of it later, the same."""
    return os.getpid()
