"""Guards against using libraries that do not survive a fork."""

from __future__ import annotations

import os
from functools import cache


def check_not_forked() -> None:
    """Call it before TensorFlow makes or runs a network.

    Raises RuntimeError in a fork of the process that called it first.
    """
    if os.getpid() != _process():
        raise RuntimeError(
            "a network was loaded before a fork, so TensorFlow would hang in this process; load "
            "the network after the fork, or use spawn"
        )


@cache
def _process() -> int:
    """The id of the process that made the first call; cached, so forks inherit it."""
    return os.getpid()
