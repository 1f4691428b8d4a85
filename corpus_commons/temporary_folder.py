"""A folder for what a program and those that it starts put into the temporary directory.

They leave it there when they are killed, and Playwright's driver also when it is stopped soon after
its browser.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_PREFIX: Final = "genre-crawler-"
_NAME: Final = re.compile(rf"{_PREFIX}(\d+)-")
_VARIABLE: Final = "TMPDIR"


class TemporaryFolder:
    """One process's folder; those of processes that were killed are removed when it is made."""

    def __init__(self) -> None:
        for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
            if _is_left(path):
                shutil.rmtree(path, ignore_errors=True)
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))

    @contextmanager
    def inherited(self) -> Iterator[None]:
        """Processes that are started in the block use it as their temporary directory."""
        before = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = str(self.path)
        try:
            yield
        finally:
            if before is None:
                del os.environ[_VARIABLE]
            else:
                os.environ[_VARIABLE] = before

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _is_left(path: Path) -> bool:
    """Whether its process has ended. Other users' folders are theirs to remove."""
    name = _NAME.match(path.name)
    if name is None or path.is_symlink():
        return False
    try:
        os.kill(int(name[1]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False
