"""Python programs that have the rights of their user, also where the tests run as root."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Final

# <linux/prctl.h> and <linux/capability.h>
_DROP_CAPABILITY: Final = 24
_ROOT_OVERRIDES: Final = (1, 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH


def make_read_only(folder: Path) -> None:
    """Take the right to write from the folder and all in it."""
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)


def run_with_rights(program: str, *arguments: object) -> str:
    """What the program prints, and its errors."""
    libc = ctypes.CDLL(None)

    def drop() -> None:
        for capability in _ROOT_OVERRIDES:
            libc.prctl(_DROP_CAPABILITY, capability)

    return subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", program, *map(str, arguments)],
        preexec_fn=drop,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout
