"""Whether a process that a test has seen is still there."""

from __future__ import annotations

from pathlib import Path


def is_alive(process: int) -> bool:
    """Whether it runs; a zombie that waits for its parent does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
