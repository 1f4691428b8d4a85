"""Where ``multiprocessing`` has the socket of the process that others are forks of.

Its own folder for it stays for ever where the program is killed.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.util import Finalize
from typing import Any, Final

from corpus_commons.temporary_folder import TemporaryFolder

# Of a socket's path (unix(7)), and of its name in the folder, with the slash.
_LONGEST: Final = 107
_NAME: Final = len("/listener-12345678")
# When ``multiprocessing`` removes its own: after all that may use it.
_LAST: Final = -100

_folders: Final[dict[int, TemporaryFolder]] = {}


@contextmanager
def socket_folder() -> Iterator[None]:
    """Within, new sockets are in a temporary folder of ours. Raises OSError.

    Where its path is too long for them, they are where they were.
    """
    config: dict[str, Any] = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    before, ours = config.get("tempdir"), str(_folder().path)
    if len(os.fsencode(ours)) + _NAME <= _LONGEST:
        config["tempdir"] = ours
    try:
        yield
    finally:
        config["tempdir"] = before


def _folder() -> TemporaryFolder:
    """The process's own, made anew if somebody has removed it."""
    number = os.getpid()
    if number not in _folders or not _folders[number].path.is_dir():
        _folders[number] = TemporaryFolder()
        Finalize(None, _folders[number].remove, exitpriority=_LAST)
    return _folders[number]
