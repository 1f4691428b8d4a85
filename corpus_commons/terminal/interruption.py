"""How a command ends that Ctrl-C has interrupted. Imports as good as nothing."""

from __future__ import annotations

import sys

EXIT_INTERRUPTED = 130


def interrupted() -> int:
    """Say so on standard error; returns the exit code."""
    sys.stderr.write("interrupted\n")
    return EXIT_INTERRUPTED
